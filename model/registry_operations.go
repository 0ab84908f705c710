package model

var operationCollections = []Collection{
	{
		Name: Jobs, Path: "jobs/{name}", What: "the progress of an operators' job", Kind: KindWork,
		Docs:        []any{Job{}, SuggestionSpending{}},
		NotErased:   "a job is everybody's; the uid where a verification paused goes with its next part",
		NotExported: "work of operators",
		Access:      AccessNobody,
		Bound:       Bound{2 * kB, 30, "fixed; four documents", "TestTurns"},
	},
	{
		Name: Migrations, Path: "migrations/{name}", What: "a change that older documents of a collection need",
		Kind: KindWork, Docs: []any{MigrationWork{}},
		NotErased:   "a migration is everybody's; the id where one is names a document until its next step",
		NotExported: "work, and everybody's",
		TTL:         TTL{MigrationWindow, "after its last step"}, Access: AccessNobody,
		Bound: Bound{3 * kB, 40, "fixed: one place, and the names of 9 migrations", "TestMigrate"},
	},
	{
		Name: DeadLetters, Path: "deadEvents/{event}_{function}", What: "an event that no function could read", Kind: KindLog,
		Docs:      []any{DeadLetter{}},
		NotErased: "an operator reads it, and it expires after 31 days", NotExported: "an event that no function could read",
		TTL: TTL{After: DeadLetterWindow}, Access: AccessNobody,
		Bound: Bound{950 * kB, 40, "900 KiB of data, and a cause of 4,000 characters", "TestLargest"},
	},
}
