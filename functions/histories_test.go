package functions_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/eventarc"
	"github.com/hibana-sns/hibana/internal/stack"
	"github.com/hibana-sns/hibana/internal/stack/stacktest"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var (
	seed      = flag.Uint64("seed", 0, "replay the history of this seed only")
	histories = flag.Int("histories", 20, "how many random histories")
	steps     = flag.Int("steps", 500, "how many steps a history has")
)

// TestHistories runs random histories while events are duplicated, reordered,
// delayed and lost, and compares all that the triggers derived with a sequential
// model. Replay one with
//
//	go test ./functions -run TestHistories -seed N
func TestHistories(t *testing.T) {
	first, n := rand.Uint64N(1<<32), *histories
	if *seed != 0 {
		first, n = *seed, 1
	}
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			runHistory(t, seed, *steps)
		})
	}
}

func runHistory(t *testing.T, seed uint64, steps int) {
	rng := rand.New(rand.NewPCG(seed, 0))
	o := store.Options{CacheTTL: time.Millisecond, RollUpEvery: 50 * time.Millisecond, DrainAfter: 50 * time.Millisecond}
	if seed%2 == 0 {
		o.FollowersPerPage = 4 // so that pages are split and fan-outs continued
	}
	if seed%3 != 0 {
		o.PullAbove = 5 // so that authors cross the threshold, both ways
	}
	if seed%4 < 3 {
		o.EntriesPerBucket, o.CardsPerBucket = 20, 6 // so that buckets spill
	}
	s := stacktest.Run(t, stack.Options{
		Store:  o,
		Faults: &eventarc.Faults{Seed: seed, Duplicate: 3, Delay: 200 * time.Millisecond, Drop: 0.1},
	})
	if seed%5 == 0 {
		killAndRestart(t, s, o, rng.Uint64())
	}
	h := &history{t: t, store: s.Store, rng: rng, world: newWorld(10)}
	for _, u := range h.world.users {
		_, err := s.Store.CreateUser(t.Context(), u, store.NewUser{Username: string(u), Nickname: string(u)})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range steps {
		h.step()
	}
	stacktest.Idle(t, s)
	compare(t, s.Store, h.world)
}

// history does one random thing after the other, to the store and to the model.
type history struct {
	t     *testing.T
	store *store.Store
	rng   *rand.Rand
	world *world
}

func (h *history) step() {
	ctx := h.t.Context()
	w := h.world
	u, v := pick(h.rng, w.users), pick(h.rng, w.users)
	switch n := h.rng.IntN(100); {
	case n < 22:
		if u != v {
			h.must(h.retry(func() error { return h.store.Follow(ctx, u, v) }))
			rel, err := h.store.Relationship(ctx, u, v)
			h.must(err)
			if w.follow(u, v, rel.CreatedAt) {
				w.notify(v, "follow", u, "", rel.CreatedAt)
			}
		}
	case n < 34:
		h.must(h.retry(func() error { return h.store.Unfollow(ctx, u, v) }))
		w.unfollow(u, v)
	case n < 58:
		h.tweet(ctx, u, nil)
	case n < 68:
		if parent, ok := w.pickTweet(h.rng); ok {
			h.tweet(ctx, u, &parent)
		}
	case n < 84:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Like(ctx, u, id) }))
			if tw := w.tweets[id]; !tw.likes[u] {
				tw.likes[u] = true
				like, err := h.store.LikesBy(ctx, u, store.Cursor{}, 1)
				h.must(err)
				w.notify(tw.author, "like:"+string(id), u, "", like.Items[0].CreatedAt)
			}
		}
	case n < 89:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Unlike(ctx, u, id) }))
			delete(w.tweets[id].likes, u)
		}
	case n < 93:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Share(ctx, u, id) }))
			w.tweets[id].shares[u] = true
		}
	case n < 95:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.Unshare(ctx, u, id) }))
			delete(w.tweets[id].shares, u)
		}
	default:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(h.retry(func() error { return h.store.DeleteTweet(ctx, w.tweets[id].author, false, id) }))
			w.delete(id)
		}
	}
}

func (h *history) tweet(ctx context.Context, author model.UserID, parent *model.TweetID) {
	content := "a spark"
	for _, tag := range []string{"go", "Firestore", "火花"} {
		if h.rng.IntN(3) == 0 {
			content += " #" + tag
		}
	}
	var t *store.FullTweet
	h.must(h.retry(func() (err error) {
		t, err = h.store.CreateTweet(ctx, author, model.Draft{Content: content, ReplyTo: parent, AllowLikes: true, AllowReplies: true}, store.Request{})
		return err
	}))
	h.world.add(t.Tweet)
	if parent != nil {
		h.world.notify(h.world.tweets[*parent].author, "reply:"+string(*parent), author, t.ID, t.CreatedAt)
	}
}

// retry does what a client does who is told to try again: a function that was killed in
// the middle of a transaction holds its locks until they time out.
func (h *history) retry(do func() error) (err error) {
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); {
		if err = do(); errs.KindOf(err) != errs.Unavailable {
			break
		}
	}
	return err
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v (%v)", err, errs.KindOf(err))
	}
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
