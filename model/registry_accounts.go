package model

var accountCollections = []Collection{
	{
		Name: AccountDeletions, Path: "leavings/{uid}", What: "all documents of a user to be removed; then the record of it",
		Kind: KindWork, Docs: []any{DeletionWork{}},
		NotErased:   "the record of the account deletion, for 30 days",
		NotExported: "work, and the user gets its receipt when it begins",
		TTL:         TTL{AccountDeletionWindow, "after its last step"}, Access: AccessNobody,
		Bound: Bound{3 * kB, 40, "a number for each collection", "TestLargest"},
	},
	{
		Name: Exports, Path: "exports/{uid}",
		What: "all documents of a user to be written into archives; then their location",
		Kind: KindWork, Docs: []any{ExportWork{}},
		Owners: []Owner{
			{By: ByCode, What: "files", Erase: 10},
			{By: ByKey, Erase: 550},
		},
		NotExported: "the export itself",
		TTL:         TTL{ExportWindow, "after its last step"}, Access: AccessNobody,
		Bound: Bound{25 * kB, 0, "64 parts and 300 archives", "TestLargestExport"},
	},
	{
		Name: Idempotency, Path: "idempotency/{uid}_{key}", What: "a request that its client may repeat", Kind: KindLog,
		Owners:      []Owner{{By: ByPrefix, Erase: 500}},
		NotExported: "a hash of a request, for a day",
		TTL:         TTL{After: IdempotencyWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 10, "64 characters of key", "TestLongestRequest"},
	},
	{
		Name: Budgets, Path: "budgets/{uid}_{day}", What: "the usage of an account's limits on a day", Kind: KindLog,
		Docs:        []any{Budget{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 510}},
		NotExported: "the usage of the limits, for two days",
		TTL:         TTL{BudgetWindow, "from the beginning of its day on"}, Access: AccessNobody,
		Bound: Bound{200 * kB, 0, "500 processes, 9 counts each", "TestManyProcesses"},
	},
}
