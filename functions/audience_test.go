package functions_test

import (
	"maps"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/searchtest"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/verify"
)

// TestAudience takes a tweet from every audience to every other. After each change every list
// has the tweet for those who may see it, and no document that others may read has it.
func TestAudience(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond,
		WriteEvery: 50 * time.Millisecond}})
	ctx := t.Context()
	raw := testenv.Client(t, s.Project)
	for _, uid := range []model.UserID{"ann", "early", "late", "stranger"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	for _, uid := range []model.UserID{"early", "late"} {
		testenv.Must(t, s.Store.Graph.Follow(ctx, uid, "ann"))
	}
	tweet, err := s.Store.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "a spark #go", Visibility: model.Mentioned},
		model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, s.Store.Graph.Unfollow(ctx, "late", "ann"))
	month := model.MonthKey("ann", tweet.ID.Month())
	pages := 0
	check := func(a model.Audience, late bool) {
		t.Helper()
		stacktest.Idle(t, s)
		open, followers := a == model.Public || a == model.Unlisted, a == model.Followers
		for path, want := range map[string]bool{"tweetMonths/" + month: open, "heads/ann": open, "followerMonths/" +
			month: followers} {
			snap, err := raw.Doc(path).Get(ctx)
			if err == nil {
				tweets, _ := snap.Data()["tweets"].(map[string]any)
				if _, got := tweets[string(tweet.ID)]; got != want {
					t.Errorf("%s: %s has the tweet: %v, want %v", a, path, got, want)
				}
			} else if want {
				t.Errorf("%s: %s: %v", a, path, err)
			}
		}
		for uid, follows := range map[model.UserID]bool{"ann": false, "early": true, "late": late, "stranger": false} {
			viewer := model.Viewer{ID: uid, Role: model.Member}
			has := func(list string, got, want bool) {
				t.Helper()
				if got != want {
					t.Errorf("%s: %s of %s has the tweet: %v, want %v", a, list, uid, got, want)
				}
			}
			home, _, _, err := s.Store.Timelines.Home(ctx, uid, "", "", 20)
			testenv.Must(t, err)
			has("the home timeline", len(home) > 0, (follows || uid == "ann") && (open || followers))
			for _, limit := range []int{model.RecentTweets, 100} {
				profile, _, err := s.Store.Previews.TweetsBy(ctx, viewer, "ann", "", limit)
				testenv.Must(t, err)
				has("the profile", len(profile) > 0, open || followers && (follows || uid == "ann"))
			}
			page, err := s.Store.Shares.Profile(ctx, viewer, "ann", model.Cursor{}, model.RecentTweets)
			testenv.Must(t, err)
			has("the profile with shares", len(page.Items) > 0, open || followers && (follows || uid == "ann"))
			seen, err := s.Store.Tweets.Batch(ctx, []model.TweetID{tweet.ID}, viewer)
			testenv.Must(t, err)
			has("a lookup", seen[0].Tweet != nil, open || uid == "ann" || followers && follows)
		}
		pages++
		public, err := s.Store.Tweets.Public(ctx, true, model.Cursor{}, 10+pages) // a page that no cache has
		testenv.Must(t, err)
		tagged, err := s.Store.Tags.Tweets(ctx, "go", model.Cursor{}, 10)
		testenv.Must(t, err)
		uses, err := s.Store.Tags.UsedBy(ctx, "ann", model.Cursor{}, 10)
		testenv.Must(t, err)
		query, err := discovery.ParseSearch("from:ann spark")
		testenv.Must(t, err)
		found, _, err := s.Store.Search.Tweets(ctx, model.Viewer{ID: "ann", Role: model.Member}, query, false, "", 10)
		testenv.Must(t, err)
		if n := len(public.Items) + len(tagged.Items) + len(uses.Items) + len(found); n != map[bool]int{
			true: 4}[a == model.Public] {
			t.Errorf("%s: the public timeline has %d tweets, the tag %d, ann uses %d tags, and a search finds %d", a,
				len(public.Items), len(tagged.Items), len(uses.Items), len(found))
		}
		differences, err := s.Store.Audit.All(ctx, verify.Options{})
		testenv.Must(t, err)
		for _, d := range differences {
			t.Errorf("%s: verify: %s %s is %v, want %v", a, d.Document, d.Field, d.Have, d.Want)
		}
	}
	check(model.Mentioned, false)
	late := false
	for _, pair := range tour(model.Audiences) {
		_, err := s.Store.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Visibility: &pair}, nil)
		testenv.Must(t, err)
		check(pair, late)
		if late = !late; late { // follows see the tweet where it is now
			testenv.Must(t, s.Store.Graph.Follow(ctx, "late", "ann"))
		} else {
			testenv.Must(t, s.Store.Graph.Unfollow(ctx, "late", "ann"))
		}
		check(pair, late)
	}
	testenv.Must(t, s.Store.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
	stacktest.Idle(t, s)
	for _, path := range []string{"tweetMonths/" + month, "followerMonths/" + month, "heads/ann"} {
		snap, err := raw.Doc(path).Get(ctx)
		testenv.Must(t, err)
		if tweets, _ := snap.Data()["tweets"].(map[string]any); len(tweets) > 0 {
			t.Errorf("%s has a deleted tweet", path)
		}
	}
}

// tour begins at the first of some audiences, and goes once from each to each other.
func tour(all []model.Audience) []model.Audience {
	gone := map[[2]model.Audience]bool{}
	var way []model.Audience // backwards
	var from func(model.Audience)
	from = func(at model.Audience) {
		for _, to := range all {
			if edge := [2]model.Audience{at, to}; at != to && !gone[edge] {
				gone[edge] = true
				from(to)
			}
		}
		way = append(way, at)
	}
	from(all[0])
	slices.Reverse(way)
	return way[1:]
}

// The tour has every change.
func TestTour(t *testing.T) {
	t.Parallel()
	seen, at := map[[2]model.Audience]bool{}, model.Audiences[0]
	for _, to := range tour(model.Audiences) {
		seen[[2]model.Audience{at, to}] = true
		at = to
	}
	if n := len(model.Audiences); len(seen) != n*(n-1) {
		t.Errorf("the tour has %d changes, want %d: %v", len(seen), n*(n-1), slices.Collect(maps.Keys(seen)))
	}
}

// A search engine that is down keeps a tweet that comes to an audience partition from no follower. The event
// fails until the engine is there.
func TestAudiencePartitionWithoutEngine(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	var down atomic.Bool
	engine.Before = func(string, []byte) (int, string) {
		if down.Load() {
			return http.StatusServiceUnavailable, "{}"
		}
		return 0, ""
	}
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond,
		Search: engine.Options()}})
	ctx := t.Context()
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid)})
		testenv.Must(t, err)
	}
	testenv.Must(t, s.Store.Graph.Follow(ctx, "bob", "ann"))
	tweet, err := s.Store.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "a spark", Visibility: model.Mentioned},
		model.Request{})
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	down.Store(true)
	_, err = s.Store.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Visibility: new(model.Public)}, nil)
	testenv.Must(t, err)
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		home, _, _, err := s.Store.Timelines.Home(ctx, "bob", "", "", 20)
		testenv.Must(t, err)
		if len(home) == 1 {
			break
		}
		if time.Since(begun) > 5*time.Minute {
			t.Fatal("the follower does not get the tweet while the engine is down")
		}
	}
	query, err := discovery.ParseSearch("from:ann spark")
	testenv.Must(t, err)
	down.Store(false)
	stacktest.Idle(t, s)
	found, _, err := s.Store.Search.Tweets(ctx, model.Viewer{ID: "bob", Role: model.Member}, query, false, "", 10)
	testenv.Must(t, err)
	if len(found) != 1 {
		t.Errorf("when the engine is there again, a search finds %d tweets, want 1", len(found))
	}
}
