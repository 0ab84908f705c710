package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store"
)

// TestLostAnswers loses the database's answer to every commit. Each request is answered as
// if no answer had been lost, and has its effect once.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	losses := storetest.LoseAnswers(1, 1)
	e := newEnv(t, withStore(t, store.Options{Meter: meter.Options{Below: losses.Lose}}))
	ann, bob := e.join(t, "ann"), e.join(t, "bob") // each sign-up wants 201
	posts := func(want int) {
		t.Helper()
		var list server.List[api.Tweet]
		e.do(t, "GET", "/v1/tweets", "", nil).want(t, http.StatusOK, &list)
		if len(list.Items) != want {
			t.Errorf("%d tweets are there, want %d", len(list.Items), want)
		}
	}
	tweet := e.post(t, ann, map[string]any{"content": "once"})
	for range 2 {
		e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "once with a key"}, "Idempotency-Key", "k").
			want(t, http.StatusCreated, nil)
	}
	posts(2)
	path, before := "/v1/tweets/"+string(tweet.ID), losses.Count()
	for _, request := range []string{
		"PUT " + path + "/like", "DELETE " + path + "/like", "PUT " + path + "/share", "DELETE " + path + "/share",
		"PUT /v1/users/" + string(ann.id) + "/follow", "DELETE /v1/users/" + string(ann.id) + "/follow",
		"PUT /v1/users/" + string(ann.id) + "/block", "DELETE /v1/users/" + string(ann.id) + "/block",
	} {
		var method, path string
		fmt.Sscan(request, &method, &path)
		want := http.StatusNoContent
		if strings.HasPrefix(request, "PUT") && strings.HasSuffix(path, "/follow") { // says whether it is a request
			want = http.StatusOK
		}
		e.do(t, method, path, bob.token, nil).want(t, want, nil)
	}
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"username": "robert"}).want(t, http.StatusOK, nil)
	e.do(t, "DELETE", path, ann.token, nil).want(t, http.StatusNoContent, nil)
	if n := losses.Count() - before; n != 10 {
		t.Errorf("%d answers were lost, want 10", n)
	}
	e.do(t, "GET", path, "", nil).problem(t, http.StatusGone, "tweet_deleted")
	e.do(t, "DELETE", path, ann.token, nil).problem(t, http.StatusGone, "tweet_deleted")
	e.do(t, "POST", "/v1/users", ann.token, map[string]any{"username": "ann"}).
		problem(t, http.StatusConflict, "user_exists")
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"username": "ann"}).
		problem(t, http.StatusConflict, "username_taken")
}
