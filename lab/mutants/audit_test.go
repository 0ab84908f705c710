package mutants

// audits are what verify must see, and what it must leave alone.
var audits = []mutant{
	// Timelines, previews and followers.
	{
		file: "store/verify/internal/snapshot/expected.go", old: "model.RecentTweets+late)",
		new: "model.RecentTweets+0*late)",
		pkg: "./store/verify", test: "TestLateTweet",
		why: "a repair removes entries that are right",
	},
	{
		file: "store/verify/timelines.go", old: "err != nil || !kept && len(entries) == 0 {", new: "err != nil || !kept {",
		pkg: "./store/verify", test: "TestDormantFollower",
		why: "a dormant reader's timeline has tweets of strangers, and shows them after the rebuild",
	},
	{
		file: "store/verify/previews.go", old: "tweets[id] == nil || id.Month() != m {", new: "tweets[id] == nil {",
		pkg: "./store/verify", test: "TestStrayPreviews",
		why: "a preview in a wrong month passes",
	},
	{
		file: "store/verify/followers.go", old: "!follows || page != home(f) {", new: "!follows {",
		pkg: "./store/verify", test: "TestHashedDrift",
		why: "a follower on a wrong page passes",
	},
	{
		file: "store/verify/followers.go", old: "|| u.Pages.Active[f] {", new: "{",
		pkg: "./store/verify", test: "TestMarks",
		why: "an active reader who is marked as dormant gets nothing, and verify finds no difference",
	},

	// Texts, and what is left of deleted tweets.
	{
		file: "store/verify/restore.go", old: "want := t.FromText(d)", new: "want := &t",
		pkg: "./store/verify", test: "TestTexts",
		why: "a repair leaves a wrong snippet",
	},
	{
		file: "store/verify/tweets.go", old: "	ds = append(ds, strayMarks(a, model.ReactionShare, u.Shared, u.Tweets)...)\n",
		new: "",
		pkg: "./store/verify", test: "TestLostEdits",
		why: "a share of a tweet that is gone stays, and its user's list pays for it",
	},
	{
		file: "store/verify/tweets.go", old: "if u.Tweets[id] == nil {\n\t\t\tds = append(ds, strayRevisions(a, id, n)...)",
		new: "if u.Tweets[id] != nil {\n\t\t\tds = append(ds, strayRevisions(a, id, n)...)",
		pkg: "./store/verify", test: "TestLostEdits",
		why: "revisions of a deleted tweet stay, and verify finds no difference",
	},

	// Notifications.
	{
		file: "store/verify/notifications.go", old: "model.NotificationWindow-25*time.Hour",
		new: "model.NotificationWindow-0*time.Hour",
		pkg: "./store/verify", test: "TestExpiredNotification",
		why: "verify reports, and repairs, notifications that have expired",
	},
	{
		file: "store/verify/restorenotifications.go", old: " || !choice.Doc.Wants(n)", new: " || choice == nil",
		pkg: "./store/notifications", test: "TestUnwanted",
		why: "a repair notifies a user against the settings",
	},
	{
		file: "store/verify/notifications.go",
		old:  " || n.Type == model.NotificationMention && !kept(a, n.Payload.TweetID.Time())",
		new:  "",
		pkg:  "./store/verify", test: "TestMentionedAgain",
		why: "a repair notifies a user of a mention a second time after the first event expired",
	},
	{
		file: "store/notifications/events.go", old: "n.Dropped = actor.blocked && n.Type.Blockable() || " +
			"!is.choice.Wants(n); n.Dropped", new: "n.Dropped = !is.choice.Wants(n); n.Dropped",
		pkg: "./store/notifications", test: "TestBlockedSince",
		why: "verify restores the events of blocked users on notifications",
	},
	{
		file: "store/verify/internal/snapshot/owed.go", old: "u.Blocked[by] ||", new: "",
		pkg: "./store/notifications", test: "TestBlockedSince",
		why: "verify always reports an event that a block drops as missing",
	},
	{
		file: "store/verify/internal/snapshot/owed.go", old: "|| !u.Choice.Wants(n)", new: "",
		pkg: "./store/notifications", test: "TestUnwanted",
		why: "verify always reports an event that the settings suppress as missing",
	},

	// A repair goes on.
	{
		file: "store/verify/repair.go", old: "err := v.again(ctx, func() error { return d.fix.do(ctx) })",
		new: "err := d.fix.do(ctx)",
		pkg: "./store/verify", test: "TestRepairWhileUnavailable",
		why: "a repair of hours ends at the first moment without the database",
	},
}
