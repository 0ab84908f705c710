package timelines_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// fourShares lets four users share tweets of ann, and dan follow the four. It returns the tweets, newest first.
func fourShares(t *testing.T, e *storetest.Env) (ids []model.TweetID) {
	t.Helper()
	e.CreateUsers(t, "ann", "dan")
	for n := range 4 {
		uid := model.UserID(fmt.Sprint("sharer", n))
		e.CreateUsers(t, uid)
		follow(t, e.Store, "dan", uid)
		e.Clock.Add(time.Second)
		ids = slices.Insert(ids, 0, fanOut(t, e, "ann", 1)[0])
		share(t, e, uid, ids[0])
	}
	return ids
}

// A home page with four shares reads the reader's graph once, and no document for each share.
func TestHomeWithSharesCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Second})
	ids := fourShares(t, e)
	page := func(limit int) func(context.Context) error {
		return func(ctx context.Context) error {
			items, _, err := e.Timelines.Home(ctx, "dan", "", "", limit)
			if len(items) != 4 || items[0].ID != ids[0] || items[0].SharedBy != "sharer3" {
				t.Errorf("page = %+v", items)
			}
			return err
		}
	}
	testenv.Must(t, page(4)(t.Context())) // records the visit
	e.Clock.Add(2 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "cold", 3+1+4, 0, 0, page(4)))
	testenv.Must(t, storetest.Costs(t, "warm, and the month before", 2*3+1, 0, 0, page(20)))
}

// A reader from before there were documents of the graph gets it from the source documents, once.
func TestViewerIsBuilt(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	ids := fourShares(t, e)
	want := []line{{ids[0], "sharer3", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "sharer2"))
	wantLines(t, "by the document", e.Store, "dan", want...)
	_, err := e.Raw.Doc("viewers/dan").Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "dan", "sharer0")) // makes a document that is not whole
	want = want[:2]
	wantLines(t, "without one", e.Store, "dan", want...)
	doc := e.Doc(t, "viewers/dan")
	if follows, _ := doc["follows"].(map[string]any); len(follows) != 3 || doc["whole"] != true ||
		doc["size"] != int64(4) {
		t.Errorf("the document is %v", doc)
	}
	wantLines(t, "built", e.Store, "dan", want...)
}

// A reader with too many follows for one document reads the source documents.
func TestPartialViewer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, MaxViewerEntries: 3})
	ids := fourShares(t, e)
	want := []line{{ids[0], "sharer3", 1}, {ids[1], "sharer2", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	doc := e.Doc(t, "viewers/dan")
	if doc["partial"] != true || doc["whole"] == true || doc["follows"] != nil {
		t.Errorf("the document is %v", doc)
	}
	wantLines(t, "partial", e.Store, "dan", want...)
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "sharer3"))
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "sharer2"))
	e.Clock.Add(time.Second)
	want = want[2:]
	wantLines(t, "hidden and blocked", e.Store, "dan", want...)

	// The document is built for as many.
	_, err := e.Raw.Doc("viewers/dan").Delete(t.Context())
	testenv.Must(t, err)
	wantLines(t, "not built", e.Store, "dan", want...)
	if doc := e.Doc(t, "viewers/dan"); doc["partial"] != true || doc["whole"] == true {
		t.Errorf("the document is %v", doc)
	}
}

// A size that counts repeated follows does not make a document partial.
func TestViewerSizeIsCorrected(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxViewerEntries: 2})
	e.CreateUsers(t, "ann", "bob")
	for range 3 {
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
		testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", "bob"))
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	if doc := e.Doc(t, "viewers/ann"); doc["whole"] != true || doc["size"] != int64(2) {
		t.Errorf("the document is %v", doc)
	}
}

// A share is withdrawn while a new follower gets it: the follower's month has it no more.
func TestWithdrawalDuringLink(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	id := fanOut(t, e, "ann", 1)[0]
	testenv.Must(t, e.Graph.Follow(t.Context(), "dan", "bob"))
	l := share(t, e, "bob", id)
	// The second process reads the months of shares, and then the share goes.
	other := e.Again(t, store.Options{Meter: meterAfterRead("shareMonths/bob_2026-11", func() {
		testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", id))
		testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), l))
	})})
	testenv.Must(t, other.Timelines.Link(t.Context(), "dan", "bob"))
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) > 0 {
		t.Errorf("the timeline has %v", got)
	}
	wantLines(t, "withdrawn", e.Store, "dan")
}

// A share is withdrawn while a new follower gets it, and the process ends after it wrote the follower's month. The
// event comes again, and finds no share to look for. The month has no share all the same.
func TestWithdrawalDuringKilledLink(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	id := fanOut(t, e, "ann", 1)[0]
	testenv.Must(t, e.Graph.Follow(t.Context(), "dan", "bob"))
	l := share(t, e, "bob", id)
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	options := meterAfterRead("shareMonths/bob_2026-11", func() {
		testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", id))
		testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), l))
	})
	options.Below = func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
		invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		err := invoke(ctx, method, req, reply, conn, opts...)
		commit, _ := req.(*firestorepb.CommitRequest)
		for _, w := range commit.GetWrites() {
			if strings.Contains(w.GetUpdate().GetName(), "/timelines/dan_") {
				kill()
			}
		}
		return err
	}
	_ = e.Again(t, store.Options{Meter: options}).Timelines.Link(ctx, "dan", "bob")
	if ctx.Err() == nil {
		t.Fatal("the process did not end")
	}
	testenv.Must(t, e.Timelines.Link(t.Context(), "dan", "bob"))
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) > 0 {
		t.Errorf("the timeline has %v", got)
	}
	wantLines(t, "withdrawn", e.Store, "dan")
}

// A share in an overflow document of the sharer may be withdrawn already: a late link does not bring it back.
func TestLinkFromOverflow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, EntriesPerBucket: 2})
	e.CreateUsers(t, "ann", "bob", "dan")
	testenv.Must(t, e.Graph.Follow(t.Context(), "dan", "bob"))
	var all []*model.Share
	for range 8 {
		e.Clock.Add(time.Second)
		all = append(all, share(t, e, "bob", fanOut(t, e, "ann", 1)[0]))
	}
	testenv.Must(t, e.Previews.OverflowShares(t.Context(), "bob_2026-11"))
	if e.Doc(t, "shareMonths/bob_2026-11_1") == nil {
		t.Fatal("nothing overflowed")
	}
	unshare(t, e, all[0])
	other := e.Again(t, store.Options{}) // the month of dan has room
	testenv.Must(t, other.Timelines.Link(t.Context(), "dan", "bob"))
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) != 7 || slices.Contains(got, all[0].Position()) {
		t.Errorf("the timeline has %v", got)
	}
}

// A share that is withdrawn while a reader is dormant is not shown after the rebuild.
func TestWithdrawalDuringDormancy(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	ids := fourShares(t, e)
	_, err := e.Raw.Doc("homes/dan").Delete(t.Context())
	testenv.Must(t, err)
	for n := range 4 {
		_, err := e.Raw.Doc(fmt.Sprint("followerPages/sharer", n)).Set(t.Context(), map[string]any{
			"asleep": map[string]any{"dan": true}}, firestoreMerge)
		testenv.Must(t, err)
	}
	unshare(t, e, shareFact(t, e, "sharer3", ids[0]))
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) != 4 {
		t.Errorf("the timeline has %v", got)
	}
	_, err = e.Raw.Doc("wakes/dan").Set(t.Context(), model.RebuildWork{UserID: "dan"})
	testenv.Must(t, err)
	var w model.RebuildWork
	w.WrittenAt, _ = work(t, e, "wakes/dan", &w)
	testenv.Must(t, e.Rebuilding.Rebuild(t.Context(), w))
	wantLines(t, "rebuilt", e.Store, "dan", line{ids[1], "sharer2", 1}, line{ids[2], "sharer1", 1},
		line{ids[3], "sharer0", 1})
}

// A share that was pushed before its sharer was pulled is read: no withdrawal takes it out.
func TestWithdrawalOfPulledSharer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e.Store, "dan", "bob")
	e.Clock.Add(time.Second)
	first, second := fanOut(t, e, "ann", 1)[0], fanOut(t, e, "ann", 1)[0]
	early := share(t, e, "bob", first)
	e.CreateUsers(t, "eve", "fay")
	large := e.Again(t, store.Options{CacheTTL: time.Nanosecond, PullAbove: 1})
	follow(t, e.Store, "eve", "bob")
	testenv.Must(t, e.Shares.Share(t.Context(), "bob", second))
	late := shareFact(t, e, "bob", second)
	testenv.Must(t, large.Timelines.FanOutShare(t.Context(), late))
	wantLines(t, "pulled", large, "dan", line{second, "bob", 1}, line{first, "bob", 1})
	testenv.Must(t, e.Shares.Unshare(t.Context(), "bob", first))
	testenv.Must(t, large.Timelines.WithdrawShare(t.Context(), early))
	e.Clock.Add(time.Second)
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) != 1 {
		t.Errorf("the timeline has %v, want the first share", got)
	}
	wantLines(t, "withdrawn", large, "dan", line{second, "bob", 1})
}

// A process is frozen before it removes the entry of a follow that a block ended, and the user follows again meanwhile.
// The process wakes, writes, and ends. The entry of the new follow is there.
func TestFrozenBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	crossing := e.Again(t, store.Options{Meter: meterAfterRead("relationships/bob_ann", func() {
		testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	})})
	testenv.Must(t, crossing.Graph.Block(t.Context(), "ann", "bob"))
	var ended atomic.Bool
	frozen := storetest.Before(storetest.WritesTo("viewers/bob"), func() {
		testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
		testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "bob")) // the event came again, and another process did the work
		testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
		ended.Store(true)
	})
	other := e.Again(t, store.Options{Meter: meter.Options{Below: frozen,
		BelowReads: func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
			open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
			if ended.Load() {
				return nil, errors.New("the process ended")
			}
			return open(ctx, desc, conn, method, opts...)
		}}})
	if err := other.Viewers.Block(t.Context(), "ann", "bob"); err == nil {
		t.Fatal("the process did not end")
	}
	if follows, _ := e.Doc(t, "viewers/bob")["follows"].(map[string]any); follows["ann"] == nil {
		t.Errorf("the document is %v", e.Doc(t, "viewers/bob"))
	}
}

// The follow that crosses a block leaves no entry: profiles and home pages trust the document at once.
func TestFollowCrossesBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	other := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("blocks/ann_bob"),
		func() { testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann")) })}})
	testenv.Must(t, other.Graph.Block(t.Context(), "ann", "bob"))
	if follows, _ := e.Doc(t, "viewers/bob")["follows"].(map[string]any); len(follows) > 0 {
		t.Errorf("bob, whom ann blocks, follows %v", follows)
	}
	testenv.Must(t, storetest.Costs(t, "Block of the function", 5, 1, 0, func(ctx context.Context) error {
		return e.Viewers.Block(ctx, "ann", "bob")
	}))
	testenv.Must(t, storetest.Costs(t, "Block of the function, again", 3, 0, 0, func(ctx context.Context) error {
		return e.Viewers.Block(ctx, "ann", "bob")
	}))
	doc := e.Doc(t, "viewers/bob")
	if follows, _ := doc["follows"].(map[string]any); len(follows) > 0 {
		t.Errorf("bob's document has %v", doc)
	}
	if by, _ := doc["blockedBy"].(map[string]any); len(by) != 1 {
		t.Errorf("bob's document has %v", doc)
	}
	// An unblock whose event comes before that of the block leaves nothing, either.
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "bob"))
	if by, _ := e.Doc(t, "viewers/bob")["blockedBy"].(map[string]any); len(by) != 0 {
		t.Errorf("bob is blocked by %v", by)
	}
}

// The block goes while the function writes it: the function reads it again.
func TestUnblockDuringBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	other := e.Again(t, store.Options{Meter: meterAfterRead("blocks/ann_bob", func() {
		testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
		testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "bob")) // of the unblock
	})})
	testenv.Must(t, other.Viewers.Block(t.Context(), "ann", "bob"))
	if by, _ := e.Doc(t, "viewers/bob")["blockedBy"].(map[string]any); len(by) != 0 {
		t.Errorf("bob is blocked by %v", by)
	}
	// A user without a document gets none that pages trust.
	_, err := e.Raw.Doc("viewers/bob").Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "bob"))
	if doc := e.Doc(t, "viewers/bob"); doc["whole"] == true || doc["partial"] == true {
		t.Errorf("the document is %v", doc)
	}
}

// meterAfterRead calls do after a read, see [storetest.AfterRead].
func meterAfterRead(path string, do func()) meter.Options {
	return meter.Options{BelowReads: storetest.AfterRead(path, do)}
}

// A share goes while its fan-out to hashed pages has not begun, and the pages of the withdrawal come first. It is in no
// follower's month, and a second share of the tweet is.
func TestWithdrawalBeforeFanOut(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, FollowersPerPage: 4})
	e.CreateUsers(t, "ann", "bob")
	fans := crowd(t, e, "bob", 8)
	e.Clock.Add(time.Second)
	id := fanOut(t, e, "ann", 1)[0]
	work := func(kind model.FanOutKind) {
		t.Helper()
		for _, key := range e.IDs(t, model.FanOuts) {
			var w model.FanOutWork
			snap, err := e.Raw.Doc("fanouts/" + key).Get(t.Context())
			testenv.Must(t, err)
			testenv.Must(t, snap.DataTo(&w))
			if w.WrittenAt = snap.UpdateTime; w.Kind == kind {
				testenv.Must(t, e.Timelines.Continue(t.Context(), w))
			}
		}
	}
	first := share(t, e, "bob", id)
	unshare(t, e, first)
	second := share(t, e, "bob", id)
	work(model.FanOutWithdraw)
	work(model.FanOutPush)
	testenv.Must(t, e.Timelines.FanOutShare(t.Context(), first)) // its event comes again
	work(model.FanOutPush)
	for _, fan := range fans {
		if got := sharesIn(t, e, fan, "2026-11"); !slices.Equal(got, []model.Position{second.Position()}) {
			t.Errorf("the timeline of %s has %v, want %v", fan, got, second.Position())
		}
		wantLines(t, "shared again", e.Store, fan, line{id, "bob", 1})
	}
	unshare(t, e, second)
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), second)) // twice
	work(model.FanOutWithdraw)
	for _, fan := range fans {
		if got := sharesIn(t, e, fan, "2026-11"); len(got) > 0 {
			t.Errorf("the timeline of %s still has %v", fan, got)
		}
	}
}

// A share of the last second of a month goes in the next month: it leaves the month of its own time.
func TestWithdrawalInTheNextMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e.Store, "dan", "bob")
	e.Clock.Set(time.Date(2026, time.November, 30, 23, 59, 58, 0, time.UTC))
	id := fanOut(t, e, "ann", 1)[0]
	l := share(t, e, "bob", id)
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) != 1 {
		t.Fatalf("November has %v", got)
	}
	e.Clock.Set(storetest.Date(time.December, 2))
	wantLines(t, "in December", e.Store, "dan", line{id, "bob", 1})
	unshare(t, e, l)
	if got := sharesIn(t, e, "dan", "2026-11"); len(got) != 0 {
		t.Errorf("November still has %v", got)
	}
	wantLines(t, "withdrawn", e.Store, "dan")
}

// A reader who leaves a sharer, mutes one, or blocks an author sees the shares no more, at once and by another process.
func TestGraphActsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	ids := fourShares(t, e)
	other := e.Again(t, store.Options{CacheTTL: time.Hour})
	want := []line{{ids[0], "sharer3", 1}, {ids[1], "sharer2", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	for _, act := range []func() error{
		func() error { return nil },
		func() error { return e.Graph.Unfollow(t.Context(), "dan", "sharer3") },
		func() error { return e.Shares.Hide(t.Context(), "dan", "sharer2") },
		func() error { return e.Graph.Block(t.Context(), "sharer1", "dan") }, // dan follows nobody who blocks dan
	} {
		testenv.Must(t, act())
		for _, s := range []*store.Store{e.Store, other} {
			wantLines(t, "after an act", s, "dan", want...)
		}
		want = want[1:]
	}
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "ann"))
	wantLines(t, "without the author", other, "dan")
}
