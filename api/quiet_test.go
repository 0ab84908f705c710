package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A reader without a whole graph gets shorter pages that go on, fewer relationships at once, and for a tweet whose
// author blocks the reader no read of what the reader did with it.
func TestPartialPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	tweet, theirs := e.post(t, ann, map[string]any{"content": "a spark"}).ID, e.post(t, bob,
		map[string]any{"content": "a spark"}).ID
	put := func(path string, doc any) {
		t.Helper()
		_, err := e.admin.Doc(path).Set(t.Context(), doc)
		testenv.Must(t, err)
	}
	put("blocks/"+model.BlockKey(bob.id, ann.id), model.Block{BlockerID: bob.id, BlockeeID: ann.id})
	var names []string
	for i := range model.MaxJoinedPage {
		uid := model.UserID(fmt.Sprintf("friend%02d", i))
		names = append(names, string(uid))
		for _, pair := range [][2]model.UserID{{ann.id, uid}, {uid, ann.id}} {
			put("relationships/"+model.RelationshipKey(pair[0], pair[1]), model.Relationship{FollowerID: pair[0],
				FollowedID: pair[1]})
		}
		put("mutedUsers/"+model.MutedUserKey(ann.id, uid), model.MutedUser{UserID: ann.id, MutedID: uid,
			Part: model.MuteShares})
		if i < model.MaxPartialPage+5 {
			put("users/"+names[i], model.User{Username: names[i]})
			put("likes/"+model.ReactionKey(uid, tweet), model.Like{UserID: uid, TweetID: tweet, AuthorID: ann.id,
				CreatedAt: time.Now().Add(time.Duration(i) * time.Second)})
		}
	}
	for _, test := range []struct {
		whole bool
		pages []int
		ties  int
		reads int64 // of bob's tweet: the tweet, the graph and the block that it does not have
	}{{true, []int{25}, 50, 2}, {false, []int{20, 5}, 30, 3}} {
		put("viewers/"+string(ann.id), map[string]any{"complete": test.whole, "limited": !test.whole, "copies": true,
			"blockedBy": map[string]any{string(bob.id): true}})
		var pages []int
		for next := "first"; next != ""; {
			var page server.List[api.Person]
			e.do(t, "GET", "/v1/tweets/"+string(tweet)+"/likes?pageSize=100&pageToken="+strings.TrimPrefix(next, "first"),
				ann.token, nil).want(t, http.StatusOK, &page)
			pages, next = append(pages, len(page.Items)), page.NextPageToken
		}
		if !slices.Equal(pages, test.pages) {
			t.Errorf("whole %t: the pages have %v users, want %v", test.whole, pages, test.pages)
		}
		var ties api.AllTies
		e.do(t, "GET", "/v1/relationships?ids="+strings.Join(names, ","), ann.token, nil).want(t, http.StatusOK, &ties)
		if len(ties.Items) != test.ties || len(ties.Rest) != len(names)-test.ties {
			t.Errorf("whole %t: %d relationships and %d left, want %d", test.whole, len(ties.Items), len(ties.Rest), test.ties)
		}
		var batch api.Batch
		got := e.do(t, "GET", "/v1/tweets:batchGet?ids="+string(theirs), ann.token, nil).want(t, http.StatusOK, &batch)
		if cost := got.cost(t); batch.Items[0].Status != "unknown" || cost.Reads > test.reads {
			t.Errorf("whole %t: a tweet by somebody who blocks is %s, for %d reads", test.whole, batch.Items[0].Status,
				cost.Reads)
		}
	}
}

// A tweet names 5 of the filters that it matches, the oldest.
func TestFilterHits(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	id := e.post(t, bob, map[string]any{"content": "a spark"}).ID
	for i := range 7 {
		e.do(t, "PUT", fmt.Sprint("/v1/users/me/filters/f", 9-i), ann.token, map[string]any{"title": "f", "action": "warn",
			"contexts": []string{"public"}, "keywords": []any{map[string]any{"keyword": "spark"}}}).want(t, http.StatusOK, nil)
	}
	var is api.WholeTweet
	e.do(t, "GET", "/v1/tweets/"+string(id)+"?context=public", ann.token, nil).want(t, http.StatusOK, &is)
	var hits []string
	for _, hit := range is.Filtered {
		hits = append(hits, hit.FilterID)
	}
	if want := []string{"f9", "f8", "f7", "f6", "f5"}; !slices.Equal(hits, want) {
		t.Errorf("the tweet names %v, want %v", hits, want)
	}
}

// A filter is changed, and removed, as the caller has read it, or not at all.
func TestFilterIfMatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	const path = "/v1/users/me/filters/series"
	body := func(title string) map[string]any {
		return map[string]any{"title": title, "action": "warn", "contexts": []string{"home"},
			"keywords": []map[string]any{{"keyword": "spoiler"}}}
	}
	var first, second api.Filter
	e.do(t, "PUT", path, ann.token, body("none"), "If-Match", `"0123456789abcdef"`).
		problem(t, http.StatusPreconditionFailed, "filter_changed")
	e.do(t, "PUT", path, ann.token, body("first"), "If-Match", "*").want(t, http.StatusOK, &first)
	old := `"` + first.Version + `"`
	e.do(t, "PUT", path, ann.token, body("second"), "If-Match", `"other", `+old).want(t, http.StatusOK, &second)
	e.do(t, "PUT", path, ann.token, body("second"), "If-Match", old).want(t, http.StatusOK, nil) // the answer was lost
	for _, method := range []string{"PUT", "DELETE"} {
		e.do(t, method, path, ann.token, body("third"), "If-Match", old).
			problem(t, http.StatusPreconditionFailed, "filter_changed")
		e.do(t, method, path, ann.token, body("third"), "If-Match", "old").
			problem(t, http.StatusBadRequest, "invalid_if_match")
	}
	var page server.List[api.Filter]
	e.do(t, "GET", "/v1/users/me/filters", ann.token, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].Title != "second" || page.Items[0].Version != second.Version {
		t.Errorf("filters = %+v", page.Items)
	}
	e.do(t, "DELETE", path, ann.token, nil, "If-Match", `"`+second.Version+`"`).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", path, ann.token, nil, "If-Match", old).want(t, http.StatusNoContent, nil) // it is gone
}
