package cost

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { testenv.Main(m) }

// options starts a stack, and returns the options to measure it.
func options(t *testing.T) Options {
	t.Helper()
	return optionsOf(t, false)
}

// optionsOf is options, with buckets if there are pictures.
func optionsOf(t *testing.T, pictures bool) Options {
	t.Helper()
	testenv.NeedEvents(t, "counts events, which listeners join")
	indexes, err := os.ReadFile(filepath.Join(testenv.Root(), "firestore.indexes.json"))
	if err != nil {
		t.Fatal(err)
	}
	in, err := NewInstrument(indexes)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Project: testenv.Project(t), Emulator: testenv.FirestoreHost(t), Functions: in,
		Log:      slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		CacheTTL: 2 * time.Second,
	}
	so := stack.Options{Project: o.Project, Firestore: o.Emulator, Relay: testenv.EventsAddr(t), Log: in.Logger(o.Log)}
	if pictures {
		in.Uploads, in.Media = storagetest.Buckets(t, o.Project)
		so.Storage, so.Uploads = storagetest.Host(t), in.Uploads
	}
	so.Store = in.Store()
	s, err := stack.Start(t.Context(), so)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	o.Idle, o.Tick = s.Runner.WaitIdle, s.Tick
	return o
}

func TestRun(t *testing.T) {
	testenv.Slow(t, "a day of users")
	t.Parallel()
	const users = 10
	day := Day{Users: users, Days: 1, Seed: 7, For: 1000}
	o := options(t)
	o.CacheTTL = time.Hour // a longer time shows the cache at work
	r, err := Run(t.Context(), day, o)
	if err != nil {
		t.Fatal(err)
	}

	times := map[string]int{}
	for _, op := range r.Operations {
		times[op.Name] = op.Times
	}
	want := map[string]int{homeView: 100, tweetView: 100, userView: 50, userTweets: 50, postTweet: 20, likeTweet: 100,
		threadView: 30, notificationEventView: 50, search: 10, replyTweet: 10, editTweet: 2, shareTweet: 10, startView: 30,
		risingTags: 100, popularTags: 100, trendsView: 10, totalsView: 1, tieView: 50, tagView: 5, readAll: 20,
		bookmarkTweet: 5, bookmarkView: 2, followUser: 5, followersView: 5, followingView: 5, editProfile: 0, signUp: 0,
		shopView: 2, productView: 4, cartPut: 1, orderProducts: 0, homeNews: times[homeNews]}
	if diff := cmp.Diff(want, times); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}

	// The bill of every trigger belongs to one operation.
	var functions, triggers Bill
	for _, f := range r.Functions {
		functions = functions.plus(f.Bill)
	}
	for _, op := range r.Operations {
		triggers = triggers.plus(op.Triggers)
	}
	sum := r.Sum()
	if functions != triggers || triggers != sum.Triggers {
		t.Errorf("the functions were billed %+v, for the operations %+v, sum %+v: want the same", functions, triggers,
			sum.Triggers)
	}
	for name, want := range map[string]int{
		"LikeChanged": 100, "TweetChanged": 30, "ShareChanged": 10, "TweetEdited": 2,
	} {
		if r.Functions[name].Events != want {
			t.Errorf("%s handled %d events, want %d", name, r.Functions[name].Events, want)
		}
	}

	// The clock ran, its bill is no user's, and so lists beside a page cost a read.
	if tick, least := r.Tick, int64(r.Tick.Times); tick.Times < 400 || tick.Triggers.Writes < least ||
		tick.Triggers.Reads < least {
		t.Errorf("the clock is billed %+v", tick)
	}
	for _, op := range r.Operations {
		if op.Name == risingTags && op.API.Reads > int64(op.Times) {
			t.Errorf("%d lists of rising tags cost %d reads, want 1 each at most", op.Times, op.API.Reads)
		}
	}

	// Each operation costs what the comments of the store promise.
	bills := map[string]Operation{}
	for _, op := range r.Operations {
		bills[op.Name] = op
	}
	// 1 read more for who was not seen in the last minute.
	if got := bills[likeTweet].API; got.Reads < 200 || got.Reads > 300 || got.Writes != 200 || got.Deletes != 0 {
		t.Errorf("100 likes are billed %+v in the API, want 200 to 300 reads and 200 writes", got)
	}
	// The head, and with a share the viewer's graph and the tweet.
	if got := bills[userTweets].API.Reads; got < 50 || got > 200 {
		t.Errorf("50 pages of a user's tweets cost %d reads, want 1 each, and some for shares", got)
	}
	for name, want := range map[string][2]int64{threadView: {30 * 4, 30 * 60}, notificationEventView: {50, 50 * 60},
		search: {10 * 4, 10 * 30}, followersView: {5, 5 * 8}, followingView: {5, 5 * 8}} { // of 9 users, mostly cached
		if got := bills[name].API; got.Reads < want[0] || got.Reads > want[1] || got.Writes != 0 {
			t.Errorf("%s: %d are billed %+v, want %d to %d reads", name, bills[name].Times, got, want[0], want[1])
		}
	}
	for name, want := range map[string]int64{replyTweet: 20, shareTweet: 20, editTweet: 6} {
		if got := bills[name].API; got.Writes != want {
			t.Errorf("%s: %d are billed %+v, want %d writes", name, bills[name].Times, got, want)
		}
	}
	if got := bills[homeView].API.Reads; got < 2*100 || got >= 22*100 {
		t.Errorf("100 home pages cost %d reads, want some of their 20 tweets cached", got)
	}
	// Nearly all requests for news find none in memory.
	if got, n := bills[homeNews].API.Reads, int64(bills[homeNews].Times); n < 750 || n > 800 || got > 2*n {
		t.Errorf("%d requests for news cost %d reads, want at most 2 each", n, got)
	}
	if got, n := r.Again.API.Reads, int64(r.Again.Times); n == 0 || got < 2*n || got > 3*n {
		t.Errorf("%d home pages again cost %d reads, want 2 each", n, got)
	}
	if posts := bills[postTweet]; posts.API.Writes != 40 || posts.Triggers.Writes < 2*20 ||
		posts.Expired < 20 {
		t.Errorf("20 posts are billed %+v, want 2 writes each, a month and a head, and at least a record that expires",
			posts)
	}
	if got, want := r.HomeTweets, int64(20*(100+r.Again.Times)); got != want {
		t.Errorf("home pages show %d tweets, want %d", got, want)
	}

	// The cache over a list in memory, with the same users, reads about as much. It reads somewhat more: only here other
	// pages cache the profiles of sharers, too.
	measured := float64(bills[homeView].API.Reads) / 100
	if driven, _, err := homeReads(users, day.Seed, o.CacheTTL); err != nil || driven < 0.9*measured ||
		driven > 1.3*measured {
		t.Errorf("homeReads = %.2f, %v, and %.2f were measured", driven, err, measured)
	}

	var text bytes.Buffer
	if err := r.JSON(&text); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*r, back); diff != "" {
		t.Errorf("report, by way of JSON (-want +got):\n%s", diff)
	}
}

// The same seed gives the same bill, but for what trends cost: uses of one second of the machine's
// own clock share a write.
func TestRunAgain(t *testing.T) {
	testenv.Slow(t, "two days of users")
	t.Parallel()
	var reports [2]*Report
	for i := range reports {
		var err error
		if reports[i], err = Run(t.Context(), Day{Users: 3, Days: 1, Seed: 3}, options(t)); err != nil {
			t.Fatal(err)
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 3+0.03*math.Max(a, b) }
	for _, r := range reports {
		r.Tick.Expired = 0 // flushes of trends follow the clock of the machine
	}
	alike := cmp.Options{
		cmp.Comparer(near),
		cmp.Comparer(func(a, b Bill) bool {
			return near(float64(a.Reads), float64(b.Reads)) && near(float64(a.Writes), float64(b.Writes)) &&
				near(float64(a.Deletes), float64(b.Deletes))
		}),
	}
	if diff := cmp.Diff(reports[0], reports[1], alike); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
}

func TestGrow(t *testing.T) {
	testenv.Slow(t, "days of growing numbers of users")
	t.Parallel()
	g, err := grow(t.Context(), options(t), []int{2, 9}, []int{1, 22}, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	few, many := g.Followers[0], g.Followers[1]
	if many.Post != few.Post {
		t.Errorf("a post to 9 followers costs %+v, and %+v to 2", many.Post, few.Post)
	}
	if got, want := many.Baseline, (Bill{Reads: 9, Writes: 10}); got != want {
		t.Errorf("baseline post to 9 followers = %+v, want %+v", got, want)
	}
	// The reader's graph, and the head, which has both pages.
	if got := g.Tweets[1]; got.FirstPage.Reads != 2 || got.NextPage.Reads != 2 || got.Post != g.Tweets[0].Post {
		t.Errorf("after 22 tweets: %+v, want 2 reads for each page, and %+v for a post", got,
			g.Tweets[0].Post)
	}
	// The graph, the reactions, 13 heads and 20 tweets.
	if got := g.Age[1]; got.FirstPage.Reads != 35 || got.Pages != 3 {
		t.Errorf("after 2 days: %+v, want 35 reads for the first of 3 pages", got)
	}
	var out bytes.Buffer
	if err := g.Print(&out); err != nil || !bytes.Contains(out.Bytes(), []byte("1,000 posts")) {
		t.Errorf("Print: %v, %s", err, out.Bytes())
	}
}

func TestBadDay(t *testing.T) {
	t.Parallel()
	for _, d := range []Day{{}, {Users: 2, Days: 1}, {Users: 10}} {
		if _, err := Run(t.Context(), d, Options{}); err == nil {
			t.Errorf("Run(%+v) has no error", d)
		}
	}
}

// A day of 100 hostile accounts costs less than $6, and the limits are why. Ten of them are
// played, each with as many readers as one of the hundred has.
func TestAssault(t *testing.T) {
	testenv.Slow(t, "a hundred hostile accounts")
	t.Parallel()
	var a *Attack
	for range 3 { // each kind of request is played once, and a function that a slow machine had to repeat costs more
		var err error
		a, err = Assault(t.Context(), options(t), 10, 99, 50) // 5 requests a second of each, as of 100 accounts with 500
		testenv.Must(t, err)
		if 10*a.Day.Dollars() <= 6 {
			break
		}
	}
	t.Logf("100 accounts cost $%.2f a day", 10*a.Day.Dollars())
	if got := 10 * a.Day.Dollars(); got < 1.5 || got > 6 {
		t.Errorf("100 accounts cost $%.2f a day, want $1.5 to $6", got)
	}
	if a.Unlimited.Dollars() < 50*a.Day.Dollars() || a.Admitted+a.Refused != 50*24*3600 {
		t.Errorf("admitted %d, refused %d: $%.2f, and $%.2f without limits", a.Admitted, a.Refused, a.Day.Dollars(),
			a.Unlimited.Dollars())
	}
}
