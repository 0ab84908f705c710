package model

var counterCollections = []Collection{
	{
		Name: Shards, Path: "{collection}/{id}/shards/{n}", What: "a part of the counts of a document that many count in " +
			"at once", Kind: KindProjection,
		Owners:      []Owner{{By: ByParent, What: "of the profile", Erase: 300}},
		NotExported: "parts of the counts",
		Access:      AccessNobody, RebuiltBy: "verify",
		Bound: Bound{2 * kB, 0, "at most 4 counts", "TestRollUpOfForeignFields"},
	},
	{
		Name: Totals, Path: "totals/all", What: "the numbers of documents of some collections", Kind: KindProjection,
		Docs:      []any{TotalCounts{}},
		NotErased: "everybody's; they follow what they count", NotExported: "numbers of everybody's documents",
		Access: AccessNobody, RebuiltBy: "Tick",
		Bound: Bound{8 * kB, 0, "5 collections of 62 slices", "TestTotalsInSlices"},
	},
	{
		Name: RollUps, Path: "rollups/{collection}_{id}", What: "the shards of a document to be added up, or a list of " +
			"followers to be rebuilt", Kind: KindWork,
		Docs:      []any{RollUpWork{}},
		NotErased: "the roll-up of a document that is gone ends by itself, or expires after 7 days", NotExported: "work",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{2 * kB, 20, "fixed", "TestManyTags"},
	},
	{
		Name: ClaimedRollUps, Path: "takenRollUps/{collection}_{id}_{time}",
		What: "a roll-up that a process does without an event", Kind: KindWork, Docs: []any{ClaimedRollUp{}},
		NotErased: "the record of a roll-up ends with the roll-up, or expires after 7 days", NotExported: "work",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{2 * kB, 20, "fixed", "TestRollUpSoonInterrupted"},
	},
	{
		Name: ProcessedEvents, Path: "processedEvents/{event}_{function}", What: "a function has processed an event",
		Kind:      KindLog,
		NotErased: "an idempotency record expires after a day", NotExported: "an idempotency record, for a day",
		TTL: TTL{After: DedupeWindow}, Access: AccessNobody,
		Bound: Bound{30 * kB, 10, "41 documents that one event counts in", "TestManyTags"},
	},
}
