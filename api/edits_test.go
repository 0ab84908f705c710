package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestEditTweet(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	posted := e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "#go", "tags": []string{"news"}})
	var tweet api.Tweet
	posted.want(t, http.StatusCreated, &tweet)
	path := "/v1/tweets/" + string(tweet.ID)
	read := func(token string) string {
		t.Helper()
		return e.do(t, "GET", path, token, nil).want(t, http.StatusOK, nil).header.Get("ETag")
	}
	first := read(ann.token)
	if got := posted.header.Get("ETag"); !strings.HasPrefix(got, `"0-`) || !strings.HasPrefix(first, `"0-`) ||
		!strings.HasPrefix(read(""), `"0-`) {
		t.Errorf("ETags of a tweet that was not edited: %s, %s and %s", got, first, read(""))
	}
	edit := func(body any, headers ...string) reply { return e.do(t, "PATCH", path, ann.token, body, headers...) }

	// A like changes the ETag, and is no edit.
	e.do(t, "PUT", path+"/like", bob.token, nil).want(t, http.StatusNoContent, nil)
	if read(bob.token) == first {
		t.Error("one ETag for a tweet that is liked and one that is not")
	}
	change := map[string]any{"content": "#rust"}
	var edited api.Tweet
	r := edit(change, "If-Match", first).want(t, http.StatusOK, &edited)
	if edited.Revision != 1 || edited.UpdatedAt == nil || *edited.Content != "#rust" ||
		!slices.Equal(edited.Tags, []string{"news", "rust"}) {
		t.Errorf("edited = %s", r.body)
	}
	second := r.header.Get("ETag")
	if !strings.HasPrefix(second, `"1-`) || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the edited tweet has the headers %v", r.header)
	}

	// The edit comes again, because its answer was lost. Another edit of the old version does not
	// pass.
	var again api.Tweet
	if edit(change, "If-Match", first).want(t, http.StatusOK, &again); again.Revision != 1 {
		t.Errorf("an edit that came twice made %d revisions", again.Revision)
	}
	edit(map[string]any{"content": "lost"}, "If-Match", first).problem(t, http.StatusPreconditionFailed, "tweet_edited")
	edit(map[string]any{"content": "lost"}, "If-Match", `"of-something-else", W/"0-x"`).
		problem(t, http.StatusPreconditionFailed, "tweet_edited")
	edit(map[string]any{"allowLikes": false}, "If-Match", `"x", W/`+second).want(t, http.StatusOK, nil)
	edit(map[string]any{"tags": []string{}}, "If-Match", "*").want(t, http.StatusOK, nil)
	edit(map[string]any{"summary": "the last prevails"}).want(t, http.StatusOK, &edited)
	if edited.Revision != 4 || edited.AllowLikes || !slices.Equal(edited.Tags, []string{"rust"}) || edited.Summary == "" ||
		*edited.Content != "#rust" {
		t.Errorf("after four edits: %+v", edited)
	}

	// Bad requests change nothing.
	for _, bad := range []struct {
		body any
		code string
		tag  string
	}{
		{map[string]any{}, "empty_patch", "*"},
		{map[string]any{"content": nil}, "invalid_request", "*"},
		{map[string]any{"tags": nil}, "invalid_request", "*"},
		{map[string]any{"content": ""}, "content_required", "*"},
		{map[string]any{"content": "  "}, "content_required", "*"},
		{map[string]any{"content": strings.Repeat("x", 65_536)}, "invalid_request", "*"},
		{map[string]any{"tags": strings.Split("a b c d e f g h i j k", " ")}, "invalid_request", "*"},
		{map[string]any{"tags": strings.Split("a b c d e f g h i j", " ")}, "too_many_tags", "*"},
		{map[string]any{"tags": []string{"a b"}}, "invalid_tag", "*"},
		{map[string]any{"replyTo": string(tweet.ID)}, "invalid_request", "*"},
		{"{", "invalid_request", "*"},
		{change, "invalid_if_match", "1"},
		{change, "invalid_if_match", `"1",`},
	} {
		edit(bad.body, "If-Match", bad.tag).problem(t, http.StatusBadRequest, bad.code)
	}
	e.do(t, "PATCH", "/v1/tweets/x", ann.token, change).problem(t, http.StatusBadRequest, "invalid_tweet_id")
	e.do(t, "PATCH", path, bob.token, change).problem(t, http.StatusForbidden, "not_author")
	e.do(t, "PATCH", path, "", change).problem(t, http.StatusUnauthorized, "unauthenticated")

	// The revisions, for everybody.
	var page, rest server.List[api.Revision]
	e.do(t, "GET", path+"/revisions?pageSize=3", "", nil).want(t, http.StatusOK, &page)
	e.do(t, "GET", path+"/revisions?pageSize=3&pageToken="+page.NextPageToken, "", nil).want(t, http.StatusOK, &rest)
	var got []string
	for i, r := range slices.Concat(page.Items, rest.Items) {
		if r.Number != i+1 {
			t.Errorf("revision %d is number %d", i+1, r.Number)
		}
		got = append(got, *r.Content+" "+strings.Join(r.Tags, "+"))
	}
	if want := []string{"#go go+news", "#rust news+rust", "#rust news+rust", "#rust rust"}; !slices.Equal(got, want) ||
		rest.NextPageToken != "" {
		t.Errorf("revisions = %q, want %q", got, want)
	}
	var one api.Revision
	e.do(t, "GET", path+"/revisions/1", bob.token, nil).want(t, http.StatusOK, &one)
	if one.Number != 1 || *one.Content != "#go" || !one.WrittenAt.Equal(tweet.CreatedAt) || !one.AllowLikes {
		t.Errorf("revision 1 = %+v", one)
	}
	e.do(t, "GET", path+"/revisions/5", "", nil).problem(t, http.StatusNotFound, "revision_not_found")
	e.do(t, "GET", path+"/revisions/99999999999", "", nil).problem(t, http.StatusNotFound, "revision_not_found")
	e.do(t, "GET", path+"/revisions/0", "", nil).problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "GET", path+"/revisions/x", "", nil).problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "GET", path+"/revisions?pageToken=x", "", nil).problem(t, http.StatusBadRequest, "invalid_page_token")

	// Lists say that a tweet was edited.
	var public, replies server.List[api.Tweet]
	e.do(t, "GET", "/v1/tweets:batchGet?ids="+string(tweet.ID), "", nil).want(t, http.StatusOK, nil)
	reply := e.post(t, bob, map[string]any{"content": "re", "replyTo": tweet.ID})
	e.do(t, "PATCH", "/v1/tweets/"+string(reply.ID), bob.token, map[string]any{"content": "re:"}).
		want(t, http.StatusOK, nil)
	e.do(t, "GET", path+"/replies", "", nil).want(t, http.StatusOK, &replies)
	e.do(t, "GET", "/v1/tweets", "", nil).want(t, http.StatusOK, &public)
	if len(replies.Items) != 1 || replies.Items[0].Revision != 1 || len(public.Items) != 1 ||
		public.Items[0].Revision != 4 || public.Items[0].UpdatedAt == nil {
		t.Errorf("lists: %+v and %+v", replies.Items, public.Items)
	}

	// Revisions are as hidden as their tweet, and go with it.
	testenv.Must(t, e.db.Tweets.Flag(t.Context(), tweet.ID, true))
	e.do(t, "GET", path+"/revisions/1", bob.token, nil).problem(t, http.StatusNotFound, "tweet_not_found")
	e.do(t, "GET", path+"/revisions", "", nil).problem(t, http.StatusNotFound, "tweet_not_found")
	e.do(t, "GET", path+"/revisions/1", ann.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "DELETE", path, ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", path+"/revisions/1", ann.token, nil).problem(t, http.StatusGone, "tweet_deleted")
}
