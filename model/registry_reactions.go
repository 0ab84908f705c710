package model

var reactionCollections = []Collection{
	{
		Name: Likes, Path: "likes/{uid}_{tweet}", What: "a user likes a tweet", Kind: KindSource, Docs: []any{Like{}},
		Owners: []Owner{
			{By: "userId", Erase: 170, Export: Section{"likes", 50, "likes"}},
			{By: "authorId", What: "of the user's tweets", Erase: 220},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Shares, Path: "shares/{uid}_{tweet}", What: "a user shares a tweet", Kind: KindSource, Docs: []any{Share{}},
		Owners: []Owner{
			{By: "userId", Erase: 120, Export: Section{"shares", 60, "shares"}},
			{By: "authorId", What: "of the user's tweets", Erase: 230},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Bookmarks, Path: "bookmarks/{uid}_{tweet}",
		What: "a user bookmarks a tweet", Kind: KindSource, Docs: []any{Bookmark{}},
		Owners: []Owner{
			{By: "userId", Erase: 130, Export: Section{"bookmarks", 80, "bookmarks"}},
			{By: "authorId", What: "of the user's tweets", Erase: 250},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Reactions, Path: "reactions/{uid}_{month}",
		What: "the tweets of a month that a user likes, shares and bookmarks",
		Kind: KindProjection, Docs: []any{ReactionMonth{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 360}},
		NotExported: "the likes again, for the pages of a month",
		Access:      AccessOwner, RebuiltBy: "verify",
		Bound: Bound{180 * kB, 10, "2,000 likes, then `full`; as many shares, and bookmarks", "TestFullMonth"},
	},
	{
		Name: CleanUps, Path: "cleanups/{tweet}", What: "the remains of a deleted tweet, to be removed", Kind: KindWork,
		Docs:      []any{CleanUpWork{}},
		NotErased: "the removal of likes of a deleted tweet ends by itself; a pass removes them too", NotExported: "work",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 20, "fixed", "TestCleanUpInSteps"},
	},
}
