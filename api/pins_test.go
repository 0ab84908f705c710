package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// A profile shows its pinned tweets to every viewer who may see them, newest pin first.
func TestPins(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	open := e.post(t, ann, map[string]any{"content": "open"}).ID
	closed := e.post(t, ann, map[string]any{"content": "*closed*", "visibility": "followers"}).ID
	bobs := e.post(t, bob, map[string]any{"content": "bob's"}).ID
	pin := func(method string, id model.TweetID, token string) reply {
		t.Helper()
		return e.do(t, method, "/v1/tweets/"+string(id)+"/pin", token, nil)
	}
	list := func(token, query string) (ids []model.TweetID, all []api.PinnedTweet) {
		t.Helper()
		var got server.List[api.PinnedTweet]
		e.do(t, "GET", "/v1/users/"+string(ann.id)+"/pins"+query, token, nil).want(t, http.StatusOK, &got)
		for _, p := range got.Items {
			ids = append(ids, p.ID)
		}
		return ids, got.Items
	}
	if got, _ := list("", ""); len(got) > 0 {
		t.Errorf("without pins the list has %v", got)
	}
	pin("PUT", open, ann.token).want(t, http.StatusNoContent, nil)
	pin("PUT", closed, ann.token).want(t, http.StatusNoContent, nil)
	pin("PUT", open, ann.token).want(t, http.StatusNoContent, nil)
	pin("PUT", bobs, ann.token).problem(t, http.StatusForbidden, "not_author")
	pin("PUT", closed, bob.token).problem(t, http.StatusNotFound, "tweet_not_found")
	pin("PUT", "x", ann.token).problem(t, http.StatusBadRequest, "invalid_tweet_id")
	if got, _ := list(bob.token, ""); !slices.Equal(got, []model.TweetID{open}) {
		t.Errorf("a stranger sees the pins %v", got)
	}
	if got, all := list(ann.token, "?format=html"); !slices.Equal(got, []model.TweetID{closed, open}) ||
		all[0].SnippetHTML != "<p><em>closed</em></p>" || all[0].PinnedAt.IsZero() {
		t.Errorf("the author sees the pins %+v", all)
	}
	pin("DELETE", closed, ann.token).want(t, http.StatusNoContent, nil)
	pin("DELETE", bobs, ann.token).want(t, http.StatusNoContent, nil)
	if got, _ := list(ann.token, ""); !slices.Equal(got, []model.TweetID{open}) {
		t.Errorf("the pins are %v", got)
	}
	for range model.MaxPins - 1 {
		pin("PUT", e.post(t, ann, map[string]any{"content": "more"}).ID, ann.token).want(t, http.StatusNoContent, nil)
	}
	pin("PUT", closed, ann.token).problem(t, http.StatusConflict, "too_many_pins")
	e.do(t, "GET", "/v1/users/nobody/pins", "", nil).problem(t, http.StatusNotFound, "user_not_found")
}
