package model

var tweetCollections = []Collection{
	{
		Name: Tweets, Path: "tweets/{tweet}",
		What: "the part of a tweet that lists show", Kind: KindSource, Docs: []any{Tweet{}},
		Owners: []Owner{{By: "authorId", Erase: 180, Export: Section{"tweets", 20, "tweets with their texts"}}},
		Access: AccessViewers,
		Bound: Bound{30 * kB, 140, "lengths, 10 tags of 50 characters, 10 mentions, 4 media, and 1,600 bytes of " +
			"`snippetTree`", "TestLargest"},
	},
	{
		Name: TweetDetails, Path: "tweetDetails/{tweet}", What: "the text of a tweet", Kind: KindSource,
		Docs:      []any{TweetDetail{}},
		Owners:    []Owner{{By: ByCode, Export: Section{Name: "tweets"}}},
		NotErased: "a text goes with its tweet",
		Access:    AccessNobody,
		Bound:     Bound{290 * kB, 10, "65,535 characters, and 4 descriptions of 1,500", "TestLargest"},
	},
	{
		Name: Tombstones, Path: "tombstones/{tweet}", What: "a tweet was here", Kind: KindLog, Docs: []any{Tombstone{}},
		Owners: []Owner{{By: "authorId", Erase: 200, Export: Section{"deletedTweets", 40,
			"deleted tweets without their texts"}}},
		TTL: TTL{TombstoneWindow, "after its author left"}, Access: AccessNobody,
		Bound: Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Revisions, Path: "tweets/{tweet}/revisions/{number}", What: "a tweet before an edit", Kind: KindLog,
		Docs:   []any{Revision{}},
		Owners: []Owner{{By: "authorId", Erase: 210, Export: Section{"revisions", 30, "what tweets were before edits"}}},
		Access: AccessNobody,
		Bound:  Bound{280 * kB, 10, "as `tweets` and `tweetDetails`, and what changed; 100 of a tweet", "TestLargest"},
	},
	{
		Name: Drafts, Path: "drafts/{uid}_{draft}", What: "a tweet that is not posted yet", Kind: KindSource,
		Docs:   []any{SavedDraft{}},
		Owners: []Owner{{By: ByPrefix, Erase: 150, Export: Section{"drafts", 100, "drafts"}}},
		Access: AccessNobody,
		Bound:  Bound{270 * kB, 0, "as `tweetDetails`, and a reason", "TestLargest"},
	},
	{
		Name: HeldReplies, Path: "heldReplies/{id}",
		What: "a reply that waits for the approval of the author of its thread's root", Kind: KindSource,
		Docs: []any{HeldReply{}},
		Owners: []Owner{
			{By: "authorId", Erase: 152, Export: Section{"heldReplies", 102, "replies that wait for approval"}},
			{By: "rootAuthorId", What: "for the user's approval", Erase: 154},
		},
		TTL: TTL{After: HeldReplyWindow}, Access: AccessNobody,
		Bound: Bound{270 * kB, 10, "as `drafts`", "TestLargest"},
	},
	{
		Name: MediaRecords, Path: "media/{media}", What: "an uploaded picture or video", Kind: KindSource,
		Docs: []any{Media{}},
		Owners: []Owner{{By: "ownerId", Erase: 185, Export: Section{"media", 105,
			"pictures and videos with their files"}}},
		TTL: TTL{MediaWindow, "unless a post or profile uses it; a draft keeps it longer"}, Access: AccessOwner,
		Bound: Bound{9 * kB, 30, "1,500 characters, 3 sizes", "TestLargest"},
	},
	{
		Name: Polls, Path: "polls/{tweet}", What: "the counts of a poll", Kind: KindSource, Docs: []any{PollCounts{}},
		NotErased: "the counts of a poll go with its tweet", NotExported: "the counts of votes, which are others'",
		Access: AccessNobody,
		Bound:  Bound{2 * kB, 2, "4 counts", "TestLargest"},
	},
	{
		Name: Votes, Path: "votes/{uid}_{tweet}", What: "a user's vote in a poll", Kind: KindSource, Docs: []any{Vote{}},
		Owners: []Owner{
			{By: "userId", Erase: 160, Export: Section{"votes", 70, "votes in polls"}},
			{By: "authorId", What: "on the user's tweets", Erase: 240},
		},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: QuoteWithdrawals, Path: "quoteWithdrawals/{tweet}",
		What: "the author of a quoted tweet withdrew it from a quote", Kind: KindLog, Docs: []any{QuoteWithdrawal{}},
		NotErased:   "it expires, and the quote stays withdrawn",
		NotExported: "its event alone needs it; the quote says the same",
		TTL:         TTL{After: QuoteWithdrawalWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: PinLists, Path: "pins/{uid}", What: "the tweets that a profile shows first", Kind: KindSource,
		Docs:   []any{Pins{}},
		Owners: []Owner{{By: ByKey, Erase: 140, Export: Section{"pins", 90, "pins"}}},
		Access: AccessNobody,
		Bound:  Bound{2 * kB, 10, "5 pins", "TestLargest"},
	},
}
