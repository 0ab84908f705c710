package tweets_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// pinned returns ann's pins.
func pinned(t *testing.T, e *storetest.Env) (ids []model.TweetID) {
	t.Helper()
	all, err := e.Pins.Of(t.Context(), "ann")
	testenv.Must(t, err)
	for _, p := range all {
		ids = append(ids, p.TweetID)
	}
	return ids
}

// An author pins tweets and removes pins. The number of pins is limited, and pins of deleted tweets make room.
func TestPins(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	var want []model.TweetID // newest pin first
	pin := func(id model.TweetID) error {
		e.Clock.Add(time.Second)
		return e.Pins.Pin(t.Context(), "ann", id)
	}
	for range model.MaxPins {
		id := e.Tweet(t, "ann", "a spark").ID
		testenv.Must(t, pin(id))
		want = slices.Insert(want, 0, id)
	}
	testenv.Must(t, pin(want[2])) // pinned already
	if got := pinned(t, e); !slices.Equal(got, want) {
		t.Errorf("pins = %v, want %v", got, want)
	}
	more := e.Tweet(t, "ann", "a spark").ID
	storetest.WantErr(t, pin(more), errs.Conflict, "too_many_pins")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, want[1]))
	testenv.Must(t, storetest.Costs(t, "a pin in the place of one that is gone", 2+model.MaxPins, 1, 0,
		func(ctx context.Context) error {
			e.Clock.Add(time.Second)
			return e.Pins.Pin(ctx, "ann", more)
		}))
	want = append([]model.TweetID{more}, slices.Delete(want, 1, 2)...)
	if got := pinned(t, e); !slices.Equal(got, want) {
		t.Errorf("pins = %v, want %v", got, want)
	}
	id := want[3]
	testenv.Must(t, storetest.Costs(t, "unpin", 1, 1, 0, func(ctx context.Context) error {
		return e.Pins.Unpin(ctx, "ann",
			id)
	}))
	testenv.Must(t, storetest.Costs(t, "unpin again", 1, 0, 0, func(ctx context.Context) error {
		return e.Pins.Unpin(ctx, "ann", id)
	}))
	testenv.Must(t, e.Pins.Unpin(t.Context(), "bob", want[0]))
	testenv.Must(t, storetest.Costs(t, "pin", 2, 1, 0, func(ctx context.Context) error {
		e.Clock.Add(time.Second)
		return e.Pins.Pin(ctx, "ann", id)
	}))
	want = append([]model.TweetID{id}, slices.Delete(want, 3, 4)...)
	if got := pinned(t, e); !slices.Equal(got, want) {
		t.Errorf("pins = %v, want %v", got, want)
	}
}

// A pin that is not allowed is refused, and changes nothing.
func TestPinRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	bobs, gone := e.Tweet(t, "bob", "a spark").ID, e.Tweet(t, "ann", "a spark").ID
	secret := e.Draft(t, "bob", model.Draft{Content: "x", Visibility: model.Mentioned}).ID
	_, err := e.Tweets.Tweet(t.Context(), gone, model.Viewer{}) // cached
	testenv.Must(t, err)
	testenv.Must(t, e.Again(t, store.Options{}).Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	for _, test := range []struct {
		uid  model.UserID
		id   model.TweetID
		kind errs.Kind
		code string
	}{
		{"ann", bobs, errs.Forbidden, "not_author"},
		{"ann", gone, errs.Gone, "tweet_deleted"},
		{"ann", secret, errs.NotFound, "tweet_not_found"},
		{"ann", model.NewTweetIDs(time.Now).Next("ann"), errs.NotFound, "tweet_not_found"},
		{"nobody", bobs, errs.Forbidden, "profile_required"},
	} {
		storetest.WantErr(t, e.Pins.Pin(t.Context(), test.uid, test.id), test.kind, test.code)
	}
	if got := e.IDs(t, model.PinLists); len(got) > 0 {
		t.Errorf("there are pins of %v", got)
	}
}

// Two processes pin at once, no pin is lost, and there are not too many pins.
func TestPinsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	other := e.Again(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := e.CreateTweets(t, "ann", model.MaxPins+3)
	var g errgroup.Group
	refused := make([]bool, len(ids))
	for i, id := range ids {
		s := e.Store
		if i%2 == 1 {
			s = other
		}
		g.Go(func() error {
			err := testenv.Patiently(func() error { return s.Pins.Pin(t.Context(), "ann", id) })
			if errs.CodeOf(err) == "too_many_pins" {
				refused[i] = true
				return nil
			}
			return err
		})
	}
	testenv.Must(t, g.Wait())
	got := pinned(t, e)
	for i, id := range ids {
		if slices.Contains(got, id) == refused[i] {
			t.Errorf("the pin of %s was refused: %v, and stands: %v", id, refused[i], slices.Contains(got, id))
		}
	}
	if len(got) != model.MaxPins {
		t.Errorf("%d tweets are pinned, want %d", len(got), model.MaxPins)
	}
}
