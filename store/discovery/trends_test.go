package discovery_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// list writes the held usages, and reads the trends past the cache: tags and tweets with how many use them.
func list(t *testing.T, e *storetest.Env, language string) []string {
	t.Helper()
	testenv.Must(t, e.Trends.Flush(t.Context()))
	s := e.Again(t, store.Options{})
	l, err := s.Trends.Trends(t.Context(), model.Viewer{}, language)
	testenv.Must(t, err)
	got := []string{}
	for _, tag := range l.Tags {
		got = append(got, fmt.Sprint("#", tag.Label, " ", tag.Uses))
	}
	for _, tweet := range l.Tweets {
		got = append(got, fmt.Sprint(tweet.Tweet.Snippet, " ", tweet.Uses))
	}
	return got
}

func wantList(t *testing.T, e *storetest.Env, language string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), list(t, e, language)); diff != "" {
		t.Errorf("trends in %q (-want +got):\n%s", language, diff)
	}
}

func trendsPost(t *testing.T, e *storetest.Env, author model.UserID, d model.Draft) *model.Tweet {
	t.Helper()
	d.AllowLikes, d.AllowReplies = true, true
	tweet := e.Draft(t, author, d)
	e.Trends.Tweet(t.Context(), tweet.ID, nil, tweet, e.Clock.Now())
	return tweet
}

// like likes a tweet or takes the like back, as its event says.
func like(t *testing.T, e *storetest.Env, by model.UserID, of *model.Tweet, on bool) {
	t.Helper()
	e.Trends.Mark(t.Context(), model.Like{UserID: by, TweetID: of.ID, AuthorID: of.AuthorID, CreatedAt: of.CreatedAt,
		Language: of.TrendLanguage()}, on, e.Clock.Now())
}

// share shares a tweet or takes the share back, as its event says.
func share(t *testing.T, e *storetest.Env, by model.UserID, of *model.Tweet, on bool) {
	t.Helper()
	e.Trends.Mark(t.Context(), model.Share{UserID: by, TweetID: of.ID, AuthorID: of.AuthorID, CreatedAt: of.CreatedAt,
		Language: of.TrendLanguage()}, on, e.Clock.Now())
}

// Tags and tweets are trends by the accounts that use them, each once an hour, in the language of the usage. They stop
// when their tweets are deleted, or are for fewer users.
func TestTrends(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	wantList(t, e, "")
	a := trendsPost(t, e, "ann", model.Draft{Content: "one #Spark #ann", Language: "en-GB"})
	wantList(t, e, "")
	var b *model.Tweet
	testenv.Must(t, storetest.Costs(t, "a use", 0, 0, 0, func(ctx context.Context) error {
		b = e.Draft(t, "bob", model.Draft{Content: "火花です #spark", AllowLikes: true, AllowReplies: true})
		e.Trends.Tweet(ctx, b.ID, nil, b, e.Clock.Now())
		return nil
	}))
	testenv.Must(t, storetest.Costs(t, "uses beside others", 0, 1, 0, e.Trends.Flush))
	testenv.Must(t, storetest.Costs(t, "no use", 0, 0, 0, func(ctx context.Context) error {
		plain := e.Draft(t, "bob", model.Draft{Content: "plain", AllowLikes: true, AllowReplies: true})
		e.Trends.Tweet(ctx, plain.ID, nil, plain, e.Clock.Now())
		return e.Trends.Flush(ctx)
	}))
	testenv.Must(t, storetest.Costs(t, "an event again", 0, 0, 0, func(ctx context.Context) error {
		e.Trends.Tweet(ctx, b.ID, nil, b, e.Clock.Now())
		return e.Trends.Flush(ctx)
	}))
	wantList(t, e, "", "#Spark 2")
	trendsPost(t, e, "bob", model.Draft{Content: "火花だよ #spark"}) // the same account
	wantList(t, e, "", "#Spark 2")
	trendsPost(t, e, "cat", model.Draft{Content: "more #spark", Language: "en"})
	hidden := trendsPost(t, e, "dan", model.Draft{Content: "#spark for few", Visibility: model.Followers})
	wantList(t, e, "", "#Spark 3")
	wantList(t, e, "en", "#Spark 2")
	wantList(t, e, "ja") // one account

	for _, by := range []model.UserID{"ann", "bob", "cat"} {
		like(t, e, by, a, true)
		share(t, e, by, a, true)
		like(t, e, by, hidden, true)
	}
	reply := trendsPost(t, e, "dan", model.Draft{Content: "yes", ReplyTo: &a.ID, Language: "en"})
	wantList(t, e, "", "#Spark 3", "one #Spark #ann 3") // ann does not count for her own
	wantList(t, e, "en", "#Spark 2", "one #Spark #ann 3")
	e.Clock.Add(time.Minute)
	like(t, e, "bob", a, false)
	wantList(t, e, "en", "#Spark 2", "one #Spark #ann 3") // bob shares it still
	share(t, e, "bob", a, false)
	e.Trends.Tweet(t.Context(), reply.ID, reply, nil, e.Clock.Now())
	wantList(t, e, "", "#Spark 3")

	// A late event of a deleted tweet changes nothing.
	e.Trends.Tweet(t.Context(), reply.ID, nil, reply, e.Clock.Now().Add(-time.Minute))
	wantList(t, e, "", "#Spark 3")
	e.Clock.Add(time.Minute)
	like(t, e, "bob", a, true)
	wantList(t, e, "", "#Spark 3", "one #Spark #ann 2")

	// A flagged tweet does not count, nor does one for fewer people. It is not shown, even if
	// its event is lost.
	few := *a
	few.Visibility, few.Tags = model.Followers, nil
	e.Clock.Add(time.Minute)
	e.Trends.Tweet(t.Context(), a.ID, a, &few, e.Clock.Now())
	wantList(t, e, "", "#Spark 2", "one #Spark #ann 2")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, a.ID))
	wantList(t, e, "", "#Spark 2")

	// Those who ended all sessions count as before, and take no suspended account's place.
	ended := func(uid string) {
		_, err := e.Raw.Collection(model.AccountStatuses).Doc(uid).
			Set(t.Context(), map[string]any{"validSince": e.Clock.Now(), "changedAt": e.Clock.Now()})
		testenv.Must(t, err)
	}
	ended("bob")
	ended("cat")
	wantList(t, e, "", "#Spark 2")

	// Accounts that were suspended meanwhile do not count.
	_, err := e.Raw.Collection(model.AccountStatuses).Doc("cat").
		Set(t.Context(), map[string]any{"state": "suspended", "changedAt": e.Clock.Now()})
	testenv.Must(t, err)
	e.Clock.Add(time.Second)
	for n := range 20 {
		ended(fmt.Sprintf("puppet%d", n))
	}
	wantList(t, e, "")
}

// Usage of hours ago is no longer lately. It becomes the usual usage.
func TestUsual(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	users := []model.UserID{"ann", "bob", "cat", "dan", "eve", "fay"}
	e.CreateUsers(t, users...)
	for h := range 60 {
		for _, by := range users[:4] {
			trendsPost(t, e, by, model.Draft{Content: "#daily"})
		}
		testenv.Must(t, e.Trends.Flush(t.Context()))
		if h == 1 {
			wantList(t, e, "", "#daily 8")
		}
		e.Clock.Add(time.Hour)
	}
	for _, by := range users {
		trendsPost(t, e, by, model.Draft{Content: "#daily #new"})
	}
	got := list(t, e, "")
	if !slices.Equal(got, []string{"#new 6", "#daily 14"}) && !slices.Equal(got, []string{"#new 6"}) {
		t.Errorf("trends are %v, want new first", got)
	}
	doc := e.Doc(t, "trends/usual")
	tags, _ := doc["tags"].(map[string]any)
	if usual, _ := tags["daily"].(float64); usual < 2 || usual > 4 || tags["new"] != nil {
		t.Errorf("the usual is %v, want about 3 of daily, and none of new", tags)
	}
	e.Clock.Add(3 * time.Hour)
	wantList(t, e, "")
	// Nothing is written for a month, and two processes begin again at once.
	e.Clock.Add(30 * 24 * time.Hour)
	var both sync.WaitGroup
	for _, s := range []*store.Store{e.Again(t, store.Options{}), e.Again(t, store.Options{})} {
		both.Go(func() {
			tweet := e.Tweet(t, users[rand.IntN(6)], "#again")
			s.Trends.Tweet(t.Context(), tweet.ID, nil, tweet, e.Clock.Now())
			if err := s.Trends.Flush(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if through, _ := e.Doc(t, "trends/usual")["through"].(time.Time); !through.Equal(model.HourOf(e.Clock.Now()).Add(
		-model.TrendHours).Time) {
		t.Errorf("the usual is through %v at %v", through, e.Clock.Now())
	}
}

// Processes that write one hour concurrently lose no usage, although commits fail and answers are lost, and usages of
// one moment share writes.
func TestProcesses(t *testing.T) {
	t.Parallel()
	losses := storetest.LoseAnswers(3, 0.3)
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a := trendsPost(t, e, "ann", model.Draft{Content: "a spark"})
	const processes, rounds, each = 4, 8, 3 // so many commits that an answer is lost
	m := meter.New()
	var all sync.WaitGroup
	for p := range processes {
		s := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
		all.Go(func() {
			for round := range rounds {
				var callers sync.WaitGroup
				for n := range each {
					l := &model.Like{UserID: model.UserID(fmt.Sprint("user", p, "-", round, "-", n)), TweetID: a.ID, AuthorID: "ann",
						CreatedAt: a.CreatedAt, Language: "en"}
					for range 2 { // every event comes twice
						callers.Go(func() { s.Trends.Mark(t.Context(), l, true, e.Clock.Now()) })
					}
				}
				callers.Wait()
				for range 2 { // at once
					callers.Go(func() {
						for s.Trends.Flush(meter.With(t.Context(), m)) != nil && t.Context().Err() == nil {
							time.Sleep(time.Millisecond)
						}
					})
				}
				callers.Wait()
			}
		})
	}
	all.Wait()
	wantList(t, e, "", fmt.Sprint("a spark ", processes*rounds*each))
	if uses, writes := int64(processes*rounds*each*2), m.Snapshot().Writes; writes > uses/2 {
		t.Errorf("%d uses made %d writes", uses, writes)
	}
	if losses.SentAgain() == 0 {
		t.Error("no answer was lost")
	}
}

// The first caller pays, and others share the result. No viewer sees a tweet that only another may see.
func TestShared(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Second})
	e.CreateUsers(t, "ann", "bob")
	a := trendsPost(t, e, "ann", model.Draft{Content: "#go a"})
	trendsPost(t, e, "bob", model.Draft{Content: "#go b", ReplyTo: &a.ID})
	trendsPost(t, e, "bob", model.Draft{Content: "#other", QuoteOf: a.ID})
	like(t, e, "cat", a, true)
	testenv.Must(t, e.Trends.Flush(t.Context()))
	read := func(v model.Viewer) func(context.Context) error {
		return func(ctx context.Context) error {
			l, err := e.Trends.Trends(ctx, v, "")
			if err == nil && (len(l.Tags) != 1 || len(l.Tweets) != 1 || l.Tweets[0].Uses != 2) {
				t.Errorf("trends are %+v, want a tag, and a tweet of two accounts", l)
			}
			return err
		}
	}
	// published trends, an hour, the usual usage, account statuses, a tweet
	testenv.Must(t, storetest.Costs(t, "the first caller", 5, 0, 0, read(model.Viewer{})))
	testenv.Must(t, storetest.Costs(t, "the next caller", 0, 0, 0, read(model.Viewer{})))
	testenv.Must(t, storetest.Costs(t, "a caller with an account", 1, 0, 0,
		read(model.Viewer{ID: "ann", Role: model.Member})))
}

// Trends that the clock has published cost a process 1 read a minute, in every language. Where the clock has stopped,
// the process ranks by itself.
func TestPublish(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Second})
	e.CreateUsers(t, "ann", "bob", "cat", "eve")
	a := trendsPost(t, e, "ann", model.Draft{Content: "#go a", Language: "en"})
	trendsPost(t, e, "bob", model.Draft{Content: "#go b", Language: "en"})
	bad := trendsPost(t, e, "eve", model.Draft{Content: "bad"})
	for _, of := range []*model.Tweet{a, bad} {
		like(t, e, "bob", of, true)
		like(t, e, "cat", of, true)
	}
	_, err := e.Raw.Collection(model.AccountStatuses).Doc("eve").
		Set(t.Context(), map[string]any{"state": "suspended", "changedAt": e.Clock.Now()})
	testenv.Must(t, err)
	// the flush: 3 reads and 2 writes begin an hour; then an hour, the usual usage, account statuses
	testenv.Must(t, storetest.Costs(t, "the clock", 3+3, 2+1, 0, e.Trends.Publish))
	testenv.Must(t, storetest.Costs(t, "the clock at once again", 0, 0, 0, e.Trends.Publish))
	api := e.Again(t, store.Options{WriteEvery: time.Second})
	read := func(reads int64, language string, tags, tweets int) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, fmt.Sprintf("trends in %q", language), reads, 0, 0,
			func(ctx context.Context) error {
				l, err := api.Trends.Trends(ctx, model.Viewer{}, language)
				if err == nil && (len(l.Tags) != tags || len(l.Tweets) != tweets) {
					t.Errorf("trends in %q are %+v, want %d tags and %d tweets", language, l, tags, tweets)
				}
				return err
			}))
	}
	read(1+2, "", 1, 1) // the tweet of the suspended account is read and not shown
	read(0, "en", 1, 1)
	read(0, "ja", 0, 0)
	trendsPost(t, e, "ann", model.Draft{Content: "#more", Language: "ja"})
	trendsPost(t, e, "bob", model.Draft{Content: "#more", Language: "ja"})
	e.Clock.Add(time.Minute)
	testenv.Must(t, e.Trends.Publish(t.Context()))
	e.Clock.Add(time.Second)
	_, err = api.Trends.Tags(t.Context(), model.Viewer{}, "")
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "tags after a minute", 0, 0, 0, func(ctx context.Context) error {
		l, err := api.Trends.Tags(ctx, model.Viewer{}, "ja")
		if err == nil && (len(l.Tags) != 1 || l.Tags[0].Name != "more" || l.At != e.Clock.Now().Add(-time.Second)) {
			t.Errorf("tags in ja are %+v", l)
		}
		return err
	}))
	trendsPost(t, e, "ann", model.Draft{Content: "#late"})
	trendsPost(t, e, "bob", model.Draft{Content: "#late"})
	testenv.Must(t, e.Trends.Flush(t.Context()))
	e.Clock.Add(3 * time.Minute)
	testenv.Must(t, storetest.Costs(t, "without the clock", 4, 0, 0, func(ctx context.Context) error {
		l, err := api.Trends.Tags(ctx, model.Viewer{}, "")
		if err == nil && (len(l.Tags) != 3 || l.At != e.Clock.Now()) {
			t.Errorf("tags without the clock are %+v, want 3 now", l)
		}
		return err
	}))
}

// Usages are written together, without a caller that waits: by the next usage after the interval, by a timer, and when
// the store is closed. A failed write is tried again.
func TestHeld(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	e := storetest.Open(t, store.Options{TrendsEvery: time.Hour, Meter: meter.Options{Below: func(ctx context.Context,
		method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if fails.Load() && strings.HasSuffix(method, "/Commit") {
			return status.Error(codes.PermissionDenied, "a broken database")
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	e.CreateUsers(t, "ann")
	a := trendsPost(t, e, "ann", model.Draft{Content: "a spark"})
	written := func() int {
		t.Helper()
		l, err := e.Again(t, store.Options{}).Trends.Trends(t.Context(), model.Viewer{}, "")
		testenv.Must(t, err)
		if len(l.Tweets) == 0 {
			return 0
		}
		return int(l.Tweets[0].Uses)
	}
	wait := func(what string, uses int) {
		t.Helper()
		until := time.Now().Add(time.Minute)
		for n := written(); n != uses; n = written() {
			if time.Now().After(until) {
				t.Fatalf("%s: %d uses are written, want %d", what, n, uses)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	for n := range 10 {
		like(t, e, model.UserID(fmt.Sprint("user", n)), a, true)
	}
	if n := written(); n != 0 {
		t.Errorf("%d uses are written at once", n)
	}
	e.Clock.Add(time.Hour)
	like(t, e, "last", a, true)
	wait("a use after the interval", 11)

	fails.Store(true)
	like(t, e, "again", a, true)
	if err := e.Trends.Flush(t.Context()); err == nil {
		t.Error("a broken database takes uses")
	}
	fails.Store(false)
	testenv.Must(t, e.Trends.Flush(t.Context()))
	wait("a failed flush", 12)

	timed := e.Again(t, store.Options{TrendsEvery: 10 * time.Millisecond})
	use := func(s *store.Store, by model.UserID) {
		s.Trends.Mark(t.Context(), model.Like{UserID: by, TweetID: a.ID, AuthorID: "ann", CreatedAt: e.Clock.Now(),
			Language: "en"}, true, e.Clock.Now())
	}
	use(timed, "timed")
	wait("the timer", 13)

	closed := e.Again(t, store.Options{TrendsEvery: time.Hour})
	use(closed, "closed")
	testenv.Must(t, closed.Close())
	wait("a closed store", 14)
}

// A flood of usages is sampled in memory as in the document.
func TestFlood(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a := trendsPost(t, e, "ann", model.Draft{Content: "a spark"})
	const accounts = 3_000
	for n := range accounts {
		like(t, e, model.UserID(fmt.Sprint("user", n)), a, true)
	}
	testenv.Must(t, storetest.Costs(t, "a flood", 3, 2, 0, e.Trends.Flush))
	l, err := e.Trends.Trends(t.Context(), model.Viewer{}, "")
	testenv.Must(t, err)
	if len(l.Tweets) != 1 || !l.Tweets[0].Estimated || l.Tweets[0].Uses < accounts/2 || l.Tweets[0].Uses > 2*accounts {
		t.Errorf("the trends after a flood are %+v, want about %d uses", l.Tweets, accounts)
	}
}

// A process returns to an hour that another process has written too, and loses no usage of the other.
func TestMeeting(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a := trendsPost(t, e, "ann", model.Draft{Content: "a spark"})
	other := e.Again(t, store.Options{})
	for n, s := range []*store.Store{e.Store, other, e.Store, other} {
		l := &model.Like{UserID: model.UserID(fmt.Sprint("user", n)), TweetID: a.ID, AuthorID: "ann", CreatedAt: a.CreatedAt,
			Language: "en"}
		s.Trends.Mark(t.Context(), l, true, e.Clock.Now())
		testenv.Must(t, s.Trends.Flush(t.Context()))
	}
	wantList(t, e, "", "a spark 4")
}

// The tags alone cost nothing if another caller has read them within a minute, and never read tweets.
func TestTagsAlone(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Second})
	e.CreateUsers(t, "ann", "bob")
	a := trendsPost(t, e, "ann", model.Draft{Content: "one #spark"})
	trendsPost(t, e, "bob", model.Draft{Content: "two #spark"})
	like(t, e, "bob", a, true)
	testenv.Must(t, e.Trends.Flush(t.Context()))
	tags := func(ctx context.Context) error {
		l, err := e.Trends.Tags(ctx, model.Viewer{ID: "bob"}, "")
		if err == nil && (len(l.Tags) != 1 || l.Tags[0].Uses != 2 || len(l.Tweets) != 0) {
			t.Errorf("the tags are %v, and the tweets %v", l.Tags, l.Tweets)
		}
		return err
	}
	testenv.Must(t, tags(t.Context()))
	testenv.Must(t, storetest.Costs(t, "the tags again", 0, 0, 0, tags))
}

// The event of an old or a future usage writes nothing: the documents of its hour are gone.
func TestLongPast(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Draft(t, "ann", model.Draft{Content: "a #spark", AllowLikes: true})
	made := tweet.ID.Time()
	e.Clock.Add(model.TrendLate + time.Second)
	late := map[string]func(context.Context){
		"a tweet": func(ctx context.Context) { e.Trends.Tweet(ctx, tweet.ID, nil, tweet, made) },
		"a like": func(ctx context.Context) {
			l := &model.Like{UserID: "bob", TweetID: tweet.ID, AuthorID: "ann", CreatedAt: made, Language: "en"}
			e.Trends.Mark(ctx, l, true, made)
		},
		"a like of tomorrow": func(ctx context.Context) {
			l := &model.Like{UserID: "bob", TweetID: tweet.ID, AuthorID: "ann", CreatedAt: e.Clock.Now().Add(2 * time.Hour),
				Language: "en"}
			e.Trends.Mark(ctx, l, true, made)
		},
	}
	for name, note := range late {
		testenv.Must(t, storetest.Costs(t, name, 0, 0, 0, func(ctx context.Context) error {
			note(ctx)
			return e.Trends.Flush(ctx)
		}))
	}
	e.Clock.Add(-2 * time.Second)
	late["a like"](t.Context())
	testenv.Must(t, e.Trends.Flush(t.Context()))
	if e.Doc(t, "trends/"+model.TrendKey(model.HourOf(made), 0)) == nil {
		t.Error("a use that is just in time is not noted")
	}
}

// The last flush of a process has little time. It writes the usages before it brings the usual usage up to date.
func TestFlushWritesFirst(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	e := storetest.Open(t, store.Options{TrendsEvery: time.Hour, Meter: meter.Options{
		BelowReads: storetest.AfterRead("trends/usual", func() { <-ctx.Done() })}})
	e.CreateUsers(t, "ann")
	a := trendsPost(t, e, "ann", model.Draft{Content: "a spark"})
	for n := range 3 {
		like(t, e, model.UserID(fmt.Sprint("user", n)), a, true)
	}
	if err := e.Trends.Flush(ctx); err == nil {
		t.Error("the usual usage is up to date, though the time was over")
	}
	l, err := e.Again(t, store.Options{}).Trends.Trends(t.Context(), model.Viewer{}, "")
	testenv.Must(t, err)
	if len(l.Tweets) != 1 || l.Tweets[0].Uses != 3 {
		t.Errorf("trends = %+v, want the tweet with 3 uses", l.Tweets)
	}
}
