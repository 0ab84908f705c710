package model

var oauthCollections = []Collection{
	{
		Name: OAuthApps, Path: "oauthApps/{client}", What: "an app that asks users to let it in", Kind: KindSource,
		Docs:        []any{OAuthApp{}},
		NotErased:   "an app is nobody's: whoever registered it is unknown",
		NotExported: "an app is nobody's: whoever registered it is unknown",
		TTL: TTL{AuthorizedAppWindow,
			"after it last got a token or used one; 30 days after its registration if it has none"},
		Access: AccessNobody,
		Bound:  Bound{13 * kB, 2, "10 redirect URIs of 1,000 bytes", "TestLargestGrants"},
	},
	{
		Name: OAuthCodes, Path: "oauthCodes/{code}", What: "a user's consent to an app, until it has a token",
		Kind: KindLog, Docs: []any{OAuthCode{}},
		Owners:      []Owner{{By: "userId", Erase: 491}},
		NotExported: "a hash, for a day; the apps that were let in are there",
		TTL:         TTL{After: CodeWindow}, Access: AccessNobody,
		Bound: Bound{3 * kB, 3, "a redirect URI of 1,000 bytes, and all scopes", "TestLargestGrants"},
	},
	{
		Name: OAuthTokens, Path: "oauthTokens/{token}", What: "what the holder of an app's token may do",
		Kind: KindSource, Docs: []any{OAuthToken{}},
		Owners:      []Owner{{By: "userId", Erase: 492}},
		NotExported: "a hash; the apps that were let in are there",
		TTL:         TTL{TokenWindow, "after its last use"}, Access: AccessNobody,
		Bound: Bound{3 * kB, 3, "an address of 500 bytes, and all scopes", "TestLargestGrants"},
	},
	{
		Name: OAuthGrantLists, Path: "oauthGrants/{uid}", What: "the apps that a user let in", Kind: KindSource,
		Docs: []any{OAuthGrants{}, OAuthGrant{}, OAuthGiven{}},
		Owners: []Owner{{By: ByKey, Erase: 493, Export: Section{"apps", 132,
			"apps that were let in, without their tokens"}}},
		Access: AccessNobody,
		Bound:  Bound{200 * kB, 0, "100 apps, and 200 tokens of them", "TestLargestGrants"},
	},
}
