//lint:file-ignore SA1019 a batch is one round trip, see store/internal/db

package functions_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var (
	seed      = flag.Uint64("seed", 0, "replay the history of this seed only")
	histories = flag.Int("histories", 0, "how many random histories; 3, or 10 where slow tests run, if 0")
	steps     = flag.Int("steps", 45, "how many steps a history has")
	talking   = flag.Int("talking", 30, "of how many steps, beside 300 others, people write messages")
	longest   = flag.Duration("longest", 4*time.Second, "for how long a process lives at most that is killed; where "+
		"the emulator is slow, a short life ends before any work does")
	frozen = flag.Duration("frozen", 2*time.Second, "for how long a process is frozen; Cloud Run freezes for as "+
		"long as no request comes")
)

// TestHistories runs random histories while events are duplicated, reordered, delayed and
// lost, and functions are killed and frozen. Events of work documents are lost for good, and
// so are answers to commits that happened. A function that is late runs beside its next
// delivery. The clocks of the API and of the functions are 3 s apart. Some histories go over
// the end of a month. Then nothing that the triggers derived may
// differ from the facts, as `hibana verify` sees it, nor from a sequential model. Over all
// histories everything must have occurred that they are meant to mix. A thousand of them
// are part of `make soak`.
//
// One that fails says how to replay it.
func TestHistories(t *testing.T) {
	testenv.NeedEvents(t, "injects faults into the delivery of events")
	first, n := rand.Uint64N(1<<32)+1, *histories
	switch {
	case n > 0:
	case testenv.RunsSlow():
		n = 10
	default:
		n = 3
	}
	if *seed != 0 {
		first, n = *seed, 1
	}
	seen := &faultCoverage{occurred: map[string]int{}}
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("replay: go test ./functions -run TestHistories -seed %d -steps %d -talking %d", seed, *steps, *talking)
				}
			})
			runHistory(t, seed, *steps, seen)
		})
	}
	t.Cleanup(func() { seen.check(t) }) // after all histories
}

func runHistory(t *testing.T, seed uint64, steps int, seen *faultCoverage) {
	rng := rand.New(rand.NewPCG(seed, 0))
	o := store.Options{
		CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond, FlushAfter: 50 * time.Millisecond,
		StaleAfter: staleAfter, LeavePause: 100 * time.Millisecond,
	}
	ahead, kills := time.Duration(0), seed%5 == 0
	if seed%6 == 1 && !kills { // a process of its own has the calendar's clock
		now := time.Now().UTC()
		ahead = time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC).Sub(now) - 15*time.Second
	}
	clock := func(apart time.Duration) func() time.Time {
		return func() time.Time { return time.Now().Add(ahead + apart) }
	}
	losses := storetest.LoseAnswers(seed, 0.05)
	o.Meter.Below = crowdOut(seed, seen, losses.Lose)
	if !kills {
		o.ListedFollowers = listedFollowers // a process of its own has the default
	}
	o.Now = clock(0)
	if seed%3 != 0 {
		o.ChangeDigests = model.DigestsWritten
	}
	if seed%4 < 3 {
		o.SharesPerBucket, o.PreviewsPerBucket = 8, 5 // so that buckets overflow
		o.NotificationBytes = 1_500                   // so that notifications leave the newest list
	}
	deadline := 10 * time.Second
	if seed%2 == 0 && !kills { // in a process of its own a spread waits for 4 s
		deadline = 2 * time.Second
	}
	project := testenv.Project(t)
	o.UploadsBucket, o.MediaBucket = storagetest.Buckets(t, project)
	s := stacktest.Run(t, stack.Options{
		Project: project, Storage: storagetest.Host(t), Uploads: o.UploadsBucket,
		Store: o,
		Faults: &eventarc.Faults{
			Seed: seed, Duplicate: 3, Delay: 200 * time.Millisecond, Drop: 0.1,
			Lose: 0.1, Losable: func(t eventarc.Trigger) bool { return slices.Contains(workPatterns, t.Document) },
		},
		AckDeadline: deadline,
	})
	if kills {
		killAndRestart(t, s, o, rng.Uint64(), seen)
	}
	o.Now = clock(clocksApart)
	h := &history{
		t: t, stack: s, store: openAPI(t, s.Project, o), now: o.Now, begun: o.Now(), kills: kills, losses: losses,
		raw: testenv.Client(t, s.Project), rng: rng, world: newWorld(10, o.Now), seen: seen,
	}
	var err error
	h.buckets, err = openBuckets(t.Context(), o.UploadsBucket, o.MediaBucket)
	testenv.Must(t, err)
	for _, u := range h.world.users {
		_, err := h.store.Users.CreateUser(t.Context(), u, model.NewUser{Username: string(u), Nickname: string(u)})
		if err != nil {
			t.Fatal(err)
		}
	}
	h.openShop(t.Context())
	h.open(t.Context())
	h.welcome(t.Context())
	for i := range steps {
		if i%crowdEvery == crowdEvery-1 {
			h.crowd(t.Context(), pick(rng, h.world.users))
		} else {
			h.step()
		}
	}
	h.erase(t.Context())
	h.heal()
	h.compare()
	h.note()
	h.endPolls(o)
	h.heal()
	h.compare()
}

// clocksApart is how far the functions' clock is behind the API's.
const clocksApart = 3 * time.Second

// staleAfter is the age of a work document from which on its event counts as lost.
const staleAfter = time.Second

// workPatterns are the patterns of work documents, whose events may be lost for good.
var workPatterns = func() (patterns []string) {
	for _, collection := range works {
		patterns = append(patterns, collection+"/{id}")
	}
	return patterns
}()

// works are the collections of work documents. The document of a sweep stays.
var works = []string{
	model.Flushes, model.RollUps, model.ClaimedRollUps, model.Overflows,
	model.Propagations, model.CleanUps, model.StockRuns, model.PostRuns,
}

// openAPI opens the store of another process than the functions'.
func openAPI(t *testing.T, project string, o store.Options) *store.Store {
	t.Helper()
	o.Emulator, o.Meter = testenv.FirestoreHost(t), strict.Meter(t, o.Meter)
	s, err := store.Open(t.Context(), project, "", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// heal waits until all work is done, also the work whose event was lost: a sweep asks for
// it again. Each time a document was asked for again, the next sweep waits twice as long for its event.
// So what was asked for seven times on a slow machine, and lost its last event, is found after two minutes.
func (h *history) heal() {
	h.t.Helper()
	for begun := time.Now(); time.Since(begun) < 10*time.Minute; {
		h.idle()
		left := 0
		for _, work := range works {
			left += len(h.ids(work))
		}
		if left == 0 {
			h.learn(h.t.Context())
			h.world.delivered()
			return
		}
		time.Sleep(staleAfter)
		h.enqueueSweep(h.t.Context())
	}
	h.t.Error("work is left after ten minutes, so what follows is compared too early: a slow machine, or work that " +
		"never ends")
}

// history does one random thing after the other, to the store and to the model.
type history struct {
	t      *testing.T
	stack  *stack.Stack
	store  *store.Store // the API's
	raw    *firestore.Client
	now    func() time.Time // the API's clock
	begun  time.Time
	kills  bool
	rng    *rand.Rand
	world  *world
	market *market
	buckets
	seen *faultCoverage

	losses *storetest.Losses

	compared int // how often everything was compared
	posts    int // tries to post

	crowds []int // what they do next
}

// open does what chance brings seldom: a request to follow is accepted, a tweet is shared
// with a follower, and with one who hides what the sharer shares, and somebody who likes it is blocked.
func (h *history) open(ctx context.Context) {
	author, sharer, follower, hider := h.world.users[0], h.world.users[1], h.world.users[2], h.world.users[3]
	h.hold(ctx, author, true)
	h.hold(ctx, follower, true)
	h.lock(ctx, sharer, true)
	h.follow(ctx, follower, sharer)
	h.accept(ctx, follower, sharer)
	h.lock(ctx, sharer, false)
	h.follow(ctx, hider, sharer)
	h.hide(ctx, hider, sharer)
	for {
		h.tweet(ctx, author, nil)
		if id := h.world.by(author)[0]; h.world.tweets[id].open() {
			h.share(ctx, sharer, id)
			h.like(ctx, h.world.users[4], id)
			h.idle() // the author is told of the like
			h.block(ctx, author, h.world.users[4])
			return
		}
	}
}

func (h *history) step() {
	ctx := h.t.Context()
	w := h.world
	u, v := pick(h.rng, w.users), pick(h.rng, w.users)
	switch n := h.rng.IntN(300 + *talking); {
	case n >= 300 && n%5 > 0:
		h.talk(ctx, v)
	case n >= 300 && n%10 == 0:
		h.strange(ctx, u)
	case n >= 300:
		h.watch(ctx, u, v, h.rng.IntN(100))
	case n >= 288:
		h.list(ctx, u, v, n)
	case n >= 286:
		h.hold(ctx, u, h.rng.IntN(3) > 0)
	case n >= 279:
		if id, ok := h.pickHeld(); ok {
			h.approve(ctx, id)
		}
	case n >= 276:
		if id, ok := h.pickHeld(); ok {
			h.refuseHeld(ctx, id)
		}
	case n >= 274:
		for _, id := range slices.Sorted(maps.Keys(w.uploads)) {
			if w.uploads[id].free() {
				h.remove(ctx, id)
				break
			}
		}
	case n >= 270:
		if id, ok := w.pick(h.rng, func(t *tweet) bool { return len(t.doc.Media) > 0 }); ok {
			h.delete(ctx, id)
		}
	case n >= 250:
		if h.upload(ctx, u); n >= 255 {
			h.idle()
			h.tweet(ctx, u, nil)
		}
	case n >= 244:
		if id, ok := w.pick(h.rng, func(t *tweet) bool { return w.tweets[t.doc.QuoteOf] != nil }); ok {
			h.withdrawQuote(ctx, id)
		}
	case n >= 240:
		if id, ok := w.pick(h.rng, func(t *tweet) bool { return t.doc.ReplyTo != nil }); ok {
			h.fold(ctx, id)
		}
	case n >= 232:
		h.mute(ctx, u, v, n)
	case n >= 224:
		h.bar(ctx, u, v)
	case n >= 217:
		h.hideOrShow(ctx)
	case n >= 205:
		h.gate(ctx, u, v)
	case n >= 165:
		h.trade(ctx, u)
	case n >= 153:
		if id, ok := w.pickPublic(h.rng); ok {
			h.vote(ctx, u, id, 1+n%3)
		}
	case n >= 149:
		h.choose(ctx, u)
	case n >= 146:
		if id, ok := w.pickTweet(h.rng); ok {
			h.pin(ctx, id, n > 146)
		}
	case n >= 143:
		if id, ok := w.pickTweet(h.rng); ok {
			h.must(testenv.Patiently(func() error { return h.store.Bookmarks.Unbookmark(ctx, u, id) }))
			delete(w.tweets[id].kept, u)
		}
	case n >= 138:
		if id, ok := w.pickPublic(h.rng); ok {
			err := testenv.Patiently(func() error {
				return h.store.Bookmarks.Bookmark(ctx, model.Viewer{ID: u, Role: model.Member}, id)
			})
			if h.mayAct(err, u, id, true) {
				w.tweets[id].kept[u] = true
			}
		}
	case n >= 126:
		if id, ok := w.pickPublic(h.rng); ok {
			h.edit(ctx, id)
		}
	case n >= 120:
		if id, ok := w.pickTweet(h.rng); ok {
			h.flag(ctx, id, !w.tweets[id].flagged)
		}
	case n < 22:
		h.follow(ctx, u, v)
	case n < 34:
		h.unfollow(ctx, u, v)
	case n < 58:
		h.tweet(ctx, u, nil)
	case n < 68:
		if parent, ok := w.pickPublic(h.rng); ok {
			h.tweet(ctx, u, &parent)
		}
	case n < 84:
		if id, ok := w.pickPublic(h.rng); ok {
			h.like(ctx, u, id)
		}
	case n < 89:
		if id, ok := w.pickTweet(h.rng); ok {
			h.unlike(ctx, u, id)
		}
	case n < 93:
		if id, ok := w.pickPublic(h.rng); ok {
			h.share(ctx, u, id)
		}
	case n < 95:
		if id, ok := w.pickTweet(h.rng); ok {
			h.unshare(ctx, u, id)
		}
	case n < 100:
		if id, ok := w.pickTweet(h.rng); ok {
			h.delete(ctx, id)
		}
	case n < 114:
		h.look(ctx, u)
	case n < 116 && !h.kills: // a process that is killed lives too short to let a profile grow old in caches
		nickname := fmt.Sprint("nickname ", h.rng.IntN(100))
		h.must(testenv.Patiently(func() error {
			return h.store.Users.UpdateUser(ctx, u,
				model.UserPatch{Nickname: &nickname})
		}))
	default:
		h.enqueueSweep(ctx)
	}
}

// crowdEvery is how many steps there are from one crowd to the next.
const crowdEvery = 15

// What a crowd does. Each happens once before any happens again, in any order; but nobody
// leaves before somebody came.
const (
	crowdFollows = iota
	crowdLeaves
	crowdLikes
	crowdLikesWhatIsDeleted
	crowdVotes
	authorWritesALot
	authorEditsALot
	crowds
)

// crowd lets many things happen at once, so that counters are hot, and authors become
// large, or small again.
func (h *history) crowd(ctx context.Context, u model.UserID) {
	if len(h.crowds) == 0 {
		h.crowds = h.rng.Perm(crowds)
		first, second := slices.Index(h.crowds, crowdFollows), slices.Index(h.crowds, crowdLeaves)
		h.crowds[min(first, second)], h.crowds[max(first, second)] = crowdFollows, crowdLeaves
	}
	what := h.crowds[0]
	h.crowds = h.crowds[1:]
	id, ok := h.world.pickPublic(h.rng)
	switch what {
	case authorWritesALot:
		for range model.RecentTweets {
			h.tweet(ctx, u, nil)
		}
		h.delete(ctx, h.world.by(u)[0])
		h.follow(ctx, pick(h.rng, h.world.users), u)
		return
	case authorEditsALot: // faster than events come
		for range 6 {
			if ok {
				h.edit(ctx, id)
			}
		}
		if ok && h.rng.IntN(3) == 0 {
			h.delete(ctx, id)
		}
		return
	case crowdLeaves:
		u = h.world.mostFollowed()
	case crowdVotes:
		for _, other := range h.world.order {
			if t := h.world.tweets[other]; t.doc.Poll != nil && !t.flagged {
				id = other
			}
		}
	}
	for _, v := range h.world.users {
		switch {
		case what == crowdFollows:
			if h.follow(ctx, v, u); h.world.requests[[2]model.UserID{v, u}] {
				h.accept(ctx, v, u)
			}
			if v != u && h.rng.IntN(2) == 0 {
				h.subscribe(ctx, [2]model.UserID{v, u})
			}
		case what == crowdLeaves:
			h.unfollow(ctx, v, u)
		case what == crowdVotes && ok:
			h.vote(ctx, v, id, 1+h.rng.IntN(3))
		case ok:
			h.like(ctx, v, id)
		}
	}
	switch {
	case what == crowdFollows:
		h.tweet(ctx, u, nil)
	case what == crowdLikesWhatIsDeleted && ok:
		h.delete(ctx, id)
	}
}

// enqueueSweep asks for a search for lost work.
func (h *history) enqueueSweep(ctx context.Context) {
	h.must(testenv.Patiently(func() error {
		_, _, err := h.raw.Collection(model.Sweeps).Add(ctx, model.SweepWork{ExpireAt: h.now().Add(48 * time.Hour)})
		return err
	}))
}

// idle waits until all that happened has had its effects.
func (h *history) idle() {
	h.t.Helper()
	stacktest.Idle(h.t, h.stack)
	if h.world.reconcile(); len(h.ids(model.PostRuns)) == 0 {
		h.world.settle()
	}
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v (%v)", err, errs.KindOf(err))
	}
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
