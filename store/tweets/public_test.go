package tweets_test

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// publicTweets writes n tweets, many of them in one millisecond, and every third as a reply. It returns the tweets in
// the order of the public timeline.
func publicTweets(t *testing.T, e *storetest.Env, n int) []*model.Tweet {
	t.Helper()
	all := make([]*model.Tweet, n)
	var root *model.TweetID
	for i := range all {
		if i%7 == 0 {
			e.Clock.Add(time.Millisecond)
		}
		d := model.Draft{Content: "a spark", AllowLikes: true, AllowReplies: true}
		if i%3 == 1 {
			d.ReplyTo = root
		}
		all[i] = e.Draft(t, []model.UserID{"ann", "bob"}[i%2], d)
		root = &all[i].ID
	}
	slices.SortFunc(all, func(a, b *model.Tweet) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return all
}

func idsOf(tweets []*model.Tweet) []model.TweetID {
	ids := make([]model.TweetID, len(tweets))
	for i, t := range tweets {
		ids[i] = t.ID
	}
	return ids
}

// Pages of any size follow each other without a gap and without a repetition, also between tweets of one time.
func TestPublic(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	all := publicTweets(t, e, 70)
	_, err := e.Raw.Doc("tweets/"+string(all[10].ID)).
		Update(t.Context(), []firestore.Update{{Path: "isViolative", Value: true}})
	testenv.Must(t, err)
	all = slices.Delete(all, 10, 11)
	roots := slices.DeleteFunc(slices.Clone(all), func(tw *model.Tweet) bool { return tw.ReplyTo != nil })
	if len(roots) < 40 || len(roots) == len(all) {
		t.Fatalf("%d of %d are root tweets", len(roots), len(all))
	}
	for _, limit := range []int{1, 3, 7, 20, 69, 100} {
		for replies, want := range map[bool][]*model.Tweet{false: roots, true: all} {
			var got []*model.Tweet
			for from := (model.Cursor{}); ; {
				page, err := e.Tweets.Public(t.Context(), replies, from, limit)
				testenv.Must(t, err)
				if len(page.Items) > limit || len(page.Items) == 0 && !page.Next.IsZero() {
					t.Fatalf("a page of %d has %d, and next is %+v", limit, len(page.Items), page.Next)
				}
				got = append(got, page.Items...)
				if from = page.Next; from.IsZero() {
					break
				}
			}
			if diff := gocmp.Diff(idsOf(want), idsOf(got)); diff != "" {
				t.Errorf("replies %v in pages of %d (-want +got):\n%s", replies, limit, diff)
			}
		}
	}
}

// TestPublicCost limits the cost of a page, on average and at most.
func TestPublicCost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	publicTweets(t, e, 300)
	for _, test := range []struct{ limit, pages int }{{1, 20}, {5, 20}, {20, 14}, {100, 3}} {
		var total, most int64
		items := 0
		from := model.Cursor{}
		for range test.pages {
			m := meter.New()
			page, err := e.Tweets.Public(meter.With(t.Context(), m), true, from, test.limit)
			testenv.Must(t, err)
			if items += len(page.Items); len(page.Items) > test.limit {
				t.Fatalf("a page of %d has %d", test.limit, len(page.Items))
			}
			from = page.Next
			total, most = total+m.Reads(), max(most, m.Reads())
		}
		if items < test.pages*test.limit*9/10 { // a page rarely ends early
			t.Errorf("%d pages of %d have %d tweets", test.pages, test.limit, items)
		}
		mean := float64(total) / float64(test.pages)
		t.Logf("a page of %d costs %.1f reads on average, %d at most", test.limit, mean, most)
		if limit := 1.1*float64(test.limit) + 2*model.PublicShards; mean > limit {
			t.Errorf("a page of %d costs %.1f reads on average, want at most %v", test.limit, mean, limit)
		}
		if limit := int64(test.limit + 4*model.PublicShards); most > limit {
			t.Errorf("a page of %d costs %d reads, want at most %d", test.limit, most, limit)
		}
	}
}

// If all the newest tweets are in one shard, pages end early and cost no more than others. They still follow each other
// without a gap.
func TestPublicOfOneShard(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	all := publicTweets(t, e, 200)
	w := e.Raw.BulkWriter(t.Context())
	for i, tw := range all {
		shard := 0
		if i >= 120 {
			shard = 1 + i%(model.PublicShards-1)
		}
		_, err := w.Update(e.Raw.Doc("tweets/"+string(tw.ID)), []firestore.Update{{Path: "publicShard", Value: shard}})
		testenv.Must(t, err)
	}
	w.End()
	for _, limit := range []int{model.PublicShards - 1, 20, 50, 100} {
		var got []*model.Tweet
		for from := (model.Cursor{}); ; {
			m := meter.New()
			page, err := e.Tweets.Public(meter.With(t.Context(), m), true, from, limit)
			testenv.Must(t, err)
			if most := int64(limit + 4*model.PublicShards); m.Reads() > most {
				t.Errorf("a page of %d costs %d reads, want at most %d", limit, m.Reads(), most)
			}
			if len(page.Items) == 0 && !page.Next.IsZero() {
				t.Fatalf("a page of %d has nothing and is not the last", limit)
			}
			got = append(got, page.Items...)
			if from = page.Next; from.IsZero() {
				break
			}
		}
		if diff := gocmp.Diff(idsOf(all), idsOf(got)); diff != "" {
			t.Errorf("in pages of %d (-want +got):\n%s", limit, diff)
		}
	}
}

// Callers that request the same page within a second share one read. An older page is shown while one refresh reads it
// anew. The first caller who gets the new page pays.
func TestPublicIsShared(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	all := idsOf(publicTweets(t, e, 30))

	read := func() []int64 {
		var mu sync.Mutex
		var reads []int64
		g, ctx := errgroup.WithContext(t.Context())
		for range 16 {
			g.Go(func() error {
				m := meter.New()
				page, err := e.Tweets.Public(meter.With(ctx, m), true, model.Cursor{}, 10)
				if diff := gocmp.Diff(all[:10], idsOf(page.Items)); diff != "" {
					t.Errorf("page (-want +got):\n%s", diff)
				}
				mu.Lock()
				reads = append(reads, m.Reads())
				mu.Unlock()
				return err
			})
		}
		testenv.Must(t, g.Wait())
		slices.Sort(reads)
		return reads
	}
	if reads := read(); reads[15] < 10 || reads[14] > 0 {
		t.Errorf("16 at once were billed %v reads, want one of them all", reads)
	}

	e.Clock.Add(time.Millisecond)
	newest := e.Tweet(t, "ann", "new").ID
	e.Clock.Add(900 * time.Millisecond)
	if reads := read(); reads[15] > 0 {
		t.Errorf("within a second, reading again was billed %v", reads)
	}
	e.Clock.Add(100 * time.Millisecond)
	page := func() (newest model.TweetID, reads int64) {
		m := meter.New()
		got, err := e.Tweets.Public(meter.With(t.Context(), m), true, model.Cursor{}, 10)
		testenv.Must(t, err)
		return got.Items[0].ID, m.Reads()
	}
	for shown, reads := page(); ; shown, reads = page() {
		if shown == newest {
			if reads < 10 {
				t.Errorf("the first who got the new page was billed %d reads, want them all", reads)
			}
			break
		}
		if reads > 0 {
			t.Errorf("the old page was billed %d reads", reads)
		}
		time.Sleep(time.Millisecond)
	}
	all = append([]model.TweetID{newest}, all...)
	if reads := read(); reads[15] > 0 {
		t.Errorf("the new page was billed again: %v", reads)
	}
	e.Clock.Add(11 * time.Second)
	if reads := read(); reads[15] < 10 || reads[14] > 0 {
		t.Errorf("after 11 s, 16 at once were billed %v reads, want one of them all", reads)
	}

	// If a caller goes away, the read goes on for the others.
	e.CoolDown()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = e.Tweets.Public(ctx, true, model.Cursor{}, 10)
	if reads := read(); reads[15] > 0 {
		t.Errorf("what a caller left behind was read again for %v", reads)
	}
}
