package model

var graphCollections = []Collection{
	{
		Name: Relationships, Path: "relationships/{follower}_{followed}", What: "one user follows another", Kind: KindSource,
		Docs: []any{Relationship{}},
		Owners: []Owner{
			{By: "followedId", What: "followers", Erase: 20, Export: Section{"followers", 150, "followers"}},
			{By: "followerId", What: "followed users", Erase: 30, Export: Section{"following", 140, "follows"}},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: FollowRequests, Path: "followRequests/{follower}_{followed}",
		What: "one user asks to follow a locked user", Kind: KindSource, Docs: []any{FollowRequest{}},
		Owners: []Owner{
			{By: "followedId", Erase: 40, Export: Section{"followRequestsReceived", 170, "requests to follow that came"}},
			{By: "followerId", What: "by the user", Erase: 50, Export: Section{"followRequestsSent", 160,
				"requests to follow that were sent"}},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Blocks, Path: "blocks/{blocker}_{blockee}", What: "one user blocks another", Kind: KindSource,
		Docs: []any{Block{}},
		Owners: []Owner{
			{By: "blockerId", Erase: 60, Export: Section{"blocks", 180, "blocks"}},
			{By: "blockeeId", What: "by others", Erase: 70},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: MutedSharers, Path: "hiddenSharers/{uid}_{sharer}", What: "a user mutes a sharer", Kind: KindSource,
		Docs: []any{MutedSharer{}},
		Owners: []Owner{
			{By: "userId", Erase: 80, Export: Section{"hiddenSharers", 190, "users whose shares are hidden"}},
			{By: "sharerId", What: "by others", Erase: 90},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: MutedUsers, Path: "mutedUsers/{uid}_{muted}", What: "a user mutes another", Kind: KindSource,
		Docs: []any{MutedUser{}},
		Owners: []Owner{
			{By: "userId", Erase: 91, Export: Section{"mutes", 192, "muted users"}},
			{By: "mutedId", What: "by others", Erase: 92},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: UserFilters, Path: "filters/{uid}", What: "a user's filters of words and tags", Kind: KindSource,
		Docs:   []any{Filters{}, Filter{}, FilterKeyword{}},
		Owners: []Owner{{By: ByKey, Erase: 94, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{80 * kB, 0, "50 filters, 500 keywords, and 50,000 bytes of titles and keywords", "TestLargestFilters"},
	},
	{
		Name: FollowedTagLists, Path: "followedTags/{uid}", What: "the tags that a user follows", Kind: KindSource,
		Docs:   []any{FollowedTags{}, FollowedTag{}},
		Owners: []Owner{{By: ByKey, Erase: 95, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{6 * kB, 0, "10 tags of 50 characters", "TestLargestFollowedTags"},
	},
	{
		Name: PersonNotes, Path: "personNotes/{uid}_{about}", What: "a user's private note on another", Kind: KindSource,
		Docs: []any{PersonNote{}},
		Owners: []Owner{
			{By: "userId", Erase: 97, Export: Section{"personNotes", 193, "private notes on other users"}},
			{By: "aboutId", What: "by others", Erase: 98},
		},
		Access: AccessNobody,
		Bound:  Bound{10 * kB, 10, "2,000 characters", "TestLargest"},
	},
	{
		Name: Subscriptions, Path: "subscriptions/{uid}_{author}", What: "a user wants to hear of an author's posts",
		Kind: KindSource, Docs: []any{Subscription{}},
		Owners: []Owner{
			{By: "userId", Erase: 99, Export: Section{"subscriptions", 194, "authors whose posts make notifications"}},
			{By: "authorId", What: "by others", Erase: 101},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Lists, Path: "lists/{uid}_{id}", What: "a user's list of people, private or public", Kind: KindSource,
		Docs: []any{PeopleList{}},
		Owners: []Owner{
			{By: "userId", Erase: 93, Export: Section{"lists", 195, "lists of people"}},
			{By: ByCode, What: "as a member", Erase: 96},
		},
		Access: AccessNobody,
		Bound:  Bound{7 * kB, 50, "30 members, and 60 and 500 characters of the title and the description", "TestLargest"},
	},
	{
		Name: Viewers, Path: "viewers/{uid}", What: "a reader's follows, mutes and blocks, for home pages",
		Kind: KindProjection, Docs: []any{ViewerGraph{}},
		Owners:      []Owner{{By: ByKey, Erase: 115}},
		NotExported: "the relationships, mutes and blocks again",
		Access:      AccessNobody, RebuiltBy: "verify",
		Bound: Bound{930 * kB, 0, "5,000 entries, a few more for a moment, 500 muted conversations, 200 accepted senders, " +
			"the filters, 10 tags, and the members of 5 lists", "TestLargestViewer"},
	},
	{
		Name: FollowerLists, Path: "followerLists/{uid}", What: "the newest 200 followers of a user",
		Kind: KindProjection, Docs: []any{FollowerList{}},
		Owners:      []Owner{{By: ByKey, Erase: 15}},
		NotExported: "the newest followers again",
		Access:      AccessNobody, RebuiltBy: "FollowChanged",
		Bound: Bound{30 * kB, 0, "200 followers", "TestLargestFollowerList"},
	},
	{
		Name: SuggestionLists, Path: "suggestions/{uid}",
		What: "people whom a user may want to follow, and whom the user dismissed", Kind: KindSource,
		Docs: []any{Suggestions{}, Candidate{}},
		Owners: []Owner{{By: ByKey, Erase: 116, Export: Section{"suggestions", 197,
			"people whom Hibana suggests to follow, and those who were dismissed"}}},
		Access: AccessNobody,
		Bound: Bound{150 * kB, 1, "50 people with 3 others and 3 tags each, and 500 dismissed ones",
			"TestLargestSuggestions"},
	},
}
