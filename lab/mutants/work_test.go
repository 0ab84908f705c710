package mutants

// work is what goes on in steps or together, and ends although events are lost: shared
// commits, account deletions, exports.
var work = []mutant{
	// Commits that callers share.
	{
		file: "store/internal/groupcommit/groupcommit.go", old: "\t\t<-before.over\n", new: "\t\t_ = before\n",
		pkg: "./store/internal/groupcommit", test: "TestGroup",
		why: "runs of one key overtake each other, and a document is written more than once a second",
	},
	{
		file: "store/internal/groupcommit/groupcommit.go", old: "if err != nil && len(positions) > 1 && !unavailable(err) {",
		new: "if err != nil && len(positions) > 1_000 && !unavailable(err) {",
		pkg: "./store/internal/groupcommit", test: "TestGroupFindsTheBadItem",
		why: "one item that can never succeed fails all others",
	},

	// Work in steps, and work whose event was lost.
	{
		file: "store/internal/db/work.go", old: "return s, written.IsZero() || written.Equal(snap.UpdateTime), nil",
		new: "return s, true, nil",
		pkg: "./store/profiles", test: "TestPropagateInSteps",
		why: "every event that comes again repeats a step",
	},
	{
		file: "store/internal/db/work.go", old: "if done || snap.ReadTime.Sub(snap.UpdateTime) < " +
			"d.work.staleAfter<<min(asks, maxAsks) {", new: "if done || asks > maxAsks {",
		pkg: "./store/timelines", test: "TestLostWork",
		why: "every process that finds a work document makes another event",
	},
	{
		file: "store/internal/db/work.go", old: "return time.Time{}, d.enqueueAgain(ctx, snap)",
		new: "_ = snap\n\treturn time.Time{}, nil",
		pkg: "./store/timelines", test: "TestLostWork",
		why: "a lost event holds up its successors until the TTL",
	},
	{
		file: "store/internal/db/db.go", old: "if !written.IsZero() {", new: "if false {",
		pkg: "./store/notifications", test: "TestFlushOfTakenWork",
		why: "a repeated event takes the next work document, and work makes more and more work",
	},

	// Migrations.
	{
		file: "store/ops/migrator.go", old: ",\n\t\t\tfirestore.LastUpdateTime(snap.UpdateTime))\n\t\tif err == nil ||",
		new: ")\n\t\tif err == nil ||",
		pkg: "./store/ops", test: "TestTraffic",
		why: "a migration writes over what people edited meanwhile",
	},
	{
		file: "store/ops/migrator.go", old: "if work.Found == 0 ||", new: "if work.Found >= 0 ||",
		pkg: "./store/ops", test: "TestTraffic",
		why: "a migration is over although an older version of the code wrote behind it",
	},
	{
		file: "store/internal/db/work.go", old: "c.Name != model.Sweeps {",
		new: "c.Name != model.Sweeps && c.Name != model.Migrations {",
		pkg: "./store/ops", test: "TestInterrupted",
		why: "a migration whose event was lost stands still",
	},

	{
		file: "store/ops/migrator.go", old: "(failed.Load() || over())", new: "failed.Load()",
		pkg: "./store/ops", test: "TestStepOver",
		why: "a page that takes longer than an event may never ends",
	},
	{
		file: "store/ops/migrator.go", old: "work.Tries == failures", new: "work.Tries < 0",
		pkg: "./store/ops", test: "TestFailure",
		why: "one document that fails always stops all migrations",
	},
	{
		file: "store/verify/importnotifications.go", old: "\t\t\tlate++\n", new: "\t\t\tlate += 0\n",
		pkg: "./store/verify", test: "TestImportNotificationsBusy",
		why: "an import beside a process that writes the list again and again never ends",
	},

	{
		file: "store/ops/migrator.go", old: "len(work.Next) == 0 ||", new: "len(work.Next) >= 0 ||",
		pkg: "./cmd/hibana", test: "TestMigrateLayout",
		why: "the steps from version 0.1 end after the first",
	},
	{
		file: "store/ops/migrator.go", old: "err != nil || m.Group == Back {", new: "err != nil {",
		pkg: "./store/ops", test: "TestBackStaysWithItsCommand",
		why: "functions go on with a way back that was killed before the way forward",
	},
	{
		file: "store/layout.go", old: "newest.Once, newest.Older = true, true",
		new: "newest.Once, newest.Older = true, false",
		pkg: "./store/ops", test: "TestBackUnderTraffic",
		why: "the way back deletes what version 0.1 wrote meanwhile",
	},
	{
		file: "store/layout.go", old: "Path: name, Value: firestore.Delete})", new: "Path: name, Value: n})",
		pkg: "./tests/e2e", test: "TestMigrationBackAndForward",
		why: "votes of version 0.1 are counted in both layouts",
	},
	{
		file: "store/notifications/reading.go", old: "if !listed && slices.", new: "if listed && slices.",
		pkg: "./store/notifications", test: "TestWithdrawnBesideImport",
		why: "an import brings back a like that was withdrawn before it",
	},

	// The remains of deleted tweets.
	{
		file: "store/counters/cleanup.go",
		old:  "votes, err = s.reactions.RemoveAll(side, model.ReactionVote, id, step.Over)\n\t\t\treturn err",
		new:  "votes = true\n\t\t\treturn nil",
		pkg:  "./store/tweets", test: "TestVotesOfDeletedTweet",
		why: "votes in a poll that was deleted stay for ever",
	},
	{
		file: "store/counters/cleanup.go",
		old:  "bookmarks, err = s.reactions.RemoveAll(side, model.ReactionBookmark, id, step.Over)",
		new:  "bookmarks, err = s.reactions.RemoveAll(side, model.ReactionShare, id, step.Over)",
		pkg:  "./store/reactions", test: "TestBookmarksOfDeletedTweet",
		why: "bookmarks of a tweet that is gone stay",
	},

	// Account deletion.
	{
		file: "store/erasure/rules.go", old: "		viewerstate.Unnote(w.db, b, kind, r.UserID, r.TweetID)\n",
		new: "		_ = viewerstate.Unnote\n",
		pkg: "./store/erasure", test: "TestLeave",
		why: "a deleted user's tweet stays in the reactions of users who liked, shared or bookmarked it",
	},
	{
		file: "model/registry_accounts.go", old: "\t\t\t{By: ByCode, What: \"files\", Erase: 10},\n", new: "",
		pkg: "./store/erasure", test: "TestLeaver",
		why: "the archives of somebody who left stay",
	},
	{
		file: "store/erasure/delete.go", old: "case work.Found > 0:", new: "case work.Found > 1<<40:",
		pkg: "./store/erasure", test: "TestLeaveInSteps",
		why: "an account deletion ends although the last pass found something",
	},
	{
		file: "store/erasure/delete.go", old: "w.db.Server.Now().Sub(work.ClearedAt) < w.After",
		new: "work.ClearedAt.IsZero()",
		pkg: "./store/erasure", test: "TestLeaveInSteps",
		why: "the last pass comes before late events, and what they bring back stays",
	},
	{
		file: "store/users/deletions.go", old: "began = !user.Found && !was.Found;", new: "began = !user.Found;",
		pkg: "./store/users", test: "TestAbandon",
		why: "a sweep fails at an account that is being deleted, and never goes on",
	},
	{
		file: "cmd/jobs/unused.go", old: "!a.Disabled && ", new: "",
		pkg: "./cmd/jobs", test: "TestUnusedAccounts",
		why: "a suspended user may sign up again after a month",
	},
	{
		file: "cmd/jobs/unused.go", old: "a.CreatedAt.After(firstSweep) &&", new: "",
		pkg: "./cmd/jobs", test: "TestUnusedAccounts",
		why: "with an empty database every account is deleted",
	},
	{
		file: "store/users/deletions.go", old: "if was.Found && (!user.Found || !was.Doc.Done) {",
		new: "if was.Found && user.Found && !was.Doc.Done {",
		pkg: "./store/users", test: "TestLeave",
		why: "a repeated request after a lost answer gets no receipt",
	},
	{
		file: "store/users/deletions.go", old: "if !was.Done {", new: "if was.Done && !was.Done {",
		pkg: "./api", test: "TestAccountDeletion",
		why: "a user signs up again, and the account deletion deletes the new profile",
	},
	{
		file: "store/internal/db/refs.go", old: "prefix[:len(prefix)-1] + \"`\"", new: "prefix + \"0\"",
		pkg: "./store/erasure", test: "TestLeaveInSteps",
		why: "documents with a composite key stay",
	},
	{
		file: "store/erasure/rules.go", old: "if !w.Exports.Reachable {", new: "if false {",
		pkg: "./store/erasure", test: "TestLostBucket",
		why: "functions that lost their bucket leave the archives of somebody who left, and nobody knows",
	},

	// Exports.
	{
		file: "store/erasure/exporter.go", old: "case !there || over:", new: "case over:",
		pkg: "./store/erasure", test: "TestLeaver",
		why: "the export of somebody who left goes on",
	},
	{
		file: "store/erasure/exporter.go", old: "if errs.KindOf(err) == errs.NotFound {", new: "if false {",
		pkg: "./store/erasure", test: "TestLostPart",
		why: "an export whose part is gone never ends",
	},
	{
		file: "store/erasure/exporter.go", old: "p.number, rand.Text()[:8])", new: "p.number, rand.Text()[:0])",
		pkg: "./store/erasure", test: "TestStepsAtOnce",
		why: "a step that is overtaken writes over the part of the other, and tweets come twice",
	},
	{
		file: "store/internal/db/work.go", old: "b.Update(s.ref, updates, s.same()...)", new: "b.Update(s.ref, updates)",
		pkg: "./store/erasure", test: "TestStepsAtOnce",
		why: "a slow step sets the work back to its own place, beside archives that go further",
	},
	{
		file: "store/erasure/exporter.go", old: "case at < 0 || !slices.Equal(work.Sections, sectionNames()):",
		new: "case at < 0:",
		pkg: "./store/erasure", test: "TestOtherSections",
		why: "an export under way misses the section that a release brings",
	},
	{
		file: "store/erasure/exporter.go", old: "make(chan struct{}, model.MaxExportSteps)",
		new: "make(chan struct{}, model.MaxExportSteps+1)",
		pkg: "./store/erasure", test: "TestTurns",
		why: "a process does more steps of exports than it has memory for",
	},
}
