package mutants

// links is what keeps the service from its own network, and a page from being fetched twice.
var links = []mutant{
	{
		file: "internal/outbound/outbound.go", old: "Control: o.control, ", new: "",
		pkg: "./internal/outbound", test: "TestRebinding",
		why: "a name that points into the own network is asked",
	},
	{
		file: "internal/outbound/addresses.go", old: "\ta = a.Unmap()\n", new: "",
		pkg: "./internal/outbound", test: "TestPublic",
		why: "an IPv4 address within IPv6 counts as none",
	},
	{
		file: "internal/outbound/outbound.go", old: "if err := t.check(r.URL); err != nil {",
		new: "if err := t.check(r.URL); false {",
		pkg: "./internal/outbound", test: "TestRedirects",
		why: "a redirect leads to an address with a password, or another port",
	},
	{
		file: "internal/linkcard/head.go", old: "unicode.Cc, unicode.Cf, ", new: "unicode.Cc, ",
		pkg: "./internal/linkcard", test: "TestHostile",
		why: "the title of a page turns the direction of what follows",
	},
	{
		file: "model/linkcards.go", old: "|| !t.Visibility.open() ", new: "",
		pkg: "./model", test: "TestLink",
		why: "a site learns of a post for followers",
	},
	{
		file: "store/links/links.go", old: "b.Delete(work.Snap.Ref, firestore.LastUpdateTime(work.Snap.UpdateTime))",
		new: "b.Delete(work.Snap.Ref)",
		pkg: "./store/links", test: "TestMeanwhile",
		why: "a process that fetched slowly replaces the card of another, and a card that was removed comes back",
	},
	{
		file: "store/links/links.go", old: "if before.Stale(now) && w.fetch != nil {", new: "if w.fetch != nil {",
		pkg: "./store/links", test: "TestWritten",
		why: "work that was asked for before an administrator removed the card brings it back",
	},
}
