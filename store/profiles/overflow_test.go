package profiles_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// written is a month of an author in the database.
type written struct {
	own   map[model.TweetID]model.TweetPreview            // in the month's own document
	pages map[string]map[model.TweetID]model.TweetPreview // in overflow documents that are listed
	size  int
	model.TweetMonth
}

// readMonth reads a month of ann. Overflow documents must be listed, have previews, and have
// disjoint ranges with all their previews in them.
func readMonth(t *testing.T, e *storetest.Env) written {
	t.Helper()
	const month = "ann_2026-11"
	snap, err := e.Raw.Doc("tweetMonths/" + month).Get(t.Context())
	testenv.Must(t, err)
	w := written{pages: map[string]map[model.TweetID]model.TweetPreview{}}
	testenv.Must(t, snap.DataTo(&w.TweetMonth))
	w.own, w.size = w.Tweets, int(snap.Data()["size"].(int64))
	var ranges []model.BucketPage
	for n, p := range w.Pages {
		snap, err := e.Raw.Doc("tweetMonths/" + month + "_" + n).Get(t.Context())
		testenv.Must(t, err)
		var page model.TweetMonth
		testenv.Must(t, snap.DataTo(&page))
		if w.pages[n] = page.Tweets; len(page.Tweets) == 0 {
			t.Errorf("overflow document %s has no card", n)
		}
		for id := range page.Tweets {
			if !p.Has(id.Position()) {
				t.Errorf("overflow document %s has %s, which is not in its range %v", n, id, p)
			}
		}
		ranges = append(ranges, p)
	}
	slices.SortFunc(ranges, func(a, b model.BucketPage) int { return a.Newest.Compare(b.Newest) })
	for i := 1; i < len(ranges); i++ {
		if ranges[i].Oldest.Compare(ranges[i-1].Newest) <= 0 {
			t.Errorf("the ranges %v and %v overlap", ranges[i-1], ranges[i])
		}
	}
	if listed := len(e.IDs(t, model.TweetMonths)) - 1; listed != len(w.Pages) {
		t.Errorf("there are %d overflow documents, and %d are listed", listed, len(w.Pages))
	}
	return w
}

// edit edits a tweet without its events, and returns the new version.
func edit(t *testing.T, e *storetest.Env, id model.TweetID, to ...firestore.Update) {
	t.Helper()
	_, err := e.Raw.Doc("tweets/"+string(id)).Update(t.Context(), to)
	testenv.Must(t, err)
}

// Old tweets are edited, flagged and deleted, again and again. Their previews stay in the overflow document with their
// range. So a visitor reads no more documents than before, and an overflow document is deleted with its last preview.
func TestEditsOfOldTweets(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
	e.CreateUsers(t, "ann")
	var all []model.TweetID // oldest first
	for range 5 * limit {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
		all = append(all, tweet.ID)
	}
	before := readMonth(t, e)
	if len(before.Pages) < 4 {
		t.Fatalf("the month has %d overflow documents, so the test shows little", len(before.Pages))
	}
	reconcile := func(id model.TweetID, reads, writes, deletes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "SettleCard of an old tweet", reads, writes, deletes,
			func(ctx context.Context) error {
				_, err := e.Previews.ReconcilePreview(ctx, "ann", id, model.OpenAudiencePartition)
				return err
			}))
	}
	old := all[:3*limit]
	for round := range 4 {
		for _, id := range old {
			edit(t, e, id, firestore.Update{Path: "snippet", Value: fmt.Sprint("edit ", round)},
				firestore.Update{Path: "revision", Value: round})
			for range 2 { // the event comes twice
				reconcile(id, 4, 2, 0)
			}
		}
		testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
	}
	after := readMonth(t, e)
	if diff := cmp.Diff(before.Pages, after.Pages); diff != "" {
		t.Errorf("overflow documents after edits (-before +after):\n%s", diff)
	}
	previews := months(t, e, "ann")
	for _, id := range all {
		want := "x"
		if slices.Contains(old, id) {
			want = "edit 3"
		}
		if previews[id].Snippet != want {
			t.Errorf("card of %s = %+v, want the snippet %q", id, previews[id], want)
		}
	}
	if len(previews) != len(all) {
		t.Errorf("%d cards, want %d", len(previews), len(all))
	}
	// Flags empty the overflow documents one by one. Then the tweets come back, and disappear again.
	flag := func(id model.TweetID, flagged bool) {
		t.Helper()
		edit(t, e, id, firestore.Update{Path: "isViolative", Value: flagged})
		for range 2 {
			_, err := e.Previews.ReconcilePreview(t.Context(), "ann", id, model.OpenAudiencePartition)
			testenv.Must(t, err)
		}
	}
	for range 2 {
		for _, id := range old {
			flag(id, true)
		}
		if got := readMonth(t, e); len(got.Pages) >= len(before.Pages) {
			t.Errorf("%d overflow documents without the old tweets, want fewer than %d", len(got.Pages), len(before.Pages))
		}
		if got := months(t, e, "ann"); len(got) != len(all)-len(old) {
			t.Errorf("%d cards without the old tweets, want %d", len(got), len(all)-len(old))
		}
		for _, id := range old {
			flag(id, false)
			testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
		}
		if got := readMonth(t, e); len(got.Pages) > 2*len(all)/limit {
			t.Errorf("%d overflow documents of %d tweets, want at most %d", len(got.Pages), len(all), 2*len(all)/limit)
		}
		if got := months(t, e, "ann"); len(got) != len(all) {
			t.Errorf("%d cards after the flags are gone, want %d", len(got), len(all))
		}
	}
	for _, id := range slices.Backward(all) {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
		_, err := e.Previews.ReconcilePreview(t.Context(), "ann", id, model.OpenAudiencePartition)
		testenv.Must(t, err)
	}
	if got := readMonth(t, e); len(got.Pages)+len(got.own) > 0 {
		t.Errorf("a month without tweets has %d overflow documents and %d cards", len(got.Pages), len(got.own))
	}
}

// Previews come late, twice and in any order. Meanwhile tweets are edited, flagged and deleted, and the month
// overflows. A visitor sees the present version of each public tweet once. There are at most three overflow documents
// for each limit of previews.
func TestLatePreviews(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			const limit, number = 6, 60
			e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
			e.CreateUsers(t, "ann")
			random := rand.New(rand.NewPCG(seed, 0))
			var all []*model.Tweet
			for range number {
				all = append(all, e.Tweet(t, "ann", "x"))
			}
			var work []func() error
			for i, tweet := range all {
				reconcile := func() error {
					_, err := e.Previews.ReconcilePreview(t.Context(), "ann", tweet.ID, model.OpenAudiencePartition)
					return err
				}
				put := func() error { return e.Previews.Put(t.Context(), tweet) }
				steps := []func() error{put, reconcile}
				switch i % 6 {
				case 0:
					steps = []func() error{put, func() error {
						edit(t, e, tweet.ID, firestore.Update{Path: "snippet", Value: "edited"})
						return nil
					}, reconcile, put, reconcile}
				case 1:
					steps = []func() error{put, func() error { return e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID) },
						reconcile, put, reconcile}
				case 2:
					steps = []func() error{put, func() error {
						edit(t, e, tweet.ID, firestore.Update{Path: "isViolative", Value: true})
						return nil
					}, reconcile, func() error {
						edit(t, e, tweet.ID, firestore.Update{Path: "isViolative", Value: false})
						return nil
					}, reconcile}
				}
				// Each tweet's steps are in order, and the steps of different tweets are mixed.
				at := 0
				for _, step := range steps {
					at += random.IntN(len(work) - at + 1)
					work = slices.Insert(work, at, step)
					at++
				}
			}
			for i, step := range work {
				testenv.Must(t, step())
				if i%3 == 0 {
					testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
				}
			}
			want := map[model.TweetID]string{}
			for i, tweet := range all {
				if want[tweet.ID] = "x"; i%6 == 0 {
					want[tweet.ID] = "edited"
				}
				if i%6 == 1 {
					delete(want, tweet.ID)
				}
			}
			got := map[model.TweetID]string{}
			for id, preview := range months(t, e, "ann") {
				got[id] = preview.Snippet
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("cards (-want +got):\n%s", diff)
			}
			w := readMonth(t, e)
			if most := 3*number/limit + 1; len(w.Pages) > most {
				t.Errorf("%d overflow documents of %d tweets, want at most %d", len(w.Pages), number, most)
			}
			for n, previews := range w.pages {
				if len(previews) > limit {
					t.Errorf("overflow document %s has %d cards, at most %d have room", n, len(previews), limit)
				}
			}
		})
	}
}

// An overflow splits an overflow document between the read of the month and the read of the overflow document. So the
// older half is in a document that the month did not list. No reader misses a preview.
func TestSplitWhileReading(t *testing.T) {
	t.Parallel()
	const limit, month = 4, "ann_2026-11"
	for what, read := range map[string]func(context.Context, *store.Store) (int, error){
		"a list": func(ctx context.Context, s *store.Store) (int, error) {
			found, _, err := s.Previews.TweetsBy(ctx, model.Viewer{}, "ann", "", 100)
			return len(found), err
		},
		"the newest": func(ctx context.Context, s *store.Store) (int, error) {
			err := s.Previews.RebuildHead(ctx, "ann")
			return 0, err
		},
		"a month": func(ctx context.Context, s *store.Store) (n int, err error) {
			readers, _, err := s.Previews.Months(ctx, []model.UserID{"ann"}, "2026-11", "")
			if err != nil {
				return 0, err
			}
			for r := readers["ann"][0]; ; n++ {
				position, ok, err := r.Peek(ctx)
				if !ok || err != nil {
					return n, err
				}
				r.Skip(position)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
			e.CreateUsers(t, "ann")
			var all []*model.Tweet
			for range 10 {
				all = append(all, e.Tweet(t, "ann", "x"))
			}
			put := func(numbers ...int) {
				for _, n := range numbers {
					testenv.Must(t, e.Previews.Put(t.Context(), all[n]))
				}
			}
			overflow := func() { testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, month)) }
			put(0, 2, 4, 6, 7, 8)
			overflow()
			put(1, 3, 5, 9) // three of the previews are late, and have no room in the overflow document
			before := readMonth(t, e)
			reader := e.Again(t, store.Options{PreviewsPerBucket: limit,
				Meter: meter.Options{BelowReads: storetest.AfterRead("tweetMonths/"+month, overflow)}})
			got, err := read(t.Context(), reader)
			testenv.Must(t, err)
			if after := readMonth(t, e); len(after.Pages) <= len(before.Pages) {
				t.Fatalf("no overflow document was split: %v, %v before", after.Pages, before.Pages)
			}
			if what == "the newest" {
				got = len(e.Doc(t, "heads/ann")["tweets"].(map[string]any))
			}
			if got != len(all) {
				t.Errorf("%d cards, want %d", got, len(all))
			}
		})
	}
}

// An author posts and deletes all day, and the month's size grows. Then an overflow finds the month small and corrects
// the size, and no further write enqueues an overflow.
func TestOverflowCorrectsSize(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
	e.CreateUsers(t, "ann")
	for range limit + 1 {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
		_, err := e.Previews.ReconcilePreview(t.Context(), "ann", tweet.ID, model.OpenAudiencePartition)
		testenv.Must(t, err)
	}
	if got := readMonth(t, e); got.size != limit+1 {
		t.Fatalf("the size is %d before the spill, so the test shows nothing", got.size)
	}
	testenv.Must(t, storetest.Costs(t, "OverflowBucket of a small month", 1, 1, 1, func(ctx context.Context) error {
		return e.Previews.Overflow(ctx, model.OpenAudiencePartition, "ann_2026-11")
	}))
	if got := readMonth(t, e); got.size != 0 || len(got.Pages) > 0 {
		t.Errorf("after the spill the size is %d, and there are %d overflow documents, want none", got.size, len(got.Pages))
	}
	tweet := e.Tweet(t, "ann", "x")
	testenv.Must(t, storetest.Costs(t, "Put", 0, 1, 0, func(ctx context.Context) error {
		return e.Previews.Put(ctx, tweet)
	}))
}

// The last preview of an overflow document is removed, and the answer to the commit is lost. Or another process
// reconciles a preview there meanwhile. Or the overflow document is gone, and the month still lists it.
func TestLastPreviewOfOverflow(t *testing.T) {
	t.Parallel()
	const limit, page = 4, "tweetMonths/ann_2026-11_1"
	for _, name := range []string{"alone", "the answer is lost", "another comes back meanwhile", "the document is gone"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
			e.CreateUsers(t, "ann")
			var all []model.TweetID
			for range limit + 1 {
				tweet := e.Tweet(t, "ann", "x")
				testenv.Must(t, e.Previews.Put(t.Context(), tweet))
				all = append(all, tweet.ID)
			}
			testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
			if e.Doc(t, page) == nil {
				t.Fatal("the month was not spilt")
			}
			reconcile := func(s *store.Store, id model.TweetID) error { return reconcilePreview(t, s, id) }
			for _, id := range all[:2] { // the third preview is the last there
				edit(t, e, id, firestore.Update{Path: "isViolative", Value: true})
				testenv.Must(t, reconcile(e.Store, id))
			}
			last, want := all[2], all[3:]
			edit(t, e, last, firestore.Update{Path: "isViolative", Value: true})
			slow := e.Store
			switch name {
			case "the answer is lost":
				slow = e.Again(t, store.Options{PreviewsPerBucket: limit,
					Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})
			case "another comes back meanwhile":
				want = append([]model.TweetID{all[0]}, want...)
				slow = e.Again(t, store.Options{PreviewsPerBucket: limit, Meter: meter.Options{
					Below: storetest.Before(storetest.WritesTo("tweetMonths/ann_2026-11"), func() {
						edit(t, e, all[0], firestore.Update{Path: "isViolative", Value: false})
						if err := reconcile(e.Store, all[0]); err != nil {
							t.Error(err)
						}
					}),
				}})
			case "the document is gone":
				_, err := e.Raw.Doc(page).Delete(t.Context())
				testenv.Must(t, err)
			}
			testenv.Must(t, reconcile(slow, last))
			got := model.Newest(months(t, e, "ann"), 0)
			slices.Reverse(got)
			if !slices.Equal(got, want) {
				t.Errorf("cards = %v, want %v", got, want)
			}
			if w := readMonth(t, e); len(w.Pages) != len(want)-2 {
				t.Errorf("overflow documents %v of %d cards", w.Pages, len(want))
			}
			if strings.Contains(name, "back") == (e.Doc(t, page) == nil) {
				t.Errorf("the overflow document is there: %v", e.Doc(t, page) != nil)
			}
		})
	}
}
