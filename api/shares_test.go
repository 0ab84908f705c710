package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Everybody may list who shares a tweet, and what a user shares, newest first and page by
// page. A tweet that goes, or that the caller may not see any more, is in no list.
func TestShares(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	var want []model.TweetID
	for range 5 {
		id := e.post(t, ann, map[string]any{"content": "a spark"}).ID
		want = slices.Insert(want, 0, id)
		for range 2 {
			e.do(t, "PUT", "/v1/tweets/"+string(id)+"/share", bob.token, nil).want(t, http.StatusNoContent, nil)
		}
	}
	list := func(token, size string) (ids []model.TweetID) {
		t.Helper()
		for next := ""; ; {
			var page api.List[api.SharedTweet]
			e.do(t, "GET", "/v1/users/"+string(bob.id)+"/shares?pageSize="+size+"&pageToken="+next, token, nil).want(t, http.StatusOK, &page)
			for _, s := range page.Items {
				if ids = append(ids, s.ID); s.SharedAt.IsZero() || s.Author.Username != "ann" {
					t.Errorf("shared tweet = %+v", s)
				}
			}
			if next = page.NextPageToken; next == "" {
				return ids
			}
		}
	}
	for _, size := range []string{"2", "100"} {
		if got := list("", size); !slices.Equal(got, want) {
			t.Errorf("bob shares, %s on a page, %v, want %v", size, got, want)
		}
	}
	var page api.List[api.SharedTweet]
	r := e.do(t, "GET", "/v1/users/me/shares?pageSize=2", bob.token, nil).want(t, http.StatusOK, &page)
	if got := r.cost(t); got != (meter.Counts{Reads: 3}) { // the tweets are cached; 1 for the month of reactions
		t.Errorf("a page of 2 costs %+v", got)
	}
	e.do(t, "GET", "/v1/users/"+string(cat.id)+"/shares?pageToken="+page.NextPageToken, "", nil).problem(t, http.StatusBadRequest, "invalid_page_token")
	sharers := func(id model.TweetID) (who []string) {
		t.Helper()
		var people api.List[api.Person]
		e.do(t, "GET", "/v1/tweets/"+string(id)+"/shares", "", nil).want(t, http.StatusOK, &people)
		for _, p := range people.Items {
			who = append(who, p.User.Username)
		}
		return who
	}
	e.do(t, "PUT", "/v1/tweets/"+string(want[0])+"/share", cat.token, nil).want(t, http.StatusNoContent, nil)
	if got := sharers(want[0]); !slices.Equal(got, []string{"cat", "bob"}) {
		t.Errorf("the tweet is shared by %v", got)
	}

	e.do(t, "DELETE", "/v1/tweets/"+string(want[0])+"/share", bob.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", "/v1/tweets/"+string(want[1]), ann.token, nil).want(t, http.StatusNoContent, nil)
	testenv.Must(t, e.db.Facts.Flag(t.Context(), want[2], true))
	e.do(t, "PATCH", "/v1/tweets/"+string(want[3]), ann.token, map[string]any{"visibility": "followers"}).want(t, http.StatusOK, nil)
	if got := list(cat.token, "1"); !slices.Equal(got, want[4:]) {
		t.Errorf("a stranger sees the shares %v, want %v", got, want[4:])
	}
	if got := list(ann.token, "100"); !slices.Equal(got, want[2:]) {
		t.Errorf("the author sees the shares %v, want %v", got, want[2:])
	}
	e.do(t, "GET", "/v1/tweets/"+string(want[3])+"/shares", cat.token, nil).problem(t, http.StatusNotFound, "tweet_not_found")
	e.do(t, "GET", "/v1/tweets/"+string(want[1])+"/shares", cat.token, nil).problem(t, http.StatusGone, "tweet_deleted")
	if got := sharers(want[4]); !slices.Equal(got, []string{"bob"}) {
		t.Errorf("the tweet is shared by %v", got)
	}
}
