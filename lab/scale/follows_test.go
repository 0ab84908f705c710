package scale_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

var (
	followed = flag.Int("followed", 300, "how many users a reader follows")
	busy     = flag.Int("busy", 12, "how many of them have more tweets than a head has")
)

// TestManyFollows lets a reader who follows very many users walk through the home timeline, after a long absence. Some
// of the followed users have more tweets than their head has. The walk shows each tweet of the window once.
func TestManyFollows(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: 2 * time.Second, Patience: time.Minute})
	// The window of 30 days reaches into the month before.
	end := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	e.Clock.Set(end)
	n := *followed
	const bob = model.UserID("bob")
	b := e.Raw.BulkWriter(t.Context())
	set := func(path string, doc any) {
		_, err := b.Set(e.Raw.Doc(path), doc)
		testenv.Must(t, err)
	}
	follows, long := map[string]any{}, end.Add(-100*day)
	var want []model.TweetID
	for i := range n {
		author := model.UserID(fmt.Sprintf("author%05d", i))
		follows[string(author)] = long
		each, step := 2, 7*day+time.Duration(i)*time.Second
		if i < *busy {
			each, step = 2*model.HeadItems+i, 9*time.Hour+time.Duration(i)*time.Second // some are older than the window
		}
		var written []*model.Tweet
		months := map[model.Month]map[string]any{}
		for k := range each {
			at := end.Add(-time.Duration(k)*step - time.Minute - time.Duration(i)*time.Millisecond) // no two are equal
			id := model.NewTweetIDs(func() time.Time { return at }).Next(author)
			tweet, _, err := model.NewTweet(id, &model.User{ID: author, Username: string(author)}, nil,
				model.Draft{Content: "a spark"})
			testenv.Must(t, err)
			written = append(written, tweet)
			set(model.Tweets+"/"+string(id), tweet)
			if months[id.Month()] == nil {
				months[id.Month()] = map[string]any{}
			}
			months[id.Month()][string(id)] = tweet.Preview()
			if id.Time().After(end.Add(-model.TimelineWindow)) {
				want = append(want, id)
			}
		}
		for m, previews := range months {
			set(model.TweetMonths+"/"+model.MonthKey(author, m), map[string]any{"userId": author, "month": m,
				"tweets": previews, "size": len(previews)})
		}
		set(model.Heads+"/"+string(author), headOf(author, written))
	}
	set(model.Viewers+"/"+string(bob), map[string]any{"follows": follows, "complete": true, "copies": true, "size": n})
	b.End()
	slices.SortFunc(want, func(a, b model.TweetID) int { return b.Compare(a) })

	page := func(from timelines.Cursor) (ids []model.TweetID, next timelines.Cursor, reads int64) {
		t.Helper()
		m, begun := meter.New(), time.Now()
		items, next, _, err := e.Timelines.Home(meter.With(t.Context(), m), bob, "", from, 20)
		testenv.Must(t, err)
		for _, item := range items {
			ids = append(ids, item.ID)
		}
		if from == "" {
			t.Logf("a first page with %d follows: %d tweets, %d reads, %v", n, len(ids), m.Reads(),
				time.Since(begun).Round(time.Millisecond))
		}
		return ids, next, m.Reads()
	}
	// The sweep of the day, the graph, the reactions, a head of each author and of the reader, and the tweets.
	first, _, reads := page("")
	if most := int64(n + 4 + 20 + 1); !slices.Equal(first, want[:20]) || reads > most {
		t.Errorf("the first page costs %d reads, want at most %d, and the newest 20 tweets", reads, most)
	}
	e.Clock.Add(time.Second)
	again, _, reads := page("")
	if most := int64(3); !slices.Equal(again, first) || reads > most {
		t.Errorf("the same page costs %d reads at once, want at most %d", reads, most)
	}
	pages, most, all := 0, int64(0), map[model.TweetID]int{}
	for from := timelines.Cursor(""); ; {
		ids, next, reads := page(from)
		pages, most = pages+1, max(most, reads)
		for _, id := range ids {
			all[id]++
		}
		if from = next; from == "" {
			break
		}
	}
	t.Logf("%d tweets on %d pages, at most %d reads a page", len(all), pages, most)
	for _, id := range want {
		if all[id] != 1 {
			t.Fatalf("the walk shows %s of %v %d times; it has %d tweets, want %d", id, id.Time(), all[id], len(all), len(want))
		}
	}
	if len(all) != len(want) {
		t.Errorf("the walk shows %d tweets, want %d", len(all), len(want))
	}
	// The tweets, 2 reads, a query for changes of heads and of tweets, and a month of each busy author.
	if limit := int64(20 + 2 + 6 + 2*(*busy)); most > limit {
		t.Errorf("a page costs %d reads, want at most %d", most, limit)
	}
	if last := slices.MinFunc(slices.Collect(maps.Keys(all)), model.TweetID.Compare); last.Month() == model.MonthOf(end) {
		t.Error("the walk ended within the month")
	}
}

// TestFollowsWhileAuthorsWrite lets authors write, delete and be followed and left for more than a month, while readers
// walk through their home timelines.
func TestFollowsWhileAuthorsWrite(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	e := start(t, store.Options{PreviewsPerBucket: 12, WriteEvery: 50 * time.Millisecond,
		FlushAfter: 50 * time.Millisecond}, faults(), func(e *env) {
		e.clock.set(time.Date(2026, time.March, 13, 12, 0, 0, 0, time.UTC))
	})
	readers, authors := names("reader", 8), names("author", 2)
	e.users(t, append(readers, authors...)...)
	for _, author := range authors {
		e.tweets(t, author, model.HeadItems+5)
	}
	e.idle(t)
	for round := range 4 { // ten days each, so that there are tweets that are too old
		e.traffic(t, func(ctx context.Context, rng *rand.Rand) error {
			return e.crowd(ctx, rng, readers, authors, round%2 == 0)
		}, authors, 5, readers)
		e.idle(t)
		e.audit(t, readers)
		e.clock.add(10*day + time.Duration(e.rng.IntN(24))*time.Hour)
	}
	e.traffic(t, func(context.Context, *rand.Rand) error { return nil }, authors, 5, readers)
	e.idle(t)
	e.audit(t, readers)
	e.checkOverflow(t)
}

func faults() eventarc.Faults {
	return eventarc.Faults{Duplicate: 2, Delay: 200 * time.Millisecond, Drop: 0.05}
}
