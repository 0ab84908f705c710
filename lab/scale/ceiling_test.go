package scale_test

import (
	"flag"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var ceilingFollowers = flag.Int("ceiling-followers", 160, "the active followers of an author who posts and deletes a "+
	"tweet")

// TestCeiling posts a tweet to active followers, as many as an author may have whose tweets are pushed, and deletes it
// at once: the most expensive pair of requests within the limits. It measures what the pair is billed with all its
// functions. A share that is taken back at once writes to as many timelines.
func TestCeiling(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	const author, other model.UserID = "author", "other"
	fans := names("fan", *ceilingFollowers)
	o := store.Options{FollowersPerPage: min(*ceilingFollowers-1, model.FollowersPerPage), PullAbove: *ceilingFollowers}
	e := start(t, o, eventarc.Faults{}, func(e *env) {
		b := e.raw.BulkWriter(t.Context())
		set := func(path string, doc any) {
			_, err := b.Set(e.raw.Doc(path), doc)
			testenv.Must(t, err)
		}
		// at an hour's end the trends of another hour are in the bill
		e.clock.set(time.Now().Truncate(time.Hour).Add(10 * time.Minute))
		long := time.Now().Add(-400 * day)
		set(model.Users+"/"+string(author), model.User{Username: "author", Nickname: "N", CreatedAt: long,
			FollowerCount: int64(len(fans))})
		set(model.FollowerPages+"/"+model.FollowerPageKey(author), map[string]any{"followers": map[string]any{},
			"pages": model.FollowerPageCount})
		set(model.Users+"/"+string(other), model.User{Username: "other", Nickname: "N", CreatedAt: long})
		pages := make([]map[string]any, model.FollowerPageCount)
		for i := range pages {
			pages[i] = map[string]any{}
		}
		for _, fan := range fans {
			pages[model.FollowerPage(fan)][string(fan)] = long
		}
		for n, page := range pages {
			set(model.FollowerPages+"/"+model.HashedFollowerPageKey(author, n), map[string]any{"followers": page})
		}
		b.End()
	})
	log := &bills{}
	server := httptest.NewServer(functions.Handler(e.Store, gcplog.New(log, slog.LevelInfo)))
	t.Cleanup(server.Close)
	e.Runner.SetFunctionsURL(server.URL)

	m := meter.New()
	ctx := meter.With(t.Context(), m)
	// A tweet whose first event is 10 s late, on a slow machine, reads more.
	var slow atomic.Bool
	var begun atomic.Pointer[time.Time] // when a tweet was posted that has no preview yet
	e.writes.hook(func(path string) {
		if !strings.HasPrefix(path, model.TweetMonths+"/") {
			return
		}
		if at := begun.Swap(nil); at != nil && time.Since(*at) > 9*time.Second {
			slow.Store(true)
		}
	})
	begun.Store(new(time.Now()))
	id, err := e.tweet(ctx, author)
	testenv.Must(t, err)
	e.idle(t)
	posted := e.writes.count(model.Timelines + "/")
	e.clock.add(time.Minute) // a count that moves again at once would be hot, and cost a few more
	testenv.Must(t, e.Store.Tweets.DeleteTweet(ctx, author, false, id))
	e.idle(t)
	log.print(t)
	sum, requests := log.of(""), m.Snapshot()
	sum.add(bill{0, requests.Reads, requests.Writes, requests.Deletes})
	t.Logf("with the requests %d reads, %d writes, %d deletes", sum.reads, sum.writes, sum.deletes)
	// A slow machine may let events come again, and then the bill is that of more events.
	once := func() bool { return !slow.Load() && e.Runner.Stats().Retried == 0 }
	if all := e.writes.count(model.Timelines + "/"); once() && (posted != len(fans) || all != 2*len(fans)) {
		t.Errorf("the tweet took %d writes of timelines to %d followers, and %d with its deletion", posted, len(fans), all)
	}
	// What does not grow with the followers: see docs/reports/costs.md. A profile is cached for a millisecond
	// here, so the post takes longer, and looks at it once more.
	if rest := sum.writes - int64(2*len(fans)); once() && (sum.reads > 72+1 || rest > 46 || sum.deletes > 35) {
		t.Errorf("beside the followers %d reads, %d writes, %d deletes, want at most 72, 46, 35", sum.reads, rest,
			sum.deletes)
	}

	// Totals that move again at once would be hot, and their roll-ups would be in the next bill.
	e.clock.add(time.Minute)
	begun.Store(new(time.Now()))
	target, err := e.tweet(t.Context(), other)
	testenv.Must(t, err)
	e.idle(t)
	e.clock.add(time.Minute)
	before, all := log.of(""), e.writes.count(model.Timelines+"/")
	m = meter.New()
	ctx = meter.With(t.Context(), m)
	testenv.Must(t, e.Store.Shares.Share(ctx, author, target))
	e.idle(t)
	e.clock.add(time.Minute)
	testenv.Must(t, e.Store.Shares.Unshare(ctx, author, target))
	e.idle(t)
	after := log.of("")
	log.print(t)
	requests = m.Snapshot()
	reads, writes, deletes := after.reads-before.reads+requests.Reads, after.writes-before.writes+requests.Writes,
		after.deletes-before.deletes+requests.Deletes
	t.Logf("a share and its end: %d reads, %d writes, %d deletes", reads, writes, deletes)
	if n := e.writes.count(model.Timelines+"/") - all; once() && n != 2*len(fans) {
		t.Errorf("a share and its end took %d writes of timelines to %d followers", n, len(fans))
	}
	// About as expensive as the post and its deletion. Its author is notified once.
	if rest := writes - int64(2*len(fans)); once() && (reads > 68 || rest > 52 || deletes > 33) {
		t.Errorf("a share and its end are billed %d reads, %d writes, %d deletes beside the followers, want at most 68, "+
			"52, 33", reads, rest, deletes)
	}
}
