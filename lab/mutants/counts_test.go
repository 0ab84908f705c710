package mutants

// counts are the counters, totals and trends.
var counts = []mutant{
	// Events and shards.
	{
		file: "store/counters/effects.go", old: "b.Create(f.recordRef(), processed{", new: "b.Set(f.recordRef(), processed{",
		pkg: "./store/counters", test: "TestCountFollow",
		why: "an event that comes twice counts twice",
	},
	{
		file: "store/counters/effects.go", old: "	return true, f.list(ctx)", new: "	return true, nil",
		pkg: "./store/timelines", test: "TestKilledBeforeDigest",
		why: "no process hears of a like whose function was killed before the digest",
	},
	{
		file: "store/internal/digests/writer.go", old: "WrittenAt: at.Add(groupcommit.RunTimeout)", new: "WrittenAt: at",
		pkg: "./store/internal/digests", test: "TestLateDigest",
		why: "an instance that asked before a slow commit of a digest never hears of the changes",
	},
	{
		file: "store/internal/digests/writer.go", old: "	return append(updates, firestore.Update{Path: fields.ListedAt",
		new: "	return append(updates, firestore.Update{Path: db.ChangedAt, Value: firestore.Delete},\n" +
			"		firestore.Update{Path: fields.ListedAt",
		pkg: "./store/timelines", test: "TestFlagAndKilledBeforeDigest",
		why: "a like whose function is killed hides a flag from other instances for a day",
	},
	{
		file: "store/internal/digests/writer.go", old: "	if w.group == nil {", new: "	if w.mode != model.DigestsWritten {",
		pkg: "./store/timelines", test: "TestKilledBeforeDigest",
		why: "no process hears of a change whose event came again while a rollout ends digests",
	},
	{
		file: "store/counters/rollups.go", old: "	there, err := s.delta(ctx, w, true)\n",
		new: "	_, _ = record.Delete(ctx)\n	there, err := s.delta(ctx, w, true)\n",
		pkg: "./store/timelines", test: "TestRollUpSoonKilledBeforeDigest",
		why: "no process hears of the counts of a roll-up that was killed before the digest",
	},
	{
		file: "internal/readcache/readcache.go", old: "(!e.ready() || c.version", new: "(e.ready() && c.version",
		pkg: "./store/timelines", test: "TestSlowReadingBesideDigest",
		why: "a head that is read while it changes is old for a day",
	},
	{
		file: "store/counters/counters.go", old: "if !v.InTime() {", new: "if false {",
		pkg: "./store/tweets", test: "TestLateVote",
		why: "votes from after the end of a poll count",
	},
	{
		file: "store/counters/effects.go", old: "if err := f.LeaveGone(ctx); err != nil {",
		new: "if err := f.LeaveGone(ctx); err != nil || len(f.deltas) == 0 {",
		pkg: "./store/counters", test: "TestShardOfGoneDocument",
		why: "shards stay of a deleted tweet that was answered, when a process ended before it asked for the roll-up",
	},
	{
		file: "store/counters/counters.go", old: "return m.ref.Parent.ID == model.Users && s.db", new: "return false && s.db",
		pkg: "./store/counters", test: "TestGoneUser",
		why: "the deletion of a leaver's tweets counts in shards that nobody needs",
	},
	{
		file: "store/users/users.go", old: "\ts.db.SawThere(uid)\n", new: "",
		pkg: "./store/counters", test: "TestGoneUser",
		why: "nothing of a user who comes back is counted for a while",
	},

	// Roll-ups.
	{
		file: "store/counters/together.go", old: "				m.shard = contention.Cold\n", new: "",
		pkg: "./store/counters", test: "TestTogether",
		why: "each crowd needs shards and a roll-up",
	},
	{
		file: "store/counters/together.go", old: "joined.deltas[i].by += m.by", new: "joined.deltas[i].by += 0",
		pkg: "./store/counters", test: "TestTogether",
		why: "of the events that share a commit only the first is counted",
	},
	{
		file: "store/counters/together.go", old: "	case db.AlreadyExists(err) || db.NotFound(err) || db.Contended(err):",
		new: "	case db.NotFound(err):",
		pkg: "./store/counters", test: "TestTogetherRepeated",
		why: "a repeated event fails for ever while its counter is hot",
	},
	{
		file: "store/counters/rollups.go", old: "db.Pause(ctx, min(s.every+s.every/2, longestWait))",
		new: "db.Pause(ctx, s.every*0)",
		pkg: "./store/counters", test: "TestRollUpWaits",
		why: "a hot counter is written for each work document twice",
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
		file: "store/counters/rollups.go", old: "b.Delete(shard.Ref, firestore.LastUpdateTime(shard.UpdateTime))",
		new: "b.Delete(shard.Ref)",
		pkg: "./store/counters", test: "TestRollUpDeletesRestingShards",
		why: "an increment goes with a shard that a roll-up deletes",
	},
	{
		file: "store/counters/rollups.go", old: "Value: -folded[field]", new: "Value: 0",
		pkg: "./store/counters", test: "TestRollUpOfCancelledLikes",
		why: "a tweet whose first likes cancelled each other counts wrong, or is never rolled up",
	},
	{
		file: "store/counters/rollups.go", old: "if w.Collection == model.Tweets && len(p.Doc.Rolled) == 0",
		new: "if false && len(p.Doc.Rolled) == 0",
		pkg: "./store/counters", test: "TestCancelledShards",
		why: "the shards of a deleted tweet stay whose likes had cancelled each other",
	},

	// Totals.
	{
		file: "store/discovery/totals.go", old: "q = q.EndBefore(totalSlices[at+1 : at+2])", new: "",
		pkg: "./store/discovery", test: "TestTotalsInSlices",
		why: "a large collection is counted many times over",
	},
	{
		file: "store/discovery/totals.go", old: "Sub(t.TriedAt) >= wait", new: "Sub(t.TriedAt) >= w.every",
		pkg: "./store/discovery", test: "TestTotals",
		why: "a million documents are counted each minute",
	},

	// Trends.
	{
		file: "model/trends.go", old: "return u.at > than.at || u.at == than.at && !u.on && than.on", new: "return true",
		pkg: "./store/discovery", test: "TestTrends",
		why: "a late event of a tweet that is gone makes it a trend again",
	},
	{
		file: "model/trends.go", old: "repeats == 0 && of[u.account] >= TrendPerAccount",
		new: "repeats == 0 && of[u.account] >= 1_000_000",
		pkg: "./model", test: "TestTrendingFlood",
		why: "one account fills an hour with its tags, and takes the places of others",
	},
	{
		file: "store/discovery/trends_writer.go", old: "firestore.LastUpdateTime(p.updated))\n\t} else {",
		new: ")\n\t} else {",
		pkg: "./store/discovery", test: "TestMeeting",
		why: "processes that write one hour overwrite the uses of each other",
	},
	{
		file: "store/discovery/trends_writer.go", old: "now.Sub(made) > model.TrendLate ||", new: "",
		pkg: "./store/discovery", test: "TestLongPast",
		why: "late events bring documents of hours back that have expired",
	},
	{
		file: "store/discovery/trends_writer.go", old: "\t\t\tw.holdAgain(h, t)\n", new: "",
		pkg: "./store/discovery", test: "TestHeld",
		why: "uses are lost whose write failed",
	},
	{
		file: "store/discovery/trends_writer.go", old: "now.Sub(w.flushed) >= w.o.Every &&", new: "",
		pkg: "./store/discovery", test: "TestHeld",
		why: "each use is a write",
	},
	{
		file: "store/discovery/trends.go", old: ".Abs() > trendsOutdated {", new: ".Abs() > 1000*trendsOutdated {",
		pkg: "./store/discovery", test: "TestPublish",
		why: "without the clock, trends stay as they were",
	},
	{
		file: "store/discovery/trends.go", old: "!now.Hides(t.AuthorID) &&", new: "",
		pkg: "./store/discovery", test: "TestPublish",
		why: "a suspended account's tweets stay trends",
	},
}
