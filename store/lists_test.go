package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLists pages through the lists that a query makes. Two documents have each time, so that a page ends between two
// documents of one time.
func TestLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	const n = 9
	e.CreateUsers(t, "ann", "bob")
	root := e.Tweet(t, "ann", "root").ID
	var fans, replies []string // oldest first
	for i := range n {
		if i%2 == 0 {
			e.Clock.Add(time.Second)
		}
		fan := model.UserID(fmt.Sprint("fan", i))
		e.CreateUsers(t, fan)
		testenv.Must(t, e.Graph.Follow(t.Context(), fan, "ann"))
		testenv.Must(t, e.Graph.Follow(t.Context(), "bob", fan))
		testenv.Must(t, e.Reactions.Like(t.Context(), fan, root))
		reply := e.Draft(t, fan, model.Draft{Content: "re #go-lang #火花", Tags: []string{"go-lang", "1st"}, ReplyTo: &root,
			AllowLikes: true}).ID
		testenv.Must(t, e.Reactions.Like(t.Context(), "bob", reply))
		fans = append(fans, string(fan))
		replies = append(replies, string(reply))
	}
	// No list may include any of these documents.
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Reactions.Like(t.Context(), "ann", e.Tweet(t, "ann", "#other").ID))

	testenv.Must(t, e.FollowerLists.Reconcile(t.Context(), "ann", "fan0", true))

	follower := func(r model.Relationship) string { return string(r.FollowerID) }
	tweetID := func(tw *model.Tweet) string { return string(tw.ID) }
	type list func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor, error)
	tests := []struct {
		name  string
		want  []string
		order int // 1 oldest first, -1 newest first
		list  list
	}{
		{"Replies", replies, 1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor, error) {
			return texts(e.Tweets.Replies(ctx, root, from, limit))(tweetID)
		}},
		{"TagTweets(go-lang)", replies, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor,
			error) {
			return texts(e.Tags.Tweets(ctx, "go-lang", from, limit))(tweetID)
		}},
		{"TagTweets(火花)", replies, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor,
			error) {
			return texts(e.Tags.Tweets(ctx, "火花", from, limit))(tweetID)
		}},
		{"TagTweets(1st)", replies, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor,
			error) {
			return texts(e.Tags.Tweets(ctx, "1st", from, limit))(tweetID)
		}},
		{"Followers", fans, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor, error) {
			return texts(e.Graph.Followers(ctx, "ann", from, limit))(follower)
		}},
		{"Following", fans, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor, error) {
			return texts(e.Graph.Following(ctx, "bob", from, limit))(func(r model.Relationship) string {
				return string(r.FollowedID)
			})
		}},
		{"LikesOf", fans, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor, error) {
			return texts(e.Reactions.LikesOf(ctx, root, from, limit))(func(l model.Like) string { return string(l.UserID) })
		}},
		{"LikesBy", replies, -1, func(ctx context.Context, from model.Cursor, limit int) ([]string, model.Cursor, error) {
			return texts(e.Reactions.LikesBy(ctx, "bob", from, limit))(func(l model.Like) string { return string(l.TweetID) })
		}},
	}
	for _, test := range tests {
		for _, limit := range []int{1, 2, 3, 4, n, n + 1} {
			var got []string
			var times []model.Cursor
			for from := (model.Cursor{}); ; {
				left := int64(min(limit, n-len(got)))
				if test.name == "Following" || test.name == "Followers" { // one document has all
					left = 1
				}
				var items []string
				testenv.Must(t, storetest.Costs(t, test.name, max(1, left), 0, 0, func(ctx context.Context) (err error) {
					items, from, err = test.list(ctx, from, limit)
					return err
				}))
				got = append(got, items...)
				if from.IsZero() || len(got) > n {
					break
				}
				times = append(times, from)
			}
			if !slices.IsSortedFunc(times, func(a, b model.Cursor) int { return test.order * a.At.Compare(b.At) }) {
				t.Errorf("%s by %d is out of order: %v", test.name, limit, times)
			}
			slices.Sort(got)
			if want := slices.Sorted(slices.Values(test.want)); !slices.Equal(got, want) {
				t.Errorf("%s by %d = %v, want %v", test.name, limit, got, want)
			}
		}
	}
}

// texts returns the names of a page's items.
func texts[T any](p model.Page[T], err error) func(func(T) string) ([]string, model.Cursor, error) {
	return func(name func(T) string) ([]string, model.Cursor, error) {
		items := make([]string, len(p.Items))
		for i, item := range p.Items {
			items[i] = name(item)
		}
		return items, p.Next, err
	}
}
