package api_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
)

func TestPublicTimeline(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	if got := pages[api.Tweet](t, e, "/v1/tweets?pageSize=2", ""); len(got) != 0 {
		t.Errorf("tweets = %v, want none", got)
	}
	e.offset += time.Minute // the empty page is kept for a second
	var roots, all []model.TweetID
	for i := range 9 {
		root := e.post(t, []person{ann, bob}[i%2], map[string]any{"content": fmt.Sprint(i)}).ID
		reply := e.post(t, bob, map[string]any{"content": fmt.Sprint("re ", i), "replyTo": root}).ID
		roots, all = append(roots, root), append(all, root, reply)
	}
	e.flag(t, roots[4])
	e.do(t, "PUT", "/v1/tweets/"+string(roots[6])+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	shown := func(ids []model.TweetID) []model.TweetID {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id model.TweetID) bool { return id == roots[4] })
		slices.SortFunc(ids, func(a, b model.TweetID) int {
			return cmp.Or(b.Time().Compare(a.Time()), cmp.Compare(b, a))
		})
		return ids
	}
	for query, want := range map[string][]model.TweetID{"": shown(roots), "replies=false&": shown(roots),
		"replies=true&": shown(all)} {
		for _, size := range []int{1, 3, 8, 100} {
			for _, token := range []string{"", ann.token} {
				var got []model.TweetID
				for _, tweet := range pages[api.Tweet](t, e, fmt.Sprintf("/v1/tweets?%spageSize=%d", query, size), token) {
					got = append(got, tweet.ID)
					if want := token != "" && tweet.ID == roots[6]; tweet.Liked != want {
						t.Errorf("tweet %s is liked %v, want %v", tweet.ID, tweet.Liked, want)
					}
				}
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("%q in pages of %d (-want +got):\n%s", query, size, diff)
				}
			}
		}
	}

	// One request within a second reads, and says so; the others cost nothing, or what reports whether the caller likes
	// something. A machine that took longer has another try.
	for try := 1; ; try++ {
		e.offset += time.Minute
		begun := time.Now()
		cost := e.do(t, "GET", "/v1/tweets?pageSize=3", "", nil).cost(t)
		e.post(t, ann, map[string]any{"content": "unseen for a second"})
		var again [3]meter.Counts
		for i := range again {
			again[i] = e.do(t, "GET", "/v1/tweets?pageSize=3", "", nil).cost(t)
		}
		of := e.do(t, "GET", "/v1/tweets?pageSize=3", bob.token, nil).cost(t)
		if time.Since(begun) > time.Second && try < 20 {
			continue
		}
		if least, most := int64(3), int64(3+4*model.PublicShards); cost.Reads < least || cost.Reads > most {
			t.Errorf("a page of 3 costs %+v, want %d to %d reads", cost, least, most)
		}
		if again != [3]meter.Counts{} {
			t.Errorf("the same page costs %+v, want nothing", again)
		}
		if want := (meter.Counts{Reads: 2}); of != want {
			t.Errorf("the same page costs %+v for a user, want %+v", of, want)
		}
		break
	}

	var page server.List[api.Tweet]
	e.do(t, "GET", "/v1/tweets?pageSize=3", "", nil).want(t, http.StatusOK, &page)
	e.do(t, "GET", "/v1/tweets?pageToken="+page.NextPageToken, "", nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/tweets?replies=true&pageToken="+page.NextPageToken, "", nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
}

func TestRootTweetsOfTag(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var roots, all []model.TweetID
	for i := range 4 {
		root := e.post(t, ann, map[string]any{"content": fmt.Sprint(i, " #Go")}).ID
		reply := e.post(t, ann, map[string]any{"content": fmt.Sprint("re ", i, " #go #answer"), "replyTo": root}).ID
		roots, all = append([]model.TweetID{root}, roots...), append([]model.TweetID{reply, root}, all...)
	}
	for query, want := range map[string][]model.TweetID{"": all, "rootOnly=false&": all, "rootOnly=true&": roots} {
		var got []model.TweetID
		for _, tweet := range pages[api.Tweet](t, e, "/v1/tags/go/tweets?"+query+"pageSize=3", "") {
			got = append(got, tweet.ID)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	var page server.List[api.Tweet]
	e.do(t, "GET", "/v1/tags/go/tweets?pageSize=3", "", nil).want(t, http.StatusOK, &page)
	e.do(t, "GET", "/v1/tags/go/tweets?rootOnly=true&pageToken="+page.NextPageToken, "", nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	// not counted here
	e.do(t, "GET", "/v1/tags/answer/tweets?rootOnly=true", "", nil).problem(t, http.StatusNotFound, "tag_not_found")
	if err := e.db.Counters.CountTags(t.Context(), counters.IdempotencyRecord{EventID: "1", Function: "f"}, "ann",
		map[string]int64{"answer": 4}, nil); err != nil {
		t.Fatal(err)
	}
	e.do(t, "GET", "/v1/tags/answer/tweets?rootOnly=true", "", nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 0 {
		t.Errorf("root tweets of answer = %v, want none", page.Items)
	}
}
