package scale_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var likes = flag.Int("likes", 300, "how many users like one tweet at once")

const (
	// wantLag is how soon a like is to be counted after its event was delivered. It is
	// printed beside what was measured, and not held against a machine that does
	// everything at once.
	wantLag = 3 * time.Second

	// mostLikes is how many likes of one tweet a second docs/operate/limits.md says that the
	// database takes: they share an index. It is printed, too.
	mostLikes = 500

	// mostWrites is how often any document but a shard may be written in any second.
	mostWrites = 2
)

// TestHotCounter likes one tweet as fast as the machine allows.
func TestHotCounter(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	e := start(t, store.Options{}, eventarc.Faults{Duplicate: 2, Delay: 300 * time.Millisecond})
	e.users(t, "ann")
	id, err := e.tweet(t.Context(), "ann")
	testenv.Must(t, err)
	inParallel(t, *likes, func(ctx context.Context, i int) error { // who likes has a profile
		fan := fmt.Sprintf("fan%d", i)
		_, err := e.raw.Collection(model.Users).Doc(fan).Set(ctx, model.User{Username: fan})
		return err
	})
	e.idle(t)
	var delivered arrivals
	e.front(t, delivered.of("LikeChanged"))

	done, lags := make(chan struct{}), make(chan lag)
	go func() { lags <- e.watch(t, id, &delivered, done) }()
	begun := time.Now()
	inParallel(t, *likes, func(ctx context.Context, i int) error {
		return e.Store.Reactions.Like(ctx, model.UserID(fmt.Sprintf("fan%d", i)), id)
	})
	liked := time.Since(begun)
	e.idle(t)
	reconciled := time.Since(begun)
	close(done)
	l := <-lags
	rate := func(during time.Duration) float64 { return float64(*likes) / during.Seconds() }
	t.Logf("%d likes in %.1f s, %.0f a second (the database takes %d a second of one tweet); all counted and notified "+
		"after %.1f s, %.0f a second; "+
		"lag at most %.2f s in %d samples (meant to be under %v)",
		*likes, liked.Seconds(), rate(liked), mostLikes, reconciled.Seconds(), rate(reconciled), l.most.Seconds(), l.samples,
		wantLag)

	tweet, err := e.Store.Tweets.Tweet(t.Context(), id, model.Viewer{})
	testenv.Must(t, err)
	if tweet.LikeCount != int64(*likes) {
		t.Errorf("likeCount = %d, want %d", tweet.LikeCount, *likes)
	}
	e.rolledUp(t, model.Tweets, string(id), model.LikeCount, int64(*likes))
	previews, _, err := e.Store.NotificationEvents.Notifications(t.Context(), "ann", nil, model.Cursor{}, 10)
	testenv.Must(t, err)
	var notified int64
	for _, preview := range previews.Items { // one a day
		notified += preview.CountUsers
	}
	if notified != int64(*likes) {
		t.Errorf("ann is notified of %d people's likes, want %d", notified, *likes)
	}
	e.checkRates(t)
}

// rolledUp checks that what stands in the shards of a document was all rolled up. The
// first few increments go into the document itself.
func (e *env) rolledUp(t *testing.T, collection, id, field string, atMost int64) {
	t.Helper()
	parent, err := e.raw.Collection(collection).Doc(id).Get(t.Context())
	testenv.Must(t, err)
	shards, err := parent.Ref.Collection(model.Shards).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	var sum int64
	for _, s := range shards {
		n, _ := s.Data()[field].(int64)
		sum += n
	}
	rolled, _ := parent.Data()["rolled"].(map[string]any)
	if rolled[field] != sum || sum > atMost {
		t.Errorf("%s of %s: %d shards hold %d, of which %v are rolled up, want all and at most %d", field, id, len(shards),
			sum, rolled[field], atMost)
	}
}

// logRates logs how often documents were written.
func (e *env) logRates(t *testing.T) map[string]rate {
	t.Helper()
	rates := e.writes.rates()
	for _, kind := range slices.Sorted(maps.Keys(rates)) {
		r := rates[kind]
		t.Logf("%-32s %6d documents, %6d writes, one at most %d times in a second", kind, r.documents, r.writes, r.most)
	}
	return rates
}

// checkRates checks that none was written too often.
func (e *env) checkRates(t *testing.T) {
	t.Helper()
	for kind, r := range e.logRates(t) {
		if r.most > mostWrites && !mayBeHot(kind) {
			t.Errorf("%s is written %d times in one second, want at most %d", r.document, r.most, mostWrites)
		}
	}
}

// mayBeHot reports which documents may be written more often: shards, and work documents,
// which come and go.
func mayBeHot(kind string) bool {
	collection, _, _ := strings.Cut(kind, "/")
	return strings.HasSuffix(kind, "/"+model.Shards+"/*") ||
		slices.Contains([]string{model.RollUps, model.Flushes, model.Overflows, model.Sweeps},
			collection)
}

// arrivals are the times at which events first reached a function.
type arrivals struct {
	mu   sync.Mutex
	seen map[string]bool
	at   []time.Time
}

func (a *arrivals) of(function string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/"+function {
				a.note(r.Header.Get("ce-id"))
			}
			next.ServeHTTP(w, r)
		})
	}
}

func (a *arrivals) note(event string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	if !a.seen[event] {
		a.seen[event] = true
		a.at = append(a.at, time.Now())
	}
}

// after returns how long ago the first event arrived that is not among n counted ones;
// 0 if there is none.
func (a *arrivals) after(n int64, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n >= int64(len(a.at)) {
		return 0
	}
	return now.Sub(a.at[n])
}

type lag struct {
	most    time.Duration
	samples int
}

// watch reads the tweet again and again until done.
func (e *env) watch(t *testing.T, id model.TweetID, delivered *arrivals, done <-chan struct{}) (l lag) {
	for {
		now := time.Now()
		tweet, err := e.Store.Tweets.Tweet(t.Context(), id, model.Viewer{})
		if err != nil {
			t.Error(err)
			return l
		}
		l.samples++
		l.most = max(l.most, delivered.after(tweet.LikeCount, now))
		select {
		case <-done:
			return l
		case <-time.After(100 * time.Millisecond):
		}
	}
}
