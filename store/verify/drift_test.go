package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

func tag(v *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
	return func(ctx context.Context) ([]verify.Difference, error) { return s.Audit.Tag(ctx, v.tag, o) }
}

func everything(_ *victim, s *store.Store, o verify.Options) func(context.Context) ([]verify.Difference, error) {
	return func(ctx context.Context) ([]verify.Difference, error) { return s.Audit.All(ctx, o) }
}

// TestDrift plants every drift, each on a user of its own, while others post, like and
// follow: verify finds exactly it, repair mends exactly it, and then nothing is found.
// Somebody who looks at the counts all the time never sees another than the right one,
// or the one that was planted.
func TestDrift(t *testing.T) {
	testenv.Slow(t, "each kind of drift, planted under traffic")
	t.Parallel()
	// In groups: what each drift costs grows with the users beside it.
	for some := range slices.Chunk(drifts, 16) {
		t.Run(some[0].name+" and others", func(t *testing.T) { testDrifts(t, some) })
	}
}

// TestStrays is TestDrift for what belongs to no user, with few users: the emulator reads
// a whole collection for each query.
func TestStrays(t *testing.T) {
	testenv.Slow(t, "documents of every collection without an owner")
	t.Parallel()
	testDrifts(t, strays)
}

func testDrifts(t *testing.T, drifts []drift) {
	t.Helper()
	e := start(t, store.Options{}, nil)
	crowd := []model.UserID{"crowd_0", "crowd_1", "crowd_2", "crowd_3", "crowd_14", "crowd_5"}
	victims := e.victims(t, crowd, len(drifts))
	for i, d := range drifts {
		if d.facts != nil {
			d.facts(victims[i], &writer{t, t.Context(), e.raw})
		}
	}
	testenv.Must(t, e.Runner.WaitIdle(t.Context()))
	w := e.watch(t, victims)

	busy := model.TweetID("")
	tr := e.traffic(t, func(ctx context.Context, n int) error {
		u, o := crowd[n%len(crowd)], crowd[(n+1+n/len(crowd)%(len(crowd)-1))%len(crowd)]
		id, err := e.post(ctx, u, nil, "busy")
		if err != nil {
			return err
		}
		if busy != "" {
			err = testenv.Patiently(func() error { return e.Store.Reactions.Like(ctx, o, busy) })
		}
		v := victims[n%len(victims)]
		spare := v.tweets[len(v.tweets)-1]
		for _, do := range []func() error{
			func() error { return err },
			func() error { return e.Store.Graph.Follow(ctx, u, o) },
			func() error { // one drift says that strangers may not like
				return ignore(e.Store.Reactions.Like(ctx, u, spare), errs.Forbidden)
			},
			func() error { return e.Store.Reactions.Unlike(ctx, u, spare) },
			func() error { return e.Store.Graph.Unfollow(ctx, o, u) },
		} {
			if err := testenv.Patiently(do); err != nil {
				return err
			}
		}
		busy = id
		return nil
	})

	plant := func(t *testing.T, d drift, v *victim) {
		o := verify.Options{Wait: tr.reconciled, Rounds: 5}
		run := func(o verify.Options) []found {
			t.Helper()
			var ds []verify.Difference
			var err error
			if d.scope != nil {
				ds, err = d.scope(v, e.Store, o)(t.Context())
			} else {
				ds, err = e.Store.Audit.User(t.Context(), v.id, o)
			}
			testenv.Must(t, err)
			return bare(ds)
		}
		w.allow(v)
		want := d.plant(v, &writer{t, t.Context(), e.raw})
		check := func(step string, got []found) {
			t.Helper()
			if d.previews {
				got = slices.DeleteFunc(got, func(f found) bool {
					return strings.HasPrefix(f.Document, "tweetMonths/") || strings.HasPrefix(f.Document, "heads/")
				})
			}
			if len(got) == 1 && want.Want == anything {
				got[0].Want = anything
			}
			if diff := cmp.Diff([]found{want}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step, diff)
			}
		}
		check("verify", run(o))
		o.Repair = true
		want.Repaired = true
		check("repair", run(o))
		if again := run(verify.Options{Wait: tr.reconciled, Rounds: 5}); len(again) > 0 {
			t.Errorf("afterwards: %v", again)
		}
	}
	var wg sync.WaitGroup
	for i, d := range drifts {
		wg.Go(func() {
			t.Run(d.name, func(t *testing.T) { plant(t, d, victims[i]) })
		})
	}
	wg.Wait()
	tr.stop()
	w.stop()
	testenv.Must(t, e.Runner.WaitIdle(t.Context()))
	left, err := e.Store.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	if len(left) > 0 {
		t.Errorf("at last: %v", bare(left))
	}
}

// victims makes n users, each with four tweets, three followers, likes, shares, a
// reply and notifications.
func (e *env) victims(t *testing.T, crowd []model.UserID, n int) []*victim {
	t.Helper()
	ctx := t.Context()
	e.join(t, crowd...)
	victims := make([]*victim, n)
	// partitions of the event log, so that no victim's repair flushes the notification events of another
	taken := map[string]bool{}
	for i, next := 0, 0; i < n; next++ {
		id := model.UserID(fmt.Sprintf("victim_%d", next))
		key := model.NewNotificationEvent("", model.NotificationFollow, id, model.NotificationEventPayload{},
			time.UnixMilli(0)).ID[:2]
		if taken[key] {
			continue
		}
		taken[key] = true
		victims[i] = &victim{id: id, tag: fmt.Sprintf("tag-%d", next), followers: crowd[:3],
			follows: model.UserID(fmt.Sprintf("author_%d", next))}
		i++
	}
	for _, u := range crowd {
		if key := model.NewNotificationEvent("", model.NotificationFollow, u, model.NotificationEventPayload{},
			time.UnixMilli(0)).ID[:2]; taken[key] {
			t.Fatalf("%s shares a partition of the event log with a victim; choose another name", u)
		}
	}
	var g errgroup.Group
	patiently := func(do func() error) { testenv.Must(t, testenv.Patiently(do)) }
	g.SetLimit(8) // the crowd's reactions are a few documents, for which all of them would wait
	for _, v := range victims {
		g.Go(func() error {
			e.join(t, v.id, v.follows)
			for i := range 4 {
				id, err := e.post(ctx, v.id, nil, v.tag)
				testenv.Must(t, err)
				v.tweets = append(v.tweets, id)
				if i == 1 {
					for _, f := range v.followers {
						patiently(func() error { return e.Store.Graph.Follow(ctx, f, v.id) })
					}
					patiently(func() error { return e.Store.Graph.Follow(ctx, v.id, v.follows) })
				}
			}
			var err error
			v.theirs, err = e.post(ctx, v.follows, nil)
			testenv.Must(t, err)
			patiently(func() error { return e.Store.Reactions.Like(ctx, v.id, v.theirs) })
			patiently(func() error { return e.Store.Reactions.Like(ctx, v.followers[0], v.tweets[0]) })
			patiently(func() error { return e.Store.Reactions.Like(ctx, v.followers[1], v.tweets[0]) })
			patiently(func() error { return e.Store.Shares.Share(ctx, v.followers[2], v.tweets[1]) })
			patiently(func() error { return e.Store.Shares.Share(ctx, v.id, v.theirs) })
			patiently(func() error { return e.Store.Shares.Share(ctx, v.follows, v.tweets[3]) })
			_, err = e.post(ctx, v.followers[0], &v.tweets[0])
			return err
		})
	}
	testenv.Must(t, g.Wait())
	if t.Failed() {
		t.FailNow()
	}
	testenv.Must(t, e.Runner.WaitIdle(ctx))
	return victims
}

// watcher reads the counts of the victims all the time.
type watcher struct {
	stop    func()
	mu      sync.Mutex
	planted map[string]bool // documents whose counts may have one other value
}

func (w *watcher) allow(v *victim) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.planted[user(v)], w.planted[first(v)] = true, true
}

func (e *env) watch(t *testing.T, victims []*victim) *watcher {
	w := &watcher{planted: map[string]bool{}}
	var refs []*firestore.DocumentRef
	for _, v := range victims {
		refs = append(refs, e.raw.Doc(user(v)), e.raw.Doc(first(v)))
	}
	right := map[string]string{}
	wrong := map[string]string{} // the one other value that was seen
	look := func(ctx context.Context) error {
		snaps, err := e.raw.GetAll(ctx, refs)
		if err != nil {
			return err
		}
		for _, snap := range snaps {
			path := snap.Ref.Parent.ID + "/" + snap.Ref.ID
			now := counts(snap)
			w.mu.Lock()
			planted := w.planted[path]
			w.mu.Unlock()
			switch {
			case right[path] == "":
				right[path] = now
			case now == right[path]:
			case planted && (wrong[path] == "" || wrong[path] == now):
				wrong[path] = now
			default:
				return fmt.Errorf("the counts of %s are %s, were %s, and were planted as %q", path, now, right[path], wrong[path])
			}
		}
		return nil
	}
	testenv.Must(t, look(t.Context())) // before anything is planted
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			if err := look(ctx); err != nil {
				if ctx.Err() == nil {
					t.Error(err)
				}
				return
			}
		}
	})
	w.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	t.Cleanup(w.stop)
	return w
}

// unusedShard is a shard that no counter uses, however hot it is for a moment.
const unusedShard = "/shards/1000"

// counts shows the counts of a user or tweet as text.
func counts(snap *firestore.DocumentSnapshot) string {
	data := snap.Data()
	return fmt.Sprint(data["followerCount"], data["followedCount"], data["tweetCount"], data["likeCount"],
		data["replyCount"], data["shareCount"])
}
