package model

var messageCollections = []Collection{
	{
		Name: Conversations, Path: "conversations/{conversation}", What: "a conversation of two to 32 users",
		Kind: KindSource, Docs: []any{Conversation{}, ConversationMember{}, LastMessage{}},
		Owners: []Owner{{By: ByCode, Erase: 225, Export: Section{"conversations", 107, "conversations with their messages"}}},
		Access: AccessNobody,
		Bound: Bound{140 * kB, 70, "32 members with addresses of 2,048 characters, and 10 remembered requests of each",
			"TestLargestConversation"},
	},
	{
		Name: ConversationMonths, Path: "conversationMonths/{conversation}_{month}",
		What: "100 messages of a month of a conversation at most", Kind: KindSource,
		Docs:        []any{MessagePart{}, Message{}},
		NotErased:   "a user's messages are taken back with the conversation, and the last member takes all parts along",
		NotExported: "the section of conversations has the messages",
		Access:      AccessMembers,
		Bound: Bound{250 * kB, 0, "100 messages of together 120 kB, and 100 kB of reactions",
			"TestLargestConversation"},
	},
	{
		Name: Inboxes, Path: "inboxes/{uid}", What: "what a user has read and hidden of conversations", Kind: KindSource,
		Docs:        []any{Inbox{}},
		Owners:      []Owner{{By: ByKey, Erase: 227}},
		NotExported: "marks of what was read; the section of conversations has the messages",
		Access:      AccessOwner,
		Bound:       Bound{200 * kB, 0, "1,000 marks, and 2,000 hidden messages", "TestLargestConversation"},
	},
	{
		Name: MessageTermLists, Path: "messageTerms/{conversation}_{month}", What: "the words of a part of a conversation",
		Kind: KindProjection, Docs: []any{MessageTerms{}},
		NotErased:   "its function deletes it with the part, and a message that is taken back leaves it",
		NotExported: "the words of the messages again",
		Access:      AccessNobody, RebuiltBy: "MessagesChanged",
		Bound: Bound{520 * kB, 3_010, "3,000 words of 40 characters", "TestLargestConversation"},
	},
}
