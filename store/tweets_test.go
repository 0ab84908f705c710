package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestCreateTweet(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	draft := model.Draft{Content: "#Go and #火花", Summary: "s", Tags: []string{"a-b"}, AllowLikes: true}
	var made *store.FullTweet
	must(t, costs(t, "CreateTweet", 1, 2, 0, func(ctx context.Context) (err error) {
		made, err = e.CreateTweet(ctx, "ann", draft, store.Request{})
		return err
	}))
	must(t, costs(t, "CreateTweet, author cached", 0, 2, 0, func(ctx context.Context) error {
		_, err := e.CreateTweet(ctx, "ann", draft, store.Request{})
		return err
	}))
	if made.AuthorID != "ann" || made.Author.Username != "ann_u" || made.Content != draft.Content || made.CreatedAt != e.clock.now() {
		t.Errorf("CreateTweet = %+v", made.Tweet)
	}
	for viewer, reads := range map[model.UserID]int64{"": 2, "bob": 3} {
		must(t, costs(t, "Tweet", reads, 0, 0, func(ctx context.Context) error {
			got, err := e.Tweet(ctx, made.ID, viewer)
			if diff := cmp.Diff(made, got); diff != "" {
				t.Errorf("Tweet (-want +got):\n%s", diff)
			}
			return err
		}))
	}
	_, err := e.CreateTweet(t.Context(), "nobody", draft, store.Request{})
	wantErr(t, err, errs.Forbidden, "profile_required")
	_, err = e.CreateTweet(t.Context(), "ann", model.Draft{Content: strings.Repeat("x", model.MaxContent+1)}, store.Request{})
	wantErr(t, err, errs.Invalid, "too_long")
	if n := len(e.ids(t, model.Tweets)); n != 2 {
		t.Errorf("%d tweets, want the 2 that were allowed", n)
	}
}

func TestCreateReply(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	root := e.tweet(t, "ann", "root")
	reply := func(to model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error {
			got, err := e.CreateTweet(ctx, "bob", model.Draft{Content: "reply", ReplyTo: &to, AllowReplies: true}, store.Request{})
			if err == nil && (got.RootID != root.ID || *got.ReplyTo != to) {
				t.Errorf("reply to %s = %+v", to, got.Tweet)
			}
			return err
		}
	}
	must(t, costs(t, "reply", 5, 2, 0, reply(root.ID))) // and the replier's profile
	must(t, costs(t, "reply, profile cached", 4, 2, 0, reply(root.ID)))
	replies, err := e.Replies(t.Context(), root.ID, store.Cursor{}, 10)
	must(t, err)
	must(t, costs(t, "reply to oneself", 1, 2, 0, reply(replies.Items[0].ID)))

	const never = model.TweetID("00019a5b6c7d8e9f01")
	wantErr(t, reply(never)(t.Context()), errs.NotFound, "tweet_not_found")
	must(t, e.DeleteTweet(t.Context(), "ann", false, root.ID))
	wantGone(t, reply(root.ID)(t.Context()), root.ID, "ann")
}

func TestTweetNotThere(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	const never = model.TweetID("00019a5b6c7d8e9f01")
	tweet := e.tweet(t, "ann", "x")
	must(t, e.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	read := func(id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { _, err := e.Tweet(ctx, id, ""); return err }
	}
	wantErr(t, costs(t, "unknown", 3, 0, 0, read(never)), errs.NotFound, "tweet_not_found")
	wantGone(t, costs(t, "deleted", 3, 0, 0, read(tweet.ID)), tweet.ID, "ann")
	wantErr(t, e.Exists(t.Context(), never), errs.NotFound, "tweet_not_found")
	wantGone(t, e.Exists(t.Context(), tweet.ID), tweet.ID, "ann")
}

func TestExistsAndHolds(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	id := e.tweet(t, "ann", "x").ID
	must(t, costs(t, "Exists", 1, 0, 0, func(ctx context.Context) error { return e.Exists(ctx, id) }))
	must(t, costs(t, "Exists, cached", 0, 0, 0, func(ctx context.Context) error { return e.Exists(ctx, id) }))
	for _, want := range []bool{true, false} {
		must(t, costs(t, "Holds", 1, 0, 0, func(ctx context.Context) error {
			got, err := e.Holds(ctx, id)
			if got != want {
				t.Errorf("Holds = %v, want %v", got, want)
			}
			return err
		}))
		if want {
			must(t, e.again(t, store.Options{}).DeleteTweet(t.Context(), "ann", false, id))
		}
	}
	must(t, e.Exists(t.Context(), id)) // still cached here
	e.coolDown()
	wantGone(t, e.Exists(t.Context(), id), id, "ann")
}

func TestBatch(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	older := e.tweet(t, "ann", "october")
	e.clock.set(time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC))
	liked, plain, gone := e.tweet(t, "ann", "1"), e.tweet(t, "ann", "2"), e.tweet(t, "bob", "3")
	const never = model.TweetID("00019a5b6c7d8e9f01")
	must(t, e.Like(t.Context(), "bob", liked.ID))
	must(t, e.Like(t.Context(), "bob", older.ID))
	must(t, e.DeleteTweet(t.Context(), "bob", false, gone.ID))
	e.coolDown()
	ask := []model.TweetID{plain.ID, gone.ID, never, liked.ID, older.ID, plain.ID}
	want := []string{"tweet", "gone", "unknown", "tweet liked", "tweet liked", "tweet"}
	batch := func(viewer model.UserID) func(context.Context) error {
		return func(ctx context.Context) error {
			seen, err := e.Batch(ctx, ask, viewer)
			var got []string
			for i, s := range seen {
				text := "unknown"
				if s.Tombstone != nil {
					text = "gone"
				} else if s.Tweet != nil {
					text = "tweet"
				}
				if s.Liked && viewer != "" {
					text += " liked"
				}
				got = append(got, text)
				if s.ID != ask[i] || s.Tweet != nil && s.Tweet.ID != ask[i] || s.Tombstone != nil && s.Tombstone.ID != ask[i] {
					t.Errorf("place %d holds %+v, want %s", i, s, ask[i])
				}
			}
			if viewer != "" {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("Batch (-want +got):\n%s", diff)
				}
			}
			return err
		}
	}
	// 5 ids, 2 of which have to be looked for among the tombstones; 2 or 3 months.
	must(t, costs(t, "Batch", 5+2+3, 0, 0, batch("bob")))
	must(t, costs(t, "Batch, cached", 2+2+3, 0, 0, batch("bob")))
	must(t, costs(t, "Batch, signed out", 2+2, 0, 0, batch("")))
	if seen, err := e.Batch(t.Context(), nil, "bob"); err != nil || len(seen) != 0 {
		t.Errorf("Batch of nothing = %v, %v", seen, err)
	}
}
