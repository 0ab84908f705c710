package mutants

// audits are what verify must see, and what it must leave alone.
var audits = []mutant{
	// Home timelines, heads, previews and graphs.
	{
		file: "store/verify/internal/snapshot/expected.go", old: "range model.Newest(before, model.RecentTweets)",
		new: "range model.Newest(before, 0)",
		pkg: "./store/verify", test: "TestHomeBeforeFollow",
		why: "verify misses tweets on home pages that no page shows",
	},
	{
		file: "store/verify/internal/snapshot/expected.go", old: "if !position.Time().Before(since) {",
		new: "if position != \"\" {",
		pkg: "./store/verify", test: "TestHomeBeforeFollow",
		why: "verify misses shares from before a follow on home pages",
	},
	{
		file: "store/verify/timelines.go", old: "delete(must, e.Position); !may[e.Position] {",
		new: "delete(must, e.Position); false {",
		pkg: "./store/verify", test: "TestAudit",
		why: "the tweet of a stranger on a home page passes",
	},
	{
		file: "store/verify/timelines.go", old: "if v.doubts.authors[author] {", new: "if v.doubts.readers[author] {",
		pkg: "./store/verify", test: "TestDoubts",
		why: "a broken head is reported once more, by a home page that shows it",
	},
	{
		file: "store/verify/timelines.go", old: "v.viewers.Newest(following)", new: "following",
		pkg: "./store/verify", test: "TestPartialGraph",
		why: "verify always reports what the authors write for whom a full graph has no room",
	},
	{
		file: "store/verify/heads.go", old: "u.Head.Len() > model.HeadItems", new: "u.Head.Len() < 0",
		pkg: "./store/verify", test: "TestLongHead",
		why: "a head beyond its limit passes",
	},
	{
		file: "store/verify/viewers.go", old: "case c == nil && built:", new: "case c == nil && is.Whole:",
		pkg: "./store/verify", test: "TestPartialGraph",
		why: "an old graph never gets a copy of the settings, and each notification reads them",
	},
	{
		file: "store/verify/shares.go", old: "open == nil || !open.Shares", new: "open != nil && !open.Shares",
		pkg: "./store/verify", test: "TestSharesMark",
		why: "no home page finds the shares of a month whose tweets are lost",
	},
	{
		file: "store/verify/shares.go", old: "return a.previews.MarkShares(ctx, u.ID, m)", new: "return nil",
		pkg: "./store/verify", test: "TestSharesMark",
		why: "a repair does not make a month of shares known",
	},
	{
		file: "store/verify/previews.go", old: "tweets[id] == nil || id.Month() != m {", new: "tweets[id] == nil {",
		pkg: "./store/verify", test: "TestStrayPreviews",
		why: "a preview in a wrong month passes",
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
		file: "store/verify/notifications.go", old: "a.db.NotificationWindow-expiring",
		new: "a.db.NotificationWindow",
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
		file: "store/notifications/events.go", old: "is.blocked[n.Payload.UserID] && n.Type.Blockable() || ", new: "",
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
