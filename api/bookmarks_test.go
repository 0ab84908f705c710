package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// A user keeps tweets, and sees them newest first, page by page. Nobody else sees them. A
// tweet that goes or is hidden leaves a gap, and comes back when it is shown again.
func TestBookmarks(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	var want []model.TweetID
	for range 5 {
		id := e.post(t, ann, map[string]any{"content": "a spark"}).ID
		want = slices.Insert(want, 0, id)
		for range 2 {
			e.do(t, "PUT", "/v1/tweets/"+string(id)+"/bookmark", bob.token, nil).want(t, http.StatusNoContent, nil)
		}
	}
	list := func(p person, size string) (ids []model.TweetID, pages int) {
		t.Helper()
		for next := ""; ; {
			var page server.List[api.BookmarkedTweet]
			e.do(t, "GET", "/v1/users/me/bookmarks?pageSize="+size+"&pageToken="+next, p.token, nil).
				want(t, http.StatusOK, &page)
			for _, b := range page.Items {
				if ids = append(ids, b.ID); b.BookmarkedAt.IsZero() || b.Author.Username != "ann" {
					t.Errorf("bookmarked tweet = %+v", b)
				}
			}
			if pages++; page.NextPageToken == "" {
				return ids, pages
			}
			next = page.NextPageToken
		}
	}
	if got, pages := list(bob, "2"); !slices.Equal(got, want) || pages != 3 {
		t.Errorf("bookmarks = %v on %d pages, want %v on 3", got, pages, want)
	}
	if got, _ := list(cat, "2"); len(got) > 0 {
		t.Errorf("somebody else's bookmarks = %v", got)
	}
	var page server.List[api.BookmarkedTweet]
	cost := meter.Counts{Reads: 5}
	for range 5 { // on a slow machine a cached tweet may be too old
		r := e.do(t, "GET", "/v1/users/me/bookmarks?pageSize=2", bob.token, nil).want(t, http.StatusOK, &page)
		if got := r.cost(t); got.Reads < cost.Reads {
			cost = got
		}
	}
	if cost != (meter.Counts{Reads: 4}) { // the tweets are cached; 1 for the month of reactions, 1 for the graph
		t.Errorf("a page of 2 costs %+v", cost)
	}
	e.do(t, "GET", "/v1/users/me/bookmarks?pageToken="+page.NextPageToken, cat.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")

	e.do(t, "DELETE", "/v1/tweets/"+string(want[0])+"/bookmark", bob.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", "/v1/tweets/"+string(want[1]), ann.token, nil).want(t, http.StatusNoContent, nil)
	testenv.Must(t, e.db.Tweets.Flag(t.Context(), want[2], true))
	if got, _ := list(bob, "1"); !slices.Equal(got, want[3:]) {
		t.Errorf("bookmarks = %v, want %v", got, want[3:])
	}
	testenv.Must(t, e.db.Tweets.Flag(t.Context(), want[2], false))
	if got, _ := list(bob, "100"); !slices.Equal(got, want[2:]) {
		t.Errorf("bookmarks = %v, want %v", got, want[2:])
	}
}
