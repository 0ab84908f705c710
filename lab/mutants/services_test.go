package mutants

// services are the processes around the store: who may call, what they call, and what
// brings them back.
var services = []mutant{
	// A service that must stop finishes its requests.
	{
		file: "internal/httpserver/httpserver.go", old: "	if err := server.Shutdown(ctx); err != nil {",
		new: "	if err := server.Close(); err != nil {",
		pkg: "./cmd/api", test: "TestStopUnderLoad",
		why: "each rollout cuts off requests that are under way",
	},

	// A restore brings every document back, and repairs the drift of lost events.
	{
		file: "lab/drill/drill.go", old: "verify.Options{Against: found, Repair: true}",
		new: "verify.Options{Against: found}",
		pkg: "./lab/drill", test: "TestDrill",
		why: "a restored database keeps the drift of the events that were lost with the old one",
	},
	{
		file: "lab/drill/emulator.go", old: "		if got, ok := other[path]; !ok {\n",
		new: "		if got, ok := other[path]; false && !ok {\n",
		pkg: "./lab/drill", test: "TestDigests",
		why: "a document that an export lost is not missed",
	},

	// Who may call.
	{
		file: "api/server/auth.go", old: `if err = s.checkApp(c, token != ""); err == nil && token != "" {`,
		new: `if err == nil && token != "" {`,
		pkg: "./api", test: "TestAppCheck",
		why: "enforced App Check asks for no token",
	},
	{
		file: "internal/appcheck/appcheck.go", old: `"key ID was not found"`, new: `"no such key"`,
		pkg: "./internal/appcheck", test: "TestNewKeys",
		why: "new keys of App Check are unknown for 6 hours",
	},
	{
		file: "api/server/lists.go", old: "	var from, zero P\n", new: "	var from, zero P\n	list = \"list\"\n",
		pkg: "./api", test: "TestBookmarks",
		why: "a page token of one list opens another",
	},

	// Where a push may go.
	{
		file: "internal/push/dial.go", old: "if !outbound.Public(to.Addr()) ||", new: "if",
		pkg: "./internal/push", test: "TestPrivateAddresses",
		why: "a user makes the server write to addresses of its own network",
	},
	{
		file: "internal/push/dial.go", old: "return http.ErrUseLastResponse", new: "return nil",
		pkg: "./internal/push", test: "TestAnswers",
		why: "a host that a user names sends the server anywhere",
	},

	// What processes remember of callers.
	{
		file: "internal/limits/limits.go", old: "case busy:", new: "case busy && false:",
		pkg: "./internal/limits", test: "TestForgettingBusy",
		why: "who sends from many addresses has more requests at once than the limit",
	},
	{
		file: "internal/readcache/readcache.go", old: "case held != e: // the", new: "case held != e && e.refused: // the",
		pkg: "./internal/readcache", test: "TestForgottenWhileRefreshed",
		why: "what a process has changed itself is old again for a while",
	},
	{
		file: "store/ops/budgets.go", old: "if mine || len(b.Used)", new: "if mine && false || len(b.Used)",
		pkg: "./store/ops", test: "TestManyProcesses",
		why: "what the last process counts of a day is known to no other",
	},
	{
		file: "store/moderation/statuses.go", old: "; !ok || !s.ChangedAt.Before(known.ChangedAt) {", new: "; ok || !ok {",
		pkg: "./store/moderation", test: "TestNoteOlder",
		why: "an answer under way takes a suspension back in the process that decided it",
	},
	{
		file: "store/moderation/statuses.go", old: "since.Add(-w.overlap)", new: "since",
		pkg: "./store/moderation", test: "TestRecentLateCommit",
		why: "a process never hears of a suspension that was committed a little late",
	},
	{
		file: "store/moderation/actions.go", old: "if a == nil || err != nil {", new: "if a == nil {",
		pkg: "./store/moderation", test: "TestActLines",
		why: "the copy of the audit log has acts that failed, so they look like deleted entries",
	},
	{
		file: "store/moderation/flags.go", old: "	defer func() { s.done(ctx, entry, err) }()\n	return s.tweets.Flag",
		new: "	return s.tweets.Flag",
		pkg: "./store/moderation", test: "TestActLines",
		why: "the copy of the audit log has no flags",
	},
	{
		file: "internal/callers/callers.go", old: "rest == \"\" || rest[0] == '/' || rest[0] == '?'", new: "len(rest) >= 0",
		pkg: "./internal/callers", test: "TestCheck",
		why: "a token that is made out to a host whose name begins alike is good",
	},
}
