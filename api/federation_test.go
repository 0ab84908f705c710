package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/httpsig"
	"github.com/hibana-sns/hibana/model"
)

func withFederation(o *api.Options) { o.PublicURL, o.Federation.On = publicURL, true }

// freeze freezes a user.
func (e *env) freeze(t *testing.T, p person) {
	t.Helper()
	_, err := e.admin.Collection(model.AccountStatuses).Doc(string(p.id)).Set(t.Context(),
		model.AccountStatus{State: model.AccountStatusFrozen})
	testenv.Must(t, err)
}

// document asks for a document as another server does, and reads it as it would.
func (e *env) document(t *testing.T, path string) *activitypub.Object {
	t.Helper()
	return e.readDocument(t, path, http.StatusOK, "")
}

func (e *env) readDocument(t *testing.T, path string, status int, token string) *activitypub.Object {
	t.Helper()
	r := e.do(t, "GET", path, token, nil, "Accept", activitypub.ContentType).want(t, status, nil)
	if got := r.header.Get("Content-Type"); got != activitypub.ContentType+"; charset=utf-8" {
		t.Errorf("%s is %q", path, got)
	}
	if !slices.Contains(r.header.Values("Vary"), "Accept") {
		t.Errorf("%s varies by %q", path, r.header.Values("Vary"))
	}
	o, err := activitypub.Decode(r.body)
	if err != nil {
		t.Fatalf("%s: %v of %s", path, err, r.body)
	}
	if want := publicURL + path; o.ID != want {
		t.Errorf("%s has the id %s", path, o.ID)
	}
	return o
}

// Other servers find a user by the handle, and read the actor, which stays itself after a rename.
func TestActor(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	ann := e.join(t, "ann")
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"nickname": "Ann <b>", "introduction": "I like **tea** #go",
		"discoverable": true, "fields": []map[string]any{{"name": "Site <", "value": "https://ann.example/?a=1&b=2"},
			{"name": "Tea", "value": "<script>green</script>"}}}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute

	var finger struct {
		Subject string
		Aliases []string
		Links   []struct{ Rel, Type, Href string }
	}
	r := e.do(t, "GET", "/.well-known/webfinger?resource=acct:Ann@hibana.test", "", nil).want(t, http.StatusOK, &finger)
	if h := r.header; h.Get("Content-Type") != "application/jrd+json" || h.Get("Access-Control-Allow-Origin") != "*" ||
		h.Get("Cache-Control") != "public, max-age=180" || h.Get("ETag") == "" {
		t.Errorf("headers = %v", r.header)
	}
	actor := publicURL + "/users/" + url.PathEscape(string(ann.id))
	if finger.Subject != "acct:ann@hibana.test" || len(finger.Links) != 2 || finger.Links[1].Href != actor ||
		finger.Links[1].Type != activitypub.ContentType || finger.Links[0].Href != publicURL+"/@ann" {
		t.Errorf("WebFinger = %+v", finger)
	}
	o := e.document(t, strings.TrimPrefix(actor, publicURL))
	if !o.IsActor() || o.Type != "Person" || o.PreferredUsername != "ann" || o.Name.Value != "Ann <b>" ||
		o.URL[0].Href != publicURL+"/@ann" || o.Inbox != actor+"/inbox" || o.SharedInbox != publicURL+"/inbox" ||
		o.Outbox != actor+"/outbox" || o.Followers != actor+"/followers" || o.Following != actor+"/following" ||
		o.Featured != actor+"/featured" || o.ManuallyApproves || !o.Discoverable || !o.Indexable || o.Published.IsZero() ||
		o.AlsoKnownAs != nil {
		t.Errorf("the actor is %+v", o)
	}
	if want := `<p>I like <strong>tea</strong> <a href="` + publicURL + `/tags/go" class="mention hashtag" rel="tag">#go</a></p>`; o.
		Summary.Value != want {
		t.Errorf("the summary is %s, want %s", o.Summary.Value, want)
	}
	if len(o.Attachment) != 2 || o.Attachment[0].Value != `<a href="https://ann.example/?a=1&amp;b=2" rel="me nofollow `+
		`noopener noreferrer" target="_blank">https://ann.example/?a=1&amp;b=2</a>` || o.Attachment[0].Name.Value != "Site &lt;" ||
		o.Attachment[1].Value != "&lt;script&gt;green&lt;/script&gt;" || o.Attachment[1].Type != "PropertyValue" {
		t.Errorf("the fields are %+v, %+v", o.Attachment[0], o.Attachment[1])
	}
	if k := o.PublicKeys[0]; k.Owner != actor || !strings.HasPrefix(k.ID, actor+"#key-") {
		t.Errorf("the key is %+v", k)
	}
	key, err := httpsig.ParseKey(o.PublicKeys[0].Text)
	testenv.Must(t, err)
	if err := httpsig.CheckKey(key); err != nil {
		t.Error(err)
	}
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"username": "anna", "locked": true, "bot": true}).want(t,
		http.StatusOK, nil)
	e.offset += 6 * time.Minute
	now := e.document(t, strings.TrimPrefix(actor, publicURL))
	if now.PreferredUsername != "anna" || now.URL[0].Href != publicURL+"/@anna" || !now.ManuallyApproves ||
		now.Type != "Service" || now.PublicKeys[0] != o.PublicKeys[0] {
		t.Errorf("after a rename the actor is %+v", now)
	}
	own := e.document(t, "/actor")
	if own.Type != "Application" || own.PreferredUsername != "hibana.test" ||
		own.PublicKeys[0].Owner != publicURL+"/actor" {
		t.Errorf("the own actor is %+v", own)
	}
	e.do(t, "GET", "/.well-known/webfinger?resource=acct:hibana.test@hibana.test", "", nil).want(t, http.StatusOK, &finger)
	if finger.Subject != "acct:hibana.test@hibana.test" {
		t.Errorf("WebFinger of the installation = %+v", finger)
	}
}

// WebFinger answers as RFC 7033 says, to every form of an address, and says the same of all whom nobody has.
func TestWebFinger(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation, func(o *api.Options) { o.Federation.Domain = "sparks.test" })
	ann := e.join(t, "ann")
	frozen := e.join(t, "cold")
	e.freeze(t, frozen)
	actor := publicURL + "/users/" + url.PathEscape(string(ann.id))
	for resource, status := range map[string]int{
		"acct:ann@sparks.test": http.StatusOK, "acct:ann@hibana.test": http.StatusOK, "acct:ANN@Sparks.Test": http.StatusOK,
		"acct:ann%40sparks.test": http.StatusOK, actor: http.StatusOK, publicURL + "/@ann": http.StatusOK,
		publicURL + "/actor": http.StatusOK, "acct:sparks.test@sparks.test": http.StatusOK,
		"": http.StatusBadRequest, "ann": http.StatusBadRequest, "ann@sparks.test": http.StatusBadRequest,
		"acct:ann": http.StatusBadRequest, "acct:@sparks.test": http.StatusBadRequest, "acct:": http.StatusBadRequest,
		"acct:ann@other.test": http.StatusNotFound, "acct:bob@sparks.test": http.StatusNotFound,
		"acct:x@sparks.test": http.StatusNotFound, "acct:me@sparks.test": http.StatusNotFound,
		"acct:cold@sparks.test": http.StatusNotFound, publicURL + "/users/nobody": http.StatusNotFound,
		publicURL + "/users/me": http.StatusNotFound, publicURL + "/@": http.StatusNotFound,
		"https://other.test/users/" + string(ann.id): http.StatusNotFound, publicURL + "/about": http.StatusNotFound,
		"https://hibana.test.evil.test/@ann": http.StatusNotFound, "mailto:ann@sparks.test": http.StatusNotFound,
	} {
		r := e.do(t, "GET", "/.well-known/webfinger?resource="+url.QueryEscape(resource), "", nil).want(t, status, nil)
		if status == http.StatusNotFound && strings.Contains(string(r.body), "bob") {
			t.Errorf("%s: %s", resource, r.body)
		}
		if status == http.StatusOK && strings.Contains(resource, "nn") &&
			!strings.Contains(string(r.body), `"subject":"acct:ann@sparks.test"`) {
			t.Errorf("%s: %s", resource, r.body)
		}
	}
	e.do(t, "GET", "/.well-known/webfinger?resource="+strings.Repeat("a", 3000), "", nil).want(t, http.StatusBadRequest,
		nil)
	r := e.do(t, "GET", "/.well-known/webfinger?resource=acct:ann@sparks.test&rel=self&rel=x", "", nil).want(t,
		http.StatusOK, nil)
	r.has(t, "one rel", `"rel":"self"`)
	r.lacks(t, "one rel", "profile-page")
	e.do(t, "GET", "/.well-known/host-meta", "", nil).want(t, http.StatusOK, nil).has(t, "host-meta",
		`template="https://hibana.test/.well-known/webfinger?resource={uri}"`)
	e.do(t, "GET", "/.well-known/host-meta.json", "", nil).want(t, http.StatusOK, nil).has(t, "host-meta", `"rel":"lrdd"`)
	for path, most := range map[string]int64{"acct:ann@sparks.test": 4, actor: 2, "acct:bob@sparks.test": 1,
		"acct:ann@other.test": 0, "https://other.test/": 0} {
		e.offset += 6 * time.Minute
		if got := e.do(t, "GET", "/.well-known/webfinger?resource="+url.QueryEscape(path), ann.token, nil).cost(t); got.
			Reads > most || got.Writes > 0 {
			t.Errorf("%s costs %+v, want %d reads at most", path, got, most)
		}
	}
}

func TestNodeInfo(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	e.join(t, "ann")
	_, err := e.admin.Doc("totals/all").Set(t.Context(), model.TotalCounts{Of: map[string]model.Total{
		model.Users: {Count: 12}, model.Tweets: {Count: 345}}})
	testenv.Must(t, err)
	var links struct{ Links []struct{ Rel, Href string } }
	e.do(t, "GET", "/.well-known/nodeinfo", "", nil).want(t, http.StatusOK, &links)
	for _, l := range links.Links {
		version := l.Rel[len(l.Rel)-3:]
		r := e.do(t, "GET", strings.TrimPrefix(l.Href, publicURL), "", nil).want(t, http.StatusOK, nil)
		var n struct {
			Version, Software any
			Protocols         []string
			OpenRegistrations bool
			Usage             struct {
				Users      map[string]int64
				LocalPosts int64
			}
		}
		testenv.Must(t, json.Unmarshal(r.body, &n))
		if n.Version != version || n.Usage.Users["total"] != 12 || n.Usage.LocalPosts != 345 || !n.OpenRegistrations ||
			!slices.Equal(n.Protocols, []string{"activitypub"}) ||
			(n.Software.(map[string]any)["repository"] != nil) != (version == "2.1") ||
			!strings.Contains(r.header.Get("Content-Type"), "schema/"+version+"#") {
			t.Errorf("NodeInfo %s = %s, %v", version, r.body, r.header)
		}
	}
	if len(links.Links) != 2 {
		t.Errorf("links = %+v", links)
	}
}

// Posts that everybody may see are notes and questions; the others are not there, whoever asks.
func TestFediversePosts(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil)
	e.offset += 6 * time.Minute
	path := func(id model.TweetID) string { return "/posts/" + string(id) }
	first := e.posted(t, bob, map[string]any{"content": "tea?", "language": "en"})
	note := e.posted(t, ann, map[string]any{"content": "**yes** @bob #Tea </p><script>", "summary": "drinks",
		"replyTo": first.ID, "quoteOf": nil, "language": "en"})
	o := e.document(t, path(note.ID))
	annActor, bobActor := publicURL+"/users/"+string(ann.id), publicURL+"/users/"+string(bob.id)
	if o.Type != "Note" || !slices.Equal(o.AttributedTo, []string{annActor}) || o.InReplyTo != publicURL+path(first.ID) ||
		o.Summary.Value != "drinks" || !o.Sensitive || o.Published.IsZero() || !o.Updated.IsZero() ||
		!slices.Equal(o.To, []string{activitypub.Public}) || !slices.Equal(o.CC, []string{annActor + "/followers",
		bobActor}) ||
		o.URL[0].Href != publicURL+"/@ann/"+string(note.ID) || o.Content.By["en"] != o.Content.Value {
		t.Errorf("the note is %+v", o)
	}
	if want := `<p><strong>yes</strong> <a href="` + publicURL + `/@bob" class="u-url mention">@bob</a> <a href="` + publicURL +
		`/tags/tea" class="mention hashtag" rel="tag">#Tea</a> &lt;/p&gt;&lt;script&gt;</p>`; o.Content.Value != want {
		t.Errorf("the content is %s\nwant %s", o.Content.Value, want)
	}
	if len(o.Tag) != 2 || o.Tag[0].Type != "Mention" || o.Tag[0].Href != bobActor ||
		o.Tag[0].Name.Value != "@bob@hibana.test" ||
		o.Tag[1].Type != "Hashtag" || o.Tag[1].Name.Value != "#Tea" || o.Tag[1].Href != publicURL+"/tags/tea" {
		t.Errorf("the tags are %+v, %+v", o.Tag[0], o.Tag[1])
	}

	quote := e.posted(t, bob, map[string]any{"content": "look", "quoteOf": note.ID, "visibility": "unlisted"})
	if o := e.document(t, path(quote.ID)); o.Quote != publicURL+path(note.ID) ||
		!slices.Equal(o.CC, []string{activitypub.Public}) || !slices.Equal(o.To, []string{bobActor + "/followers"}) {
		t.Errorf("the quote is %+v", o)
	}
	poll := e.posted(t, ann, map[string]any{"content": "which?", "poll": map[string]any{"options": []string{"a", "b"},
		"minutes": 60}})
	if o := e.document(t, path(poll.ID)); o.Type != "Question" || len(o.OneOf) != 2 || o.OneOf[1].Name.Value != "b" ||
		o.OneOf[0].Replies.Object != nil || o.EndTime.IsZero() || !o.Closed.IsZero() {
		t.Errorf("the question is %+v", o)
	}
	past := time.Now().Add(-time.Hour) // the database's clock decides
	for doc, field := range map[string]string{"tweets/": "poll.closesAt", "polls/": "closesAt"} {
		_, err := e.admin.Doc(doc+string(poll.ID)).Update(t.Context(), []firestore.Update{{Path: field, Value: past}})
		testenv.Must(t, err)
	}
	e.offset += time.Minute
	if o := e.document(t, path(poll.ID)); o.Closed.IsZero() || o.OneOf[0].Replies.Object == nil {
		t.Errorf("the closed question is %+v", o)
	}
	e.do(t, "PATCH", "/v1/tweets/"+string(note.ID), ann.token, map[string]any{"content": "no"}).want(t, http.StatusOK, nil)
	e.offset += time.Minute
	if o := e.document(t, path(note.ID)); o.Updated.IsZero() || o.Content.Value != "<p>no</p>" {
		t.Errorf("the edited note is %+v", o)
	}
	for part, want := range map[string]int64{"likes": 0, "shares": 0} {
		if o := e.document(t, path(note.ID)+"/"+part); o.Type != "Collection" || o.TotalItems != want || o.Items != nil {
			t.Errorf("%s are %+v", part, o)
		}
	}
	if o := e.document(t, path(note.ID)+"/activity"); o.Type != "Create" || o.Actor != annActor ||
		o.Object[0].ID != publicURL+path(note.ID) {
		t.Errorf("the activity is %+v", o)
	}
	hiddenReply := e.posted(t, ann, map[string]any{"content": "psst", "replyTo": first.ID, "visibility": "followers"})
	if o := e.document(t, path(first.ID)+"/replies"); o.First.ID != o.ID+"?page=true" {
		t.Errorf("the replies are %+v", o)
	}
	if o := e.document(t, path(first.ID)+"/replies?page=true"); len(o.Items) != 1 || o.Items[0].ID != publicURL+path(
		note.ID) {
		t.Errorf("the page of replies is %+v", o)
	}

	narrow := e.posted(t, ann, map[string]any{"content": "for friends", "visibility": "followers"})
	named := e.posted(t, ann, map[string]any{"content": "for @bob", "visibility": "mentioned"})
	flagged := e.posted(t, ann, map[string]any{"content": "bad"})
	e.flag(t, flagged.ID)
	gone := e.posted(t, ann, map[string]any{"content": "gone"})
	goneNarrow := e.posted(t, ann, map[string]any{"content": "gone", "visibility": "followers"})
	for _, id := range []model.TweetID{gone.ID, goneNarrow.ID} {
		e.do(t, "DELETE", "/v1/tweets/"+string(id), ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	if o := e.readDocument(t, path(gone.ID), http.StatusGone, ""); o.Type != "Tombstone" {
		t.Errorf("a deleted post is %+v", o)
	}
	for _, id := range []model.TweetID{narrow.ID, named.ID, flagged.ID, goneNarrow.ID, hiddenReply.ID,
		model.TweetID(strings.Repeat("0", 18)), "x", "me"} {
		for _, token := range []string{"", ann.token, bob.token} {
			for _, part := range []string{"", "/activity", "/replies", "/replies?page=true", "/likes", "/shares"} {
				r := e.do(t, "GET", path(id)+part, token, nil, "Accept", activitypub.ContentType).want(t, http.StatusNotFound, nil)
				r.lacks(t, "a hidden post", "friends", "bob", "psst", `"bad`)
				if r.header.Get("Cache-Control") != "no-store" {
					t.Errorf("that %s is not there may be cached", id)
				}
			}
		}
	}
	hidingQuote := e.posted(t, ann, map[string]any{"content": "mine", "quoteOf": narrow.ID, "visibility": "public"})
	if r := e.do(t, "GET", path(hidingQuote.ID), "", nil, "Accept", activitypub.ContentType); r.status == http.StatusOK {
		r.lacks(t, "a quote of a hidden post", string(narrow.ID))
	}
}

// Collections have pages, and only what everybody may see.
func TestFediverseCollections(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil)
	actor := "/users/" + string(ann.id)
	var posts []string
	for i := range 23 {
		visibility := "public"
		if i%7 == 3 {
			visibility = "followers"
		}
		p := e.posted(t, ann, map[string]any{"content": fmt.Sprint(i), "visibility": visibility})
		if visibility == "public" {
			posts = append([]string{publicURL + "/posts/" + string(p.ID)}, posts...)
		}
	}
	unlisted := e.posted(t, ann, map[string]any{"content": "quiet", "visibility": "unlisted"})
	e.offset += 6 * time.Minute
	outbox := e.document(t, actor+"/outbox")
	var got []string
	pages := 0
	for next := outbox.First.ID; next != ""; pages++ {
		page := e.document(t, strings.TrimPrefix(next, publicURL))
		if page.Type != "OrderedCollectionPage" || page.PartOf != outbox.ID {
			t.Errorf("a page is %+v", page)
		}
		for _, a := range page.Items {
			if a.Object.Type != "Create" || a.Object.Actor != publicURL+actor {
				t.Errorf("an activity is %+v", a.Object)
			}
			got = append(got, a.Object.Object[0].ID)
		}
		next = page.Next
	}
	if !slices.Equal(got, posts) || pages < 2 || outbox.Type != "OrderedCollection" {
		t.Errorf("the outbox has on %d pages %v\nwant %v", pages, got, posts)
	}
	if slices.Contains(got, publicURL+"/posts/"+string(unlisted.ID)) {
		t.Error("the outbox has an unlisted post")
	}
	if page := e.document(t, actor+"/followers?page=true"); len(page.Items) != 1 ||
		page.Items[0].ID != publicURL+"/users/"+string(bob.id) {
		t.Errorf("the followers are %+v", page)
	}
	if page := e.document(t, "/users/"+string(bob.id)+"/following?page=true"); len(page.Items) != 1 ||
		page.Items[0].ID != publicURL+actor {
		t.Errorf("bob follows %+v", page)
	}
	for _, id := range []string{strings.TrimPrefix(posts[0], publicURL+"/posts/"), string(unlisted.ID)} {
		e.do(t, "PUT", "/v1/tweets/"+id+"/pin", ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	narrow := e.posted(t, ann, map[string]any{"content": "x", "visibility": "followers"})
	e.do(t, "PUT", "/v1/tweets/"+string(narrow.ID)+"/pin", ann.token, nil).want(t, http.StatusNoContent, nil)
	if o := e.document(t, actor+"/featured"); len(o.Items) != 2 || o.TotalItems != 2 {
		t.Errorf("the pinned posts are %+v", o)
	}
	e.do(t, "GET", actor+"/outbox?page=x", "", nil, "Accept", activitypub.ContentType).want(t, http.StatusBadRequest, nil)
	e.do(t, "GET", actor+"/outbox?page="+strings.TrimPrefix(e.document(t, actor+"/outbox?page=true").Next,
		outbox.ID+"?page="),
		"", nil, "Accept", activitypub.ContentType).want(t, http.StatusOK, nil)
	e.document(t, actor) // makes the key
	// With nothing cached, and with a read of the account status of the caller, whom a server is not.
	for path, most := range map[string]int64{"": 5, "/outbox": 3, "/outbox?page=true": 6, "/followers?page=true": 5,
		"/following?page=true": 4, "/featured": 10} {
		e.offset += 6 * time.Minute
		if got := e.do(t, "GET", actor+path, bob.token, nil, "Accept", activitypub.ContentType).want(t, http.StatusOK,
			nil).cost(t); got.Reads > most || got.Writes > 0 {
			t.Errorf("%s costs %+v, want %d reads at most", path, got, most)
		}
	}
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	e.offset += 6 * time.Minute
	for _, part := range []string{"/outbox", "/followers", "/following"} {
		if o := e.document(t, actor+part); o.First.ID != "" {
			t.Errorf("%s of a locked user has the page %s", part, o.First.ID)
		}
		if o := e.document(t, actor+part+"?page=true"); len(o.Items) != 0 {
			t.Errorf("%s of a locked user has %v", part, o.Items)
		}
	}
	if o := e.document(t, actor+"/featured"); len(o.Items) != 0 {
		t.Errorf("a locked user features %v", o.Items)
	}
	e.do(t, "GET", strings.TrimPrefix(posts[0], publicURL), "", nil, "Accept", activitypub.ContentType).want(t,
		http.StatusNotFound, nil)
	e.freeze(t, bob)
	for _, part := range []string{"", "/outbox", "/followers", "/following", "/featured"} {
		for _, uid := range []string{string(bob.id), "nobody", "me", "__x__"} {
			e.do(t, "GET", "/users/"+uid+part, "", nil, "Accept", activitypub.ContentType).want(t, http.StatusNotFound, nil)
		}
	}
}

// One address has a page for people and a document for servers, and no cache mixes them up.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	ann := e.join(t, "ann")
	post := e.posted(t, ann, map[string]any{"content": "hello"})
	user, note := "/users/"+string(ann.id), "/posts/"+string(post.ID)
	for _, accept := range []string{"", "text/html", "*/*", "application/json", "application/ld+json"} {
		for path, to := range map[string]string{user: "/@ann", user + "/outbox?page=true": "/@ann", note: "/@ann/" + string(
			post.ID),
			note + "/likes": "/@ann/" + string(post.ID), "/actor": "/"} {
			r := e.do(t, "GET", path, "", nil, "Accept", accept).want(t, http.StatusFound, nil)
			if r.header.Get("Location") != publicURL+to || !slices.Contains(r.header.Values("Vary"), "Accept") ||
				r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s for %q leads to %q: %v", path, accept, r.header.Get("Location"), r.header)
			}
		}
	}
	for path, to := range map[string]string{"/@ann": user, "/@ann/" + string(post.ID): note} {
		r := e.do(t, "GET", path, "", nil, "Accept", activitypub.ContentType).want(t, http.StatusFound, nil)
		if r.header.Get("Location") != publicURL+to || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s leads to %q: %v", path, r.header.Get("Location"), r.header)
		}
		if r := e.do(t, "GET", path, "", nil).want(t, http.StatusOK, nil); !slices.Contains(r.header.Values("Vary"),
			"Accept") {
			t.Errorf("%s varies by %q", path, r.header.Values("Vary"))
		}
	}
	r := e.do(t, "GET", note, "", nil, "Accept", activitypub.ContentType).want(t, http.StatusOK, nil)
	if r.header.Get("Cache-Control") != "public, max-age=180" || r.header.Get("ETag") == "" ||
		r.header.Get("Server-Timing") != "" {
		t.Errorf("headers = %v", r.header)
	}
	e.do(t, "GET", note, "", nil, "Accept", activitypub.ContentType, "If-None-Match", r.header.Get("ETag")).want(t,
		http.StatusNotModified, nil)
	e.do(t, "POST", user+"/inbox", "", nil).want(t, http.StatusUnsupportedMediaType, nil)

	web := newEnv(t, withFederation, func(o *api.Options) {
		o.Web = server.Web{Files: fstest.MapFS{"index.html": {Data: []byte("<!doctype html>client")}}, Project: "{}"}
	})
	web.do(t, "GET", "/users/anybody", "", nil, "Accept", "text/html").want(t, http.StatusOK, nil).has(t, "the page",
		"client")
	web.do(t, "GET", "/users/anybody", "", nil, "Accept", activitypub.ContentType).want(t, http.StatusNotFound, nil)

	off := newEnv(t, withPages)
	for _, path := range []string{"/users/x", "/actor", "/.well-known/webfinger?resource=acct:a@hibana.test",
		"/nodeinfo/2.1",
		"/posts/x", "/.well-known/host-meta"} {
		off.do(t, "GET", path, "", nil, "Accept", activitypub.ContentType).want(t, http.StatusNotFound, nil)
	}
}

// An instance for one person has the handle @me, and lets nobody else sign up.
func TestSingleUser(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation, func(o *api.Options) { o.SingleUser = "ann" })
	code := func(r reply, status int) {
		t.Helper()
		r.want(t, status, nil).has(t, "the refusal", `"single_user"`)
	}
	a := testenv.SignUp(t, "")
	other := person{token: a.IDToken}
	code(e.do(t, "POST", "/v1/users", other.token, map[string]any{"username": "bob"}), http.StatusForbidden)
	ann := e.join(t, "ann")
	e.do(t, "POST", "/v1/users", other.token, map[string]any{"username": "ann"}).want(t, http.StatusConflict, nil)
	code(e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"username": "anna"}), http.StatusForbidden)
	var finger struct {
		Subject string
		Aliases []string
		Links   []any
	}
	for _, name := range []string{"me", "ann"} {
		e.do(t, "GET", "/.well-known/webfinger?resource=acct:"+name+"@hibana.test", "", nil).want(t, http.StatusOK, &finger)
		if finger.Subject != "acct:me@hibana.test" {
			t.Errorf("%s is %+v", name, finger)
		}
	}
	if o := e.document(t, "/users/"+string(ann.id)); o.PreferredUsername != "me" {
		t.Errorf("the actor is %+v", o)
	}
	e.do(t, "GET", "/nodeinfo/2.1", "", nil).want(t, http.StatusOK, nil).has(t, "NodeInfo", `"openRegistrations":false`)
}
