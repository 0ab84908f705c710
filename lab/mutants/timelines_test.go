package mutants

// timelines are previews, buckets, home timelines and threads: what readers see, and who no
// longer may.
var timelines = []mutant{
	// Post previews.
	{
		file: "store/profiles/months.go", old: "> lateAfter {", new: "> 24*time.Hour {",
		pkg: "./store/profiles", test: "TestLatePut",
		why: "a late event shows a tweet to whom it was taken from",
	},
	{
		file: "model/heads.go", old: "return now.Sub(since) > headLate",
		new: "return h.Len() > 0 || now.Sub(since) > headLate",
		pkg: "./store/profiles", test: "TestListDuringBurst",
		why: "a short page claims the end of a list whose older tweets are on their way",
	},
	{
		file: "store/profiles/heads.go", old: "updates, firestore.LastUpdateTime(old.UpdateTime))", new: "updates)",
		pkg: "./store/profiles", test: "TestReconcileInTwoProcesses",
		why: "a tweet is lost from its author's newest tweets",
	},
	{
		file: "store/profiles/heads.go", old: "rebuild = rebuild || c.position == \"\"",
		new: "rebuild = c.position == \"\" && len(changes) == 1",
		pkg: "./store/profiles", test: "TestRebuildJoinsOthers",
		why: "a deleted tweet stays among the newest tweets",
	},
	{
		file: "store/profiles/heads.go", old: "changed = changed || !c.new ||", new: "changed = changed ||",
		pkg: "./store/profiles", test: "TestWithdrawalDuringNewShare",
		why: "a share that was withdrawn while another process added it stays in the head",
	},
	{
		file: "store/profiles/heads.go", old: "results[i].found && !is.Doc.Reaches(c.position.Time())", new: "false",
		pkg: "./store/profiles", test: "TestLatePostDuringRebuild",
		why: "a head that is rebuilt further into the past lacks a post that comes late",
	},
	{
		file: "store/profiles/heads.go", old: "head.Len() < model.HeadRefill &&", new: "false &&",
		pkg: "./store/profiles", test: "TestHeadRefill",
		why: "a head whose items were deleted is never filled up, and each page reads months",
	},
	{
		file: "model/heads.go", old: "Position.Time().Add(time.Millisecond))\n}", new: "Position.Time())\n}",
		pkg: "./model", test: "TestTrim",
		why: "a head claims to have everything of a millisecond of which it has a part",
	},
	{
		file: "store/profiles/reconcile.go", old: "maps.Equal(again.Pages, s.root.Pages)",
		new: "again.UserID == again.UserID",
		pkg: "./store/profiles", test: "TestReconcileDuringOverflow",
		why: "a deleted preview stays on a new overflow document",
	},
	{
		file: "store/profiles/reconcile.go", old: "position == \"\" && on && (there", new: "false && (there",
		pkg: "./store/profiles", test: "TestEditsOfOldTweets",
		why: "each edit of old tweets makes one more document that every visitor reads",
	},
	{
		file: "store/profiles/reconcile.go", old: "err = tx.Delete(o.ref, firestore.LastUpdateTime(o.writtenAt))",
		new: "err = tx.Delete(o.ref)",
		pkg: "./store/profiles", test: "TestLastPreviewOfOverflow",
		why: "a restored preview is lost with the overflow document that was empty before",
	},
	{
		file: "store/profiles/reconcile.go", old: "if on && position == \"\" {",
		new: "if reconciled[id] && position == \"\" {",
		pkg: "./functions", test: "TestFlag",
		why: "everybody may read a flagged tweet in its author's month",
	},

	// Renames.
	{
		file: "store/profiles/profiles.go", old: "changed = now.Found && !now.Doc.same(",
		new: "changed = !now.Found && !now.Doc.same(",
		pkg: "./store/profiles", test: "TestPropagateJoins",
		why: "a rename at the end of a propagation reaches no tweet",
	},
	{
		file: "store/profiles/profiles.go", old: "case young <= 0, paused", new: "case true, paused",
		pkg: "./store/profiles", test: "TestPropagateProfileWaits",
		why: "a tweet that the API writes with a cached profile keeps the former name",
	},

	// Buckets.
	{
		file: "store/internal/bucket/overflow.go", old: "unchanged = append(unchanged, " +
			"firestore.LastUpdateTime(s.read.UpdateTime))", new: "_ = 0",
		pkg: "./store/profiles", test: "TestReconcileDuringOverflow",
		why: "an overflow restores a deleted preview",
	},
	{
		file: "store/internal/bucket/overflow.go", old: "s.batch.Create(s.page(n), s.document(positions, items))",
		new: "s.batch.Set(s.page(n), s.document(positions, items))",
		pkg: "./store/timelines", test: "TestOverflowsAtOnce",
		why: "two overflows at once lose entries",
	},
	{
		file: "store/internal/bucket/reader.go", old: "p.Oldest.Compare(before) < 0", new: "p.Newest.Compare(before) < 0",
		pkg: "./store/timelines", test: "TestPagesOfOverflow",
		why: "a page that begins inside an overflow document lacks tweets",
	},
	{
		file: "store/internal/bucket/bucket.go", old: "case size.size > int64(b.most()):", new: "case size.size > 1_000_000:",
		pkg: "./lab/bounds", test: "TestLargestMonth",
		why: "a month grows beyond 1 MiB while overflows are late",
	},

	{
		file: "store/profiles/months.go", old: "fields.Month: m.month, fields.Followers: true}",
		new: "fields.Month: m.month}",
		pkg: "./functions", test: "TestAudience",
		why: "a new follower does not get what the author wrote for followers",
	},

	// Home timelines, merged from heads and months.
	{
		file: "store/timelines/stream.go", old: "case !ok && s.months && !s.from.Time().Before(s.oldest):",
		new: "case !ok && s.author == \"\":",
		pkg: "./lab/scale", test: "TestNewFollow",
		why: "a home timeline ends where its authors' heads end",
	},
	{
		file: "store/timelines/stream.go", old: "s.earlier > model.RecentTweets {",
		new: "s.earlier > 2*model.RecentTweets {",
		pkg: "./lab/scale", test: "TestNewFollow",
		why: "a follow brings more than the newest tweets from before",
	},
	{
		file: "store/timelines/merge.go", old: "		return m.Prev()\n", new: "		return m\n",
		pkg: "./lab/scale", test: "TestManyFollows",
		why: "a home timeline ends with the month",
	},
	{
		file: "store/timelines/merge.go", old: "monthsTogether = 200", new: "monthsTogether = 50",
		pkg: "./store/timelines", test: "TestPageIsCut",
		why: "a reader of some dozen busy authors sees only their newest tweets",
	},
	{
		file: "store/timelines/heads.go",
		old:  "slices.SortFunc(own.positions, func(a, b model.Position) int { return b.Compare(a) })",
		new:  "slices.SortFunc(own.positions, func(a, b model.Position) int { return a.Compare(b) })",
		pkg:  "./lab/scale", test: "TestManyFollows",
		why: "a home page begins with old tweets",
	},
	{
		file: "store/timelines/heads.go", old: "	if !h.Whole {\n", new: "	if !h.Whole && h.Len() < model.HeadItems {\n",
		pkg: "./lab/scale", test: "TestManyFollows",
		why: "no page reads the months of an author whose head is full",
	},
	{
		file: "store/timelines/delivery.go",
		old:  "if err := w.previews.ReconcileHead(ctx, l.UserID, position); err != nil || w.expired(position) {",
		new:  "if err := ctx.Err(); err != nil || w.expired(position) {",
		pkg:  "./lab/scale", test: "TestWithdrawnShare",
		why: "a withdrawn share stays on home pages",
	},
	{
		file: "store/timelines/delivery.go", old: "if err := w.previews.Put(ctx, t); err != nil {",
		new: "if err := ctx.Err(); err != nil {",
		pkg: "./lab/scale", test: "TestNewFollow",
		why: "a tweet is gone from home timelines once it is too old for its author's head",
	},
	{
		file: "store/timelines/stream.go", old: "before != \"\" && !own && before.Time().Before(since)", new: "false",
		pkg: "./store/timelines", test: "TestRecentOnEachPage",
		why: "each page of a walk brings twenty more tweets from before the follow",
	},
	{
		file: "store/timelines/merge.go", old: "		m.streams = nil ", new: "		_ = 0 ",
		pkg: "./store/timelines", test: "TestMoreAuthorsThanMonths",
		why: "a page shows old tweets of some authors and lacks newer ones of others",
	},
	{
		file: "store/timelines/merge.go", old: "(begin == \"\" || from.Compare(begin) < 0)", new: "(begin == \"\" || true)",
		pkg: "./store/timelines", test: "TestCutAboveThePage",
		why: "a walk begins again and again",
	},
	{
		file: "store/timelines/home.go", old: " || m.goesOn(after) != \"\" {", new: " {",
		pkg: "./store/timelines", test: "TestPageIsCut",
		why: "a full page is the last if the next tweet needs more months",
	},
	{
		file: "store/timelines/heads.go", old: "r.db.Now().Truncate(time.Hour).Add(time.Hour + aheadMost)",
		new: "r.db.Now().Add(aheadMost)",
		pkg: "./store/timelines", test: "TestAuthorsWithoutHead",
		why: "a page makes a request for each author without a head",
	},
	{
		file: "store/timelines/news.go", old: "h.from != \"\" && ", new: "",
		pkg: "./store/timelines", test: "TestHomeAfter",
		why: "a client that asks for news gets an error if an author has few posts",
	},

	// Shares on home timelines.
	{
		file: "store/timelines/heads.go", old: " || own.shares[id].Compare(position) < 0 {", new: " {",
		pkg: "./store/timelines", test: "TestTwoSharesInHead",
		why: "a page reads each share of a tweet that was shared again",
	},
	{
		file: "store/timelines/positions.go", old: "if position.Compare(below) < 0 && ", new: "if ",
		pkg: "./store/timelines", test: "TestShareNotYetInHead",
		why: "a share on its way to the head hides its tweet",
	},
	{
		file: "store/timelines/home.go", old: ", hides), uid)",
		new: ", func(model.UserID) bool { return false }), uid)",
		pkg: "./store/timelines", test: "TestHomeQuiet",
		why: "a page reads the heads of muted authors, and their shares stand in the place of others",
	},
	{
		file: "store/timelines/positions.go", old: "(k.viewer.ViaTag(t) == \"\" || blocked[t.AuthorID])",
		new: "blocked[t.AuthorID]", pkg: "./store/timelines", test: "TestFollowedTagsBetweenPages",
		why: "a tweet that lost a followed tag stays on home",
	},
	{
		file: "store/timelines/taglists.go", old: "context.WithoutCancel(meter.With(ctx, l.bill))",
		new: "meter.With(ctx, l.bill)",
		pkg: "./store/timelines", test: "TestFollowedTagsAborted",
		why: "a request that hangs up keeps the newer tweets of a tag from all readers",
	},
	{
		file: "store/timelines/merge.go", old: "return item, true, m.skipTagged(ctx, item.Position)",
		new: "return item, true, nil", pkg: "./store/timelines", test: "TestHomeOfFollowedTags",
		why: "a tweet that comes by its author and by a tag is merged twice",
	},
	{
		file: "store/timelines/positions.go", old: "hidden = hidden || k.quiet.HidesShares(s.Author)", new: "_ = hidden",
		pkg: "./store/timelines", test: "TestHomeQuiet",
		why: "a home timeline shows what a muted user shares",
	},
	{
		file: "store/timelines/positions.go", old: "authors = append(authors, t.AuthorID)", new: "_ = t",
		pkg: "./store/timelines", test: "TestHomeQuiet",
		why: "a reader with too many entries for one document sees muted authors",
	},
	{
		file: "store/internal/viewers/quiet.go", old: "k.blocks[o] = mine[o] || theirs[o]", new: "k.blocks[o] = mine[o]",
		pkg: "./store/graph", test: "TestQuietWithoutGraph",
		why: "a reader with too many entries for one document sees who blocks the reader",
	},
	{
		file: "store/internal/viewers/quiet.go", old: "noteKnown(ctx, uid, k)", new: "_ = noteKnown",
		pkg: "./store/graph", test: "TestQuietWithoutGraph",
		why: "a request asks of a user again and again",
	},
	{
		file: "store/timelines/lists.go", old: "if quiet.Hides(author) {", new: "if quiet.Blocks(author) {",
		pkg: "./store/graph", test: "TestListTimeline",
		why: "a list has whom its owner mutes, if the owner has too many entries for one document",
	},
	{
		file: "api/quiet.go", old: "if size <= partial {", new: "if size <= 100 {",
		pkg: "./api", test: "TestPartialPages",
		why: "a full page of users who are muted costs over 200 reads",
	},
	{
		file: "store/internal/viewers/writer.go", old: "updates, firestore.LastUpdateTime(written))", new: "updates)",
		pkg: "./store/timelines", test: "TestFrozenBlock",
		why: "a process that was frozen takes a later follow out of the reader's graph",
	},
	{
		file: "store/internal/viewers/writer.go", old: "		grown(uid)\n	}\n", new: "		grown(uid)\n		return done, nil\n	}\n",
		pkg: "./store/timelines", test: "TestUnblockDuringBlock",
		why: "a block that went meanwhile hides shares",
	},

	// Lists of followers.
	{
		file: "store/internal/followerlists/followerlists.go", old: "updates, firestore.LastUpdateTime(since))",
		new: "updates)",
		pkg: "./store/graph", test: "TestUnfollowDuringFollow",
		why: "a process that was frozen puts somebody into the list who does not follow any more",
	},
	{
		file: "store/internal/followerlists/followerlists.go", old: "changed = changed || !c.began || has",
		new: "changed = changed || has",
		pkg: "./store/graph", test: "TestUnfollowDuringFollow",
		why: "a relationship that ended while another process read it stays in the list",
	},
	{
		file: "store/internal/followerlists/followerlists.go", old: "!next.Whole && len(next.Followers) < w.Refill()",
		new: "!list.Found",
		pkg: "./store/graph", test: "TestFollowerList",
		why: "a list whose followers left is never filled up, and each page is a query",
	},
	{
		file: "store/internal/followerlists/followerlists.go", old: "		return done, w.ask(ctx, uid)\n	}\n",
		new: "		return done, nil\n	}\n",
		pkg: "./store/graph", test: "TestContendedFollowerList",
		why: "followers of a user whom many follow at once are missing in the list",
	},
	{
		file: "store/internal/followerlists/followerlists.go",
		old:  "if _, err := w.db.Take(ctx, ref, work.WrittenAt); err != nil {",
		new:  "if ok, err := w.db.Take(ctx, ref, work.WrittenAt); err != nil || !ok {",
		pkg:  "./store/graph", test: "TestContendedFollowerList",
		why: "a process that ends before a rebuild leaves the list as it was",
	},
	{
		file: "model/followerlists.go", old: "all[len(all)-1]) <= 0", new: "all[len(all)-1]) < 9",
		pkg: "./store/graph", test: "TestFollowerList",
		why: "a list has an older follower, and none of those between",
	},
	{
		file: "store/graph/relationships.go", old: "page.Next = page.Items[limit-1].Cursor() // there are older ones",
		new: "_ = 0",
		pkg: "./store/graph", test: "TestFollowers",
		why: "nobody sees the followers who are not in the list",
	},

	// Threads.
	{
		file: "store/tweets/threads.go", old: "n.Next = place(n.Replies[len(n.Replies)-1].ID)", new: "n.Next = found.Next",
		pkg: "./store/tweets", test: "TestRandomThreads",
		why: "a page of a branch begins behind replies that nobody was shown",
	},
	{
		file: "store/tweets/threads.go", old: "left -= reads[i]", new: "left -= reads[i] / 4",
		pkg: "./store/tweets", test: "TestWideThread",
		why: "a wide thread costs more reads than a request may take",
	},
	{
		file: "model/tweets.go", old: "if t.ReplyCount > 0 {", new: "if t.ReplyCount > 1 {",
		pkg: "./store/tweets", test: "TestThread",
		why: "what stands below a deleted reply is in no thread",
	},
	{
		file: "store/timelines/home.go", old: "if !ok || after != \"\" && p.Position.Compare(after) <= 0 {", new: "if !ok {",
		pkg: "./store/timelines", test: "TestHomeAfter",
		why: "a client that asks for what came since gets a whole page",
	},
	{
		file: "store/timelines/positionmemory.go", old: "all += PositionMemory(next[:])",
		new: "all = PositionMemory(next[:])",
		pkg: "./store/timelines", test: "TestWalkOfAThousandShares",
		why: "a page knows what the page before has shown as shares, and not what earlier pages have",
	},
	{
		file: "store/timelines/positions.go", old: "if k.below != \"\" && i.Position.Compare(k.below) >= 0 {",
		new: "if false {",
		pkg: "./store/timelines", test: "TestSharesBetweenPages",
		why: "a walk leaves out what is shared above it meanwhile",
	},
	{
		file: "model/shares.go", old: "there && !hidden && !blocked", new: "there && !blocked",
		pkg: "./store/timelines", test: "TestHideShares",
		why: "a reader sees what somebody shares whose shares the reader hides",
	},
	{
		file: "model/registry_graph.go", old: "\t\t\t{By: \"sharerId\", What: \"by others\", Erase: 90},\n", new: "",
		pkg: "./store/erasure", test: "TestLeave",
		why: "a deleted user stays in others' muted sharers",
	},
	{
		file: "store/internal/bucket/reader.go", old: "if !r.at.IsZero() {", new: "if false {",
		pkg: "./store/profiles", test: "TestSplitWhileReading",
		why: "a new follower misses tweets of a month that is split just then",
	},
	{
		file: "store/counters/cleanup.go", old: "if was != nil && was.ReplyTo != nil && was.ReplyCount > 0 {",
		new: "if false {",
		pkg: "./store/counters", test: "TestAnsweredWhileDeleted",
		why: "what answers a reply just before it is deleted is in no thread",
	},
	{
		file: "store/erasure/rules.go", old: "merge, firestore.MergeAll)", new: "merge)",
		pkg: "./store/erasure", test: "TestAnsweredWhileAccountDeletion",
		why: "what answers a reply whose author leaves is in no thread, if the commit comes twice",
	},
	{
		file: "store/internal/mentions/mentions.go", old: "if !d.Now().After(before) {", new: "if !before.IsZero() {",
		pkg: "./store/profiles", test: "TestSlowPost",
		why: "a post that is slow keeps the former name of its author",
	},
	{
		file: "api/accountstatuses.go", old: "code != \"user_suspended\" && code != \"user_frozen\"", new: "code != \"\"",
		pkg: "./api", test: "TestMirrorAfterRefusal",
		why: "Firebase Auth never hears of a suspension that it did not take at first",
	},
	{
		file: "store/moderation/mirror.go", old: "		if a.Act == model.ActRevoke {", new: "		if false {",
		pkg: "./api", test: "TestFreezeBesideRevoke",
		why: "a freeze gives a role back that was taken at the same moment",
	},
}
