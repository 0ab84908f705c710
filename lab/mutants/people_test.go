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
		file: "api/server/limits.go", old: "limits.AddressOf(humagin.Unwrap(c).Request, s.options.Limits.TrustedHops)",
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
		file: "store/internal/db/also.go", old: "b.Update(a.Ref, a.Updates, firestore.LastUpdateTime(a.At))",
		new: "b.Update(a.Ref, a.Updates)",
		pkg: "./store/agents", test: "TestAgentAsleep",
		why: "a process that slept likes again what another process liked and the owner took back",
	},
	{
		file: "store/internal/db/also.go", old: "tx.Update(a.Ref, a.Updates, firestore.LastUpdateTime(a.At))",
		new: "tx.Update(a.Ref, a.Updates)",
		pkg: "./store/agents", test: "TestAgentAsleep",
		why: "a process that slept follows again whom the owner no longer follows",
	},
	{
		file: "store/agents/acts.go", old: "Value: model.AgentActDone}}", new: "Value: model.AgentActBegun}}",
		pkg: "./store/agents", test: "TestAgentUndone",
		why: "after a kill an agent likes and follows again what the owner took back",
	},
	{
		file: "store/agents/acts.go", old: "act.At.Format(", new: "act.At.Add(time.Duration(act.Tries)).Format(",
		pkg: "./store/agents", test: "TestAgentKilled",
		why: "after a kill an agent posts again",
	},
	{
		file: "model/agents.go", old: "if *n >= most {", new: "if *n > most {",
		pkg: "./store/agents", test: "TestAgentBudget",
		why: "an agent posts once more than its budget of the day allows",
	},
	{
		file: "model/agents.go", old: "a.Spent.Tokens+tokens > a.Budget.Tokens ||",
		new: "a.Spent.Tokens > a.Budget.Tokens ||",
		pkg: "./store/agents", test: "TestAgentBudget",
		why: "a decision takes more tokens than the day has left",
	},
	{
		file: "model/gists.go", old: "if d.Tokens+tokens > most {", new: "if d.Tokens > most {",
		pkg: "./store/tweets", test: "TestGistBudget",
		why: "gists take more tokens than the operator gave the day",
	},
	{
		file: "model/gists.go", old: "|| g.Revision != t.Revision", new: "",
		pkg: "./store/tweets", test: "TestGist",
		why: "the gist of a former revision is answered after an edit by a process of a former version",
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
		file: "store/discovery/directory.go", old: "slices.Contains(model.Withheld, s.State)",
		new: "s.State != model.AccountStatusFree",
		pkg: "./store/discovery", test: "TestStarters",
		why: "a user who signed out everywhere leaves the directory",
	},
	{
		file: "store/discovery/trends.go", old: "Where(fields.State, \"in\", model.Withheld).\n			Where(", new: "Where(",
		pkg: "./store/discovery", test: "TestTrends",
		why: "sign-outs hide people from trends, and let suspended accounts in",
	},
	{
		file: "store/moderation/sessions.go", old: "		b.Delete(s.db.Doc(model.DeviceLists, string(uid)))\n", new: "",
		pkg: "./store/moderation", test: "TestEndSessionsOfDevices",
		why: "a lost device goes on to get messages after its session was ended",
	},
	{
		file: "internal/relme/relme.go", old: "if !sameSite(r.URL, answer.Request.URL) {", new: "if false {",
		pkg: "./internal/relme", test: "TestVerify",
		why: "an open redirect proves that anybody owns a site",
	},
	{
		file: "store/tweets/publish.go", old: "if err != nil || is.Demands() == 0 {", new: "if true {",
		pkg: "./store/tweets", test: "TestPublishNeedsConsent",
		why: "scheduled tweets are posted without a consent to new terms",
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
	{
		file: "store/users/verification.go", old: "return p.Link == link && p.Username == now.Username",
		new: "return p.Link == link",
		pkg: "./store/users", test: "TestVerifyFieldsMeanwhile",
		why: "a link is verified for a name that the user gave up meanwhile",
	},
	{
		file: "internal/relme/relme.go", old: "outbound.MaxRedirects, true", new: "outbound.MaxRedirects, false",
		pkg: "./internal/relme", test: "TestVerify",
		why: "a page without TLS says which page is the user's",
	},
	{
		file: "store/moderation/appeals.go", old: "is.Action != of.ID || is.State", new: "is.State",
		pkg: "./store/moderation", test: "TestReverseAfterAnotherDecision",
		why: "an answer to an old appeal ends a later freeze",
	},
	{
		file: "store/moderation/appeals.go", old: "return snap.Ref.ID == of.ID, nil",
		new: "return a.Act == model.ActFlag, nil",
		pkg: "./store/moderation", test: "TestReverseAfterAnotherDecision",
		why: "an answer to an old appeal removes a later flag",
	},
	{
		file: "store/moderation/appeals.go", old: "of.Doc.UserID != uid || ", new: "",
		pkg: "./store/moderation", test: "TestAppeals",
		why: "anybody appeals for anybody, and sees the decision",
	},
	{
		file: "model/trendreview.go", old: "case r.Needed && !known:", new: "case false:",
		pkg: "./model", test: "TestTrendReview",
		why: "a tag is a trend before an administrator allowed it",
	},
	{
		file: "model/trendreview.go", old: "case known && !allowed:", new: "case r.Needed && known && !allowed:",
		pkg: "./model", test: "TestTrendReview",
		why: "a refused tag is a trend where trends need no review",
	},
	{
		file: "model/trendreview.go", old: "Before(oldest.Time())", new: "After(oldest.Time())",
		pkg: "./model", test: "TestTrendDecisions",
		why: "the decision about the newest tweet makes room for another one",
	},
}
