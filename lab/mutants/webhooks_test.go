package mutants

// webhooks is what keeps deliveries whole, single and within the public internet.
var webhooks = []mutant{
	{
		file: "store/moderation/webhookdeliveries.go",
		old:  "}, firestore.LastUpdateTime(snap.UpdateTime))", new: "})",
		pkg: "./store/moderation", test: "TestDeliverAtOnce",
		why: "two ticks at once send a delivery twice",
	},
	{
		file: "store/moderation/webhookdeliveries.go", old: "Value: s.db.Time().Add(deliveryLease)",
		new: "Value: s.db.Time()",
		pkg: "./store/moderation", test: "TestDeliverAtOnce",
		why: "a tick sends what another one is sending",
	},
	{
		file: "store/moderation/webhookdeliveries.go",
		old:  "_, err := ref.Update(ctx, updates, firestore.LastUpdateTime(claimed))",
		new:  "_, err := ref.Update(ctx, updates)",
		pkg:  "./store/moderation", test: "TestDeliverLate",
		why: "a late process has a delivery sent again that another one sent",
	},
	{
		file: "store/moderation/webhookdeliveries.go",
		old:  "		if failure != nil {\n			return is, nil\n		}", new: "",
		pkg: "./store/moderation", test: "TestDeliverBesideFailure",
		why: "a receiver that hangs is asked 20 times in a tick",
	},
	{
		file: "store/moderation/webhookdeliveries.go", old: "		if !hook.Enabled {\n", new: "		if false {\n",
		pkg: "./store/moderation", test: "TestWebhookRemovedMeanwhile",
		why: "a webhook that is switched off is asked",
	},
	{
		file: "model/webhooks.go", old: "case w.Enabled && at.Sub(w.FailingSince) >= WebhookPatience:", new: "case false:",
		pkg: "./store/moderation", test: "TestWebhookGivenUp",
		why: "a dead receiver is asked for ever",
	},
	{
		file: "store/users/signups.go", old: "	if !waits {\n		if err := told", new: "	{\n		if err := told",
		pkg: "./store/moderation", test: "TestWebhookEvents",
		why: "each change of a sign-up is told as a new one",
	},
	{
		file: "store/internal/hooks/hooks.go", old: "		is = t.last.Load()\n", new: "",
		pkg: "./store/moderation", test: "TestWebhooksUnreadable",
		why: "a report is not told because the webhooks cannot be read",
	},
	{
		file: "internal/webhook/webhook.go", old: "o.Redirects = !o.AllowLoopback, Timeout, 0",
		new: "o.Redirects = !o.AllowLoopback, Timeout, 3",
		pkg: "./internal/webhook", test: "TestSendFails",
		why: "a receiver sends deliveries elsewhere",
	},
	{
		file: "internal/webhook/webhook.go", old: "o.HTTPSOnly, o.Timeout, o.Redirects = !o.AllowLoopback,",
		new: "o.HTTPSOnly, o.Timeout, o.Redirects = false,",
		pkg: "./internal/webhook", test: "TestSendFails",
		why: "a delivery travels without TLS",
	},
}
