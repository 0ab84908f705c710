package model

var moderationCollections = []Collection{
	{
		Name: AccountStatuses, Path: "standings/{uid}", What: "the moderators' decision about an account", Kind: KindSource,
		Docs:      []any{AccountStatus{}},
		Owners:    []Owner{{By: ByKey, Export: Section{Name: "profile"}}},
		NotErased: "a frozen or suspended uid would be free again after an account deletion",
		Access:    AccessNobody,
		Bound:     Bound{5 * kB, 10, "a reason of 1,000 characters", "TestLargestModeration"},
	},
	{
		Name: Reports, Path: "reports/{reporter}_{tweet|user|message}_{target}",
		What: "a complaint about a tweet, user or message",
		Kind: KindSource, Docs: []any{Report{}, ReportedMessage{}},
		Owners: []Owner{
			{By: ByPrefix, Erase: 520, Export: Section{"reports", 210, "reports"}},
			{By: "userId", What: "of the user", Erase: 530},
		},
		TTL: TTL{ReportWindow, "after it was resolved"}, Access: AccessNobody,
		Bound: Bound{48 * kB, 20,
			"a text and a note of 1,000 characters, and a message of 2,000 with 4 descriptions of 1,500",
			"TestLargestModeration"},
	},
	{
		Name: AdminActions, Path: "adminActions/{id}", What: "an entry of the audit log", Kind: KindLog,
		Docs:        []any{Action{}},
		NotErased:   "the audit log is append-only: it is about acts of moderators",
		NotExported: "the audit log is about acts of moderators",
		Access:      AccessNobody,
		Bound: Bound{22 * kB, 20, "a reason of 1,000 characters, and 7 fields of 280 before and after",
			"TestLargestModeration"},
	},
	{
		Name: AnnouncementLists, Path: "announcements/all", What: "what the administrators tell everybody", Kind: KindSource,
		Docs:        []any{Announcements{}, Announcement{}},
		NotErased:   "announcements are the installation's, and name no user",
		NotExported: "announcements are the installation's, and name no user",
		Access:      AccessNobody,
		Bound:       Bound{180 * kB, 0, "20 announcements, each of 2,100 characters", "TestLargestAnnouncements"},
	},
	{
		Name: Instances, Path: "instance/this", What: "what the installation says of itself, and its terms", Kind: KindSource,
		Docs:        []any{Instance{}, Terms{}},
		NotErased:   "the instance is the administrators'; a contact who left stays named until they name another",
		NotExported: "the instance is public, in GET /v1/instance",
		Access:      AccessNobody,
		Bound: Bound{300 * kB, 0, "terms of 50,000 characters, a description of 5,000 and 30 rules of 500",
			"TestLargestInstance"},
	},
	{
		Name: UserNotes, Path: "userNotes/{id}", What: "a moderator's note on a user", Kind: KindLog,
		Docs:        []any{UserNote{}},
		Owners:      []Owner{{By: "userId", Erase: 540}},
		NotExported: "notes of moderators are theirs",
		Access:      AccessNobody,
		Bound:       Bound{9 * kB, 10, "2,000 characters", "TestLargestModeration"},
	},
}
