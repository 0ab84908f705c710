package store_test

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/stacktest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// env is a store on a project of its own.
type env struct {
	*store.Store
	clock   *clock
	project string
	raw     *firestore.Client // sees documents as they are
}

// open opens a store whose clock stands still at noon of 15 November 2026 unless
// the test moves it or o has another.
func open(t *testing.T, o store.Options) *env {
	t.Helper()
	e := &env{project: testenv.Project(t), clock: &clock{at: time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)}}
	if o.Now == nil {
		o.Now = e.clock.now
	}
	e.Store = e.again(t, o)
	e.raw = testenv.Client(t, e.project)
	return e
}

// again opens one more store on the same database, as another process would. Unless o says
// otherwise nobody waits for a second to pass.
func (e *env) again(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	onWrite := o.Meter.OnWrite
	o.Emulator, o.Meter = testenv.FirestoreHost(t), stacktest.Meter(t)
	o.Meter.OnWrite = onWrite
	o.RollUpEvery = cmp.Or(o.RollUpEvery, time.Millisecond)
	if o.Now == nil {
		o.Now = e.clock.now
	}
	s, err := store.Open(t.Context(), e.project, "", o)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// doc reads a document; nil if it is not there.
func (e *env) doc(t *testing.T, path string) map[string]any {
	t.Helper()
	snap, err := e.raw.Doc(path).Get(t.Context())
	if status.Code(err) == codes.NotFound {
		return nil
	}
	must(t, err)
	return snap.Data()
}

// ids lists the documents of a collection, in their order.
func (e *env) ids(t *testing.T, collection string) []string {
	t.Helper()
	snaps, err := e.raw.Collection(collection).Documents(t.Context()).GetAll()
	must(t, err)
	ids := []string{}
	for _, snap := range snaps {
		ids = append(ids, snap.Ref.ID)
	}
	return ids
}

// users makes profiles, with usernames that begin as their uids do.
func (e *env) users(t *testing.T, uids ...model.UserID) {
	t.Helper()
	for _, uid := range uids {
		_, err := e.CreateUser(t.Context(), uid, store.NewUser{Username: strings.ToLower(string(uid)) + "_u", Nickname: string(uid)})
		must(t, err)
	}
}

// tweet writes a tweet that anybody may like and reply to.
func (e *env) tweet(t *testing.T, author model.UserID, content string) *model.Tweet {
	t.Helper()
	return e.draft(t, author, model.Draft{Content: content, AllowLikes: true, AllowReplies: true})
}

func (e *env) draft(t *testing.T, author model.UserID, d model.Draft) *model.Tweet {
	t.Helper()
	tweet, err := e.CreateTweet(t.Context(), author, d, store.Request{})
	must(t, err)
	return tweet.Tweet
}

// tweets writes n tweets and returns their ids, newest first.
func (e *env) tweets(t *testing.T, author model.UserID, n int) []model.TweetID {
	t.Helper()
	ids := make([]model.TweetID, n)
	for i := range ids {
		ids[n-1-i] = e.tweet(t, author, "a spark").ID
	}
	return ids
}

// clock is a clock that stands until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func (c *clock) add(d time.Duration) { c.set(c.now().Add(d)) }

func date(m time.Month, d int) time.Time { return time.Date(2026, m, d, 12, 0, 0, 0, time.UTC) }

// coolDown lets everything that is cached expire.
func (e *env) coolDown() { e.clock.add(time.Minute) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v (%v)", err, errs.KindOf(err))
	}
}

func wantErr(t *testing.T, err error, kind errs.Kind, code string) {
	t.Helper()
	if err == nil || errs.KindOf(err) != kind || errs.CodeOf(err) != code {
		t.Errorf("error = %v (%v, %s), want %v, %s", err, errs.KindOf(err), errs.CodeOf(err), kind, code)
	}
}

// wantGone checks that err says which tweet was deleted.
func wantGone(t *testing.T, err error, id model.TweetID, author model.UserID) {
	t.Helper()
	wantErr(t, err, errs.Gone, "tweet_deleted")
	var deleted *store.Deleted
	if !errors.As(err, &deleted) || deleted.ID != id || deleted.AuthorID != author || deleted.DeletedAt.IsZero() || deleted.FormerType != "tweet" {
		t.Errorf("error = %v, with the tombstone %+v, want that of %s by %s", err, deleted, id, author)
	}
}

// costs checks what f is billed and returns f's error.
func costs(t *testing.T, what string, reads, writes, deletes int64, f func(context.Context) error) error {
	t.Helper()
	m := meter.New()
	err := f(meter.With(t.Context(), m))
	if got, want := m.Snapshot(), (meter.Counts{Reads: reads, Writes: writes, Deletes: deletes}); got != want {
		t.Errorf("%s costs %+v, want %+v", what, got, want)
	}
	return err
}

// atOnce runs f n times, all begun together, and returns the errors.
func atOnce(n int, f func(i int) error) []error {
	var wg sync.WaitGroup
	start := make(chan struct{})
	failures := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			failures[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	return failures
}

// writes counts how often documents are written, by path.
type writes struct {
	mu sync.Mutex
	of map[string]int
}

func (w *writes) add(path string, _ bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]int{}
	}
	w.of[path]++
}

// check compares the numbers since the last check with what is allowed, and counts anew.
func (w *writes) check(t *testing.T, most map[string]int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, n := range most {
		if w.of[path] == 0 || w.of[path] > n {
			t.Errorf("%s is written %d times, want 1 to %d times", path, w.of[path], n)
		}
	}
	clear(w.of)
}

func to[T any](v T) *T { return &v }
