package api_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
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
			var page server.List[api.SharedTweet]
			e.do(t, "GET", "/v1/users/"+string(bob.id)+"/shares?pageSize="+size+"&pageToken="+next, token, nil).
				want(t, http.StatusOK, &page)
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
	var page server.List[api.SharedTweet]
	cost := meter.Counts{Reads: 5}
	for range 5 { // on a slow machine a cached tweet may be too old
		r := e.do(t, "GET", "/v1/users/me/shares?pageSize=2", bob.token, nil).want(t, http.StatusOK, &page)
		if got := r.cost(t); got.Reads < cost.Reads {
			cost = got
		}
	}
	if cost != (meter.Counts{Reads: 4}) { // the tweets are cached; 1 for the month of reactions, 1 for the graph
		t.Errorf("a page of 2 costs %+v", cost)
	}
	e.do(t, "GET", "/v1/users/"+string(cat.id)+"/shares?pageToken="+page.NextPageToken, "", nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	sharers := func(id model.TweetID) (who []string) {
		t.Helper()
		var people server.List[api.Person]
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
	testenv.Must(t, e.db.Tweets.Flag(t.Context(), want[2], true))
	e.do(t, "PATCH", "/v1/tweets/"+string(want[3]), ann.token, map[string]any{"visibility": "followers"}).
		want(t, http.StatusOK, nil)
	if got := list(cat.token, "1"); !slices.Equal(got, want[4:]) {
		t.Errorf("a stranger sees the shares %v, want %v", got, want[4:])
	}
	if got := list(ann.token, "100"); !slices.Equal(got, want[2:]) {
		t.Errorf("the author sees the shares %v, want %v", got, want[2:])
	}
	e.do(t, "GET", "/v1/tweets/"+string(want[3])+"/shares", cat.token, nil).
		problem(t, http.StatusNotFound, "tweet_not_found")
	e.do(t, "GET", "/v1/tweets/"+string(want[1])+"/shares", cat.token, nil).problem(t, http.StatusGone, "tweet_deleted")
	if got := sharers(want[4]); !slices.Equal(got, []string{"bob"}) {
		t.Errorf("the tweet is shared by %v", got)
	}
}

// A quote holds another tweet. Read by itself it shows that tweet to a viewer who may see it, and to everybody that it
// is gone.
func TestQuotes(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	quoted := e.post(t, ann, map[string]any{"content": "a spark"})
	quote := func(p person, more map[string]any) api.WholeTweet {
		t.Helper()
		body := map[string]any{"content": "look", "quoteOf": quoted.ID}
		maps.Copy(body, more)
		var made api.WholeTweet
		e.do(t, "POST", "/v1/tweets", p.token, body).want(t, http.StatusCreated, &made)
		if made.QuoteOf == nil || *made.QuoteOf != quoted.ID || !made.AllowQuotes {
			t.Errorf("quote = %+v", made)
		}
		return made
	}
	one, two := quote(bob, nil), quote(bob, map[string]any{"visibility": "followers"})
	shown := func(token string) string {
		t.Helper()
		var whole api.WholeTweet
		e.do(t, "GET", "/v1/tweets/"+string(one.ID), token, nil).want(t, http.StatusOK, &whole)
		if whole.Quoted == nil || whole.Quoted.ID != quoted.ID ||
			(whole.Quoted.Tweet != nil) != (whole.Quoted.Status == "found") {
			t.Fatalf("quoted = %+v", whole.Quoted)
		}
		return whole.Quoted.Status
	}
	list := func(token string) (ids []model.TweetID) {
		t.Helper()
		var page server.List[api.Tweet]
		e.do(t, "GET", "/v1/tweets/"+string(quoted.ID)+"/quotes", token, nil).want(t, http.StatusOK, &page)
		for _, q := range page.Items {
			ids = append(ids, q.ID)
		}
		return ids
	}
	if got := shown(""); got != "found" {
		t.Errorf("the quoted tweet is %s", got)
	}
	for _, p := range []person{cat, ann} {
		if got := list(p.token); !slices.Equal(got, []model.TweetID{one.ID}) {
			t.Errorf("%s sees the quotes %v, want %v", p.id, got, one.ID)
		}
	}
	if got := list(bob.token); !slices.Equal(got, []model.TweetID{two.ID, one.ID}) {
		t.Errorf("bob sees the quotes %v", got)
	}

	// The author shows the quoted tweet to fewer people, and takes no more quotes.
	e.do(t, "PATCH", "/v1/tweets/"+string(quoted.ID), ann.token, map[string]any{"visibility": "followers",
		"allowQuotes": false}).want(t, http.StatusOK, nil)
	for p, want := range map[string]string{cat.token: "unknown", "": "unknown", ann.token: "found"} {
		if got := shown(p); got != want {
			t.Errorf("the hidden tweet is %s, want %s", got, want)
		}
	}
	e.do(t, "GET", "/v1/tweets/"+string(quoted.ID)+"/quotes", cat.token, nil).
		problem(t, http.StatusNotFound, "tweet_not_found")
	var before server.List[api.Revision]
	e.do(t, "GET", "/v1/tweets/"+string(quoted.ID)+"/revisions", ann.token, nil).want(t, http.StatusOK, &before)
	if len(before.Items) != 1 || !before.Items[0].AllowQuotes {
		t.Errorf("revisions = %+v", before.Items)
	}
	e.do(t, "PATCH", "/v1/tweets/"+string(quoted.ID), ann.token, map[string]any{"visibility": "unlisted"}).
		want(t, http.StatusOK, nil)
	e.do(t, "POST", "/v1/tweets", bob.token, map[string]any{"content": "look", "quoteOf": quoted.ID}).
		problem(t, http.StatusForbidden, "not_allowed")
	e.do(t, "DELETE", "/v1/tweets/"+string(quoted.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	if got := shown(cat.token); got != "gone" {
		t.Errorf("the deleted tweet is %s", got)
	}
	if got := list(cat.token); !slices.Equal(got, []model.TweetID{one.ID}) {
		t.Errorf("after the tweet is gone its quotes are %v", got)
	}
}

// A profile has what its user writes and shares in one list. ownOnly and the lists that leave tweets out have no
// shares, and a token belongs to one of the lists.
func TestProfileShares(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	post := func(by person, content string) model.TweetID {
		t.Helper()
		id := e.post(t, by, map[string]any{"content": content}).ID
		tweets, err := e.db.Tweets.TweetsNow(t.Context(), []model.TweetID{id})
		testenv.Must(t, err)
		testenv.Must(t, e.db.Previews.Put(t.Context(), tweets[id]))
		_, err = e.db.Previews.Reconcile(t.Context(), tweets[id])
		testenv.Must(t, err)
		return id
	}
	theirs, first := post(ann, "a spark"), post(bob, "first #go ![a](https://example.com/a.png)")
	for _, id := range []model.TweetID{theirs, first} {
		e.do(t, "PUT", "/v1/tweets/"+string(id)+"/share", bob.token, nil).want(t, http.StatusNoContent, nil)
	}
	last := post(bob, "last")
	path := "/v1/users/" + string(bob.id) + "/tweets"
	for query, want := range map[string][]model.TweetID{
		"":                    {last, theirs, first},
		"?view=full":          {last, theirs, first},
		"?ownOnly=true":       {last, first},
		"?rootOnly=true":      {last, first},
		"?mediaOnly=true":     {first},
		"?tag=go&format=html": {first},
	} {
		var page server.List[api.AuthoredTweet]
		e.do(t, "GET", path+query, ann.token, nil).want(t, http.StatusOK, &page)
		var got []model.TweetID
		for _, item := range page.Items {
			got = append(got, item.ID)
			if full := query == "?view=full"; full != (item.Liked != nil) || full != (item.ShareCount != nil) {
				t.Errorf("%q: %+v", query, item)
			}
			if item.ID != theirs {
				if item.SharedBy != nil || item.Author != nil || item.AuthorID != bob.id {
					t.Errorf("%q: bob's own tweet is %+v", query, item)
				}
				continue
			}
			if by := item.SharedBy; by == nil || by.ID != bob.id || by.Username != "bob" || !by.SharedAt.After(item.CreatedAt) ||
				item.AuthorID != ann.id || item.Author == nil || item.Author.Username != "ann" || item.Snippet != "a spark" {
				t.Errorf("%q: the share is %+v by %+v", query, item, by)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
	tokens := map[string]string{}
	for _, query := range []string{"", "ownOnly=true&", "rootOnly=true&"} {
		var page server.List[api.AuthoredTweet]
		e.do(t, "GET", path+"?"+query+"pageSize=1", "", nil).want(t, http.StatusOK, &page)
		tokens[query] = page.NextPageToken
	}
	var shared server.List[api.SharedTweet]
	e.do(t, "GET", "/v1/users/me/shares?pageSize=1", bob.token, nil).want(t, http.StatusOK, &shared)
	tokens["shares"] = shared.NextPageToken
	for of, token := range tokens {
		for _, query := range []string{"", "ownOnly=true&", "rootOnly=true&"} {
			if r := e.do(t, "GET", path+"?"+query+"pageSize=1&pageToken="+token, "", nil); of == query {
				r.want(t, http.StatusOK, nil)
			} else {
				r.problem(t, http.StatusBadRequest, "invalid_page_token")
			}
		}
	}
	e.do(t, "GET", path+"?ownOnly=perhaps", "", nil).problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "GET", "/v1/users/"+string(ann.id)+"/tweets?pageToken="+tokens[""], "", nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
}
