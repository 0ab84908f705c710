package model

var peopleCollections = []Collection{
	{
		Name: Users, Path: "users/{uid}", What: "a public profile, with its counts", Kind: KindSource, Docs: []any{User{}},
		Owners: []Owner{{By: ByKey, Erase: 260, Export: Section{"profile", 10, "the profile with its settings and address"}}},
		Access: AccessNobody,
		Bound: Bound{24 * kB, 60, "lengths of the fields, and 1,600 bytes of `snippetTree`; 6 addresses of 2,048 " +
			"bytes of a remote user", "TestLargestFederation"},
	},
	{
		Name: UserDetails, Path: "userDetails/{uid}", What: "the long texts of a profile", Kind: KindSource,
		Docs:   []any{UserDetail{}},
		Owners: []Owner{{By: ByKey, Erase: 270, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{540 * kB, 20, "two texts of 65,535 characters, and 4 fields with their proofs", "TestLargest"},
	},
	{
		Name: UserSecrets, Path: "userSecrets/{uid}", What: "the address of an account", Kind: KindSource,
		Docs:   []any{UserSecret{}},
		Owners: []Owner{{By: ByKey, Erase: 280, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{1 * kB, 10, "an address", "TestLargest"},
	},
	{
		Name: Usernames, Path: "usernames/{username}", What: "a reserved name", Kind: KindSource, Docs: []any{Username{}},
		Owners: []Owner{{By: "uid", Erase: 290, Export: Section{Name: "profile"}}},
		TTL:    TTL{UsernameHold, "the name of a user who left"}, Access: AccessNobody,
		Bound: Bound{1 * kB, 10, "one uid", "TestLargest"},
	},
	{
		Name: MarkerLists, Path: "markers/{uid}", What: "how far a user has read, and which announcements the user dismissed",
		Kind: KindSource, Docs: []any{Markers{}, Marker{}},
		Owners: []Owner{{By: ByKey, Erase: 282, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{3 * kB, 0, "40 ids of 40 letters", "TestLargest"},
	},
	{
		Name: SignInLists, Path: "signIns/{uid}", What: "when and with what an account signed in lately", Kind: KindSource,
		Docs:   []any{SignIns{}, SignIn{}},
		Owners: []Owner{{By: ByKey, Erase: 284, Export: Section{Name: "profile"}}},
		Access: AccessNobody,
		Bound:  Bound{5 * kB, 0, "20 sign-ins", "TestLargest"},
	},
	{
		Name: Propagations, Path: "spreads/{uid}", What: "a name and avatar to be written into the author's tweets",
		Kind: KindWork, Docs: []any{PropagationWork{}},
		Owners:      []Owner{{By: ByKey, Erase: 430}},
		NotExported: "work",
		TTL:         TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 20, "fixed: one place", "TestPropagateInSteps"},
	},
	{
		Name: FieldChecks, Path: "fieldChecks/{uid}", What: "a profile whose links are to be verified", Kind: KindWork,
		Docs:      []any{FieldCheck{}},
		NotErased: "the check ends by itself: it finds no profile", NotExported: "work",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 4, "fixed", "TestLargest"},
	},
}
