package mutants

// people is what keeps suggestions away from those who must not see each other, and their cost low.
var people = []mutant{
	{
		file: "store/internal/access/consents.go", old: "	s.ForgetConsent(uid)\n	if is", new: "	if is",
		pkg: "./store/users", test: "TestConsent",
		why: "a consent counts in other processes an hour later",
	},
	{
		file: "store/users/invitations.go", old: "Value: is.Doc.Uses + 1}})", new: "Value: is.Doc.Uses}})",
		pkg: "./store/users", test: "TestInvitationAtOnce",
		why: "more people sign up by an invitation than it allows",
	},
	{
		file: "store/users/signups.go", old: "case found && is.Refused && !over:", new: "case false:",
		pkg: "./store/users", test: "TestDecideAtOnce",
		why: "an administrator refuses a user while another approves, and the user has a profile",
	},
	{
		file: "store/users/signups.go", old: "!is.AskedAt.Equal(approved.AskedAt):", new: "false:",
		pkg: "./store/users", test: "TestApproveChanged",
		why: "a user changes a sign-up while an administrator approves what was there before",
	},
	{
		file: "store/users/signups.go", old: "	if !own {\n", new: "	if false {\n",
		pkg: "./store/users", test: "TestSignUpNames",
		why: "somebody takes the username of a sign-up that waits",
	},
	{
		file: "store/users/signups.go", old: "return errors.Join(s.Release(tx, &is), tx", new: "return errors.Join(tx",
		pkg: "./store/users", test: "TestSignUpNames",
		why: "the username of a sign-up that was taken back is reserved for a month",
	},
	{
		file: "model/signups.go", old: "name.UID == \"\" && name.HeldUntil.Equal(s.ExpireAt)", new: "name.UID == \"\"",
		pkg: "./store/users", test: "TestSignUpNames",
		why: "a sign-up that has expired frees the username that another one has reserved since",
	},
	{
		file: "store/users/signups.go", old: "case full && !waits:", new: "case false:",
		pkg: "./store/users", test: "TestMostSignUps",
		why: "any number of sign-ups waits",
	},
	{
		file: "api/users.go", old: "n.MayWait = is.ApprovalNeeded ||", new: "n.MayWait = false &&",
		pkg: "./api", test: "TestSignUpApproval",
		why: "nobody waits for an approval",
	},
	{
		file: "api/signups.go", old: "errs.KindOf(err) == errs.NotFound {", new: "errs.KindOf(err) == errs.Gone {",
		pkg: "./api", test: "TestSignUpGone",
		why: "a deleted account gets a profile, which nobody can use or remove",
	},
	{
		file: "api/server/auth.go", old: "limits.AddressOf(humagin.Unwrap(c).Request, s.options.Limits.TrustedHops)",
		new: "limits.AddressOf(humagin.Unwrap(c).Request, 1)",
		pkg: "./api", test: "TestSignUpBlocks",
		why: "a forged X-Forwarded-For signs up from a blocked network",
	},
	{
		file: "model/signupblocks.go", old: "p.Contains(a.Unmap())", new: "p.Contains(a)",
		pkg: "./model", test: "TestSignUpBlocksOf",
		why: "an IPv4 address in the form of IPv6 is in no blocked network",
	},
	{
		file: "model/signupblocks.go", old: "_, domain, _ = strings.Cut(domain, \".\")", new: "domain = \"\"",
		pkg: "./model", test: "TestSignUpBlocksOf",
		why: "a subdomain of a blocked domain signs up",
	},
	{
		file: "model/signupblocks.go", old: "BlockedDomain(email[strings.LastIndex(email, \"@\")+1:])",
		new: "BlockedDomain(email[strings.Index(email, \"@\")+1:])",
		pkg: "./model", test: "TestSignUpBlocksOf",
		why: "an address with an @ in quotes signs up from a blocked domain",
	},
	{
		file: "store/agents/acts.go", old: "		case !is.Running:\n			act.State = model.AgentActStopped\n		case late",
		new: "		case late",
		pkg: "./store/agents", test: "TestAgentStoppedBetween",
		why: "an act of an agent begins after the agent was stopped",
	},
	{
		file: "store/agents/acts.go", old: "case !shown:", new: "case false:",
		pkg: "./store/agents", test: "TestAgentActs",
		why: "an agent likes and follows what it was not shown",
	},
	{
		file: "store/users/consents.go", old: "is.Terms.Version != version:", new: "is.Terms.Version < version:",
		pkg: "./store/users", test: "TestConsent",
		why: "a user consents to terms that were replaced",
	},
	{
		file: "api/server/auth.go", old: "op.Method != http.MethodGet &&\n		!needs(op, adminRole)",
		new: "op.Method == http.MethodPost &&\n		!needs(op, adminRole)",
		pkg: "./api", test: "TestTermsRequired",
		why: "a user who has not consented to the terms changes the profile and likes",
	},
	{
		file: "store/discovery/suggestions.go", old: "p.own.Whole && quiet.Hides(c.ID)", new: "p.own.Whole && quiet.Is(c.ID)",
		pkg: "./store/discovery", test: "TestSuggestedMayBe",
		why: "a user gets somebody as a suggestion whom the user blocks or mutes since the computation",
	},
	{
		file: "store/discovery/suggestions.go", old: "|| held[uid] || asked[uid]", new: "|| held[uid] || asked[p.uid]",
		pkg: "./store/discovery", test: "TestSuggestedMayBe",
		why: "a user gets somebody as a suggestion whom the user asks to follow, and who is no longer locked",
	},
	{
		file: "store/discovery/suggestions.go", old: "|| held[uid] || asked[uid]", new: "|| held[p.uid] || asked[uid]",
		pkg: "./store/discovery", test: "TestSuggestedMayBe",
		why: "suspended users are suggested",
	},
	{
		file: "store/discovery/suggestions.go", old: "u == nil || u.Locked || u.NotSuggested",
		new: "u == nil || u.NotSuggested",
		pkg: "./store/discovery", test: "TestSuggestedMayBe",
		why: "locked users are suggested",
	},
	{
		file: "store/discovery/suggestions_writer.go", old: ",\n\t\tfirestore.LastUpdateTime(snap.UpdateTime))", new: ")",
		pkg: "./store/discovery", test: "TestDismissDuringComputation",
		why: "a computation that began before a dismissal brings the person back",
	},
	{
		file: "store/discovery/suggestions_writer.go", old: "spent.Reads+model.SuggestMostReads > w.reads",
		new: "spent.Reads < 0",
		pkg: "./store/discovery", test: "TestSuggestionBudget",
		why: "suggestions cost whatever users ask",
	},
	{
		file: "store/graph/familiar.go", old: "f.Complete = v.Whole && len(unknown) <= maxFamiliarReads",
		new: "f.Complete = v.Whole",
		pkg: "./store/graph", test: "TestFamiliarCost",
		why: "an answer that lacks familiar followers says that it has all",
	},
}
