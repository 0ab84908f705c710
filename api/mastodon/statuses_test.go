package mastodon_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// status is what the client of the tests does not read of a post.
type status struct {
	ID, Content, Visibility, Text string
	Muted                         bool
	Pinned                        *bool
	SpoilerText                   string `json:"spoiler_text"`
	FavouritesCount               int    `json:"favourites_count"`
	Quote                         *struct {
		State        string
		QuotedStatus *status `json:"quoted_status"`
	}
	InReplyToAccount string `json:"in_reply_to_account_id"`
	QuoteApproval    struct {
		Automatic   []string
		CurrentUser string `json:"current_user"`
	} `json:"quote_approval"`
	Media    []attachment `json:"media_attachments"`
	Mentions []struct{ ID string }
}

const statuses = "/api/v1/statuses"

// A plain text shows as it was typed, is given back so, and is edited so. A request that is repeated posts once.
func TestPost(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	const text = "*No* <b>\n# one\n\n- two_ #spark @bob https://a.example/b_c_"
	s, err := ann.PostStatus(t.Context(), &client.Toot{Status: text, SpoilerText: "CW", Visibility: "unlisted",
		Language: "en"})
	testenv.Must(t, err)
	if !strings.HasPrefix(s.Content, "<p>*No* &lt;b&gt;<br") || !strings.Contains(s.Content, "# one</p>") ||
		!strings.Contains(s.Content, "- two_ ") || strings.Contains(s.Content, "<em>") {
		t.Errorf("the content is %q", s.Content)
	}
	if len(s.Tags) != 1 || s.Tags[0].Name != "spark" || len(s.Mentions) != 1 || string(s.Mentions[0].ID) != bob.id ||
		!strings.Contains(s.Content, `href="https://a.example/b_c_"`) {
		t.Errorf("the tags are %+v, the mentions %+v, the content %q", s.Tags, s.Mentions, s.Content)
	}
	if s.SpoilerText != "CW" || !s.Sensitive || s.Visibility != "unlisted" || s.Language != "en" {
		t.Errorf("posted %+v", s)
	}
	source, err := bob.GetStatusSource(t.Context(), s.ID)
	testenv.Must(t, err)
	same(t, "the source", source.Text, text)

	edited, err := ann.UpdateStatus(t.Context(), &client.Toot{Status: "still *plain* @bob"}, s.ID)
	testenv.Must(t, err)
	if !strings.HasPrefix(edited.Content, `<p>still *plain* <span class="h-card"`) || edited.EditedAt.IsZero() ||
		edited.SpoilerText != "" {
		t.Errorf("edited %+v", edited)
	}
	history, err := ann.GetStatusHistory(t.Context(), s.ID)
	testenv.Must(t, err)
	if len(history) != 2 || history[0].Content != s.Content || history[1].Content != edited.Content ||
		history[0].SpoilerText != "CW" {
		t.Errorf("the history is %+v and %+v, the post was %q", *history[0], *history[len(history)-1], s.Content)
	}
	e.ask(t, bob, "PUT "+statuses+"/"+string(s.ID), map[string]any{"status": "mine"}).want(t, http.StatusNotFound, nil)

	var marked status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "*it* is", "content_type": "text/markdown"}).
		want(t, http.StatusOK, &marked)
	same(t, "Markdown", marked.Content, "<p><em>it</em> is</p>")
	e.ask(t, ann, "PUT "+statuses+"/"+marked.ID, map[string]any{"status": "*it* was"}).want(t, http.StatusOK, &marked)
	same(t, "edited Markdown", marked.Content, "<p><em>it</em> was</p>")

	var few, reply status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "few", "visibility": "unlisted"}).
		want(t, http.StatusOK, &few)
	e.ask(t, bob, "POST "+statuses, map[string]any{"status": "more", "visibility": "public", "in_reply_to_id": few.ID}).
		want(t, http.StatusOK, &reply)
	same(t, "the visibility of a reply", reply.Visibility, "unlisted")
	same(t, "who is answered", reply.InReplyToAccount, ann.id)

	for _, body := range []string{"status=once", "status=wide&visibility=public&in_reply_to_id=" + few.ID} {
		var ids []string
		for range 2 {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.url+statuses, strings.NewReader(body))
			testenv.Must(t, err)
			r.Header = http.Header{"Authorization": {"Bearer " + ann.token},
				"Idempotency-Key": {strings.Repeat(body, 20)}, "Content-Type": {"application/x-www-form-urlencoded"}}
			resp, err := http.DefaultClient.Do(r)
			testenv.Must(t, err)
			var once status
			read(t, resp).want(t, http.StatusOK, &once)
			ids = append(ids, once.ID)
		}
		same(t, "the repeated post", ids[1], ids[0])
	}

	var warned status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": " ", "spoiler_text": "alone"}).
		want(t, http.StatusOK, &warned)
	same(t, "a warning alone", warned.Content+warned.SpoilerText, "<p>alone</p>")
	e.ask(t, ann, "PUT "+statuses+"/"+warned.ID, map[string]any{"status": "", "spoiler_text": "still"}).
		want(t, http.StatusOK, &warned)
	same(t, "an edit to a warning alone", warned.Content+warned.SpoilerText, "<p>still</p>")

	var gone status
	e.ask(t, ann, "DELETE "+statuses+"/"+string(s.ID), nil).want(t, http.StatusOK, &gone)
	same(t, "the text for a new post", gone.Text, "still *plain* @bob")
	for _, what := range []string{"", "/context", "/source", "/history", "/favourited_by"} {
		e.ask(t, ann, "GET "+statuses+"/"+string(s.ID)+what, nil).want(t, http.StatusNotFound, nil)
	}
}

// Bad parameters are named, and answered by 422.
func TestPostRefused(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	poll := func(options, seconds, multiple any) map[string]any {
		return map[string]any{"status": "a", "poll": map[string]any{"options": options, "expires_in": seconds,
			"multiple": multiple}}
	}
	var own status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "a"}).want(t, http.StatusOK, &own)
	for _, test := range []struct {
		what string
		body map[string]any
		says string
	}{
		{"POST " + statuses, map[string]any{}, "content"},
		{"POST " + statuses, map[string]any{"status": "a", "visibility": "secret"}, "visibility"},
		{"POST " + statuses, map[string]any{"status": "a", "content_type": "text/html"}, "content_type"},
		{"POST " + statuses, map[string]any{"status": "a", "quote_approval_policy": "all"}, "quote_approval_policy"},
		{"POST " + statuses, map[string]any{"status": "a", "language": "no language"}, "language"},
		{"POST " + statuses, map[string]any{"status": "a", "scheduled_at": "tomorrow"}, "scheduled_at"},
		{"POST " + statuses, map[string]any{"status": "a", "scheduled_at": time.Now().Add(time.Minute)}, "5 minutes"},
		{"POST " + statuses, map[string]any{"status": "a", "media_ids": []string{"1"}}, "media"},
		{"POST " + statuses, poll([]string{"a", "b"}, 600, true), "multiple"},
		{"POST " + statuses, poll([]string{"a", "b"}, 10, false), "expires_in"},
		{"POST " + statuses, poll([]string{"a"}, 600, false), "options"},
		{"POST " + statuses, map[string]any{"status": strings.Repeat("*", 40_000)}, "65535"},
		{"PUT " + statuses + "/" + own.ID, map[string]any{"status": "b", "media_ids": []string{"1"}}, "media_ids"},
		{"PUT " + statuses + "/" + own.ID, poll([]string{"a", "b"}, 600, false), "poll"},
	} {
		var refused struct{ Error string }
		e.ask(t, ann, test.what, test.body).want(t, http.StatusUnprocessableEntity, &refused)
		if !strings.Contains(refused.Error, test.says) {
			t.Errorf("%s %v says %q, want %q", test.what, test.body, refused.Error, test.says)
		}
	}
	for _, name := range []string{"in_reply_to_id", "quoted_status_id"} {
		e.ask(t, ann, "POST "+statuses, map[string]any{"status": "a", name: "12"}).want(t, http.StatusNotFound, nil)
	}
}

// The answer to an act has the act in it, before the counts follow.
func TestActs(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	id := client.ID(statusID(e.post(t, ann, "act")))
	e.idle(t)
	for range 2 { // the second changes nothing
		s, err := bob.Favourite(t.Context(), id)
		testenv.Must(t, err)
		if s.FavouritesCount != 1 || s.Favourited != true {
			t.Errorf("a favourite answers %d, %v", s.FavouritesCount, s.Favourited)
		}
	}
	e.idle(t)
	shared, err := bob.Reblog(t.Context(), id)
	testenv.Must(t, err)
	if shared.ID == id || shared.Reblog == nil || shared.Reblog.ID != id || shared.Account.Acct != "bob" ||
		shared.Reblog.ReblogsCount != 1 || shared.Reblog.FavouritesCount != 1 {
		t.Errorf("a share answers %+v", shared)
	}
	e.idle(t)
	home, err := ann.GetTimelineHome(t.Context(), nil)
	testenv.Must(t, err)
	if len(home) == 0 || home[0].ID != shared.ID {
		t.Errorf("the share is not %q at home: %+v", shared.ID, home)
	}
	by, err := ann.GetRebloggedBy(t.Context(), id, nil)
	testenv.Must(t, err)
	likes, err := ann.GetFavouritedBy(t.Context(), id, nil)
	testenv.Must(t, err)
	if len(by) != 1 || string(by[0].ID) != bob.id || len(likes) != 1 || likes[0].Acct != "bob" {
		t.Errorf("shared by %+v, favourited by %+v", by, likes)
	}
	testenv.Must(t, bob.DeleteStatus(t.Context(), shared.ID)) // as apps undo a share
	e.idle(t)
	after, err := bob.GetStatus(t.Context(), id)
	testenv.Must(t, err)
	if after.ReblogsCount != 0 || after.Reblogged != false {
		t.Errorf("after the end of the share: %+v", after)
	}
	un, err := bob.Unfavourite(t.Context(), id)
	testenv.Must(t, err)
	if un.FavouritesCount != 0 || un.Favourited != false {
		t.Errorf("the end of a favourite answers %d, %v", un.FavouritesCount, un.Favourited)
	}
	is := func(who person, what string) (s status) {
		t.Helper()
		e.ask(t, who, what, nil).want(t, http.StatusOK, &s)
		return s
	}
	one := statuses + "/" + string(id)
	if s := is(ann, "POST "+one+"/pin"); s.Pinned == nil || !*s.Pinned || !*is(ann, "GET "+one).Pinned {
		t.Error("a pinned post is not")
	}
	if s := is(ann, "POST "+one+"/unpin"); *s.Pinned || *is(ann, "GET "+one).Pinned {
		t.Error("a post that is pinned no more is")
	}
	if !is(bob, "POST "+one+"/mute").Muted || is(bob, "POST "+one+"/unmute").Muted {
		t.Error("the mute is not told")
	}
	e.ask(t, bob, "POST "+one+"/translate", nil).want(t, http.StatusNotFound, nil)

	var private status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "few", "visibility": "private"}).
		want(t, http.StatusOK, &private)
	for _, what := range []string{"GET ", "POST "} {
		path := what + statuses + "/" + private.ID
		if what == "POST " {
			path += "/favourite"
		}
		e.ask(t, bob, path, nil).want(t, http.StatusNotFound, nil)
	}
	var some []status
	e.ask(t, bob, "GET "+statuses+"?id[]="+private.ID+"&id[]="+string(id)+"&id[]=12", nil).want(t, http.StatusOK, &some)
	if len(some) != 1 || some[0].ID != string(id) {
		t.Errorf("several posts are %+v", some)
	}
}

// Quotes are listed, held to the policy of the post, and withdrawn by its author.
func TestQuotes(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	quote := func(policy string, want int) (s status) {
		t.Helper()
		var own status
		e.ask(t, ann, "POST "+statuses, map[string]any{"status": "own", "quote_approval_policy": policy}).
			want(t, http.StatusOK, &own)
		e.ask(t, bob, "POST "+statuses, map[string]any{"status": "see", "quoted_status_id": own.ID}).want(t, want, &s)
		return s
	}
	e.ask(t, bob, "PUT /v1/users/"+ann.id+"/follow", nil).want(t, http.StatusOK, nil)
	quote("nobody", http.StatusForbidden)
	quote("followers", http.StatusOK)
	q := quote("public", http.StatusOK)
	if q.Quote == nil || q.Quote.State != "accepted" || q.Quote.QuotedStatus.Content != "<p>own</p>" {
		t.Fatalf("the quote is %+v", q.Quote)
	}
	own := statuses + "/" + q.Quote.QuotedStatus.ID
	var list []status
	e.ask(t, ann, "GET "+own+"/quotes", nil).want(t, http.StatusOK, &list)
	if len(list) != 1 || list[0].ID != q.ID {
		t.Errorf("the quotes are %+v", list)
	}
	var policy status
	e.ask(t, ann, "PUT "+own+"/interaction_policy", map[string]any{"quote_approval_policy": "followers"}).
		want(t, http.StatusOK, &policy)
	same(t, "who may quote", policy.QuoteApproval.Automatic, []string{"followers"})
	for visibility, want := range map[string][]string{"public": {"automatic", "automatic", "denied"},
		"direct": {"denied", "denied"}, "private": {"automatic", "denied"}} {
		var s status
		e.ask(t, ann, "POST "+statuses, map[string]any{"status": "@bob", "visibility": visibility}).
			want(t, http.StatusOK, &s)
		for i, who := range []person{ann, bob, {}}[:len(want)] {
			e.ask(t, who, "GET "+statuses+"/"+s.ID, nil).want(t, http.StatusOK, &s)
			same(t, who.name+" and what is "+visibility, s.QuoteApproval.CurrentUser, want[i])
		}
	}
	e.ask(t, bob, "POST "+own+"/quotes/"+q.ID+"/revoke", nil).want(t, http.StatusForbidden, nil)
	e.ask(t, ann, "POST "+own+"/quotes/"+q.ID+"/revoke", nil).want(t, http.StatusOK, nil)
	e.ask(t, bob, "GET "+statuses+"/"+q.ID, nil).want(t, http.StatusOK, &q)
	same(t, "the withdrawn quote", q.Quote.State, "revoked")
	q = quote("public", http.StatusOK)
	e.ask(t, ann, "DELETE "+statuses+"/"+q.Quote.QuotedStatus.ID, nil).want(t, http.StatusOK, nil)
	e.idle(t)
	e.ask(t, bob, "GET "+statuses+"/"+q.ID, nil).want(t, http.StatusOK, &q)
	same(t, "the quote of a post that is gone", q.Quote.State, "deleted")
}

// A context has the posts above from the first on, and each reply before the replies to it.
func TestContext(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	reply := func(to client.ID, text string) client.ID {
		t.Helper()
		s, err := ann.PostStatus(t.Context(), &client.Toot{Status: text, InReplyToID: to})
		testenv.Must(t, err)
		return s.ID
	}
	root := reply("", "root")
	one := reply(root, "one")
	two := reply(one, "two")
	a, b := reply(two, "a"), reply(two, "b")
	below := reply(a, "a1")
	reply(root, "aside")
	e.idle(t)
	found, err := ann.GetStatusContext(t.Context(), two)
	testenv.Must(t, err)
	ids := func(all []*client.Status) []client.ID {
		return each(all, func(s *client.Status) client.ID { return s.ID })
	}
	same(t, "above", ids(found.Ancestors), []client.ID{root, one})
	same(t, "below", ids(found.Descendants), []client.ID{a, below, b})
	same(t, "what the last one answers", found.Descendants[1].InReplyToID.(string), string(a))
}

// A reply that waits for approval is answered as a post that is not there yet.
func TestHeldReply(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.ask(t, ann, "PATCH /v1/users/"+ann.id, map[string]any{"holdReplies": "strangers"}).want(t, http.StatusOK, nil)
	root := statusID(e.post(t, ann, "root"))
	s, err := bob.PostStatus(t.Context(), &client.Toot{Status: "a <b>\nc", InReplyToID: client.ID(root)})
	testenv.Must(t, err)
	if s.Content != "<p>a &lt;b&gt;<br>c</p>" || s.Account.Acct != "bob" || s.InReplyToID != root {
		t.Errorf("the reply is %+v", s)
	}
	e.ask(t, bob, "GET "+statuses+"/"+url.PathEscape(string(s.ID)), nil).want(t, http.StatusNotFound, nil)
	found, err := ann.GetStatusContext(t.Context(), client.ID(root))
	testenv.Must(t, err)
	if len(found.Descendants) != 0 {
		t.Errorf("the thread has it: %+v", found.Descendants)
	}
}

// A post that is read by itself has the card of its first link; one for few people has none.
func TestCard(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	const address = "https://example.com/a?b=c"
	page := model.LinkPage{Title: "T", Description: "D", Author: "A",
		Picture: &model.LinkPicture{ContentType: "image/jpeg", Width: 4, Height: 2, Data: []byte{1, 2, 3}}}
	_, err := testenv.Client(t, e.stack.Project).Doc("linkCards/"+model.LinkKey(address)).
		Set(t.Context(), page.Card(address, nil, time.Now()))
	testenv.Must(t, err)
	s, err := ann.GetStatus(t.Context(), client.ID(statusID(e.post(t, ann, "see https://example.com/a?b=c#d!"))))
	testenv.Must(t, err)
	if c := s.Card; c == nil || c.URL != address || c.Title != "T" || c.Description != "D" || c.Type != "link" ||
		c.Image != "data:image/jpeg;base64,AQID" || c.Width != 4 {
		t.Errorf("the card is %+v", c)
	}
	few, err := ann.PostStatus(t.Context(), &client.Toot{Status: "see " + address, Visibility: "private"})
	testenv.Must(t, err)
	if few, err = ann.GetStatus(t.Context(), few.ID); err != nil || few.Card != nil {
		t.Errorf("a post for few people has %+v, %v", few, err)
	}
}

// A text that is too long for a post is refused as it was typed, before it is turned into Markdown.
func TestLongestText(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var refused struct{ Error, Code string }
	body := map[string]any{"status": strings.Repeat("<", model.MaxContent+1)}
	e.ask(t, ann, "POST /api/v1/statuses", body).want(t, http.StatusUnprocessableEntity, &refused)
	if refused.Code != "too_long" || !strings.Contains(refused.Error, "status has 65536 characters") {
		t.Errorf("refused by %+v", refused)
	}
	id := statusID(e.post(t, ann, "short"))
	e.ask(t, ann, "PUT /api/v1/statuses/"+id, body).want(t, http.StatusUnprocessableEntity, &refused)
	if refused.Code != "too_long" || !strings.Contains(refused.Error, "status has 65536 characters") {
		t.Errorf("an edit is refused by %+v", refused)
	}
	letters := map[string]any{"status": strings.Repeat("e\u0301", model.MaxContent)} // one character each, in NFC
	e.ask(t, ann, "POST /api/v1/statuses", letters).want(t, http.StatusOK, nil)
}

// However many replies of a context are long, it has all, and the whole texts of so many.
func TestManyLongTexts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	first := e.post(t, ann, "first")
	text := strings.Repeat("word ", 100)
	for n := range 70 {
		e.ask(t, ann, "POST /v1/tweets", map[string]any{"content": fmt.Sprint(text, n), "replyTo": first}).
			want(t, http.StatusCreated, nil)
	}
	e.idle(t)
	var found struct{ Descendants []status }
	e.ask(t, ann, "GET /api/v1/statuses/"+statusID(first)+"/context", nil).want(t, http.StatusOK, &found)
	whole := 0
	for _, s := range found.Descendants {
		if len(s.Content) > len(text) {
			whole++
		}
	}
	same(t, "replies, and those with their whole texts", []int{len(found.Descendants), whole}, []int{70, 60})
}

// Elk writes a mention with the host when it edits a post: it stays one of a user of this service.
func TestMentionWithHost(t *testing.T) {
	t.Parallel()
	e := newEnv(t, atOrigin)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	host := strings.TrimPrefix(origin, "https://")
	var s status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "Hello @Bob@" + host + ", hello @nobody@" + host + "!"}).
		want(t, http.StatusOK, &s)
	if len(s.Mentions) != 1 || s.Mentions[0].ID != bob.id {
		t.Errorf("the mentions are %+v", s.Mentions)
	}
	e.ask(t, ann, "PUT "+statuses+"/"+s.ID, map[string]any{"status": "Hello again (@bob@" + host + ")"}).
		want(t, http.StatusOK, &s)
	if len(s.Mentions) != 1 || s.Mentions[0].ID != bob.id {
		t.Errorf("the mentions of the edit are %+v", s.Mentions)
	}
	const address = "https://social.example/@bob@hibana.example"
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": address}).want(t, http.StatusOK, &s)
	if !strings.Contains(s.Content, address) {
		t.Errorf("the address shows as %s", s.Content)
	}
}
