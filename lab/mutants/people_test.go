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
	{
		file: "store/moderation/appeals.go", old: "is.Action != of.ID || is.State", new: "is.State",
		pkg: "./store/moderation", test: "TestReverseAfterAnotherDecision",
		why: "an answer to an old appeal ends a later freeze",
	},
	{
		file: "store/moderation/appeals.go", old: "return snap.Ref.ID == of.ID, nil", new: "return a.Act == model.ActFlag, nil",
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
