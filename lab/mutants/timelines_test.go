package mutants

// timelines are previews, buckets, home timelines and threads: what readers see, and who no
// longer may.
var timelines = []mutant{
	{
		file: "store/timelines/feed.go", old: "pulled[uid] = append(pulled[uid], list)", new: "_ = list",
		pkg: "./store/timelines", test: "TestOwnTweets",
		why: "a home timeline lacks the reader's own tweets",
	},
	{
		file: "store/timelines/dormant.go", old: "append(followed, uid)", new: "followed",
		pkg: "./store/timelines", test: "TestOwnTweets",
		why: "a dormant reader's own tweets vanish",
	},
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
		file: "store/profiles/window.go", old: "oldest, _ = r.db.HomeWindow()\n\tmonths := r.db.LinkMonths()",
		new: "oldest, months := r.db.HomeWindow()",
		pkg: "./store/timelines", test: "TestFollowAtTheEndOfAMonth",
		why: "a follow just after a month's end misses its first tweets",
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

	// Home timelines.
	{
		file: "store/timelines/backfill.go", old: `b.pulled[string(m)] != ""`, new: "b.pulled[string(m)] == pullMarked",
		pkg: "./store/timelines", test: "TestLinkWhileMarking",
		why: "a new follower misses a large author's month",
	},
	{
		file: "store/timelines/backfill.go", old: "now.Found && now.Doc.CreatedAt.Equal(all[i].rel.CreatedAt)",
		new: "now.Found",
		pkg: "./store/timelines", test: "TestFollowAgainDuringLink",
		why: "a second follow brings what the first would have brought",
	},
	{
		file: "store/timelines/fanout.go",
		old: "\tif err := w.previews.Put(ctx, t); err != nil {\n\t\treturn err\n\t}\n\ta, err := w.Audience(ctx, " +
			"t.AuthorID, t.ID.Month())\n",
		new: "\ta, err := w.Audience(ctx, t.AuthorID, t.ID.Month())\n\tif err == nil {\n\t\terr = " +
			"w.previews.Put(ctx, t)\n\t}\n",
		pkg: "./store/timelines", test: "TestFollowCrossesTweet",
		why: "a new follower and a new tweet that cross each other miss each other",
	},
	{
		file: "store/timelines/fanout.go", old: "err != nil || a.Pulled {", new: "err != nil || a.Pull {",
		pkg: "./store/timelines", test: "TestWithdrawBeforePull",
		why: "entries of deleted tweets stay",
	},
	{
		file: "store/timelines/merge.go", old: "\tf.pushed.Skip(position)\n",
		new: "\tif _, ok := f.pushed.Items[position]; ok {\n\t\tf.pushed.Skip(position)\n\t\treturn\n\t}\n",
		pkg: "./store/timelines", test: "TestPushedAndPulled",
		why: "a home page shows a tweet twice",
	},
	{
		file: "store/timelines/internal/followerpages/pages.go",
		old:  "Add(splitLease)}},\n\t\tfirestore.LastUpdateTime(first.Snap.UpdateTime))",
		new:  "Add(splitLease)}})",
		pkg:  "./store/timelines", test: "TestFollowerBeforeSplit",
		why: "a follower is lost",
	},
	{
		file: "store/timelines/internal/followerpages/pages.go", old: "len(first.Followers)+len(first.Dormant) == 0",
		new: "len(first.Followers) < 1_000_000",
		pkg: "./store/timelines", test: "TestFirstPageIsCleared",
		why: "the first page of an author with hashed pages grows",
	},
	{
		file: "store/internal/db/db.go", old: "now.Add(monthMargin)", new: "now",
		pkg: "./store/timelines", test: "TestUnfollowAtTheEndOfAMonth",
		why: "an author who was left stays visible all month",
	},
	{
		file: "store/internal/db/parts.go", old: "\tcase len(some) > 1:\n", new: "\tcase len(some) > 1_000:\n",
		pkg: "./store/timelines", test: "TestOversizedTimelineFailsNobodyElse",
		why: "one timeline that is too large keeps a tweet from a hundred readers",
	},
	{
		file: "functions/tweets.go", old: "errors.Join(h.store.Timelines.Return(ctx, after), unsearched)", new: "unsearched",
		pkg: "./functions", test: "TestFlag",
		why: "a follower who came while a tweet was hidden never gets it",
	},
	{
		file: "store/internal/visibility/visibility.go", old: "		if visible[t.ID] {\n",
		new: "		if visible[t.ID] || t.Visibility == model.Followers {\n",
		pkg: "./store/timelines", test: "TestHomeAfterUnfollow",
		why: "who was blocked goes on reading what is for followers, until an event comes",
	},
	{
		file: "store/profiles/months.go", old: "fields.Month: m.month, fields.Followers: true}",
		new: "fields.Month: m.month}",
		pkg: "./functions", test: "TestAudience",
		why: "a new follower does not get what the author wrote for followers",
	},

	// Shares on home timelines.
	{
		file: "store/timelines/positions.go", old: "k.kept[s] = !t.Pulled[by]", new: "k.kept[s] = true",
		pkg: "./store/timelines", test: "TestWithdrawalOfPulledSharer",
		why: "a withdrawn share that was pushed before its sharer was pulled stays",
	},
	{
		file: "store/timelines/positions.go", old: "k.whole() && k.kept[s] && ", new: "k.whole() && ",
		pkg: "./store/timelines", test: "TestSharesOverflow",
		why: "a withdrawn share in an overflow document stays",
	},
	{
		file: "store/timelines/rebuild.go", old: "viewers.Settled(now)", new: "viewers.Settled(time.Time{})",
		pkg: "./store/timelines", test: "TestWithdrawalDuringDormancy",
		why: "a share that was withdrawn while the reader was dormant stays",
	},
	{
		file: "store/timelines/backfill.go", old: "if b.check && position.IsShare() {", new: "if false {",
		pkg: "./store/timelines", test: "TestWithdrawalDuringKilledLink",
		why: "a share that is withdrawn while a follow brings it stays",
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
	{
		file: "store/timelines/sharing.go", old: "	return w.withdraw(ctx, position, l.UserID, 0, a.Followers) // hashed " +
			"pages withdraw by themselves\n", new: "	return nil\n",
		pkg: "./store/timelines", test: "TestShareEventsInAnyOrder",
		why: "a share whose event came late stays in the home timelines from which it was taken",
	},
	{
		file: "store/timelines/links.go", old: "append(positions, shares...)", new: "positions",
		pkg: "./store/timelines", test: "TestFollowCrossesShare",
		why: "a new follower, or a rebuilt timeline, never gets a share of that moment",
	},

	// Dormant readers.
	{
		file: "store/timelines/dormantpages.go", old: "if err != nil || !page.Found {", new: "if err != nil {",
		pkg: "./store/timelines", test: "TestRebuildEndsWithinPage",
		why: "a reader sees no tweets right after the rebuild",
	},
	{
		file: "store/timelines/sweep.go", old: "b.Delete(home.Ref, firestore.LastUpdateTime(home.UpdateTime))",
		new: "b.Delete(home.Ref)",
		pkg: "./store/timelines", test: "TestLookDuringSweep",
		why: "a reader who looks at this moment is put to sleep",
	},
	{
		file: "store/timelines/internal/followerpages/pages.go", old: "is.home.Found || is.rebuild.Found ||",
		new: "is.home.Found ||",
		pkg: "./store/timelines/internal/followerpages", test: "TestSleepOfRebuiltReader",
		why: "an active reader stays marked as dormant, and gets nothing",
	},
	{
		file: "store/internal/db/work.go", old: "\t\tb.Delete(s.ref, s.same()...)\n", new: "",
		pkg: "./functions", test: "TestSleepAndRebuild",
		why: "a timeline that was rebuilt once is never rebuilt again",
	},
	{
		file: "store/timelines/sweep.go",
		old: "\tb.Set(w.db.Doc(model.Dormancies, string(uid)), model.DormancyWork{UserID: uid, " +
			"Since: w.db.Time(),\n\t\tExpireAt: w.db.WorkExpiry()})\n",
		new: "\t_ = uid\n",
		pkg: "./store/timelines", test: "TestSweepInterrupted",
		why: "a reader is neither active nor marked as dormant",
	},
	{
		file: "store/timelines/home.go", old: "b.Create(reactions.Ref, map", new: "b.Set(reactions.Ref, map",
		pkg: "./store/timelines", test: "TestLookWhileRebuildEnds",
		why: "a look while RebuildTimeline ends shows a timeline that is half rebuilt",
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
		file: "store/timelines/dormant.go", old: "newest.Position().Compare(p.after) <= 0",
		new: "newest.Position().Compare(p.after) < 0",
		pkg: "./store/timelines", test: "TestHomeAfter",
		why: "a reader after a break gets tweets again that the client has",
	},
	{
		file: "store/timelines/home.go", old: "if !ok || after != \"\" && p.Position.Compare(after) <= 0 {", new: "if !ok {",
		pkg: "./store/timelines", test: "TestHomeAfter",
		why: "a client that asks for what came since gets a whole page",
	},
	{
		file: "store/timelines/positionmemory.go", old: "all += PositionMemory(next[:])",
		new: "all = PositionMemory(next[:])",
		pkg: "./store/timelines", test: "TestWalkShowsEachTweetOnce",
		why: "a page knows what the page before has shown as shares, and not what earlier pages have",
	},
	{
		file: "store/timelines/positions.go", old: "if k.below != \"\" && i.Position.Compare(k.below) >= 0 {",
		new: "if false {",
		pkg: "./store/timelines", test: "TestWalkWhileOthersShare",
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
		file: "store/timelines/positions.go", old: "	case i.Position.IsShare():\n		k.cost += k.further()\n", new: "",
		pkg: "./store/timelines", test: "TestHideSharersOfOneTweet",
		why: "a page of shares of one tweet costs more than a page may",
	},
	{
		file: "store/internal/bucket/reader.go", old: "if !r.at.IsZero() {", new: "if false {",
		pkg: "./store/profiles", test: "TestSplitWhileReading",
		why: "a new follower misses tweets of a month that is split just then",
	},
	{
		file: "store/timelines/rebuild.go", old: "linkedAtFirst          = 10", new: "linkedAtFirst          = 100",
		pkg: "./store/timelines", test: "TestRebuildWithBusyAuthors",
		why: "the timeline of a reader of busy authors is never rebuilt",
	},
	{
		file: "store/timelines/dormantpages.go", old: "if s.Found || falling.Found {", new: "if s.Found {",
		pkg: "./store/timelines", test: "TestSleepEndsWithinRebuild",
		why: "the dormant-follower index of an active reader stays",
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
