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
		Name: IncomingActivities, Path: "incoming/{activity}", What: "an activity of another server on its way", Kind: KindWork,
		Docs:        []any{Incoming{}},
		NotErased:   "it names a user of another server, and is gone within an hour",
		NotExported: "it is another server's, and is gone within an hour",
		TTL:         TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{910 * kB, 4, "a compressed text of 900,000 bytes", "TestLargestFederation"},
	},
	{
		Name: Activities, Path: "apActivities/{activity}", What: "that an activity of another server came, or was undone",
		Kind: KindLog, Docs: []any{Activity{}},
		NotErased:   "it has hashes and times alone, and expires",
		NotExported: "it has hashes and times alone, and expires",
		TTL:         TTL{ActivityWindow, "so long a copy changes nothing"}, Access: AccessNobody,
		Bound: Bound{kB, 4, "a hash and three times", "TestLargestFederation"},
	},
	{
		Name: Domains, Path: "apDomains/{page}",
		What: "what administrators decided on domains of the fediverse; `apDomains/all` says which pages changed",
		Kind: KindSource, Docs: []any{DomainPage{}, DomainRule{}, DomainHead{}},
		NotErased:   "the list is the installation's, and names no user but administrators",
		NotExported: "the list is the installation's",
		Access:      AccessNobody,
		Bound:       Bound{950 * kB, 0, "800 domains of 253 characters, each with two comments of 100", "TestLargestFederation"},
	},
	{
		Name: Purges, Path: "apPurges/{domain}", What: "the removal of the users of suspended domains", Kind: KindWork,
		Docs:        []any{Purge{}},
		NotErased:   "it names domains alone",
		NotExported: "it names domains alone",
		TTL:         TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{2 * kB, 3, "a domain of 253 characters, and an address", "TestLargestFederation"},
	},
}
