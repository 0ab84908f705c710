package api_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/model"
)

// Whoever is signed in finds people and posts of other servers by handle and address, and sees where they are from.
func TestLookUp(t *testing.T) {
	t.Parallel()
	e, f := newEnv(t, withFederation), far.New(t)
	ann := e.join(t, "ann")
	iri := f.Actor("bob", map[string]any{"name": "Bob", "discoverable": true})
	f.Put("/notes/1", `{"id":"HOST/notes/1","type":"Note","attributedTo":"HOST/users/bob","to":["as:Public"],
		"url":"HOST/@bob/1","content":"<p>Hello</p>","published":"2020-01-02T03:04:05Z"}`)
	handle := "@bob@" + f.Host
	people := func(q, token string) (all []api.UserSummary) {
		t.Helper()
		var found server.List[api.UserSummary]
		e.do(t, "GET", "/v1/search/users?resolve=true&q="+url.QueryEscape(q), token, nil).want(t, http.StatusOK, &found)
		return found.Items
	}
	for _, q := range []string{handle, iri, f.URL + "/users/nobody", "@nobody@" + f.Host} {
		if got := people(q, ""); len(got) != 0 || f.Asked("/users/bob") > 0 {
			t.Errorf("a guest finds %v by %s, after %d fetches", got, q, f.Asked("/users/bob"))
		}
	}
	bob := model.RemoteUserID(iri)
	if got := people(handle, ann.token); len(got) != 1 || got[0].ID != bob || got[0].Username != "bob@"+f.Host {
		t.Fatalf("by the handle there are %v", got)
	}
	if got := people(iri, ann.token); len(got) != 1 || got[0].ID != bob || f.Asked("/users/bob") != 1 {
		t.Errorf("by the address there are %v", got)
	}
	for _, q := range []string{f.URL + "/users/nobody", "@nobody@" + f.Host, "https://127.0.0.1:1/", "http://10.0.0.1/u"} {
		if got := people(q, ann.token); len(got) != 0 {
			t.Errorf("by %s there are %v", q, got)
		}
	}
	if got := people("bob@", ""); len(got) != 1 {
		t.Errorf("a guest finds %v who are known", got)
	}
	for _, path := range []string{"/v1/users/" + string(bob), "/v1/usernames/Bob@" + f.Host, "/v1/usernames/" + handle} {
		var u api.User
		e.do(t, "GET", path, "", nil).want(t, http.StatusOK, &u)
		if u.ID != bob || u.Remote == nil || u.Remote.Host != f.Host || u.Remote.URL != f.URL+"/@bob" {
			t.Errorf("%s is %+v", path, u)
		}
	}
	var me api.User
	e.do(t, "GET", "/v1/usernames/@ann@hibana.test", "", nil).want(t, http.StatusOK, &me)
	if me.ID != ann.id || me.Remote != nil {
		t.Errorf("by the handle here there is %+v", me)
	}
	var posts server.List[api.FoundTweet]
	e.do(t, "GET", "/v1/search/tweets?resolve=true&q="+url.QueryEscape(f.URL+"/notes/1"), ann.token, nil).want(t,
		http.StatusOK, &posts)
	if len(posts.Items) != 1 || posts.Items[0].Remote == nil || posts.Items[0].Remote.URL != f.URL+"/@bob/1" ||
		posts.Items[0].Snippet != "Hello" {
		t.Fatalf("by the address there are %+v", posts.Items)
	}
	var one api.Tweet
	e.do(t, "GET", "/v1/tweets/"+string(posts.Items[0].ID), "", nil).want(t, http.StatusOK, &one)
	if one.Remote == nil || one.Remote.Host != f.Host {
		t.Errorf("the tweet is %+v", one)
	}
	// A follow asks.
	e.do(t, "PUT", "/v1/users/"+string(bob)+"/follow", ann.token, nil)
	var seen api.User
	e.do(t, "GET", "/v1/users/"+string(bob), ann.token, nil).want(t, http.StatusOK, &seen)
	if seen.Requested == nil || !*seen.Requested {
		t.Errorf("after a follow the user is %+v", seen)
	}
	// A message would reach nobody.
	e.do(t, "POST", "/v1/conversations", ann.token, map[string]any{"memberIds": []any{bob}, "text": "Hello"}).
		problem(t, http.StatusForbidden, "no_remote_messages")
	// Nobody of another server is listed, counted, or served as one of this installation.
	var listed server.List[api.UserSummary]
	e.do(t, "GET", "/v1/directory", ann.token, nil).want(t, http.StatusOK, &listed)
	if len(listed.Items) != 0 {
		t.Errorf("the directory has %v", listed.Items)
	}
	if c, err := e.db.Federation.Counts(t.Context()); err != nil || c.People != 1 || c.Posts != 1 {
		t.Errorf("there are %+v: %v", c, err)
	}
	for _, path := range []string{"/users/" + string(bob), "/posts/" + string(one.ID), "/users/" + string(bob) +
		"/outbox"} {
		e.do(t, "GET", path, "", nil, "Accept", "application/activity+json").want(t, http.StatusNotFound, nil)
	}
	if _, err := e.db.Federation.Key(t.Context(), bob); err == nil {
		t.Error("bob has a key here")
	}
	for range 20 {
		e.do(t, "GET", "/v1/search/users?resolve=true&q=@nobody@"+f.Host, ann.token, nil)
	}
	e.do(t, "GET", "/v1/search/users?resolve=true&q="+url.QueryEscape(handle), ann.token, nil).problem(t,
		http.StatusTooManyRequests,
		"limit_reached")
}

// A text mentions people of other servers whom its author's request looks up: a few, within what the author may.
func TestMeet(t *testing.T) {
	t.Parallel()
	e, f := newEnv(t, withFederation), far.New(t)
	ann := e.join(t, "ann")
	var handles []string
	for i := range 7 {
		name := "bob" + strconv.Itoa(i)
		f.Actor(name, nil)
		handles = append(handles, name+"@"+f.Host)
	}
	names := func(of []api.Mention) (all []string) {
		for _, m := range of {
			all = append(all, m.Username)
		}
		return all
	}
	post := func(content string) (tweet api.Tweet) {
		t.Helper()
		e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": content}).want(t, http.StatusCreated, &tweet)
		return tweet
	}
	made := post("hello @" + strings.ToUpper(handles[0]) + ", @nobody@" + f.Host + " and x@" + handles[1])
	if diff := cmp.Diff(handles[:1], names(made.Mentions)); diff != "" || f.Asked("/users/bob1") > 0 {
		t.Errorf("the tweet mentions (-want +got):\n%s", diff)
	}
	if id := model.RemoteUserID(f.URL + "/users/bob0"); made.Mentions[0].UserID != id {
		t.Errorf("bob0 is %s, want %s", made.Mentions[0].UserID, id)
	}
	var edited api.Tweet
	e.do(t, "PATCH", "/v1/tweets/"+string(made.ID), ann.token, map[string]any{"content": "bye @" + handles[1]}).
		want(t, http.StatusOK, &edited)
	if diff := cmp.Diff(handles[1:2], names(edited.Mentions)); diff != "" {
		t.Errorf("after an edit it mentions (-want +got):\n%s", diff)
	}
	var draft api.Draft
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "later @" + handles[2]}).
		want(t, http.StatusCreated, &draft)
	var published api.Tweet
	e.do(t, "POST", "/v1/drafts/"+draft.ID+"/publish", ann.token, nil).want(t, http.StatusCreated, &published)
	if diff := cmp.Diff(handles[2:3], names(published.Mentions)); diff != "" {
		t.Errorf("a draft mentions (-want +got):\n%s", diff)
	}
	// Five at most are looked up for a text.
	unknown := ""
	for i := range 5 {
		unknown += "@nobody" + strconv.Itoa(i) + "@" + f.Host + " "
	}
	if made = post(unknown + "@" + handles[3] + " @" + handles[0]); len(made.Mentions) != 1 || f.Asked("/users/bob3") > 0 {
		t.Errorf("the tweet mentions %v", names(made.Mentions))
	}
	// Whoever has looked up too much still posts, and mentions those who are known.
	for range 20 {
		e.do(t, "GET", "/v1/search/users?resolve=true&q=@nobody@"+f.Host, ann.token, nil)
	}
	if made = post("@" + handles[4] + " @" + handles[0]); len(made.Mentions) != 1 || f.Asked("/users/bob4") > 0 {
		t.Errorf("beyond the limit the tweet mentions %v", names(made.Mentions))
	}
	// An installation that does not federate asks nobody.
	off := newEnv(t)
	dan := off.join(t, "dan")
	var plain api.Tweet
	off.do(t, "POST", "/v1/tweets", dan.token, map[string]any{"content": "@" + handles[5]}).
		want(t, http.StatusCreated, &plain)
	if len(plain.Mentions) != 0 || f.Asked("/users/bob5") > 0 {
		t.Errorf("without federation the tweet mentions %v", names(plain.Mentions))
	}
}
