package verify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// TestClean lets people do at random, several at a time, whatever there is to do, with
// limits so low that every bucket overflows and some graphs are partial, and with events
// repeated, delayed and lost for a time. When all is quiet, nothing differs.
func TestClean(t *testing.T) {
	testenv.Slow(t, "a history of many people")
	t.Parallel()
	seed := rand.Uint64N(1 << 32)
	t.Logf("seed %d", seed)
	e := start(t, store.Options{
		CacheTTL: 200 * time.Millisecond, SharesPerBucket: 3, PreviewsPerBucket: 5, MaxViewerEntries: 8,
	}, &eventarc.Faults{Seed: seed, Duplicate: 2, Delay: 100 * time.Millisecond, Drop: 0.1})
	var users []model.UserID
	for i := range 8 {
		users = append(users, model.UserID(fmt.Sprintf("user_%d", i)))
	}
	e.join(t, users...)
	w := &world{env: e, users: users, busy: map[model.UserID]*sync.Mutex{}}
	for _, u := range users {
		w.busy[u] = &sync.Mutex{}
	}
	g, ctx := errgroup.WithContext(t.Context())
	for i := range 4 {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		g.Go(func() error {
			for n := range 40 {
				if err := ignore(w.step(ctx, rng, n), errs.Forbidden); err != nil { // after a block
					return err
				}
			}
			return nil
		})
	}
	testenv.Must(t, g.Wait())
	testenv.Must(t, e.Runner.WaitIdle(t.Context()))
	ds, err := e.Store.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	for _, d := range bare(ds) {
		if d.Field != "partial" { // a graph stays partial after its last entry too many
			t.Errorf("differs: %+v", d)
		}
	}
}

type world struct {
	*env
	users []model.UserID
	busy  map[model.UserID]*sync.Mutex // who posts does not change the name meanwhile

	mu     sync.Mutex
	tweets []model.TweetID
	by     map[model.TweetID]model.UserID
}

func (w *world) step(ctx context.Context, rng *rand.Rand, n int) error {
	u, v := w.users[rng.IntN(len(w.users))], w.users[rng.IntN(len(w.users))]
	w.mu.Lock()
	var some *model.TweetID
	var author model.UserID
	if len(w.tweets) > 0 {
		id := w.tweets[rng.IntN(len(w.tweets))]
		some, author = &id, w.by[id]
	}
	w.mu.Unlock()
	switch what := rng.IntN(100); {
	case what < 20 && u != v:
		return testenv.Patiently(func() error { return w.Store.Graph.Follow(ctx, u, v) })
	case what < 28:
		return testenv.Patiently(func() error { return w.Store.Graph.Unfollow(ctx, u, v) })
	case what < 31 && u != v:
		return testenv.Patiently(func() error { return w.Store.Graph.Block(ctx, u, v) })
	case what < 33:
		return testenv.Patiently(func() error { return w.Store.Graph.Unblock(ctx, u, v) })
	case what < 37 && u != v:
		return testenv.Patiently(func() error { return w.Store.Shares.Hide(ctx, u, v) })
	case what < 55:
		return w.write(ctx, u, nil)
	case some == nil:
		return nil
	case what < 61:
		return w.write(ctx, u, some)
	case what < 67:
		return ignore(testenv.Patiently(func() error { return w.Store.Shares.Share(ctx, u, *some) }), errs.Gone)
	case what < 69:
		return testenv.Patiently(func() error { return w.Store.Shares.Unshare(ctx, u, *some) })
	case what < 83:
		return ignore(testenv.Patiently(func() error { return w.Store.Reactions.Like(ctx, u, *some) }), errs.Gone)
	case what < 90:
		return testenv.Patiently(func() error { return w.Store.Reactions.Unlike(ctx, u, *some) })
	case what < 97:
		return ignore(testenv.Patiently(func() error { return w.Store.Tweets.DeleteTweet(ctx, author, false, *some) }),
			errs.Gone)
	}
	w.busy[u].Lock()
	defer w.busy[u].Unlock()
	patch := model.UserPatch{Username: new(fmt.Sprintf("%s_%d", u, rng.IntN(1_000_000))),
		Nickname: new(fmt.Sprint("number ", n))}
	return testenv.Patiently(func() error { return w.Store.Users.UpdateUser(ctx, u, patch) })
}

func (w *world) write(ctx context.Context, u model.UserID, parent *model.TweetID) error {
	w.busy[u].Lock()
	defer w.busy[u].Unlock()
	id, err := w.post(ctx, u, parent, "all", "by_"+string(u))
	if err != nil {
		return ignore(err, errs.Gone)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.by == nil {
		w.by = map[model.TweetID]model.UserID{}
	}
	w.tweets, w.by[id] = append(w.tweets, id), u
	return nil
}

func ignore(err error, kind errs.Kind) error {
	if err != nil && errs.KindOf(err) == kind {
		return nil
	}
	return err
}

// TestSnapshots shows what one snapshot finds, that a count is left alone as long as
// somebody writes its document, and that an earlier verification can be the first
// snapshot of a later.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	ctx := t.Context()
	e.join(t, "ann", "bob")
	id, err := e.post(ctx, "ann", nil)
	testenv.Must(t, err)
	testenv.Must(t, e.Runner.WaitIdle(ctx))
	w := &writer{t, ctx, e.raw}
	tweet := "tweets/" + string(id)
	w.set(tweet, firestore.FieldPath{"likeCount"}, 3)
	w.set(tweet, firestore.FieldPath{"replyCount"}, 1)
	likes, replies := found{tweet, "likeCount", "3", "0", false}, found{tweet, "replyCount", "1", "0", false}

	run := func(o verify.Options) []verify.Difference {
		t.Helper()
		ds, err := e.Store.Audit.Tweet(ctx, id, o)
		testenv.Must(t, err)
		return ds
	}
	earlier := run(verify.Options{})
	if diff := cmp.Diff([]found{likes, replies}, bare(earlier)); diff != "" {
		t.Errorf("one snapshot (-want +got):\n%s", diff)
	}
	if _, err := e.Store.Audit.Tweet(ctx, id, verify.Options{Repair: true}); errs.KindOf(err) != errs.Invalid {
		t.Errorf("repair after one snapshot: %v, want invalid", err)
	}

	// As it comes back from a file.
	text, err := json.Marshal(earlier)
	testenv.Must(t, err)
	var against []verify.Difference
	testenv.Must(t, json.Unmarshal(text, &against))
	if diff := cmp.Diff([]found{likes, replies}, bare(run(verify.Options{Against: against}))); diff != "" {
		t.Errorf("against an earlier one (-want +got):\n%s", diff)
	}

	// The document is written between the snapshots, each time.
	unsettled := 0
	o := verify.Options{Repair: true, Rounds: 2, OnUnsettled: func(verify.Difference) { unsettled++ },
		Wait: func(context.Context) error {
			w.set(tweet, firestore.FieldPath{"touched"}, time.Now())
			return nil
		}}
	if ds := run(o); len(ds) > 0 || unsettled != 2 {
		t.Errorf("in a document that keeps changing: %v, and %d unsettled; want none and 2", bare(ds), unsettled)
	}
	if got := run(verify.Options{Against: against, Repair: true}); len(got) > 0 {
		t.Errorf("against an earlier one of another document: %v, want nothing", bare(got))
	}

	// It is written once, between the first and the second snapshot, and then left alone.
	n := 0
	o.Rounds, o.Wait = 3, func(context.Context) error {
		if n++; n == 1 {
			w.set(tweet, firestore.FieldPath{"likeCount"}, firestore.Increment(1))
		}
		return nil
	}
	likes = found{tweet, "likeCount", "4", "0", true}
	replies.Repaired = true
	if diff := cmp.Diff([]found{likes, replies}, bare(run(o))); diff != "" || n != 2 {
		t.Errorf("repair (-want +got), after %d snapshots more, want 2:\n%s", n, diff)
	}
	testenv.Must(t, e.Runner.WaitIdle(ctx))
	if ds := run(verify.Options{}); len(ds) > 0 {
		t.Errorf("after the repair: %v", bare(ds))
	}
}

// Two profiles with one name need a person: nothing is taken from either.
func TestTwoOfAName(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	ctx := t.Context()
	e.join(t, "ann", "bob")
	(&writer{t, ctx, e.raw}).set("users/bob", firestore.FieldPath{"username"}, "ann")
	testenv.Must(t, e.Runner.WaitIdle(ctx))
	ds, err := e.Store.Audit.User(ctx, "bob", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	want := []found{{"usernames/ann", "uid", "ann", "bob", false}, {"usernames/bob", "uid", "bob", nil, true}}
	if diff := cmp.Diff(want, bare(ds)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
