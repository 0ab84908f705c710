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
}
