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
		Name: RemoteFacets, Path: "apActors/{address}/facets/{facet}", What: "what WebFinger says of a handle", Kind: KindLog,
		Docs:        []any{RemoteFacet{}},
		NotErased:   "it names nobody of this server, and expires",
		NotExported: "it names nobody of this server, and expires",
		TTL:         TTL{MaxRemoteActor, "at most; an hour at least, as its server says"}, Access: AccessNobody,
		Bound: Bound{7 * kB, 0, "3 addresses of 2,048 bytes", "TestLargestFederation"},
	},
	{
		Name: RemotePosts, Path: "apPosts/{address}", What: "which tweet a post of another server is", Kind: KindSource,
		Docs:        []any{RemotePostMark{}},
		Owners:      []Owner{{By: "authorId", Erase: 212}},
		NotExported: "nobody of another server has exports here",
		TTL:         TTL{RemoteStoneWindow, "a post that was deleted"}, Access: AccessNobody,
		Bound: Bound{3 * kB, 2, "an address of 2,048 bytes", "TestLargestFederation"},
	},
	{
		Name: RemoteObjects, Path: "apObjects/{address}", What: "a document of another server, as it came", Kind: KindLog,
		Docs:        []any{RemoteCopy{}},
		NotErased:   "it names nobody of this server, and expires",
		NotExported: "it names nobody of this server, and expires",
		TTL:         TTL{MaxRemoteObject, "at most; 10 minutes at least, as its server says"}, Access: AccessNobody,
		Bound: Bound{268 * kB, 0, "262,144 bytes, and 2 addresses of 2,048", "TestLargestFederation"},
	},
	{
		Name: RemoteServers, Path: "apServers/{host}", What: "what is known of another server", Kind: KindLog,
		Docs:        []any{RemoteServer{}},
		NotErased:   "it names nobody of this server, and expires",
		NotExported: "it names nobody of this server, and expires",
		TTL:         TTL{After: RemoteServerAge}, Access: AccessNobody,
		Bound: Bound{3 * kB, 0, "an address of 2,048 bytes", "TestLargestFederation"},
	},
}
