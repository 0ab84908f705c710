package reactions_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var bob = model.Viewer{ID: "bob", Role: model.Member}

// kept returns all bookmarks of bob, n on a page.
func kept(t *testing.T, e *storetest.Env, n int) (ids []model.TweetID) {
	t.Helper()
	for from := (model.Cursor{}); ; {
		page, err := e.Bookmarks.Of(t.Context(), "bob", from, n)
		testenv.Must(t, err)
		for _, b := range page.Items {
			ids = append(ids, b.TweetID)
		}
		if from = page.Next; from == (model.Cursor{}) {
			return ids
		}
	}
}

// A bookmark is one document. A second bookmark of a tweet, perhaps because the answer was lost, keeps its position; a
// second removal changes nothing.
func TestBookmark(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	var want []model.TweetID
	for i := range 5 {
		id := e.Tweet(t, "ann", "x").ID
		want = slices.Insert(want, 0, id)
		s := e.Store
		if i%2 == 1 {
			s = lossy
		}
		testenv.Must(t, s.Bookmarks.Bookmark(t.Context(), bob, id))
		e.Clock.Add(time.Second)
	}
	if losses.Count() != 2 {
		t.Errorf("%d answers were lost, want 2", losses.Count())
	}
	bookmark := func(id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Bookmarks.Bookmark(ctx, bob, id) }
	}
	testenv.Must(t, storetest.Costs(t, "a second bookmark", 1, 0, 0, bookmark(want[3])))
	for _, n := range []int{1, 2, 10} {
		if got := kept(t, e, n); !slices.Equal(got, want) {
			t.Errorf("bookmarks, %d on a page = %v, want %v", n, got, want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "a page of 2", 2, 0, 0, func(ctx context.Context) error {
		_, err := e.Bookmarks.Of(ctx, "bob", model.Cursor{}, 2)
		return err
	}))
	if got := e.Doc(t, "bookmarks/bob_"+string(want[0])); got["userId"] != "bob" || got["authorId"] != "ann" ||
		got["tweetId"] != string(want[0]) {
		t.Errorf("bookmark = %v", got)
	}
	for i := range int64(2) {
		testenv.Must(t, storetest.Costs(t, "Unbookmark", 0, 1-i, 1-i, func(ctx context.Context) error {
			return e.Bookmarks.Unbookmark(ctx, "bob", want[1])
		}))
	}
	want = slices.Delete(want, 1, 2)
	if got := kept(t, e, 10); !slices.Equal(got, want) {
		t.Errorf("bookmarks = %v, want %v", got, want)
	}
	own := e.Tweet(t, "bob", "mine").ID
	testenv.Must(t, storetest.Costs(t, "a bookmark of one's own tweet", 1, 2, 0, bookmark(own)))
}

// Only a viewer who sees a tweet may bookmark it: a bookmark reveals nothing of a hidden tweet. A tweet that another
// process deleted a moment ago is gone, even if it is cached.
func TestBookmarkRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "mo")
	flagged, gone := e.Tweet(t, "ann", "flagged").ID, e.Tweet(t, "ann", "gone").ID
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), gone, bob)) // cached
	other := e.Again(t, store.Options{})
	testenv.Must(t, other.Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	testenv.Must(t, other.Tweets.Flag(t.Context(), flagged, true))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob")) // hides nothing
	tests := []struct {
		by   model.Viewer
		id   model.TweetID
		kind errs.Kind
		code string
	}{
		{bob, gone, errs.Gone, "tweet_deleted"},
		{bob, flagged, errs.NotFound, "tweet_not_found"},
		{bob, "0000000000000000aa", errs.NotFound, "tweet_not_found"},
		{model.Viewer{ID: "nobody", Role: model.NoProfile}, e.Tweet(t, "ann", "x").ID, errs.Forbidden, "profile_required"},
	}
	for _, test := range tests {
		storetest.WantErr(t, e.Bookmarks.Bookmark(t.Context(), test.by, test.id), test.kind, test.code)
	}
	if got := e.IDs(t, model.Bookmarks); len(got) > 0 {
		t.Errorf("refused bookmarks = %v", got)
	}
	for _, by := range []model.Viewer{{ID: "ann", Role: model.Member}, {ID: "mo", Role: model.Moderator}} {
		testenv.Must(t, e.Bookmarks.Bookmark(t.Context(), by, flagged))
	}
	testenv.Must(t, e.Bookmarks.Bookmark(t.Context(), bob, e.Tweet(t, "ann", "y").ID))
}

// The deletion of a tweet deletes its bookmarks, also of many users and in several steps.
func TestBookmarksOfDeletedTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{StepTime: time.Nanosecond})
	e.CreateUsers(t, "ann")
	doomed, stays := e.Tweet(t, "ann", "x").ID, e.Tweet(t, "ann", "y").ID
	for i := range 3 {
		uid := model.UserID(fmt.Sprint("user_", i))
		e.CreateUsers(t, uid)
		for _, id := range []model.TweetID{doomed, stays} {
			testenv.Must(t, e.Bookmarks.Bookmark(t.Context(), model.Viewer{ID: uid, Role: model.Member}, id))
		}
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, doomed))
	testenv.Must(t, e.Counters.CleanUp(t.Context(), doomed, nil))
	for range 5 {
		snap, err := e.Raw.Doc(model.CleanUps + "/" + string(doomed)).Get(t.Context())
		if err != nil {
			break
		}
		var work model.CleanUpWork
		testenv.Must(t, snap.DataTo(&work))
		work.WrittenAt = snap.UpdateTime
		testenv.Must(t, e.Counters.ContinueCleanUp(t.Context(), work))
	}
	if got := e.IDs(t, model.Bookmarks); len(got) != 3 ||
		slices.ContainsFunc(got, func(id string) bool { return id[len(id)-len(doomed):] == string(doomed) }) {
		t.Errorf("bookmarks after the deletion = %v, want three of %s", got, stays)
	}
}
