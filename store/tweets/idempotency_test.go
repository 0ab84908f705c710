package tweets_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestRepeatedRequest(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	var id model.TweetID
	create := func(uid model.UserID, key, hash string) func(context.Context) error {
		return func(ctx context.Context) error {
			got, err := e.Tweets.CreateTweet(ctx, uid, model.Draft{Content: "once"}, model.Request{Key: key, Hash: hash})
			if err == nil {
				id = got.ID
			}
			return err
		}
	}
	key := strings.Repeat("k", model.MaxIdempotencyKey)
	testenv.Must(t, storetest.Costs(t, "first", 2, 3, 0, create("ann", key, "h")))
	first := id
	testenv.Must(t, storetest.Costs(t, "repeated", 3, 0, 0, create("ann", key, "h")))
	if id != first {
		t.Errorf("the repeated request made %s, want %s again", id, first)
	}
	storetest.WantErr(t, storetest.Costs(t, "another with the same key", 1, 0, 0, create("ann", key, "other")),
		errs.Conflict, "idempotency_key_reused")
	testenv.Must(t, storetest.Costs(t, "somebody else's with the same key", 2, 3, 0, create("bob", key, "h")))
	if n := len(e.IDs(t, model.Tweets)); n != 2 {
		t.Errorf("%d tweets, want 2", n)
	}

	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, first))
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
		e.CreateUsers(t, "ann")
		if expired {
			_, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "long ago"},
				model.Request{Key: "k", Hash: "old"})
			testenv.Must(t, err)
			e.Clock.Add(model.IdempotencyWindow + time.Hour)
		}
		before := len(e.IDs(t, model.Tweets))
		made := make([]model.TweetID, 10)
		for _, err := range testenv.AtOnce(len(made), func(i int) error {
			got, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "once"}, model.Request{Key: "k",
				Hash: "h"})
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

// The longest key of the longest user ids makes a document id that the database accepts, and a small document.
func TestLongestRequest(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	key := strings.Repeat("~", model.MaxIdempotencyKey)
	for i, name := range []string{strings.Repeat("x", 128), strings.Repeat("_", 127) + "x", strings.Repeat("%", 128),
		strings.Repeat("🔥", 128)} {
		uid, err := model.ParseUserID(name)
		testenv.Must(t, err)
		_, err = model.ParseUserID(name + "x")
		storetest.WantErr(t, err, errs.Invalid, "invalid_user_id")
		_, err = e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: "user_" + string(rune('a'+i))})
		testenv.Must(t, err)
		var ids []model.TweetID
		for range 2 {
			tweet, err := e.Tweets.CreateTweet(t.Context(), uid, model.Draft{Content: "once"},
				model.Request{Key: key, Hash: strings.Repeat("f", 64)})
			testenv.Must(t, err)
			ids = append(ids, tweet.ID)
		}
		if ids[0] != ids[1] {
			t.Errorf("%s: the repeated request made %s, want %s", name, ids[1], ids[0])
		}
		id := model.IdempotencyKey(uid, key)
		size := len(id)
		for field, value := range e.Doc(t, "idempotency/"+id) {
			size += len(field) + 8
			if text, ok := value.(string); ok {
				size += len(text)
			}
		}
		if len(id) > 577 || size > 800 {
			t.Errorf("%s: the id has %d bytes and the record about %d, want at most 577 and 800", name, len(id), size)
		}
	}
}
