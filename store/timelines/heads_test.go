package timelines_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A process shows the post of another process within the TTL, and its own cached heads before.
func TestHeadOfAnotherProcess(t *testing.T) {
	t.Parallel()
	const ttl = 2 * time.Second
	e := storetest.Open(t, store.Options{CacheTTL: ttl})
	other := e.Again(t, store.Options{CacheTTL: ttl})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	first := deliver(t, e, "ann", 1)
	page := func() []model.TweetID {
		t.Helper()
		return idsOf(pages(t, other, "bob", sizes(20), func() {}))
	}
	for range 3 { // with a new cache, a cache that begins to hear, and a cache that has heard
		if got := page(); !slices.Equal(got, first) {
			t.Errorf("the page has %v, want %v", got, first)
		}
		second := deliver(t, e, "ann", 1)
		if got := page(); !slices.Equal(got, first) {
			t.Errorf("within the TTL the page has %v, want %v", got, first)
		}
		e.Clock.Add(ttl + time.Millisecond)
		first = append(second, first...)
		if got := page(); !slices.Equal(got, first) {
			t.Errorf("after the TTL the page has %v, want %v", got, first)
		}
	}
}

// More heads change than one answer has. The pages are right, and read heads again.
func TestManyChangedHeads(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	want := deliver(t, e, "ann", 1)
	wantHome(t, "before", e, "bob", want)
	wantHome(t, "the process hears of changes", e, "bob", want)
	for range 3 {
		e.Clock.Add(2 * time.Second)
		want = append(deliver(t, e, "ann", 1), want...)
		b := e.Raw.BulkWriter(t.Context())
		for i := range readcache.Limit {
			uid := model.UserID(fmt.Sprint("other", i))
			_, err := b.Set(e.Raw.Doc("heads/"+string(uid)), map[string]any{"whole": true,
				"changeShard": model.NewHead(uid).ChangeShard, "changedAt": e.Clock.Now().Add(-time.Second)})
			testenv.Must(t, err)
		}
		b.End()
		wantHome(t, "many changes", e, "bob", want)
	}
	e.Clock.Add(readcache.ListenAgain)
	wantHome(t, "the process hears again", e, "bob", want)
	want = append(deliver(t, e, "ann", 1), want...)
	wantHome(t, "a change", e, "bob", want)
}

// The query for changed heads fails. The page reads the heads.
func TestChangesFail(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	var failed atomic.Int64
	deaf := e.Again(t, store.Options{Meter: meter.Options{BelowReads: func(ctx context.Context, desc *grpc.StreamDesc,
		conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		if method == pb.Firestore_RunQuery_FullMethodName {
			failed.Add(1)
			return nil, errors.New("no query")
		}
		return open(ctx, desc, conn, method, opts...)
	}}})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	var want []model.TweetID
	for range 4 {
		want = append(deliver(t, e, "ann", 1), want...)
		e.Clock.Add(2 * forget)
		if got := idsOf(pages(t, deaf, "bob", sizes(20), func() {})); !slices.Equal(got, want) {
			t.Errorf("the page has %v, want %v", got, want)
		}
	}
	if failed.Load() == 0 {
		t.Error("no query failed")
	}
}

// A head changes between two pages: posts come, so that older posts are in months alone; posts go, so that the head is
// filled up with older ones. The walk shows each post once.
func TestHeadChangesBetweenPages(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(e *storetest.Env, want []model.TweetID) (left []model.TweetID){
		"posts come": func(e *storetest.Env, want []model.TweetID) []model.TweetID {
			deliver(t, e, "ann", model.HeadItems+5)
			return want
		},
		"posts go": func(e *storetest.Env, want []model.TweetID) []model.TweetID {
			for _, id := range want[3:30] {
				remove(t, e, id)
			}
			return append(slices.Clone(want[:3]), want[30:]...)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann", "bob")
			follow(t, e, "bob", "ann")
			want := deliver(t, e, "ann", model.HeadItems+20)
			for _, n := range []int{3, 39, 40, 45} {
				if n > 3 && what == "posts go" {
					break
				}
				left, changed := want, false
				got := idsOf(pages(t, e.Store, "bob", sizes(n), func() {
					if !changed {
						left, changed = change(e, want), true
						e.Clock.Add(forget)
					}
				}))
				if !slices.Equal(got, left) {
					t.Errorf("by pages of %d: %d tweets, want %d: %v", n, len(got), len(left), got)
				}
				want = home(t, e, "bob", 100)
			}
		})
	}
}

// A user shares a tweet, withdraws the share, and shares the tweet again. Until the event of the withdrawal the head
// has both shares. The tweet is on the page once, and the page reads neither share.
func TestTwoSharesInHead(t *testing.T) {
	t.Parallel()
	const n = 10
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	var old, want []model.Position
	var first []*model.Share
	for _, id := range deliver(t, e, "ann", n) {
		first = append(first, share(t, e, "bob", id))
		old = append(old, first[len(first)-1].Position())
		testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", id))
		want = slices.Insert(want, 0, share(t, e, "bob", id).Position())
	}
	if got := positionsIn(t, e, "heads/bob", "shares"); len(got) != 2*n {
		t.Fatalf("the head has %v, want also %v", got, old)
	}
	check := func(what string, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			var got []model.Position
			items, _, _, err := e.Timelines.Home(ctx, "dan", "", "", 50)
			for _, i := range items {
				got = append(got, i.Position)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: the page has %v, want %v", what, got, want)
			}
			return err
		}))
	}
	// The sweep; the graph and the reactions; the heads of bob and dan; the tweets.
	check("both", 2+2+n, 1)
	for _, l := range first {
		testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), l))
	}
	e.Clock.Add(forget) // all is read again
	check("withdrawn", 2+2+n, 0)
}

// A head whose posts are all gone, and a head that was never written, show nothing.
func TestEmptyHeads(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e, "bob", "ann", "cat")
	for _, id := range deliver(t, e, "ann", model.HeadItems+2) {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	}
	_, err := e.Raw.Doc("heads/cat").Delete(t.Context())
	testenv.Must(t, err)
	for _, limit := range []int{1, 20, 100} {
		if got := home(t, e, "bob", limit); len(got) > 0 {
			t.Errorf("by %d: the timeline has %v", limit, got)
		}
	}
	cats := e.Tweet(t, "cat", "a spark")
	testenv.Must(t, e.Timelines.Deliver(t.Context(), cats))
	wantHome(t, "the head is written", e, "bob", []model.TweetID{cats.ID})
	_, err = e.Raw.Doc("heads/cat").Update(t.Context(), []firestore.Update{{Path: "tweets", Value: map[string]any{}},
		{Path: "changedAt", Value: e.Clock.Now()}})
	testenv.Must(t, err)
	wantHome(t, "the head lacks the post", e, "bob", []model.TweetID{})
}
