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

var ceilingFollowers = flag.Int("ceiling-followers", 160, "the followers of an author who posts and deletes a tweet")

// TestCeiling lets an author post a tweet and delete it at once: the most expensive pair of requests within the limits.
// It measures what the pair is billed with all its functions, and the same for a share that is taken back. The bill is
// that of an author whom nobody follows, whatever the number of followers.
func TestCeiling(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	const author, other model.UserID = "author", "other"
	fans := names("fan", *ceilingFollowers)
	e := start(t, store.Options{}, eventarc.Faults{}, func(e *env) {
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
		set(model.Users+"/"+string(other), model.User{Username: "other", Nickname: "N", CreatedAt: long})
		for _, fan := range fans {
			set(model.Users+"/"+string(fan), model.User{Username: string(fan), CreatedAt: long, FollowedCount: 1})
			set(model.Relationships+"/"+model.RelationshipKey(fan, author), model.Relationship{FollowerID: fan,
				FollowedID: author, CreatedAt: long})
			set(model.Viewers+"/"+string(fan), map[string]any{"complete": true, "copies": true, "size": 1,
				"follows": map[string]any{string(author): long}})
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
	e.clock.add(time.Minute) // a count that moves again at once would be hot, and cost a few more
	testenv.Must(t, e.Store.Tweets.DeleteTweet(ctx, author, false, id))
	e.idle(t)
	log.print(t)
	sum, requests := log.of(""), m.Snapshot()
	sum.add(bill{0, requests.Reads, requests.Writes, requests.Deletes})
	t.Logf("with the requests %d reads, %d writes, %d deletes", sum.reads, sum.writes, sum.deletes)
	// A slow machine may let events come again, and then the bill is that of more events.
	once := func() bool { return !slow.Load() && e.Runner.Stats().Retried == 0 }
	// A profile is cached for a millisecond here, so the post takes longer, and looks at it once more.
	if once() && (sum.reads > 24 || sum.writes > 16 || sum.deletes > 6) {
		t.Errorf("%d followers: %d reads, %d writes, %d deletes, want at most 24, 16, 6", len(fans), sum.reads, sum.writes,
			sum.deletes)
	}

	// Totals that move again at once would be hot, and their roll-ups would be in the next bill.
	e.clock.add(time.Minute)
	begun.Store(new(time.Now()))
	target, err := e.tweet(t.Context(), other)
	testenv.Must(t, err)
	e.idle(t)
	e.clock.add(time.Minute)
	before := log.of("")
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
	// About as expensive as the post and its deletion. Its author is notified once.
	if once() && (reads > 24 || writes > 25 || deletes > 6) {
		t.Errorf("a share and its end are billed %d reads, %d writes, %d deletes with %d followers, want at most 24, 25, 6",
			reads, writes, deletes, len(fans))
	}
	// The last follower has the tweet, although nothing was written for followers.
	id, err = e.tweet(t.Context(), author)
	testenv.Must(t, err)
	e.idle(t)
	if page, err := e.home(t.Context(), fans[len(fans)-1], 20, 1); err != nil || len(page) != 1 || page[0] != id {
		t.Errorf("the home page of a follower is %v, %v, want %s", page, err, id)
	}
}
