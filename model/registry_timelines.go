package model

var timelineCollections = []Collection{
	{
		Name: TweetMonths, Path: "tweetMonths/{uid}_{month}", What: "a month of an author's tweets that everybody may see",
		Kind: KindProjection, Docs: []any{TweetMonth{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 330}},
		NotExported: "the tweets again, by month",
		Access:      AccessNobody, RebuiltBy: "TweetChanged",
		Bound: Bound{1_000 * kB, 20, "121 post previews of 7.7 KB and a commit of 64 KB, then it overflows at once; " +
			"`pages`: at most 12 KB", "TestLargestMonth"},
	},
	{
		Name: FollowerMonths, Path: "followerMonths/{uid}_{month}", What: "the same for tweets that followers may see",
		Kind: KindProjection, Docs: []any{TweetMonth{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 340}},
		NotExported: "the tweets for followers again, by month",
		Access:      AccessNobody, RebuiltBy: "TweetChanged",
		Bound: Bound{1_000 * kB, 0, "as `tweetMonths`", "TestLargestMonth"},
	},
	{
		Name: ShareMonths, Path: "shareMonths/{uid}_{month}", What: "a month of a user's shares", Kind: KindProjection,
		Docs:        []any{ShareMonth{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 350}},
		NotExported: "the shares again, by month",
		TTL:         TTL{days(61), "from the beginning of its month on"}, Access: AccessNobody, RebuiltBy: "ShareChanged",
		Bound: Bound{500 * kB, 0, "300 shares and a commit of 100, then it overflows at once", "TestSharesOverflow"},
	},
	{
		Name: Heads, Path: "heads/{uid}", What: "the newest 40 posts and shares of a user", Kind: KindProjection,
		Docs:        []any{Head{}},
		Owners:      []Owner{{By: ByKey, Erase: 320}},
		NotExported: "the newest tweets and shares again",
		Access:      AccessNobody, RebuiltBy: "TweetChanged",
		Bound: Bound{310 * kB, 10, "40 post previews of 7.7 KB", "TestLargest"},
	},
	{
		Name: ChangeDigests, Path: "changeDigests/{id}", What: "heads and tweets that functions of a process changed",
		Kind: KindLog, Docs: []any{ChangeDigest{}},
		NotErased: "a digest expires after an hour", NotExported: "ids of heads and tweets, for an hour",
		TTL: TTL{After: DigestWindow}, Access: AccessNobody,
		Bound: Bound{60 * kB, 10, "400 uids of 128 characters", "TestLargestDigest"},
	},
	{
		Name: Overflows, Path: "spills/{collection}_{bucket}", What: "a bucket that overflows", Kind: KindWork,
		Docs:      []any{OverflowWork{}},
		NotErased: "the overflow of a bucket that is gone ends by itself, or expires after 7 days", NotExported: "work",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 20, "fixed", "TestOverflowsAtOnce"},
	},
	{
		Name: Sweeps, Path: "sweeps/{day}", What: "lost work to be found",
		Kind: KindWork, Docs: []any{SweepWork{}},
		NotErased: "a day is everybody's", NotExported: "work, and everybody's",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 20, "fixed", "TestLostWork"},
	},
}
