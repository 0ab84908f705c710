package mutants

// mutant is a bug to plant: a text that stands once in a file, what takes its place, and
// the test that must fail then.
type mutant struct {
	file, old, new string
	pkg, test      string
	why            string // what would go wrong
}

// list has the mutants of each protocol. A new protocol adds its own.
var list = []mutant{
	// What a user likes, shares and keeps stands in months of reactions.
	{
		file: "store/internal/reactions/reactions.go", old: "		merge[k.full] = true\n", new: "		delete(merge, k.full)\n",
		pkg: "./store/facts", test: "TestFullMonth",
		why: "a like that a full month does not hold is not shown",
	},
	{
		file: "store/leavings/places.go", old: "	reactions.Unnote(w.db, b, mark.Ref.Parent.ID, l.UserID, l.TweetID)\n", new: "	_ = reactions.Unnote\n",
		pkg: "./store/leavings", test: "TestLeave",
		why: "whoever liked, shared or kept a tweet of somebody who left has it in the reactions for ever",
	},

	// What customers order is taken from the stock once, and given back.
	{
		file: "store/orders/recount.go", old: "w.db.Transact(", new: "w.db.Client.RunTransaction(",
		pkg: "./store/orders", test: "TestRecountAnswerLost",
		why: "hibana verify fails where an answer is lost",
	},
	{
		file: "store/shop/carts.go", old: " || other.ExpireAt == nil {", new: " {",
		pkg: "./store/shop", test: "TestMerge",
		why: "an old token of a guest moves the cart of the account that the guest has become",
	},
	{
		file: "store/orders/stock.go", old: "		return w.db.AskStock(ctx, work.ProductID)\n	}\n	size", new: "		return nil\n	}\n	size",
		pkg: "./store/orders", test: "TestServeBeside",
		why: "a run that is killed after it took its work leaves customers without an answer",
	},
	{
		file: "store/shop/carts.go", old: "		b.Delete(snaps[1].Ref, firestore.LastUpdateTime(snaps[1].UpdateTime))\n", new: "",
		pkg: "./store/shop", test: "TestMerge",
		why: "a guest's cart is added again with each request",
	},

	// A service that is told to stop finishes what it began.
	{
		file: "internal/httpserver/httpserver.go", old: "	if err := server.Shutdown(ctx); err != nil {", new: "	if err := server.Close(); err != nil {",
		pkg: "./cmd/api", test: "TestStopUnderLoad",
		why: "each rollout cuts off requests that are under way",
	},

	// A restore brings every document back, and mends what lost events left out.
	{
		file: "internal/local/rehearsal/rehearsal.go", old: "audit.Options{Against: found, Repair: true}", new: "audit.Options{Against: found}",
		pkg: "./internal/local/rehearsal", test: "TestRehearsal",
		why: "a restored database keeps the drift of the events that were lost with the old one",
	},
	{
		file: "internal/local/rehearsal/emulator.go", old: "		if got, ok := other[path]; !ok {\n", new: "		if got, ok := other[path]; false && !ok {\n",
		pkg: "./internal/local/rehearsal", test: "TestDigests",
		why: "a document that an export lost is not missed",
	},

	// What audit must see, and what it must leave alone.
	{
		file: "store/audit/notifications.go", old: "model.NotificationWindow-25*time.Hour", new: "model.NotificationWindow-0*time.Hour",
		pkg: "./store/audit", test: "TestExpiredNotification",
		why: "verify reports, and repairs, notifications that have expired",
	},
	{
		file: "store/audit/internal/snapshot/expected.go", old: "model.RecentTweets+late)", new: "model.RecentTweets+0*late)",
		pkg: "./store/audit", test: "TestLateTweet",
		why: "a repair removes entries that are right",
	},
	{
		file: "store/audit/timelines.go", old: "err != nil || !kept && len(entries) == 0 {", new: "err != nil || !kept {",
		pkg: "./store/audit", test: "TestSleeper",
		why: "a sleeper's timeline keeps tweets of strangers, and shows them after waking",
	},
	{
		file: "store/audit/cards.go", old: "tweets[id] == nil || id.Month() != m {", new: "tweets[id] == nil {",
		pkg: "./store/audit", test: "TestStrayCards",
		why: "a card in a wrong month passes",
	},
	{
		file: "store/audit/followers.go", old: "!follows || page != home(f) {", new: "!follows {",
		pkg: "./store/audit", test: "TestHashedDrift",
		why: "a follower on a wrong page passes",
	},
	{
		file: "store/audit/followers.go", old: "|| u.Pages.Awake[f] {", new: "{",
		pkg: "./store/audit", test: "TestMarks",
		why: "a reader who is awake and marked as asleep gets nothing, and nobody notices",
	},

	{
		file: "store/audit/repair.go", old: "err := v.again(ctx, func() error { return d.fix.do(ctx) })", new: "err := d.fix.do(ctx)",
		pkg: "./store/audit", test: "TestRepairWhileUnavailable",
		why: "a repair of hours ends at the first moment without the database",
	},

	// Scheduled tweets.
	{
		file: "store/drafts/publish.go", old: "b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))", new: "b.Delete(snap.Ref)",
		pkg: "./store/drafts", test: "TestPublishOnce",
		why: "two processes post one draft twice, and an author who changes it loses the change",
	},
	{
		file: "store/drafts/publish.go", old: "case standing.State == model.StandingFrozen:", new: "case false:",
		pkg: "./store/drafts", test: "TestPublishRefused",
		why: "a user who was frozen goes on posting for a year",
	},

	// Polls.
	{
		file: "store/counters/counters.go", old: "if !v.InTime() {", new: "if false {",
		pkg: "./store/polls", test: "TestLateVote",
		why: "votes from after the end of a poll count",
	},
	{
		file: "model/polls.go", old: "t.Poll.Closed(at) || voted || oversees(v)", new: "true || voted || oversees(v)",
		pkg: "./store/polls", test: "TestVote",
		why: "voters see what others chose before they choose",
	},
	{
		file: "store/counters/cleanup.go", old: "votes, err = s.facts.RemoveMarks(side, model.Votes, id, step.Over); return err", new: "votes = true; return nil",
		pkg: "./store/polls", test: "TestVotesOfDeletedTweet",
		why: "votes in a poll that was deleted stay for ever",
	},

	// What is left of a hidden tweet, and pins.
	{
		file: "model/tweets.go", old: "Hidden: t.Shelf() != OpenShelf}", new: "Hidden: false}",
		pkg: "./store/facts", test: "TestDeletedHiddenTweet",
		why: "a deleted hidden tweet tells everybody its author",
	},
	{
		file: "store/pins/pins.go", old: "if err := s.dropGone(ctx, &pins); err != nil {", new: "if err := error(nil); err != nil {",
		pkg: "./store/pins", test: "TestPins",
		why: "pins of tweets that are gone take room for ever",
	},
	{
		file: "store/internal/sleepers/sleepers.go", old: "} else if !found {", new: "} else if false {",
		pkg: "./store/waking", test: "TestWakeEndsWithinPage",
		why: "a reader who is just awake sees nobody's tweets",
	},

	// Cards.
	{
		file: "store/cards/months.go", old: "> lateAfter {", new: "> 24*time.Hour {",
		pkg: "./store/cards", test: "TestLatePut",
		why: "a late event shows a tweet to whom it was taken from",
	},

	// By what searches find tweets.
	{
		file: "store/search/writer.go", old: "if same(now, t) {", new: "if same(t, t) {",
		pkg: "./store/search", test: "TestIndexWhileChanged",
		why: "a slow call for an old event brings back the words of a tweet that was hidden since",
	},
	{
		file: "store/search/tweets.go", old: "if t.Tweet.Searchable() && t", new: "if t.Tweet != nil && t",
		pkg: "./store/search", test: "TestIndex",
		why: "a search lists a flagged tweet until its event comes, or for good if it is lost",
	},
	{
		file: "store/search/tweets.go", old: " && t.Tweet.Revision == docs[i].Revision {", new: " {",
		pkg: "./store/search", test: "TestEditBeforeItsEvent",
		why: "the excerpt shows words that an edit took out, until its event comes",
	},
	{
		file: "store/search/tweets.go", old: "share := min((needed+active-1)/active+1, s.reads/len(empty))", new: "share := (needed+active-1)/active + 1",
		pkg: "./store/search", test: "TestPhraseOfNobody",
		why: "a phrase that nobody wrote reads all tweets with its words",
	},

	// What follows from a text.
	{
		file: "internal/markdown/document.go", old: "r.link(n.Destination, r.inline(n, depth, true), inLink)", new: "r.link(n.Destination, r.inline(n, depth, false), inLink)",
		pkg: "./internal/markdown", test: "TestWords",
		why: "the text of a link makes tags",
	},
	{
		file: "internal/markdown/render/render.go", old: "html.EscapeString(a[1])", new: "a[1]",
		pkg: "./internal/markdown/render", test: "TestHTML",
		why: "a text breaks out of an attribute",
	},
	{
		file: "store/audit/restore.go", old: "want := t.FromText(d)", new: "want := &t",
		pkg: "./store/audit", test: "TestTexts",
		why: "a repair leaves a wrong snippet",
	},

	{
		file: "store/internal/named/named.go", old: "if snaps[2*i].Exists() || snaps[2*i+1].Exists() {", new: "if snaps[2*i].Exists() {",
		pkg: "./store/mentions", test: "TestMentionable",
		why: "an author mentions somebody whom the author blocks",
	},
	{
		file: "store/notices/notices.go", old: "blocked[n.Payload.UserID] || !choice.Wants(n)", new: "blocked[n.Payload.UserID]",
		pkg: "./store/notices", test: "TestUnwanted",
		why: "a user is told of what was switched off or muted",
	},
	{
		file: "store/audit/restorenotifications.go", old: " || !choice.Wants(n)", new: "",
		pkg: "./store/notices", test: "TestUnwanted",
		why: "a repair tells a user what the user does not want to hear",
	},
	{
		file: "model/mentions.go", old: "return ValidateUsernameForm(name) != nil", new: "return false",
		pkg: "./store/mentions", test: "TestNoName",
		why: "no tweet can be posted that has __init__ after an @",
	},
	{
		file: "store/facts/tweets.go", old: "defer func() { _, _ = found() }()", new: "defer func() {}()",
		pkg: "./store/mentions", test: "TestRefused",
		why: "nobody pays for the names of a reply that is refused",
	},
	{
		file: "store/audit/notifications.go", old: " || n.Type == model.NoticeMention && !kept(a, n.Payload.TweetID.Time())", new: "",
		pkg: "./store/audit", test: "TestMentionedAgain",
		why: "a repair tells a user of a mention a second time when the first notice has expired",
	},
	{
		file: "functions/notifications.go", old: "err = errors.Join(err, h.store.Notices.Notify(ctx, model.MentionNotice(after, uid)))", new: "err = errors.Join(err, h.store.Notices.Notify(ctx, model.MentionNotice(after, uid)))\n\t\tif err != nil {\n\t\t\tbreak\n\t\t}",
		pkg: "./functions", test: "TestMentionOfMany",
		why: "one full notification keeps everybody else whom a tweet mentions from hearing of it",
	},
	{
		file: "model/mentions.go", old: "uid := t.MentionNames[name]", new: "uid := found[name]",
		pkg: "./model", test: "TestMentions",
		why: "after a rename an edit makes a mention mean somebody else",
	},
	{
		file: "model/edits.go", old: "|| len(after.Mentioned(t)) > 0", new: "",
		pkg: "./model", test: "TestMentionedLater",
		why: "whom an edit mentions reads what the tweet was for fewer people",
	},

	// Who may call.
	{
		file: "api/auth.go", old: "err := s.checkApp(c)", new: "err := error(nil)",
		pkg: "./api", test: "TestAppCheck",
		why: "enforced App Check asks for no token",
	},
	{
		file: "internal/appcheck/appcheck.go", old: `"key ID was not found"`, new: `"no such key"`,
		pkg: "./internal/appcheck", test: "TestNewKeys",
		why: "new keys of App Check are unknown for 6 hours",
	},

	// Counts.
	{
		file: "store/counters/counters.go", old: "b.Create(record, p)", new: "b.Set(record, p)",
		pkg: "./store/counters", test: "TestCountFollow",
		why: "an event that comes twice counts twice",
	},
	{
		file: "store/counters/rollups.go", old: "db.Pause(ctx, min(s.wait(w.Collection)+s.every/2, longestWait))", new: "db.Pause(ctx, s.every*0)",
		pkg: "./store/counters", test: "TestRollUpWaits",
		why: "a hot counter is written for each work document twice",
	},

	// Renames.
	{
		file: "store/cards/profiles.go", old: "changed = there && !now.same(", new: "changed = !there && !now.same(",
		pkg: "./store/cards", test: "TestSpreadJoins",
		why: "a rename while a spread ends reaches no tweet",
	},
	{
		file: "store/cards/profiles.go", old: "case young <= 0, paused", new: "case true, paused",
		pkg: "./store/cards", test: "TestSpreadProfileWaits",
		why: "a tweet that the API writes with a cached profile keeps the former name",
	},
	{
		file: "store/facts/renames.go", old: "[]firestore.Precondition{firestore.LastUpdateTime(snap.UpdateTime)}, false, nil", new: "nil, false, nil",
		pkg: "./store/facts", test: "TestCoolDownAtOnce",
		why: "renames at once all pass, and each makes all tweets be rewritten",
	},
	{
		file: "store/facts/renames.go", old: "is.TweetCount, another)", new: "0, another)",
		pkg: "./store/facts", test: "TestCoolDown",
		why: "an author of many tweets makes as much work an hour as there are tweets",
	},

	// Notices.
	{
		file: "store/notices/notices.go", old: "return blocked[n.Payload.UserID] || !choice.Wants(n) }", new: "return !choice.Wants(n) }",
		pkg: "./store/notices", test: "TestBlockedSince",
		why: "verify puts the notices of blocked users back on notifications",
	},
	{
		file: "store/notices/notices.go", old: "s.db.Block(first.UserID, uid)", new: "s.db.Block(uid, first.UserID)",
		pkg: "./store/notices", test: "TestBlockedSince",
		why: "a like by a user whom the author has just blocked becomes a notification",
	},
	{
		file: "store/notices/drains.go", old: "b.Update(snap.Ref, updates, firestore.LastUpdateTime(snap.UpdateTime))", new: "b.Update(snap.Ref, updates)",
		pkg: "./store/notices", test: "TestDrainsAtOnce",
		why: "two drains at once count replies twice",
	},
	{
		file: "store/notices/drains.go", old: "db.Pause(ctx, s.after)", new: "db.Pause(ctx, s.after*0)",
		pkg: "./store/notices", test: "TestDrainWaits",
		why: "a hot notification is written once for each notice",
	},
	{
		file: "store/notices/log.go", old: "Create(ctx, n); err != nil && !db.AlreadyExists(err) {", new: "Create(ctx, n); db.AlreadyExists(err) {\n\t\treturn nil\n\t} else if err != nil {",
		pkg: "./store/notices", test: "TestNotifyAfterACrash",
		why: "a notice whose process ended is on no notification",
	},
	{
		file: "store/notices/notices.go", old: `map[string]any{"expireAt": notification.ExpireAt}`, new: "map[string]any{}",
		pkg: "./store/notices", test: "TestNotify",
		why: "actors of notifications stay for ever",
	},
	{
		file: "store/internal/db/db.go", old: "if !written.IsZero() {", new: "if false {",
		pkg: "./store/notices", test: "TestDrainOfTakenWork",
		why: "a repeated event takes the next work document, and work makes more and more work",
	},

	// Cards.
	{
		file: "store/cards/window.go", old: "oldest, _ = r.db.HomeWindow()\n\tmonths := r.db.LinkMonths()", new: "oldest, months := r.db.HomeWindow()",
		pkg: "./store/timelines", test: "TestFollowAtTheEndOfAMonth",
		why: "a follow just after a month's end misses its first tweets",
	},
	{
		file: "store/cards/recents.go", old: "}, firestore.LastUpdateTime(old.UpdateTime))", new: "})",
		pkg: "./store/cards", test: "TestSettleInTwoProcesses",
		why: "a tweet is lost from its author's newest tweets",
	},
	{
		file: "store/cards/recents.go", old: "slices.Contains(puts, nil)", new: "slices.Contains(puts, nil) && len(puts) == 1",
		pkg: "./store/cards", test: "TestRebuildJoinsOthers",
		why: "a deleted tweet stays among the newest tweets",
	},
	{
		file: "store/cards/settling.go", old: "maps.Equal(again.Pages, s.root.Pages)", new: "again.UserID == again.UserID",
		pkg: "./store/cards", test: "TestSettleDuringSpill",
		why: "a deleted card stays on a new overflow document",
	},

	// Buckets.
	{
		file: "store/internal/bucket/spill.go", old: "unchanged = append(unchanged, firestore.LastUpdateTime(s.read.UpdateTime))", new: "_ = 0",
		pkg: "./store/cards", test: "TestSettleDuringSpill",
		why: "a spill brings a deleted card back",
	},
	{
		file: "store/internal/bucket/spill.go", old: "s.batch.Create(s.page(n), s.document(ids, items))", new: "s.batch.Set(s.page(n), s.document(ids, items))",
		pkg: "./store/timelines", test: "TestSpillsAtOnce",
		why: "two spills at once lose entries",
	},
	{
		file: "store/internal/bucket/reader.go", old: "p.Oldest.Compare(before) < 0", new: "p.Newest.Compare(before) < 0",
		pkg: "./store/timelines", test: "TestPagesOfOverflow",
		why: "a page that begins inside an overflow document lacks tweets",
	},

	// Commits that callers share.
	{
		file: "store/internal/groupcommit/groupcommit.go", old: "\t\t<-before.over\n", new: "\t\t_ = before\n",
		pkg: "./store/internal/groupcommit", test: "TestGroup",
		why: "runs of one key overtake each other, and a document is written more than once a second",
	},

	// Home timelines.
	{
		file: "store/timelines/backfill.go", old: `b.pulled[string(m)] != ""`, new: "b.pulled[string(m)] == pullMarked",
		pkg: "./store/timelines", test: "TestLinkWhileMarking",
		why: "a new follower misses a large author's month",
	},
	{
		file: "store/timelines/backfill.go", old: "found && now.CreatedAt.Equal(b.rel.CreatedAt)", new: "found",
		pkg: "./store/timelines", test: "TestFollowAgainDuringLink",
		why: "a second follow brings what the first would have brought",
	},
	{
		file: "store/timelines/fanout.go",
		old:  "\tif err := w.cards.Put(ctx, t); err != nil {\n\t\treturn err\n\t}\n\ta, err := w.pages.Audience(ctx, t.AuthorID, t.ID.Month(), w.pullAbove)\n",
		new:  "\ta, err := w.pages.Audience(ctx, t.AuthorID, t.ID.Month(), w.pullAbove)\n\tif err == nil {\n\t\terr = w.cards.Put(ctx, t)\n\t}\n",
		pkg:  "./store/timelines", test: "TestFollowCrossesTweet",
		why: "a new follower and a new tweet that cross each other miss each other",
	},
	{
		file: "store/timelines/fanout.go", old: "err != nil || a.Pulled {", new: "err != nil || a.Pull {",
		pkg: "./store/timelines", test: "TestWithdrawBeforePull",
		why: "entries of deleted tweets stay",
	},
	{
		file: "store/internal/feed/feed.go", old: "\tf.pushed.Skip(id)\n", new: "\tif _, ok := f.pushed.Items[id]; ok {\n\t\tf.pushed.Skip(id)\n\t\treturn\n\t}\n",
		pkg: "./store/timelines", test: "TestPushedAndPulled",
		why: "a home page shows a tweet twice",
	},
	{
		file: "store/internal/followers/followers.go", old: "Add(splitLease)}}, firestore.LastUpdateTime(snap.UpdateTime))", new: "Add(splitLease)}})",
		pkg: "./store/timelines", test: "TestFollowerBeforeSplit",
		why: "a follower is lost",
	},
	{
		file: "store/internal/followers/followers.go", old: "len(first.Followers)+len(first.Asleep) == 0", new: "len(first.Followers) < 1_000_000",
		pkg: "./store/timelines", test: "TestFirstPageIsCleared",
		why: "the first page of an author with hashed pages grows",
	},
	{
		file: "store/waking/sweep.go", old: "b.Delete(home.Ref, firestore.LastUpdateTime(home.UpdateTime))", new: "b.Delete(home.Ref)",
		pkg: "./store/waking", test: "TestLookDuringSweep",
		why: "a reader who looks at this moment is put to sleep",
	},
	{
		file: "store/internal/followers/followers.go", old: "snaps[3*i].Exists() || snaps[3*i+1].Exists() ||", new: "snaps[3*i].Exists() ||",
		pkg: "./store/internal/followers", test: "TestSleepOfWokenReader",
		why: "a woken reader stays marked as asleep, and gets nothing",
	},
	{
		file: "store/internal/db/work.go", old: "\t\tb.Delete(s.ref, s.same()...)\n", new: "",
		pkg: "./functions", test: "TestSleepAndWake",
		why: "a reader who was woken once is never woken again",
	},

	// Work in steps, and work whose event was lost.
	{
		file: "store/internal/db/work.go", old: "return s, written.IsZero() || written.Equal(snap.UpdateTime), nil", new: "return s, true, nil",
		pkg: "./store/cards", test: "TestSpreadInSteps",
		why: "every event that comes again repeats a step",
	},
	{
		file: "store/internal/db/work.go", old: "if done || snap.ReadTime.Sub(snap.UpdateTime) < d.work.staleAfter<<min(asks, maxAsks) {", new: "if done || asks > maxAsks {",
		pkg: "./store/waking", test: "TestLostWork",
		why: "every process that finds a work document makes another event",
	},
	{
		file: "store/internal/db/work.go", old: "\t_, err = d.askAgain(ctx, snap)\n", new: "\t_ = snap\n",
		pkg: "./store/waking", test: "TestLostWork",
		why: "a lost event holds up its successors until the TTL",
	},
	{
		file: "store/internal/db/db.go", old: "now.Add(monthMargin)", new: "now",
		pkg: "./store/timelines", test: "TestUnfollowAtTheEndOfAMonth",
		why: "an author who was left stays visible all month",
	},
	{
		file: "store/waking/sweep.go", old: "\tb.Set(w.db.Doc(model.Sleeps, string(uid)), model.SleepWork{UserID: uid, Since: w.db.Time(), ExpireAt: w.db.WorkExpiry()})\n", new: "\t_ = uid\n",
		pkg: "./store/waking", test: "TestSweepInterrupted",
		why: "a reader is neither awake nor marked as asleep",
	},
	{
		file: "store/internal/groupcommit/groupcommit.go", old: "if err != nil && len(places) > 1 && !unavailable(err) {", new: "if err != nil && len(places) > 1_000 && !unavailable(err) {",
		pkg: "./store/internal/groupcommit", test: "TestGroupFindsTheBadItem",
		why: "one item that can never succeed fails all others",
	},
	{
		file: "store/timelines/deliveries.go", old: "\tcase len(slice) > 1:\n", new: "\tcase len(slice) > 1_000:\n",
		pkg: "./store/timelines", test: "TestOversizedTimelineFailsNobodyElse",
		why: "one timeline that is too large keeps a tweet from a hundred readers",
	},
	{
		file: "store/internal/bucket/bucket.go", old: "case size.size > int64(b.most()):", new: "case size.size > 1_000_000:",
		pkg: "./internal/tests/bounds", test: "TestLargestMonth",
		why: "a month grows beyond 1 MiB while spills are late",
	},
	{
		file: "store/counters/cleanup.go", old: "bookmarks, err = s.facts.RemoveMarks(side, model.Bookmarks, id, step.Over)", new: "bookmarks, err = s.facts.RemoveMarks(side, model.Shares, id, step.Over)",
		pkg: "./store/bookmarks", test: "TestBookmarksOfDeletedTweet",
		why: "bookmarks of a tweet that is gone stay",
	},
	{
		file: "store/audit/tweets.go", old: "	ds = append(ds, strayMarks(a, model.Shares, u.Shared, u.Tweets)...)\n", new: "",
		pkg: "./store/audit", test: "TestLostEdits",
		why: "a share of a tweet that is gone stays, and its user's list pays for it",
	},
	{
		file: "model/permissions.go", old: "if t.DenyQuotes || t.Shelf() != OpenShelf && actor != t.AuthorID ||", new: "if t.DenyQuotes ||",
		pkg: "./store/shares", test: "TestQuoteRefused",
		why: "a follower shows everybody that a tweet for followers exists",
	},
	{
		file: "model/tweets.go", old: "t.QuoteOf != \"\" && t.Visibility.open() &&", new: "t.QuoteOf != \"\" &&",
		pkg: "./functions", test: "TestNotifyQuote",
		why: "an author hears of quotes that are for others",
	},
	{
		file: "api/shares.go", old: "if err := s.Facts.RequireTweet(ctx, id, viewer(ctx)); err != nil {", new: "if err := s.Facts.RequireTweet(ctx, id, model.Viewer{Role: model.Moderator}); err != nil {",
		pkg: "./api", test: "TestShares",
		why: "anybody learns who shared a tweet before it was hidden",
	},
	{
		file: "store/bookmarks/bookmarks.go", old: "	s.facts.Forget(id)\n", new: "",
		pkg: "./store/bookmarks", test: "TestBookmarkRefused",
		why: "a tweet that was deleted a moment ago gets a bookmark that nothing removes",
	},
	{
		file: "store/cards/settling.go", old: "place == \"\" && on && (there", new: "false && (there",
		pkg: "./store/cards", test: "TestEditsOfOldTweets",
		why: "each edit of old tweets makes one more document that every visitor reads",
	},
	{
		file: "store/cards/settling.go", old: "err = tx.Delete(o.ref, firestore.LastUpdateTime(o.writtenAt))", new: "err = tx.Delete(o.ref)",
		pkg: "./store/cards", test: "TestLastCardOfOverflow",
		why: "a card that comes back goes with the overflow document that was empty before",
	},

	{
		file: "model/shares.go", old: "fact.Place() == place && ", new: "",
		pkg: "./store/timelines", test: "TestShareEventsInAnyOrder",
		why: "a share that was taken back comes again at its old place when its user shares again",
	},
	{
		file: "store/timelines/sharing.go", old: "	return w.withdraw(ctx, place, l.UserID, 0, a.Followers) // hashed pages withdraw by themselves\n", new: "	return nil\n",
		pkg: "./store/timelines", test: "TestShareEventsInAnyOrder",
		why: "a share whose event came late stays in the home timelines from which it was taken",
	},
	{
		file: "store/timelines/links.go", old: "append(ids, shares...)", new: "ids",
		pkg: "./store/timelines", test: "TestFollowCrossesShare",
		why: "a follower who crosses a share, or who wakes, never sees it",
	},
	{
		file: "store/timelines/home.go", old: "b.Create(reactions.Ref, map", new: "b.Set(reactions.Ref, map",
		pkg: "./store/waking", test: "TestLookWhileWakeEnds",
		why: "a look while Wake ends shows a timeline that is half rebuilt",
	},

	{
		file: "store/counters/rollups.go", old: "	b.Create(record, w)\n", new: "",
		pkg: "./store/counters", test: "TestRollUpSoonInterrupted",
		why: "a process that is killed between taking a roll-up and doing it loses counts, if the event was lost as well",
	},

	{
		file: "store/counters/rollups.go", old: "Increment(n - folded[field])", new: "Increment(n)",
		pkg: "./store/counters", test: "TestRollUpDeletesRestingShards",
		why: "what stood in a deleted shard is taken from the count at the next roll-up",
	},
	{
		file: "store/counters/rollups.go", old: "b.Delete(shard.Ref, firestore.LastUpdateTime(shard.UpdateTime))", new: "b.Delete(shard.Ref)",
		pkg: "./store/counters", test: "TestRollUpDeletesRestingShards",
		why: "an increment goes with a shard that a roll-up deletes",
	},
	{
		file: "store/counters/rollups.go", old: "Value: -folded[field]", new: "Value: 0",
		pkg: "./store/counters", test: "TestRollUpOfCancelledLikes",
		why: "a tweet whose first likes cancelled each other counts wrong, or is never rolled up",
	},

	// What the API allows.
	{
		file: "model/permissions.go", old: "case t.IsViolative, actor != t.AuthorID && ties.Blocked:", new: "case t.IsViolative:",
		pkg: "./store/facts", test: "TestInteractions",
		why: "a blocked user likes and replies",
	},
	{
		file: "store/facts/permissions.go", old: "refs = append(refs, s.db.Relationship(author, actor), s.db.User(author))", new: "refs = append(refs, s.db.Relationship(author, actor), s.db.User(actor))",
		pkg: "./store/facts", test: "TestInteractions",
		why: "a stranger likes and replies",
	},
	{
		file: "store/facts/tweets.go", old: "		if !visible[id] {\n", new: "		if tweets[id] == nil {\n",
		pkg: "./store/facts", test: "TestFlag",
		why: "a batch shows flagged tweets to everybody",
	},
	{
		file: "store/facts/blocks.go", old: "\tb.Delete(s.db.Relationship(blockee, blocker))\n", new: "",
		pkg: "./store/facts", test: "TestBlock",
		why: "the blocked go on following",
	},
	{
		file: "functions/buckets.go", old: "\treturn h.store.Timelines.Return(ctx, after)\n", new: "\treturn nil\n",
		pkg: "./functions", test: "TestFlag",
		why: "a follower who came while a tweet was hidden never gets it",
	},
	{
		file: "store/cards/settling.go", old: "if on && place == \"\" {", new: "if settled[id] && place == \"\" {",
		pkg: "./functions", test: "TestFlag",
		why: "everybody may read a flagged tweet in its author's month",
	},
	{
		file: "store/facts/deletion.go", old: "if err := s.requireVisible(ctx, viewer, &t); err != nil {", new: "if err := s.requireVisible(ctx, viewer, &t); false {",
		pkg: "./store/facts", test: "TestFlag",
		why: "an answer tells a hidden tweet from an unknown one",
	},
	{
		file: "store/facts/visible.go", old: "	if err == nil && !follows {\n		err = model.NoTweet(t.ID)\n	}\n", new: "	if err == nil && !follows {\n		err = s.gone(ctx, t.ID)\n	}\n",
		pkg: "./store/facts", test: "TestAudience",
		why: "what an answer costs tells a tweet for followers from an unknown one",
	},
	{
		file: "store/internal/sight/sight.go", old: "		if visible[t.ID] {\n", new: "		if visible[t.ID] || t.Visibility == model.Followers {\n",
		pkg: "./store/timelines", test: "TestHomeAfterUnfollow",
		why: "who was blocked goes on reading what is for followers, until an event comes",
	},
	{
		file: "store/cards/months.go", old: "{\"userId\": m.author, \"month\": m.month, \"followers\": true}", new: "{\"userId\": m.author, \"month\": m.month}",
		pkg: "./functions", test: "TestAudience",
		why: "a new follower does not get what the author wrote for followers",
	},
	{
		file: "model/edits.go", old: "after.HiddenRevisions = after.Revision", new: "after.HiddenRevisions = 0",
		pkg: "./api", test: "TestAudience",
		why: "everybody reads what a tweet was while it was for followers",
	},
	{
		file: "api/pagetoken.go", old: `h.Write([]byte(list + "\x00"))`, new: `h.Write([]byte("\x00"))`,
		pkg: "./api", test: "TestPageTokens",
		why: "a page token of one list opens another",
	},

	// Leaving.
	{
		file: "store/exports/writer.go", old: "case !there || over:", new: "case over:",
		pkg: "./store/exports", test: "TestLeaver",
		why: "the export of somebody who left goes on",
	},
	{
		file: "store/exports/writer.go", old: "if errs.KindOf(err) == errs.NotFound {", new: "if false {",
		pkg: "./store/exports", test: "TestLostPart",
		why: "an export whose part is gone never ends",
	},
	{
		file: "store/leavings/places.go", old: "\t{collection: model.Exports, what: \"files\", files: true},\n", new: "",
		pkg: "./store/exports", test: "TestLeaver",
		why: "the archives of somebody who left stay",
	},
	{
		file: "store/leavings/leave.go", old: "case work.Found > 0:", new: "case work.Found > 1<<40:",
		pkg: "./store/leavings", test: "TestLeaveInSteps",
		why: "a leaving is over although the last pass found something",
	},
	{
		file: "store/leavings/leave.go", old: "w.db.Server.Now().Sub(work.ClearedAt) < w.After", new: "work.ClearedAt.IsZero()",
		pkg: "./store/leavings", test: "TestLeaveInSteps",
		why: "the last pass comes before late events, and what they bring back stays",
	},
	{
		file: "store/facts/leaving.go", old: "if left && (!found || !was.Done) {", new: "if left && found && !was.Done {",
		pkg: "./store/facts", test: "TestLeave",
		why: "a request whose answer was lost is told that there is no user, and gets no receipt",
	},
	{
		file: "store/facts/leaving.go", old: "if !was.Done {", new: "if was.Done && !was.Done {",
		pkg: "./api", test: "TestLeaving",
		why: "a user signs up anew, and the leaving deletes the new profile",
	},
	{
		file: "store/internal/db/refs.go", old: "prefix[:len(prefix)-1] + \"`\"", new: "prefix + \"0\"",
		pkg: "./store/leavings", test: "TestLeaveInSteps",
		why: "documents with a composite key stay",
	},

	{
		file: "store/leavings/places.go", old: "if !w.Exports.Reachable {", new: "if false {",
		pkg: "./store/exports", test: "TestLostBucket",
		why: "functions that lost their bucket leave the archives of somebody who left, and nobody knows",
	},
	{
		file: "store/counters/rollups.go", old: "if w.Collection == model.Tweets && len(p.Rolled) == 0", new: "if false && len(p.Rolled) == 0",
		pkg: "./store/counters", test: "TestCancelledShards",
		why: "the shards of a deleted tweet stay whose likes had cancelled each other",
	},
	{
		file: "store/facts/users.go", old: "\ts.db.SawThere(uid)\n", new: "",
		pkg: "./store/counters", test: "TestGoneUser",
		why: "nothing of a user who comes back is counted for a while",
	},
	{
		file: "store/counters/counters.go", old: "if ref.Parent.ID != model.Users || !s.db", new: "if true || !s.db",
		pkg: "./store/counters", test: "TestGoneUser",
		why: "the deletion of a leaver's tweets counts in shards that nobody needs",
	},

	// Exports.
	{
		file: "store/exports/writer.go", old: "p.number, rand.Text()[:8])", new: "p.number, rand.Text()[:0])",
		pkg: "./store/exports", test: "TestStepsAtOnce",
		why: "a step that is overtaken writes over the part of the other, and tweets come twice",
	},
	{
		file: "store/internal/db/work.go", old: "b.Update(s.ref, updates, s.same()...)", new: "b.Update(s.ref, updates)",
		pkg: "./store/exports", test: "TestStepsAtOnce",
		why: "a slow step sets the work back to its own place, beside archives that go further",
	},
	{
		file: "store/exports/writer.go", old: "case at < 0 || !slices.Equal(work.Sections, sectionNames()):", new: "case at < 0:",
		pkg: "./store/exports", test: "TestOtherSections",
		why: "an export under way misses the section that a release brings",
	},
	{
		file: "store/exports/writer.go", old: "make(chan struct{}, model.MaxExportSteps)", new: "make(chan struct{}, model.MaxExportSteps+1)",
		pkg: "./store/exports", test: "TestTurns",
		why: "a process does more steps of exports than it has memory for",
	},

	// Edits.
	{
		file: "store/edits/edits.go", old: "b.Create(s.db.Revision(after.ID, before.Number), before)", new: "b.Set(s.db.Revision(after.ID, before.Number), before)",
		pkg: "./store/edits", test: "TestEditsAtOnce",
		why: "of two edits of one version the second takes the place of the first, and nobody can read the first any more",
	},
	{
		file: "store/edits/edits.go", old: "is.EditID == tried.EditID", new: "is.ReplacedAt.Equal(tried.ReplacedAt)",
		pkg: "./store/edits", test: "TestEditsAtOnce",
		why: "an edit takes the edit of another device for its own, and its caller hears that it was done",
	},
	{
		file: "store/edits/edits.go", old: "len(from) > 0 && !slices", new: "len(from) > 1<<20 && !slices",
		pkg: "./api", test: "TestEditTweet",
		why: "If-Match is passed over, and an update is lost",
	},
	{
		file: "model/edits.go", old: "if draft.Content == d.Content && p.Tags == nil {", new: "if draft.Content == d.Content && p.Tags == nil && t.ID == \"\" {",
		pkg: "./model", test: "TestEditAgain",
		why: "an edit that comes again makes a second revision, because it takes a tag in another form for a change",
	},
	{
		file: "store/audit/tweets.go", old: "if u.Tweets[id] == nil {\n\t\t\tds = append(ds, strayRevisions(a, id, n)...)", new: "if u.Tweets[id] != nil {\n\t\t\tds = append(ds, strayRevisions(a, id, n)...)",
		pkg: "./store/audit", test: "TestLostEdits",
		why: "revisions of a deleted tweet stay, and nobody notices",
	},

	// Threads.
	{
		file: "store/threads/threads.go", old: "n.Next = place(n.Replies[len(n.Replies)-1].ID)", new: "n.Next = found.Next",
		pkg: "./store/threads", test: "TestRandomThreads",
		why: "a page of a branch begins behind replies that nobody was shown",
	},
	{
		file: "store/threads/threads.go", old: "left -= reads[i]", new: "left -= reads[i] / 4",
		pkg: "./store/threads", test: "TestWideThread",
		why: "a wide thread costs more reads than a request may take",
	},
	{
		file: "model/tweets.go", old: "t.ReplyCount > 0 && !stone.Hidden", new: "t.ReplyCount > 1 && !stone.Hidden",
		pkg: "./store/threads", test: "TestThread",
		why: "what stands below a deleted reply is in no thread",
	},

	// Notifications.
	{
		file: "api/notifications.go", old: "if visible[id] {", new: "if visible[id] || true {",
		pkg: "./api", test: "TestExcerpts",
		why: "a notification shows a tweet that was narrowed since",
	},
	{
		file: "api/notifications.go", old: "s.Facts.TweetsNow(ctx, ids)", new: "s.Facts.FreshTweets(ctx, ids)",
		pkg: "./api", test: "TestExcerpts",
		why: "a notification shows for minutes a tweet that was flagged or deleted",
	},
	{
		file: "store/notices/edits.go", old: "share.CreatedAt.After(r.ReplacedAt)", new: "false",
		pkg: "./store/notices", test: "TestNotifyEdit",
		why: "users hear of an edit from before they shared the tweet",
	},
	{
		file: "store/notices/edits.go", old: "t.Shelf() != model.OpenShelf ||", new: "",
		pkg: "./store/notices", test: "TestNotifyEdit",
		why: "strangers hear that a tweet was edited which they may not see any more",
	},
	{
		file: "model/noticesettings.go", old: "if n.BesideReply() && !slices.Contains(s.Off, NoticeReply) {", new: "if n.BesideReply() {",
		pkg: "./store/notices", test: "TestMentionBesideReply",
		why: "whoever wants mentions and no replies hears nothing of a reply with a mention",
	},
	{
		file: "store/audit/internal/snapshot/owed.go", old: "u.Blocked[by] ||", new: "",
		pkg: "./store/notices", test: "TestBlockedSince",
		why: "verify misses for ever a notice that a block would drop",
	},
	{
		file: "store/audit/internal/snapshot/owed.go", old: "|| !u.Choice.Wants(n)", new: "",
		pkg: "./store/notices", test: "TestUnwanted",
		why: "verify misses for ever a notice that its user does not want",
	},

	// Totals.
	{
		file: "store/counters/counters.go", old: "if ref.Parent.ID == model.Totals {\n\t\t\tleft[ref] = m", new: "if ref.Parent.ID == \"none\" {\n\t\t\tleft[ref] = m",
		pkg: "./store/totals", test: "TestTotals",
		why: "what belongs to a tweet that is gone is not counted, and its end is",
	},
	{
		file: "store/counters/tags.go", old: "|| collection == model.Totals", new: "",
		pkg: "./store/totals", test: "TestShardsFirst",
		why: "the shards of a total that has no document yet are thrown away",
	},

	// Trends.
	{
		file: "model/trends.go", old: "return u.at > than.at || u.at == than.at && !u.on && than.on", new: "return true",
		pkg: "./store/trends", test: "TestTrends",
		why: "a late event of a tweet that is gone makes it a trend again",
	},
	{
		file: "model/trends.go", old: "repeats == 0 && of[u.account] >= TrendPerAccount", new: "repeats == 0 && of[u.account] >= 1_000_000",
		pkg: "./model", test: "TestTrendingFlood",
		why: "one account fills an hour with its tags, and takes the places of others",
	},
	{
		file: "store/trends/writer.go", old: "firestore.LastUpdateTime(p.updated))\n\t} else {", new: ")\n\t} else {",
		pkg: "./store/trends", test: "TestMeeting",
		why: "processes that write one hour overwrite the uses of each other",
	},

	// Devices.
	{
		file: "internal/push/dial.go", old: "if !public(to.Addr()) ||", new: "if",
		pkg: "./internal/push", test: "TestPrivateAddresses",
		why: "a user makes the server write to addresses of its own network",
	},
	{
		file: "internal/push/dial.go", old: "return http.ErrUseLastResponse", new: "return nil",
		pkg: "./internal/push", test: "TestAnswers",
		why: "a host that a user names sends the server anywhere",
	},
	{
		file: "store/devices/devices.go", old: "ok && is.Same(was) && is.At.Equal(was.At)", new: "ok && (true || is.Same(was))",
		pkg: "./store/devices", test: "TestNotifyDevices",
		why: "a device that was registered anew a moment ago is removed as gone",
	},
	{
		file: "model/devices.go", old: "about.Visibility == Public &&", new: "",
		pkg: "./model", test: "TestDeviceMessage",
		why: "push services get the text of tweets that are not for everybody",
	},
	{
		file: "model/devices.go", old: "n.CountTweets > before.CountTweets && n.UpdatedAt.Sub(before.UpdatedAt) >= SendEvery", new: "true",
		pkg: "./functions", test: "TestTellDevices",
		why: "a thousand likes make a phone ring a thousand times",
	},
}
