package model

import "time"

var discoveryCollections = []Collection{
	{
		Name: Tags, Path: "tags/{tag}", What: "the number of tweets with a tag", Kind: KindProjection, Docs: []any{Tag{}},
		NotErased: "a tag is everybody's; its count follows the tweets", NotExported: "everybody's",
		Access: AccessNobody, RebuiltBy: "verify",
		Bound: Bound{2 * kB, 20, "one count", "TestManyTags"},
	},
	{
		Name: TagUsages, Path: "tagUses/{uid}_{tag}", What: "the number of a user's tweets with a tag", Kind: KindProjection,
		Docs:        []any{TagUsage{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 310}},
		NotExported: "follows from the tags of the tweets",
		Access:      AccessNobody, RebuiltBy: "verify",
		Bound: Bound{3 * kB, 20, "one count", "TestManyTags"},
	},
	{
		Name: SearchDocs, Path: "searchDocs/{shard}_{place}", What: "the words of a tweet, by which searches find it",
		Kind: KindProjection, Docs: []any{SearchDoc{}},
		Owners:      []Owner{{By: "authorId", Erase: 190}},
		NotExported: "the words of the tweets again",
		Access:      AccessNobody, RebuiltBy: "TweetChanged",
		Bound: Bound{200 * kB, 2_100, "1,000 terms of 40 characters, 10,000 characters of text", "TestLargestSearch"},
	},
	{
		Name: Trends, Path: "trends/{hour}_{shard}", What: "the tags and tweets that accounts use in an hour; " +
			"`trends/usual` is the average, and `trends/now` lists what rises", Kind: KindProjection,
		Docs: []any{Trending{}, TrendUsual{}, TrendsNow{}},
		NotErased: "an hour has hashes of accounts, which the deletions of their tweets and likes take out; it expires " +
			"within 13 hours",
		NotExported: "everybody's tag usages in the last hours, by hashes",
		TTL:         TTL{13 * time.Hour, "an hour, from its beginning on; the average and the list stay"},
		Access:      AccessNobody,
		Bound: Bound{500 * kB, 0, "200 tags and 200 tweets of 64 uses each; the usual of 1,000 tags and 1,000 tweets; " +
			"10 tags and 20 tweets in each of 51 lists; 200 decisions about tags and 200 about tweets",
			"TestLargestTrends"},
	},
}
