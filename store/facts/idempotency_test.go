package facts_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/facts"
)

func TestRepeatedRequest(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	var id model.TweetID
	create := func(uid model.UserID, key, hash string) func(context.Context) error {
		return func(ctx context.Context) error {
			got, err := e.Facts.CreateTweet(ctx, uid, model.Draft{Content: "once"}, facts.Request{Key: key, Hash: hash})
			if err == nil {
				id = got.ID
			}
			return err
		}
	}
	key := strings.Repeat("k", model.MaxIdempotencyKey)
	testenv.Must(t, storetest.Costs(t, "first", 2, 3, 0, create("ann", key, "h")))
	first := id
	testenv.Must(t, storetest.Costs(t, "repeated", 4, 0, 0, create("ann", key, "h")))
	if id != first {
		t.Errorf("the repeated request made %s, want %s again", id, first)
	}
	storetest.WantErr(t, storetest.Costs(t, "another with the same key", 1, 0, 0, create("ann", key, "other")), errs.Conflict, "idempotency_key_reused")
	testenv.Must(t, storetest.Costs(t, "somebody else's with the same key", 2, 3, 0, create("bob", key, "h")))
	if n := len(e.IDs(t, model.Tweets)); n != 2 {
		t.Errorf("%d tweets, want 2", n)
	}

	testenv.Must(t, e.Facts.DeleteTweet(t.Context(), "ann", false, first))
	storetest.WantGone(t, create("ann", key, "h")(t.Context()), first, "ann")

	e.Clock.Add(model.IdempotencyWindow)
	storetest.WantGone(t, create("ann", key, "h")(t.Context()), first, "ann")
	e.Clock.Add(time.Microsecond)
	testenv.Must(t, create("ann", key, "other")(t.Context())) // the record has expired, and the TTL has not deleted it
	if id == first {
		t.Error("a request after the window got the first one's tweet")
	}
	second := id
	testenv.Must(t, create("ann", key, "other")(t.Context()))
	if id != second {
		t.Errorf("the expired record was not replaced: %s, then %s", second, id)
	}
}

func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	for _, expired := range []bool{false, true} {
		e := storetest.Open(t, store.Options{})
		e.Users(t, "ann")
		if expired {
			_, err := e.Facts.CreateTweet(t.Context(), "ann", model.Draft{Content: "long ago"}, facts.Request{Key: "k", Hash: "old"})
			testenv.Must(t, err)
			e.Clock.Add(model.IdempotencyWindow + time.Hour)
		}
		before := len(e.IDs(t, model.Tweets))
		made := make([]model.TweetID, 10)
		for _, err := range testenv.AtOnce(len(made), func(i int) error {
			got, err := e.Facts.CreateTweet(t.Context(), "ann", model.Draft{Content: "once"}, facts.Request{Key: "k", Hash: "h"})
			if err == nil {
				made[i] = got.ID
			}
			return err
		}) {
			if err != nil {
				t.Errorf("record expired: %v: %v", expired, err)
			}
		}
		for _, id := range made {
			if id != made[0] {
				t.Errorf("record expired: %v: the same request made %v", expired, made)
				break
			}
		}
		if n := len(e.IDs(t, model.Tweets)) - before; n != 1 {
			t.Errorf("record expired: %v: %d tweets were written, want 1", expired, n)
		}
		if n := len(e.IDs(t, model.TweetDetails)) - before; n != 1 {
			t.Errorf("record expired: %v: %d texts were written, want 1", expired, n)
		}
	}
}
