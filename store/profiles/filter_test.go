package profiles_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/profiles"
)

// listed reads all pages of a filtered list. most is the largest number of reads that a page cost.
func listed(t *testing.T, e *storetest.Env, f profiles.Filter, limit int) (ids []model.TweetID, most int64) {
	t.Helper()
	for before := model.TweetID(""); ; {
		var m meter.Meter
		items, next, err := e.Previews.Only(f).TweetsBy(meter.With(t.Context(), &m), model.Viewer{}, "ann", before, limit)
		testenv.Must(t, err)
		if len(items) > limit {
			t.Errorf("a page of %d has %d tweets", limit, len(items))
		}
		for _, c := range items {
			ids = append(ids, c.ID)
		}
		if most = max(most, m.Reads()); next == "" {
			return ids, most
		}
		if before != "" && next.Compare(before) >= 0 {
			t.Fatalf("the page after %s goes on from %s", before, next)
		}
		before = next
	}
}

// Root tweets, tweets with an image and tweets with a tag each have a list of their own, over pages and months.
func TestFilters(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 8})
	e.CreateUsers(t, "ann")
	root := e.Publish(t, "ann", "first").ID
	all := []model.TweetID{root}
	for i := range 60 {
		e.Clock.Add(20 * time.Hour) // over two ends of months
		d := model.Draft{Content: fmt.Sprintf("spark %d", i)}
		if i%3 == 0 {
			d.ReplyTo = &root
		}
		if i%4 == 0 {
			d.Content += " ![a](https://example.com/a.png)"
		}
		if i%10 == 5 {
			d.Content += " #Rare"
		}
		tweet := e.Draft(t, "ann", d)
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		_, err := e.Previews.Reconcile(t.Context(), tweet)
		testenv.Must(t, err)
		all = append(all, tweet.ID)
	}
	want := map[profiles.Filter][]model.TweetID{}
	for _, id := range all {
		now, err := e.Tweets.TweetsNow(t.Context(), []model.TweetID{id})
		testenv.Must(t, err)
		tw := now[id]
		for _, f := range []profiles.Filter{{}, {Roots: true}, {Media: true}, {Tag: "rare"}, {Roots: true, Media: true},
			{Tag: "none"}} {
			if _, tagged := tw.Tags[f.Tag]; (!f.Roots || tw.ReplyTo == nil) && (!f.Media || tw.HasMedia) &&
				(f.Tag == "" || tagged) {
				want[f] = slices.Insert(want[f], 0, id)
			}
		}
	}
	if len(want[profiles.Filter{Media: true}]) != 15 || len(want[profiles.Filter{Tag: "rare"}]) != 6 ||
		len(want[profiles.Filter{Roots: true}]) != 41 {
		t.Fatal("the tweets are not what the test needs")
	}
	for f, ids := range want {
		for _, limit := range []int{1, 7, 20, 100} {
			if got, _ := listed(t, e, f, limit); !slices.Equal(got, ids) {
				t.Errorf("%+v by pages of %d: %d tweets, want %d", f, limit, len(got), len(ids))
			}
		}
	}
	testenv.Must(t, storetest.Costs(t, "a first page that the newest tweets fill", 1, 0, 0,
		func(ctx context.Context) error {
			_, _, err := e.Previews.Only(profiles.Filter{Roots: true}).TweetsBy(ctx, model.Viewer{}, "ann", "", 5)
			return err
		}))
}

// A filter that selects few tweets makes pages end early, and the list goes on.
func TestRareFilter(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var want []model.TweetID
	for i := range 40 { // months
		if i%20 == 0 {
			want = slices.Insert(want, 0, e.Publish(t, "ann", "#rare").ID)
		}
		e.Publish(t, "ann", "a spark")
		e.Clock.Add(31 * 24 * time.Hour)
	}
	got, most := listed(t, e, profiles.Filter{Tag: "rare"}, 20)
	if !slices.Equal(got, want) {
		t.Errorf("the list has %v, want %v", got, want)
	}
	if most > 15 {
		t.Errorf("a page took %d reads, want 15 at most", most)
	}
	testenv.Must(t, storetest.Costs(t, "a page of nothing", 13, 0, 0, func(ctx context.Context) error {
		items, next, err := e.Previews.Only(profiles.Filter{Media: true}).TweetsBy(ctx, model.Viewer{}, "ann", "", 20)
		if len(items) != 0 || next == "" {
			t.Errorf("the page has %d tweets, and goes on from %q", len(items), next)
		}
		return err
	}))
}
