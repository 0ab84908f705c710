package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Without a provider there are no gists, and a visitor gets none.
func TestNoGists(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withStore(t, store.Options{}))
	ann := e.join(t, "ann")
	var tweet api.Tweet
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": strings.Repeat("x", model.MinGisted)}).
		want(t, http.StatusCreated, &tweet)
	path := "/v1/tweets/" + string(tweet.ID) + "/gist"
	e.do(t, "POST", path, ann.token, nil).problem(t, http.StatusNotFound, "no_gists")
	e.do(t, "POST", path, "", nil).problem(t, http.StatusUnauthorized, "unauthenticated")
}

// The local provider answers the first sentences.
func TestGist(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var tweet api.Tweet
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "One. **Two.** " + strings.Repeat("x", 2_000)}).
		want(t, http.StatusCreated, &tweet)
	var is api.Gist
	e.do(t, "POST", "/v1/tweets/"+string(tweet.ID)+"/gist", e.join(t, "bob").token, nil).want(t, http.StatusOK, &is)
	if want := (api.Gist{Text: "One. Two.", Model: "m"}); is != want {
		t.Errorf("the gist is %+v, want %+v", is, want)
	}
}
