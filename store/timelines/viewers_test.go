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
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

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
		follow(t, e, "dan", uid)
		e.Clock.Add(time.Second)
		ids = slices.Insert(ids, 0, deliver(t, e, "ann", 1)[0])
		share(t, e, uid, ids[0])
	}
	return ids
}

// A reader from before there were documents of the graph gets it from the source documents, once.
func TestViewerIsBuilt(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ids := fourShares(t, e)
	want := []line{{ids[0], "sharer3", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "sharer2"))
	wantLines(t, "by the document", e, "dan", want...)
	_, err := e.Raw.Doc("viewers/dan").Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "dan", "sharer0")) // makes a document that is not whole
	want = want[:2]
	wantLines(t, "without one", e, "dan", want...)
	doc := e.Doc(t, "viewers/dan")
	if follows, _ := doc["follows"].(map[string]any); len(follows) != 3 || doc["complete"] != true ||
		doc["whole"] != true || doc["size"] != int64(4) {
		t.Errorf("the document is %v", doc)
	}
	wantLines(t, "built", e, "dan", want...)
}

// A process was killed in a transaction that has read the reader's document. Home pages come from the source documents
// while the database holds the document for that transaction. The first page after that builds the document.
func TestViewerIsHeld(t *testing.T) {
	t.Parallel()
	for name, lack := range map[string]func(*firestore.DocumentRef) error{
		"no document": func(ref *firestore.DocumentRef) error { _, err := ref.Delete(t.Context()); return err },
		"no copies": func(ref *firestore.DocumentRef) error {
			_, err := ref.Update(t.Context(), []firestore.Update{{Path: "copies", Value: firestore.Delete}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			ids := fourShares(t, e)
			ref := e.Raw.Doc("viewers/dan")
			testenv.Must(t, lack(ref))
			want := func(t *testing.T, what string) {
				t.Helper()
				items, _, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 20)
				testenv.Must(t, err)
				if diff := cmp.Diff([]line{{ids[0], "sharer3", 1}, {ids[1], "sharer2", 1}, {ids[2], "sharer1", 1},
					{ids[3], "sharer0", 1}}, lines(items)); diff != "" {
					t.Errorf("%s: home timeline (-want +got):\n%s", what, diff)
				}
			}
			killed := errors.New("the process was killed")
			err := e.Raw.RunTransaction(t.Context(), func(_ context.Context, tx *firestore.Transaction) error {
				if _, err := tx.Get(ref); err != nil && status.Code(err) != codes.NotFound {
					return err
				}
				want(t, "held")
				return killed
			})
			if !errors.Is(err, killed) {
				t.Fatal(err)
			}
			want(t, "free")
			if doc := e.Doc(t, "viewers/dan"); doc["whole"] != true || doc["copies"] != true {
				t.Errorf("the document is %v", doc)
			}
		})
	}
}

// A reader has too many mutes and blocks for one document: it has the follows alone, and pages read the mutes and
// blocks from the source documents.
func TestPartialViewer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxViewerEntries: 5})
	ids := fourShares(t, e)
	want := []line{{ids[0], "sharer3", 1}, {ids[1], "sharer2", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	e.CreateUsers(t, "eve", "fay", "gil")
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "sharer3"))
	want = want[1:]
	wantLines(t, "whole", e, "dan", want...)
	partial := func(follows int) {
		t.Helper()
		doc := e.Doc(t, "viewers/dan")
		got, _ := doc["follows"].(map[string]any)
		if doc["limited"] != true || doc["partial"] != true || doc["complete"] == true || len(got) != follows {
			t.Errorf("the document is %v", doc)
		}
	}
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "eve"))
	partial(4)
	wantLines(t, "partial", e, "dan", want...)
	testenv.Must(t, e.Shares.Hide(t.Context(), "dan", "sharer2"))
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "sharer0"))
	want = want[1:2]
	wantLines(t, "hidden and blocked", e, "dan", want...)
	_, err := e.Raw.Doc("viewers/dan").Delete(t.Context())
	testenv.Must(t, err)
	wantLines(t, "built", e, "dan", want...)
	partial(3)
	follow(t, e, "dan", "fay")
	fays := deliver(t, e, "fay", 1)[0]
	wantLines(t, "a follow more", e, "dan", append([]line{{ID: fays}}, want...)...)
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "ann"))
	wantLines(t, "the author is blocked", e, "dan", line{ID: fays})
	follow(t, e, "dan", "gil")
	testenv.Must(t, e.Viewers.Restore(t.Context(), "dan"))
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "dan", "fay"))
	wantLines(t, "left", e, "dan")
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

// A process is frozen before it removes the entry of a follow that a block ended, and the user follows again meanwhile.
// The process wakes, writes, and ends. The entry of the new follow is there.
func TestFrozenBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	_, err := e.Raw.Doc("viewers/bob").Update(t.Context(), []firestore.Update{{ // by a follow at the same moment
		Path: "follows.ann", Value: e.Clock.Now()}})
	testenv.Must(t, err)
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
	if doc := e.Doc(t, "viewers/bob"); doc["complete"] == true || doc["limited"] == true {
		t.Errorf("the document is %v", doc)
	}
}

// A reader who leaves a sharer, mutes one, or blocks an author sees the shares no more, at once and by another process.
func TestGraphActsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	ids := fourShares(t, e)
	other := e.Again(t, store.Options{CacheTTL: time.Hour})
	want := []line{{ids[0], "sharer3", 1}, {ids[1], "sharer2", 1}, {ids[2], "sharer1", 1}, {ids[3], "sharer0", 1}}
	check := func(what string) {
		t.Helper()
		for _, s := range []*store.Store{e.Store, other} {
			if diff := cmp.Diff(want, lines(pages(t, s, "dan", sizes(2), func() {})), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
		}
	}
	check("all")
	for _, act := range []func() error{
		func() error { return e.Graph.Unfollow(t.Context(), "dan", "sharer3") },
		func() error { return e.Shares.Hide(t.Context(), "dan", "sharer2") },
		func() error { return e.Graph.Block(t.Context(), "sharer1", "dan") }, // dan follows nobody who blocks dan
	} {
		testenv.Must(t, act())
		want = want[1:]
		check("after an act")
	}
	testenv.Must(t, e.Graph.Block(t.Context(), "dan", "ann"))
	want = nil
	check("without the author")
}
