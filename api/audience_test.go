package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
)

// TestAudience posts a tweet for followers and then shows it to everybody: what it was stays
// with those who could see it, its author and moderators.
func TestAudience(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, fan, bob := e.join(t, "ann"), e.join(t, "fan"), e.join(t, "bob")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", fan.token, nil).want(t, http.StatusOK, nil)
	var tweet api.Tweet
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "a secret #go", "visibility": "followers"}).
		want(t, http.StatusCreated, &tweet)
	if tweet.Visibility != "followers" || len(tweet.Tags) != 1 {
		t.Errorf("posted %+v", tweet)
	}
	path := "/v1/tweets/" + string(tweet.ID)
	lists := []string{"", "/replies", "/likes", "/revisions", "/revisions/1"}
	for _, list := range lists {
		for _, token := range []string{"", bob.token} {
			e.do(t, "GET", path+list, token, nil).problem(t, http.StatusNotFound, "tweet_not_found")
		}
	}
	e.do(t, "GET", path, fan.token, nil).want(t, http.StatusOK, nil)

	// A reply is for followers too, and is in the list for those who may see it.
	var reply api.Tweet
	e.do(t, "POST", "/v1/tweets", fan.token, map[string]any{"content": "re", "replyTo": tweet.ID}).
		want(t, http.StatusCreated, &reply)
	if reply.Visibility != "followers" {
		t.Errorf("the reply is for %s", reply.Visibility)
	}
	e.do(t, "POST", "/v1/tweets", fan.token, map[string]any{"content": "re", "replyTo": tweet.ID,
		"visibility": "unlisted"}).
		problem(t, http.StatusBadRequest, "visibility_too_wide")
	e.do(t, "PATCH", "/v1/tweets/"+string(reply.ID), fan.token, map[string]any{"visibility": "public"}).
		problem(t, http.StatusBadRequest, "visibility_too_wide")
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "visibility": "friends"}).
		problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "PATCH", path, ann.token, map[string]any{"visibility": "friends"}).
		problem(t, http.StatusBadRequest, "invalid_request")

	// The first revision was for followers.
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "for everybody #go", "visibility": "public"}).
		want(t, http.StatusOK, &tweet)
	if tweet.Visibility != "public" || tweet.Revision != 1 {
		t.Errorf("edited %+v", tweet)
	}
	for token, sees := range map[string]bool{"": false, bob.token: false, fan.token: false, ann.token: true} {
		list := e.do(t, "GET", path+"/revisions", token, nil).want(t, http.StatusOK, nil)
		if got := strings.Contains(string(list.body), "secret"); got != sees {
			t.Errorf("the list of revisions has the first %v, want %v: %s", got, sees, list.body)
		}
		one := e.do(t, "GET", path+"/revisions/1", token, nil)
		if sees {
			one.want(t, http.StatusOK, nil)
		} else {
			one.problem(t, http.StatusNotFound, "revision_not_found")
		}
	}
	replies := e.do(t, "GET", path+"/replies", bob.token, nil).want(t, http.StatusOK, nil)
	if strings.Contains(string(replies.body), string(reply.ID)) {
		t.Errorf("a stranger sees a reply for followers: %s", replies.body)
	}
	if own := e.do(t, "GET", path+"/replies", ann.token, nil).
		want(t, http.StatusOK, nil); !strings.Contains(string(own.body), string(reply.ID)) {
		t.Errorf("the author of the tweet does not see a reply: %s", own.body)
	}
	// What was for everybody may be read as a revision while the tweet is.
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "once more"}).want(t, http.StatusOK, nil)
	e.do(t, "GET", path+"/revisions/2", bob.token, nil).want(t, http.StatusOK, nil)
}

// Recipients are the long form of an audience: what a tweet answers in to and cc posts a tweet for the same users.
func TestRecipients(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	for audience, want := range map[string][2][]string{
		"public":    {{"public"}, {"followers", string(bob.id)}},
		"unlisted":  {{"followers"}, {"public", string(bob.id)}},
		"followers": {{"followers"}, {string(bob.id)}},
		"mentioned": {{string(bob.id)}, nil},
	} {
		var made, again api.Tweet
		e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "hello @bob", "visibility": audience}).
			want(t, http.StatusCreated, &made)
		if !slices.Equal(made.To, want[0]) || !slices.Equal(made.CC, want[1]) {
			t.Errorf("a tweet for %s is to %q, cc %q; want %q", audience, made.To, made.CC, want)
		}
		e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "again @bob", "to": made.To, "cc": made.CC}).
			want(t, http.StatusCreated, &again)
		if again.Visibility != audience {
			t.Errorf("to %q, cc %q is for %s, want %s", made.To, made.CC, again.Visibility, audience)
		}
	}
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "hello", "to": []any{bob.id}}).
		problem(t, http.StatusBadRequest, "not_addressed")
}

// A draft and a reply that waits for approval answer the recipients whom their author named, as they were asked for.
func TestRecipientsOfDrafts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	to, cc := []string{"followers"}, []string{"public", string(bob.id)}
	var d api.Draft
	is := func(gotTo, gotCC, to, cc []string) {
		t.Helper()
		if !slices.Equal(gotTo, to) || !slices.Equal(gotCC, cc) {
			t.Errorf("it is to %q, cc %q; want %q, %q", gotTo, gotCC, to, cc)
		}
	}
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "hi @bob", "to": []any{bob.id}}).
		want(t, http.StatusCreated, &d)
	is(d.To, d.CC, []string{string(bob.id)}, nil)
	path := "/v1/drafts/" + d.ID
	e.do(t, "PUT", path, ann.token, map[string]any{"content": "hi @bob", "to": to, "cc": cc}).want(t, http.StatusOK, nil)
	d = api.Draft{}
	e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &d)
	is(d.To, d.CC, to, cc)
	e.do(t, "PUT", path, ann.token, map[string]any{"content": d.Content, "to": d.To, "cc": d.CC, "tags": []string{"x"}}).
		want(t, http.StatusOK, &d)
	is(d.To, d.CC, to, cc)
	var made api.Tweet
	e.do(t, "POST", path+"/publish", ann.token, nil).want(t, http.StatusCreated, &made)
	if made.Visibility != "unlisted" {
		t.Errorf("the tweet is for %s", made.Visibility)
	}
	var plain api.Draft
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "hi", "to": to, "cc": []string{"public"}}).
		want(t, http.StatusCreated, &plain)
	is(plain.To, plain.CC, nil, nil) // visibility says it all

	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"holdReplies": "strangers"}).want(t, http.StatusOK, nil)
	root := e.post(t, bob, map[string]any{"content": "root"})
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "may I?", "replyTo": root.ID, "to": to, "cc": cc}).
		want(t, http.StatusAccepted, nil)
	var page server.List[api.HeldReply]
	e.do(t, "GET", "/v1/heldReplies", bob.token, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 {
		t.Fatalf("%d replies wait, want 1", len(page.Items))
	}
	is(page.Items[0].To, page.Items[0].CC, to, cc)
	e.do(t, "POST", "/v1/heldReplies/"+page.Items[0].ID+"/approve", bob.token, nil).want(t, http.StatusCreated, &made)
	is(made.To, made.CC, to, cc)
}
