package model

var notificationCollections = []Collection{
	{
		Name: NotificationLogs, Path: "eventLogs/{partition}", What: "no document: a partition of the event log",
		Kind:        KindLog,
		NotErased:   "there is no document, but the notification events below it",
		NotExported: "there is no document, but the notification events below it",
		Access:      AccessNobody,
		Bound:       Bound{1 * kB, 10, "no document: it only has `events` below it", "TestLargest"},
	},
	{
		Name: NotificationEvents, Path: "eventLogs/{partition}/events/{notice}",
		What: "one action that a user is notified of",
		Kind: KindLog, Docs: []any{NotificationEvent{}},
		Owners:      []Owner{{By: ByCode, Erase: 440}},
		NotExported: "the notifications have them",
		TTL:         TTL{After: NotificationWindow}, Access: AccessNobody,
		Bound: Bound{2 * kB, 20, "fixed", "TestLargest"},
	},
	{
		Name: Notifications, Path: "users/{uid}/notifications/{slot}_{day}",
		What: "the notification events of a group key and day, as a user sees them",
		Kind: KindProjection, Docs: []any{Notification{}},
		Owners: []Owner{{By: ByParent, Erase: 450, Export: Section{"notifications", 200, "notifications"}}},
		TTL:    TTL{After: NotificationWindow}, Access: AccessOwnerLists, RebuiltBy: "verify",
		Bound: Bound{8 * kB, 40, "10 records and 20 users", "TestLargest"},
	},
	{
		Name: Actors, Path: "users/{uid}/notifications/{slot}_{day}/actors/{actor}",
		What: "a user whom a notification counts, besides the first 20", Kind: KindProjection, Docs: []any{Actor{}},
		NotErased: "the actors of the user's notifications go with them; the user as an actor of others' notifications " +
			"expires after 31 days",
		NotExported: "the notifications count them",
		TTL:         TTL{After: NotificationWindow}, Access: AccessNobody, RebuiltBy: "verify",
		Bound: Bound{1 * kB, 10, "fixed", "TestLargest"},
	},
	{
		Name: Flushes, Path: "drains/{partition}",
		What: "pending notification events of a partition to be put on notifications",
		Kind: KindWork, Docs: []any{FlushWork{}},
		NotErased: "a partition of the event log is many users'", NotExported: "work, and everybody's",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 20, "fixed", "TestFlushWaits"},
	},
	{
		Name: NotificationSettings, Path: "noticeSettings/{uid}", What: "a user's notification settings",
		Kind: KindSource, Docs: []any{NotificationChoice{}},
		Owners: []Owner{{By: ByKey, Erase: 480, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{15 * kB, 10, "500 conversations, without uids", "TestLargest"},
	},
	{
		Name: DeviceLists, Path: "devices/{uid}", What: "the browsers and apps of a user that get messages", Kind: KindSource,
		Docs:   []any{Devices{}},
		Owners: []Owner{{By: ByKey, Erase: 490, Export: Section{"devices", 130, "devices without their keys"}}},
		Access: AccessNobody,
		Bound:  Bound{15 * kB, 10, "10 devices with addresses of 1,000 bytes", "TestLargest"},
	},
}
