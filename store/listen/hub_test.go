package listen_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/listen"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// ears collect what one who waits hears.
type ears struct {
	mu  sync.Mutex
	all []model.Heard
}

func (e *ears) hear(what model.Heard) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, what)
}

// want waits until something was heard that is so.
func (e *ears) want(t *testing.T, what string, is func(model.Heard) bool) {
	t.Helper()
	for range 500 {
		e.mu.Lock()
		for _, heard := range e.all {
			if is(heard) {
				e.mu.Unlock()
				return
			}
		}
		e.mu.Unlock()
		time.Sleep(10 * time.Millisecond) // until the listener has it
	}
	t.Fatalf("did not hear of %s: %+v", what, e.all)
}

// One listener of the process hears for all who wait, says who follows the author, and costs a read a change.
func TestHub(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{Now: time.Now})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	_, _, _, err := e.Timelines.Home(t.Context(), "ann", "", "", 20)
	testenv.Must(t, err)
	if got := e.Listen.Cost().Reads; got != 0 {
		t.Errorf("listeners cost %d reads while nobody waits", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	join := func(uid model.UserID) (*ears, *listen.Listener) {
		own := &ears{}
		l, err := e.Listen.Join(ctx, uid, own.hear)
		testenv.Must(t, err)
		testenv.Must(t, l.Ready(ctx))
		return own, l
	}
	ann, first := join("ann")
	again, second := join("ann")
	visitor, third := join("")
	begin := e.Listen.Cost().Reads
	if begin > 8 {
		t.Errorf("the begin cost %d reads", begin)
	}
	tweet := e.Tweet(t, "bob", "flies #spark")
	testenv.Must(t, testenv.Patiently(func() error { return e.Timelines.Deliver(t.Context(), tweet) }))
	isPost := func(followed bool) func(model.Heard) bool {
		return func(h model.Heard) bool {
			return h.Author == "bob" && h.Followed == followed && len(h.Posts) == 1 && h.Posts[0].ID == tweet.ID &&
				h.Posts[0].Public && len(h.Posts[0].Tags) == 1 && h.Posts[0].Tags[0] == "spark"
		}
	}
	ann.want(t, "a post of a followed user", isPost(true))
	again.want(t, "the same", isPost(true))
	visitor.want(t, "a post", isPost(false))
	if got := e.Listen.Cost().Reads - begin; got > 3 {
		t.Errorf("a post cost %d reads for three who wait, want 1, and what the emulator sends again", got)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, tweet.ID))
	ann.want(t, "a deletion", func(h model.Heard) bool { return h.Gone == tweet.ID && h.Followed && !h.Hidden })

	for _, l := range []*listen.Listener{first, second, third} {
		l.Leave()
		l.Leave() // again does nothing
	}
	ann.all = nil
	silent := e.Listen.Cost()
	tweet = e.Tweet(t, "bob", "nobody waits")
	testenv.Must(t, testenv.Patiently(func() error { return e.Timelines.Deliver(t.Context(), tweet) }))
	if len(ann.all) > 0 || e.Listen.Cost() != silent {
		t.Errorf("heard %+v for %v after the last one left, %v before", ann.all, e.Listen.Cost(), silent)
	}
	testenv.Must(t, e.Listen.Close())
}
