package functions_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A function that is slower than the acknowledgement deadline runs beside itself. Every
// effect happens once all the same, whether the slow run works before or after the quick
// one.
func TestSlowFunctionsOverlap(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{
		AckDeadline: time.Second,
		Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond,
			FlushAfter: 50 * time.Millisecond},
	})
	inner := functions.Handler(s.Store, slog.New(slog.DiscardHandler))
	var mu sync.Mutex
	seen := map[string]bool{}
	runs := 0
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.URL.Path + " " + r.Header.Get("ce-id")
		mu.Lock()
		first := !seen[key]
		seen[key] = true
		runs++
		before := runs%2 == 0
		mu.Unlock()
		if first && before {
			time.Sleep(2 * time.Second)
		}
		inner.ServeHTTP(w, r)
		if first && !before {
			time.Sleep(2 * time.Second)
		}
	}))
	t.Cleanup(front.Close)
	s.Runner.SetFunctionsURL(front.URL)

	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	users := []model.UserID{"ann", "bob", "cid"}
	for _, u := range users {
		_, err := s.Store.Users.CreateUser(t.Context(), u, model.NewUser{Username: string(u), Nickname: string(u)})
		must(err)
	}
	for _, u := range users[1:] {
		must(s.Store.Graph.Follow(t.Context(), u, "ann"))
	}
	var tweets []model.TweetID
	for i := range 3 {
		tweet, err := s.Store.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: fmt.Sprintf("spark %d #go", i),
			AllowLikes: true}, model.Request{})
		must(err)
		tweets = append(tweets, tweet.ID)
		for _, u := range users {
			must(s.Store.Reactions.Like(t.Context(), u, tweet.ID))
		}
	}
	must(s.Store.Tweets.DeleteTweet(t.Context(), "ann", false, tweets[0]))
	stacktest.Idle(t, s)

	if stats := s.Runner.Stats(); stats.Overlapped == 0 {
		t.Errorf("counts = %+v, want runs that overlap", stats.Counts)
	}
	found, err := s.Store.Audit.All(t.Context(), verify.Options{})
	must(err)
	for _, d := range found {
		t.Errorf("verify: %s %s is %v, want %v", d.Document, d.Field, d.Have, d.Want)
	}
	for _, id := range tweets[1:] {
		tweet, err := s.Store.Tweets.Tweet(t.Context(), id, model.Viewer{})
		must(err)
		if got, want := tweet.LikeCount, int64(len(users)); got != want {
			t.Errorf("likeCount of %s = %d, want %d", id, got, want)
		}
	}
}
