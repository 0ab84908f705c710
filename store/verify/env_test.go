package verify_test

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// env is a running stack. Its clock shows the middle of a month, so that the window of
// home timelines has two months.
type env struct {
	*stack.Stack
	raw *firestore.Client // writes documents as no trigger does
}

func start(t *testing.T, o store.Options, faults *eventarc.Faults) *env {
	t.Helper()
	now := time.Now().UTC()
	ahead := time.Date(now.Year(), now.Month()+1, 15, 12, 0, 0, 0, time.UTC).Sub(now)
	o.Now = func() time.Time { return time.Now().Add(ahead) }
	o.CacheTTL, o.WriteEvery, o.FlushAfter = cmp.Or(o.CacheTTL, time.Millisecond), 50*time.Millisecond, 50*time.Millisecond
	e := &env{}
	e.Stack = stacktest.Run(t, stack.Options{Store: o, Faults: faults})
	e.raw = testenv.Client(t, e.Project)
	return e
}

// join makes profiles.
func (e *env) join(t *testing.T, uids ...model.UserID) {
	t.Helper()
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(8)
	for _, uid := range uids {
		g.Go(func() error {
			_, err := e.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
			return err
		})
	}
	testenv.Must(t, g.Wait())
}

func (e *env) post(ctx context.Context, author model.UserID, parent *model.TweetID, tags ...string) (model.TweetID,
	error) {
	var id model.TweetID
	err := testenv.Patiently(func() error {
		tweet, err := e.Store.Tweets.CreateTweet(ctx, author, model.Draft{Content: "a spark", Tags: tags, ReplyTo: parent,
			AllowLikes: true, AllowReplies: true}, model.Request{})
		if err == nil {
			id = tweet.ID
		}
		return err
	})
	return id, err
}

// found is a difference without the fields that only the package sees.
type found struct {
	Document, Field string
	Have, Want      any
	Repaired        bool
}

func bare(ds []verify.Difference) []found {
	list := []found{}
	for _, d := range ds {
		list = append(list, found{d.Document, d.Field, printed(d.Have), printed(d.Want), d.Repaired})
	}
	return list
}

// printed makes values of any types comparable; nil stays nil.
func printed(v any) any {
	if t, ok := v.(time.Time); ok {
		v = t.UTC().Format(time.RFC3339Nano)
	}
	if v == nil {
		return nil
	}
	return fmt.Sprint(v)
}

// traffic goes on while something is verified. It comes in bursts, and a burst ends when
// everything that follows from it has happened.
type traffic struct {
	stop   func()
	mu     sync.Mutex
	bursts int
	ended  chan struct{} // closed with the next burst's end
}

func (e *env) traffic(t *testing.T, burst func(ctx context.Context, n int) error) *traffic {
	tr := &traffic{ended: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			err := burst(ctx, n)
			if err == nil {
				err = e.Runner.WaitIdle(ctx)
			}
			if err != nil && ctx.Err() == nil {
				t.Error(err)
				cancel()
			}
			tr.mu.Lock()
			tr.bursts++
			close(tr.ended)
			tr.ended = make(chan struct{})
			tr.mu.Unlock()
		}
	})
	tr.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	t.Cleanup(tr.stop)
	return tr
}

// reconciled returns when two bursts have ended. The second burst began after the call, so
// everything from before the call has had its effect.
func (tr *traffic) reconciled(ctx context.Context) error {
	for range 2 {
		tr.mu.Lock()
		ended := tr.ended
		tr.mu.Unlock()
		select {
		case <-ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
