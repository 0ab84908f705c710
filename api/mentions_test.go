package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/model"
)

// TestMentions writes to somebody alone. Who is mentioned sees the tweet as long as it mentions
// them, and finds it in the list, whatever their name becomes.
func TestMentions(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/block", cat.token, nil).want(t, http.StatusNoContent, nil)
	list := func(u person, name string) (ids []model.TweetID) {
		t.Helper()
		for token := ""; ; {
			var page struct {
				Items         []api.Tweet `json:"items"`
				NextPageToken string      `json:"nextPageToken"`
			}
			e.do(t, "GET", "/v1/users/me/"+name+"?pageSize=1&pageToken="+token, u.token, nil).want(t, http.StatusOK, &page)
			for _, tweet := range page.Items {
				ids = append(ids, tweet.ID)
			}
			if token = page.NextPageToken; token == "" {
				return ids
			}
		}
	}
	mentions := func(u person) []model.TweetID { t.Helper(); return list(u, "mentions") }
	open := e.post(t, ann, map[string]any{"content": "@Bob, @cat and @nobody"})
	if len(open.Mentions) != 1 || open.Mentions[0] != (api.Mention{Username: "bob", UserID: bob.id}) {
		t.Errorf("the tweet mentions %v, want bob alone: cat blocks ann", open.Mentions)
	}
	secret := e.post(t, ann, map[string]any{"content": "psst @bob", "visibility": "mentioned"})
	path := "/v1/tweets/" + string(secret.ID)
	e.do(t, "GET", path, bob.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", path, cat.token, nil).problem(t, http.StatusNotFound, "tweet_not_found")
	e.do(t, "GET", path, "", nil).problem(t, http.StatusNotFound, "tweet_not_found")
	e.do(t, "PUT", path+"/like", bob.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", path+"/like", cat.token, nil).problem(t, http.StatusNotFound, "tweet_not_found")
	if got, want := fmt.Sprint(mentions(bob)), fmt.Sprint([]model.TweetID{secret.ID, open.ID}); got != want {
		t.Errorf("mentions of bob = %s, want %s", got, want)
	}
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"username": "rob"}).want(t, http.StatusOK, nil)
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "psst @bob!"}).want(t, http.StatusOK, nil)
	e.do(t, "GET", path, bob.token, nil).want(t, http.StatusOK, nil)

	// An edit that leaves bob out takes the tweet from him, with what it was.
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "psst"}).want(t, http.StatusOK, nil)
	for _, below := range []string{"", "/revisions", "/revisions/1", "/likes", "/replies", "/thread"} {
		e.do(t, "GET", path+below, bob.token, nil).problem(t, http.StatusNotFound, "tweet_not_found")
	}
	if got, want := fmt.Sprint(mentions(bob)), fmt.Sprint([]model.TweetID{open.ID}); got != want {
		t.Errorf("mentions of bob = %s, want %s", got, want)
	}

	// One that mentions him again does not show him what it was in between.
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "psst @rob"}).want(t, http.StatusOK, nil)
	e.do(t, "GET", path+"/revisions/3", bob.token, nil).problem(t, http.StatusNotFound, "revision_not_found")
	e.do(t, "GET", path+"/revisions/3", ann.token, nil).want(t, http.StatusOK, nil)
	if got, want := fmt.Sprint(mentions(bob)), fmt.Sprint([]model.TweetID{secret.ID, open.ID}); got != want {
		t.Errorf("mentions of bob = %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(list(ann, "mentioned")), fmt.Sprint([]model.TweetID{secret.ID}); got != want {
		t.Errorf("tweets of ann for the mentioned = %s, want %s", got, want)
	}
	if got := list(bob, "mentioned"); len(got) > 0 {
		t.Errorf("tweets of bob for the mentioned = %v", got)
	}
	if got := mentions(cat); len(got) > 0 {
		t.Errorf("mentions of cat = %v", got)
	}
}
