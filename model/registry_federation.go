package model

var federationCollections = []Collection{
	{
		Name: ActorKeys, Path: "actorKeys/{uid}_{key}",
		What: "the key by which a user signs requests to other servers; `_now` without a user is the installation's",
		Kind: KindSource, Docs: []any{ActorKey{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 286}},
		NotExported: "whoever has the key can pass for the user",
		TTL:         TTL{FormerActorKeyWindow, "a key that was changed"}, Access: AccessNobody,
		Bound: Bound{5 * kB, 0, "two keys of 2,048 bits", "TestLargestFederation"},
	},
	{
		Name: RemoteActors, Path: "apActors/{address}", What: "the public keys of an actor of another server", Kind: KindLog,
		Docs:        []any{RemoteActor{}, RemoteKey{}},
		NotErased:   "it names nobody of this server, and expires",
		NotExported: "it names nobody of this server, and expires",
		TTL:         TTL{MaxRemoteActor, "at most; an hour at least, as its server says"}, Access: AccessNobody,
		Bound: Bound{36 * kB, 0, "5 keys of 4,000 bytes, and 7 addresses of 2,048", "TestLargestFederation"},
	},
	{
		Name: Outgoings, Path: "outgoing/{id}", What: "an activity on its way to other servers", Kind: KindWork,
		Docs:        []any{Outgoing{}},
		NotErased:   "it expires, and what it says went to other servers; a deletion of the account is itself one",
		NotExported: "it is the form of a user's own documents for other servers, and expires",
		TTL:         TTL{After: OutgoingWindow}, Access: AccessNobody,
		Bound: Bound{1_000 * kB, 0, "300,000 bytes of JSON, and 500 inboxes of 1,000 bytes", "TestLargestFederation"},
	},
	{
		Name: RemoteAudiences, Path: "apAudiences/{uid}_{part}", What: "the inboxes of a user's followers on other servers",
		Kind: KindProjection, Docs: []any{RemoteAudience{}, AudienceInbox{}},
		Owners:      []Owner{{By: ByPrefix, Erase: 287}},
		NotExported: "it follows from the relationships, which an export has",
		Access:      AccessNobody, RebuiltBy: "FollowChanged",
		Bound: Bound{850 * kB, 0, "inboxes until there are 800,000 bytes", "TestLargestFederation"},
	},
	{
		Name: RemoteDeliveries, Path: "apDeliveries/{outgoing}_{inbox}",
		What: "an activity that another server did not take yet, or never took", Kind: KindLog, Docs: []any{RemoteDelivery{}},
		NotErased:   "it has addresses of another server, and expires",
		NotExported: "it is the installation's, and expires",
		TTL:         TTL{After: RemoteServerWindow}, Access: AccessNobody,
		Bound: Bound{4 * kB, 4, "an address of 1,000 bytes, and a failure of 200 characters", "TestLargestFederation"},
	},
	{
		Name: RemoteServers, Path: "apServers/{host}", What: "what is known of another server", Kind: KindLog,
		Docs:        []any{RemoteServer{}},
		NotErased:   "it names nobody",
		NotExported: "it names nobody",
		TTL:         TTL{RemoteServerWindow, "since the last failure"}, Access: AccessNobody,
		Bound: Bound{kB, 2, "a host and times", "TestLargestFederation"},
	},
}
