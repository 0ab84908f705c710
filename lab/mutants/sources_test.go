package mutants

// sources are bugs in what the API writes: who may write and read them, and what follows from a
// text.
var sources = []mutant{
	// What a user likes, shares and keeps stands in months of reactions.
	{
		file: "store/internal/viewerstate/viewerstate.go", old: "		merge[f.full] = true\n", new: "		delete(merge, f.full)\n",
		pkg: "./store/reactions", test: "TestFullMonth",
		why: "a like that a full month does not hold is not shown",
	},

	// Ended sessions.
	{
		file: "store/moderation/sessions.go", old: "changes, firestore.LastUpdateTime(was.Snap.UpdateTime))", new: "changes)",
		pkg: "./store/moderation", test: "TestEndSessionsRaces",
		why: "the time of a moderator's decision at that moment is that of an earlier one",
	},
	{
		file: "store/moderation/accountstatuses.go", old: "		ValidSince: was.Doc.ValidSince}", new: "	}",
		pkg: "./api", test: "TestSignOutEverywhere",
		why: "a token of an ended session is good again when a moderator freezes the user",
	},
	{
		file: "store/moderation/sessions.go", old: "else if !is.ValidSince.Equal(before) {",
		new: "else if false && before.IsZero() {",
		pkg: "./store/moderation", test: "TestEndSessionsRaces",
		why: "a lost answer ends sessions that began since",
	},

	// Scheduled tweets.
	{
		file: "store/tweets/publish.go", old: "b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))",
		new: "b.Delete(snap.Ref)",
		pkg: "./store/tweets", test: "TestPublishOnce",
		why: "two processes post one draft twice, and an author who changes it loses the change",
	},
	{
		file: "store/tweets/publish.go", old: "case accountStatus.State == model.AccountStatusFrozen:", new: "case false:",
		pkg: "./store/tweets", test: "TestPublishRefused",
		why: "a user who was frozen goes on posting for a year",
	},

	// Requests to follow.
	{
		file: "store/graph/requests.go", old: "b.Delete(s.db.FollowRequest(follower, uid), firestore.Exists)",
		new: "b.Delete(s.db.FollowRequest(follower, uid))",
		pkg: "./store/graph", test: "TestFollowRequestsAtOnce",
		why: "who withdrew a request, or was blocked, follows when it is accepted at that moment",
	},
	{
		file: "store/graph/relationships.go", old: "tx.Delete(request), also", new: "also",
		pkg: "./store/graph", test: "TestFollowRequests",
		why: "who follows an account that was opened goes on asking",
	},
	{
		file: "store/graph/relationships.go", old: "user, err := s.access.User(ctx, followed)",
		new: "user, err := s.access.Profile(ctx, followed)",
		pkg: "./store/graph", test: "TestFollowRequests",
		why: "for as long as a process remembers the profile, people follow who were not accepted",
	},

	// Polls.
	{
		file: "model/polls.go", old: "t.Poll.Closed(at) || voted || oversees(v)", new: "true || voted || oversees(v)",
		pkg: "./store/tweets", test: "TestVote",
		why: "voters see what others chose before they choose",
	},

	// What is hidden costs what never was.
	{
		file: "store/internal/access/visible.go", old: "if !slices.Contains(loaded, id) {", new: "if len(loaded) < 0 {",
		pkg: "./store/internal/access", test: "TestHiddenAtOnce",
		why: "the cost of a request reveals the id of a hidden tweet",
	},
	{
		file: "store/internal/access/tweets.go", old: "return l.paid[id] }", new: "return l.paid[id] && false }",
		pkg: "./store/internal/access", test: "TestHiddenAtOnce",
		why: "a tweet for followers costs a stranger one read more than none",
	},
	{
		file: "store/internal/access/visible.go", old: "			s.tweets.Put(id, t)\n			// More", new: "			// More",
		pkg: "./store/internal/access", test: "TestHiddenIsNotRemembered",
		why: "each caller pays for a tweet that was hidden a moment ago",
	},

	{
		file: "store/tweets/threads.go", old: "return r.tweets.Even(ctx, viewer, hidden, paid)",
		new: "return r.tweets.Even(ctx, viewer, nil, paid)",
		pkg: "./api", test: "TestHiddenBehind",
		why: "the cost of a thread reveals whether the answered tweet is hidden or deleted",
	},

	// What is left of a hidden tweet, and pins.
	{
		file: "model/tweets.go", old: "Hidden: t.AudiencePartition() != OpenAudiencePartition, Imported",
		new: "Hidden: false, Imported",
		pkg: "./store/internal/access", test: "TestDeletedHiddenTweet",
		why: "a deleted hidden tweet reveals its author to everybody",
	},
	{
		file: "store/tweets/pins.go", old: "if err := s.dropGone(ctx, &pins); err != nil {",
		new: "if err := error(nil); err != nil {",
		pkg: "./store/tweets", test: "TestPins",
		why: "pins of tweets that are gone take room for ever",
	},

	// By what searches find tweets.
	{
		file: "store/discovery/search_writer.go", old: "model.IsWhole(after.Snippet, after.Length) &&", new: "",
		pkg: "./store/discovery", test: "TestIndexNewTweet",
		why: "searches find a long tweet only by the words of its snippet",
	},
	{
		file: "store/discovery/search_writer.go", old: "if same(now, v.tweet) {", new: "if same(v.tweet, v.tweet) {",
		pkg: "./store/discovery", test: "TestIndexWhileChanged",
		why: "a slow call for an old event brings back the words of a tweet that was hidden since",
	},
	{
		file: "store/discovery/tweets.go", old: "if t.Tweet.Searchable() && t", new: "if t.Tweet != nil && t",
		pkg: "./store/discovery", test: "TestIndex",
		why: "a search lists a flagged tweet until its event comes, or for good if it is lost",
	},
	{
		file: "store/discovery/tweets.go", old: " && t.Tweet.Revision == docs[i].Revision {", new: " {",
		pkg: "./store/discovery", test: "TestEditBeforeItsEvent",
		why: "the excerpt shows words that an edit took out, until its event comes",
	},
	{
		file: "store/discovery/keywords.go", old: "Version: v.at.UnixMicro()", new: "Version: 1",
		pkg: "./store/discovery", test: "TestEngineLate",
		why: "a call that was slow and then killed brings the text of a deleted tweet back into the engine",
	},
	{
		file: "internal/opensearch/documents.go", old: "case again(result.Status):", new: "case false:",
		pkg: "./internal/opensearch", test: "TestFailures",
		why: "an event that a busy engine refused looks like a fault of the service",
	},
	{
		file: "store/discovery/searchdocs.go", old: "share := min((needed+active-1)/active+1, s.reads/len(empty))",
		new: "share := (needed+active-1)/active + 1",
		pkg: "./store/discovery", test: "TestPhraseOfNobody",
		why: "a phrase that nobody wrote reads all tweets with its words",
	},

	// What follows from a text.
	{
		file: "internal/markdown/document.go", old: "r.link(n.Destination, r.inline(n, depth, true), inLink)",
		new: "r.link(n.Destination, r.inline(n, depth, false), inLink)",
		pkg: "./internal/markdown", test: "TestWords",
		why: "the text of a link makes tags",
	},
	{
		file: "internal/markdown/render/render.go", old: "html.EscapeString(a[1])", new: "a[1]",
		pkg: "./internal/markdown/render", test: "TestHTML",
		why: "a text breaks out of an attribute",
	},

	// Mentions.
	{
		file: "store/internal/mentions/mentions.go",
		old:  "\t\tblocks[db.Find[struct{}](&l, d.Block(author, has.UID))] = has.UID\n",
		new:  "",
		pkg:  "./store/tweets", test: "TestMentionable",
		why: "an author mentions somebody whom the author blocks",
	},
	{
		file: "store/internal/mentions/mentions.go", old: "case model.ValidateUsernameForm(username) != nil:",
		new: "case false:",
		pkg: "./store/tweets", test: "TestFarNames",
		why: "no tweet can be posted that names __init__ of this installation",
	},
	{
		file: "model/mentions.go", old: "return ValidateUsernameForm(name) != nil", new: "return false",
		pkg: "./store/tweets", test: "TestNoName",
		why: "no tweet can be posted that has __init__ after an @",
	},
	{
		file: "store/tweets/tweets.go", old: "defer func() { _, _ = found() }()", new: "defer func() {}()",
		pkg: "./store/tweets", test: "TestRefused",
		why: "nobody pays for the names of a reply that is refused",
	},
	{
		file: "model/mentions.go", old: "uid := t.MentionNames[name]", new: "uid := found[name]",
		pkg: "./model", test: "TestMentions",
		why: "after a rename an edit makes a mention mean somebody else",
	},
	{
		file: "model/edits.go", old: "|| len(after.Mentioned(t)) > 0", new: "",
		pkg: "./model", test: "TestMentionedLater",
		why: "whom an edit mentions reads what the tweet was for fewer people",
	},

	// Renames.
	{
		file: "store/users/renames.go",
		old:  "return changes, same, false, nil", new: "return changes, nil, false, nil",
		pkg: "./store/users", test: "TestCoolDownAtOnce",
		why: "renames at once all pass, and each makes all tweets be rewritten",
	},
	{
		file: "store/users/renames.go", old: "is.TweetCount, another)", new: "0, another)",
		pkg: "./store/users", test: "TestCoolDown",
		why: "an author of many tweets makes as much work an hour as there are tweets",
	},

	// Quotes, shares and bookmarks.
	{
		file: "model/permissions.go",
		old:  "		t.AudiencePartition() != OpenAudiencePartition && actor != t.AuthorID ||\n		stranger",
		new:  "		stranger",
		pkg:  "./store/reactions", test: "TestQuoteRefused",
		why: "a follower shows everybody that a tweet for followers exists",
	},
	{
		file: "store/tweets/tweets.go", old: "	if !decides || e.ViewerRelationships.Follows {",
		new: "	if true {",
		pkg: "./store/tweets", test: "TestPolicies",
		why: "followers may not answer what is for followers to answer",
	},
	{
		file: "model/permissions.go", old: "case root == nil || root.AuthorID != actor:", new: "case root == nil:",
		pkg: "./store/tweets", test: "TestFold",
		why: "anybody hides replies in any thread",
	},
	{
		file: "store/tweets/thread_author.go", old: "		case found && quote.WithdrawnQuote == quoted:\n			return nil\n",
		new: "",
		pkg: "./store/tweets", test: "TestWithdrawQuote",
		why: "a withdrawal whose answer was lost seems to fail when it is repeated",
	},
	{
		file: "functions/tweets.go",
		old:  "func() error { return h.store.Counters.CountQuote(ctx, e.idempotencyRecord(), w.QuoteOf, -1) },",
		new:  "",
		pkg:  "./functions", test: "TestNotifyQuote",
		why: "a withdrawn quote is counted for ever",
	},
	{
		file: "functions/tweets.go", old: "QuoteOfAuthorID, before.WithdrawnQuote = w.QuoteOf, w.QuoteOfAuthorID, \"\"",
		new: "QuoteOfAuthorID, before.WithdrawnQuote = \"\", \"\", w.QuoteOf",
		pkg: "./functions", test: "TestNotifyQuote",
		why: "lists of an author show a withdrawn quote with the quoted tweet",
	},
	{
		file: "model/policies.go", old: "|| slices.Contains(limitedPolicies, p) && t.addresses(actor)",
		new: "|| t.addresses(actor)",
		pkg: "./store/tweets", test: "TestPolicies",
		why: "whom a tweet mentions answers although nobody may",
	},
	{
		file: "api/shares.go", old: "if err := s.Tweets.RequireTweet(ctx, id, viewer(ctx)); err != nil {",
		new: "if err := s.Tweets.RequireTweet(ctx, id, model.Viewer{Role: model.Moderator}); err != nil {",
		pkg: "./api", test: "TestShares",
		why: "anybody learns who shared a tweet before it was hidden",
	},
	{
		file: "store/reactions/bookmarks.go", old: "	s.access.ForgetTweet(id)\n", new: "",
		pkg: "./store/reactions", test: "TestBookmarkRefused",
		why: "a tweet that was deleted a moment ago gets a bookmark that nothing removes",
	},

	// What the API allows.
	{
		file: "model/permissions.go", old: "case t.IsViolative, actor != t.AuthorID && viewerRelationships.Blocked:",
		new: "case t.IsViolative:",
		pkg: "./store/internal/access", test: "TestInteractions",
		why: "a blocked user likes and replies",
	},
	{
		file: "store/internal/access/check.go", old: "db.Find[model.User](&l, s.db.User(author))",
		new: "db.Find[model.User](&l, s.db.User(actor))",
		pkg: "./store/internal/access", test: "TestInteractions",
		why: "a stranger likes and replies",
	},
	{
		file: "store/internal/access/visible.go", old: "_ *model.Tweet) bool { return !visible[id] })",
		new: "_ *model.Tweet) bool { return false && !visible[id] })",
		pkg: "./store/internal/access", test: "TestFlag",
		why: "a batch shows flagged tweets to everybody",
	},
	{
		file: "store/graph/blocks.go", old: "\tb.Delete(s.db.Relationship(blockee, blocker))\n", new: "",
		pkg: "./store/graph", test: "TestBlock",
		why: "the blocked go on following",
	},
	{
		file: "store/tweets/deletion.go", old: "if err := s.RequireVisible(ctx, viewer, t); err != nil {",
		new: "if err := s.RequireVisible(ctx, viewer, t); false {",
		pkg: "./store/internal/access", test: "TestFlag",
		why: "a response distinguishes a hidden tweet from an unknown one",
	},
	{
		file: "store/internal/access/visible.go", old: "	if err == nil && !follows {\n		err = model.NoTweet(t.ID)\n	}\n",
		new: "	if err == nil && !follows {\n		err = s.Gone(ctx, v, t.ID)\n	}\n",
		pkg: "./store/internal/access", test: "TestAudience",
		why: "the cost of a response distinguishes a tweet for followers from an unknown one",
	},
	{
		file: "model/edits.go", old: "after.HiddenRevisions = after.Revision", new: "after.HiddenRevisions = 0",
		pkg: "./api", test: "TestAudience",
		why: "everybody reads what a tweet was while it was for followers",
	},

	// Edits.
	{
		file: "store/tweets/tweets.go", old: "!text.Snap.UpdateTime.After(readAt)", new: "!readAt.IsZero()",
		pkg: "./store/tweets", test: "TestLongTweet",
		why: "a page shows the text of a tweet that was edited for fewer users while the page was read",
	},
	{
		file: "store/tweets/tweets.go", old: "!text.Found && last:", new: "!text.Found:",
		pkg: "./store/tweets", test: "TestLongTweetWithoutText",
		why: "a long tweet that was deleted while it was read is there without a text",
	},
	{
		file: "store/tweets/drafts.go", old: "		set(fields.Named, d.Named, len(d.Named) == 0),\n", new: "",
		pkg: "./store/tweets", test: "TestChangeRecipients",
		why: "a draft that named somebody once can never be posted without mentioning the user",
	},
	{
		file: "store/tweets/imports.go", old: "snaps[0].Exists() || snaps[1].Exists()", new: "snaps[0].Exists()",
		pkg: "./store/tweets", test: "TestImportDeleted",
		why: "a tweet comes back that was imported and deleted while another import of it was on its way",
	},
	{
		file: "store/erasure/rules.go", old: "!imported {", new: "imported || !imported {",
		pkg: "./store/erasure", test: "TestImportsStayDeleted",
		why: "an import that its author deleted comes back after the author has left",
	},
	{
		file: "store/erasure/rules.go", old: "		delete(merge, fields.ExpireAt)\n", new: "",
		pkg: "./store/erasure", test: "TestImportsStayDeleted",
		why: "an import that went with its author's account comes back",
	},
	{
		file: "store/tweets/edits.go", old: "b.Create(s.db.Revision(after.ID, before.Number), before)",
		new: "b.Set(s.db.Revision(after.ID, before.Number), before)",
		pkg: "./store/tweets", test: "TestTornRead",
		why: "of two edits of one version the second takes the place of the first, and nobody can read the first any more",
	},
	{
		file: "store/tweets/edits.go",
		old:  "{Path: fields.Gist, Value: firestore.Delete}},\n\t\t\tfirestore.LastUpdateTime(textVersion))",
		new:  "{Path: fields.Gist, Value: firestore.Delete}})",
		pkg:  "./store/tweets", test: "TestTornRead",
		why: "an edit that read the tweet and the text of two moments keeps a text that the tweet did not have",
	},
	{
		file: "store/tweets/edits.go", old: "is.EditID == tried.EditID", new: "is.ReplacedAt.Equal(tried.ReplacedAt)",
		pkg: "./store/tweets", test: "TestEditsAtOnce",
		why: "an edit takes the edit of another device for its own, and its caller hears that it was done",
	},
	{
		file: "store/tweets/edits.go", old: "len(from) > 0 && !slices", new: "len(from) > 1<<20 && !slices",
		pkg: "./api", test: "TestEditTweet",
		why: "If-Match is passed over, and an update is lost",
	},
	{
		file: "model/edits.go", old: "if clean.draft.Content == d.Content && p.Tags == nil {",
		new: "if clean.draft.Content == d.Content && p.Tags == nil && t.ID == \"\" {",
		pkg: "./model", test: "TestEditAgain",
		why: "an edit that comes again makes a second revision, because it takes a tag in another form for a change",
	},
}
