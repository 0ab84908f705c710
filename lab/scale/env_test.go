package scale_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var seed = flag.Uint64("seed", 0, "repeat the faults and choices of this seed; 0 is a new one")

func TestMain(m *testing.M) { testenv.Main(m) }

const day = 24 * time.Hour

// workers is how many goroutines a test writes from.
const workers = 16

// env is a stack on a project of its own.
type env struct {
	*stack.Stack
	clock  *clock
	writes *writes
	raw    *firestore.Client // sees documents as they are
	rng    *rand.Rand

	project string
}

// start starts a stack whose events are duplicated, delayed and lost as faults
// say; their seed is that of the flag. What prepare writes before makes no events.
func start(t *testing.T, o store.Options, faults eventarc.Faults, prepare ...func(*env)) *env {
	t.Helper()
	testenv.NeedEvents(t, "injects faults into the delivery of events")
	faults.Seed = *seed
	if faults.Seed == 0 {
		faults.Seed = rand.Uint64N(1 << 32)
	}
	t.Logf("-seed %d", faults.Seed)
	e := &env{
		clock: &clock{}, writes: &writes{at: map[string][]time.Time{}}, rng: rand.New(rand.NewPCG(faults.Seed, 0)),
		project: testenv.Project(t),
	}
	e.raw = testenv.Client(t, e.project)
	for _, f := range prepare {
		f(e)
	}
	o.Now = e.clock.now
	if o.CacheTTL == 0 {
		o.CacheTTL = time.Millisecond
	}
	o.Meter = strict.Meter(t, o.Meter)
	o.Meter.OnWrite = e.writes.add
	var err error
	e.Stack, err = stack.Start(t.Context(), stack.Options{
		Project: e.project, Firestore: testenv.FirestoreHost(t), Relay: testenv.EventsAddr(t), Store: o, Faults: &faults,
		Log:         errorLog(t),
		AckDeadline: 10 * time.Second, // of a subscription that nobody changed
	})
	testenv.Must(t, err)
	t.Cleanup(func() {
		if err := e.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return e
}

func errorLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
}

// front puts something between the events and the functions from now on.
func (e *env) front(t *testing.T, wrap func(http.Handler) http.Handler) {
	t.Helper()
	server := httptest.NewServer(wrap(functions.Handler(e.Store, errorLog(t))))
	t.Cleanup(server.Close)
	e.Runner.SetFunctionsURL(server.URL)
}

// idle waits until every event had its effect. Nothing else may go on.
func (e *env) idle(t *testing.T) {
	t.Helper()
	stacktest.Idle(t, e.Stack)
}

// users makes profiles.
func (e *env) users(t *testing.T, uids ...model.UserID) {
	t.Helper()
	inParallel(t, len(uids), func(ctx context.Context, i int) error {
		_, err := e.Store.Users.CreateUser(ctx, uids[i], model.NewUser{Username: strings.ToLower(string(uids[i])),
			Nickname: "a spark"})
		return err
	})
}

func names(prefix string, n int) []model.UserID {
	uids := make([]model.UserID, n)
	for i := range uids {
		uids[i] = model.UserID(fmt.Sprintf("%s%d", prefix, i))
	}
	return uids
}

// tweet writes a tweet that anybody may like.
func (e *env) tweet(ctx context.Context, author model.UserID) (id model.TweetID, err error) {
	err = testenv.Patiently(func() error {
		t, err := e.Store.Tweets.CreateTweet(ctx, author, model.Draft{Content: "a spark", AllowLikes: true,
			AllowReplies: true}, model.Request{})
		if err == nil {
			id = t.ID
		}
		return err
	})
	return id, err
}

func (e *env) follow(ctx context.Context, follower, author model.UserID) error {
	return testenv.Patiently(func() error { return e.Store.Graph.Follow(ctx, follower, author) })
}

func (e *env) unfollow(ctx context.Context, follower, author model.UserID) error {
	return testenv.Patiently(func() error { return e.Store.Graph.Unfollow(ctx, follower, author) })
}

func (e *env) tweets(t *testing.T, author model.UserID, n int) {
	t.Helper()
	for range n {
		_, err := e.tweet(t.Context(), author)
		testenv.Must(t, err)
	}
}

// clock is the real one, moved by an offset.
type clock struct{ offset atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

func (c *clock) add(d time.Duration) { c.offset.Add(int64(d)) }

func (c *clock) set(at time.Time) { c.offset.Store(int64(time.Until(at))) }

// writes notes when which document was written.
type writes struct {
	mu    sync.Mutex
	at    map[string][]time.Time // by path
	hooks []func(path string)
}

func (w *writes) add(path string, _ bool) {
	w.mu.Lock()
	w.at[path] = append(w.at[path], time.Now())
	hooks := w.hooks
	w.mu.Unlock()
	for _, hook := range hooks {
		hook(path)
	}
}

// hook is called after each write from now on.
func (w *writes) hook(f func(path string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hooks = append(w.hooks[:len(w.hooks):len(w.hooks)], f)
}

// count returns how many writes there were of documents whose path begins so.
func (w *writes) count(prefix string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, at := range w.at {
		if strings.HasPrefix(path, prefix) {
			n += len(at)
		}
	}
	return n
}

// rate is how often the documents of one kind are written.
type rate struct {
	documents, writes int
	most              int    // writes of one document in any second
	document          string // that one
}

// rates returns the rates of each kind of document, as "tweets/*/shards/*".
func (w *writes) rates() map[string]rate {
	w.mu.Lock()
	defer w.mu.Unlock()
	rates := map[string]rate{}
	for path, at := range w.at {
		segments := strings.Split(path, "/")
		for i := 1; i < len(segments); i += 2 {
			segments[i] = "*"
		}
		kind := strings.Join(segments, "/")
		r := rates[kind]
		r.documents++
		r.writes += len(at)
		if n := inAnySecond(at); n > r.most {
			r.most, r.document = n, path
		}
		rates[kind] = r
	}
	return rates
}

func inAnySecond(at []time.Time) (most int) {
	slices.SortFunc(at, time.Time.Compare)
	first := 0
	for i, t := range at {
		for t.Sub(at[first]) >= time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// inParallel calls f for 0 to n-1, from several goroutines, in no order.
func inParallel(t *testing.T, n int, f func(ctx context.Context, i int) error) {
	t.Helper()
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(workers)
	for i := range n {
		g.Go(func() error { return f(ctx, i) })
	}
	testenv.Must(t, g.Wait())
}
