//lint:file-ignore SA1019 a batch is one round trip, see store/internal/db

package scale_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	vkit "cloud.google.com/go/firestore/apiv1"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/iterator"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var (
	entries     = flag.Int("entries", 700, "how many entries a home timeline has in one month")
	monthTweets = flag.Int("tweets", 170, "how many tweets an author writes in one month")
)

// largest is how large a document may become. Firestore refuses 1 MiB.
const largest = 900 << 10

// perAuthor is how many of the tweets in a long timeline are by the same author.
const perAuthor = 25

var endOfNovember = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

// november writes the source documents of a month in which n tweets are written, as many by each
// author, and sets the clock to its end. It returns them, oldest first.
func (e *env) november(t *testing.T, n int) []*model.Tweet {
	t.Helper()
	authors := names("author", (n+perAuthor-1)/perAuthor)
	e.clock.set(endOfNovember)
	at := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	step := endOfNovember.Add(-time.Hour).Sub(at) / time.Duration(n)
	ids := model.NewTweetIDs(func() time.Time { return at })
	tweets := make([]*model.Tweet, n)
	for i := range tweets {
		author := &model.User{ID: authors[i%len(authors)], Username: "somebody"}
		var err error
		tweets[i], _, err = model.NewTweet(ids.Next(author.ID), author, nil, model.Draft{Content: "a spark",
			AllowLikes: true})
		testenv.Must(t, err)
		at = at.Add(step)
	}
	const batch = 100
	inParallel(t, (n+batch-1)/batch, func(ctx context.Context, i int) error {
		b := e.raw.Batch()
		for _, tweet := range tweets[i*batch : min((i+1)*batch, n)] {
			b.Set(e.raw.Collection(model.Tweets).Doc(string(tweet.ID)), tweet)
		}
		return testenv.Patiently(func() error {
			_, err := b.Commit(ctx)
			return err
		})
	})
	return tweets
}

// readersPage is the hashed page on which the reader of a long timeline stands.
const readersPage = 0

// followed puts a reader on that page of each author.
func (e *env) followed(t *testing.T, reader model.UserID, tweets []*model.Tweet) {
	t.Helper()
	for _, tweet := range tweets[:min(len(tweets), (len(tweets)+perAuthor-1)/perAuthor)] { // one of each author
		page := e.raw.Collection(model.FollowerPages).Doc(model.HashedFollowerPageKey(tweet.AuthorID, readersPage))
		_, err := page.Set(t.Context(), map[string]any{"followers": map[string]any{string(reader): tweet.CreatedAt}})
		testenv.Must(t, err)
	}
}

// TestLongTimeline delivers a month of tweets to one user, roughly in their order, some
// of them late and some twice.
func TestLongTimeline(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	var tweets []*model.Tweet
	e := start(t, store.Options{WriteEvery: 50 * time.Millisecond},
		eventarc.Faults{Duplicate: 2, Delay: 100 * time.Millisecond}, func(e *env) {
			tweets = e.november(t, *entries)
		})
	e.users(t, "reader")
	e.followed(t, "reader", tweets)
	type delivery struct {
		*model.Tweet
		place int
	}
	var deliveries []delivery
	for i, tweet := range tweets {
		place := i + e.rng.IntN(200)
		if e.rng.IntN(20) == 0 {
			place = e.rng.IntN(2 * len(tweets)) // much too late, or early
		}
		deliveries = append(deliveries, delivery{tweet, place})
		if e.rng.IntN(20) == 0 {
			deliveries = append(deliveries, delivery{tweet, e.rng.IntN(2 * len(tweets))})
		}
	}
	slices.SortFunc(deliveries, func(a, b delivery) int { return a.place - b.place })
	begun := time.Now()
	inParallel(t, len(deliveries), func(ctx context.Context, i int) error {
		return testenv.Patiently(func() error {
			return e.Store.Timelines.Continue(ctx, model.FanOutWork{
				Kind: model.FanOutPush, Position: deliveries[i].ID.Position(), AuthorID: deliveries[i].AuthorID,
				Page: readersPage,
			})
		})
	})
	e.idle(t)
	t.Logf("%d deliveries in %.1f s", len(deliveries), time.Since(begun).Seconds())
	e.checkLong(t, "reader", tweets)
}

// TestRebuiltTimeline rebuilds the same month for somebody who comes back and follows
// all its authors, of which each adds many entries at once.
func TestRebuiltTimeline(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	var tweets []*model.Tweet
	e := start(t, store.Options{WriteEvery: 50 * time.Millisecond},
		eventarc.Faults{Duplicate: 2, Delay: 100 * time.Millisecond}, func(e *env) {
			tweets = e.november(t, *entries)
			// without a home: dormant
			_, err := e.raw.Collection(model.Users).Doc("reader").Set(t.Context(), model.User{Username: "reader"})
			testenv.Must(t, err)
			for _, tweet := range tweets[:min(len(tweets), (len(tweets)+perAuthor-1)/perAuthor)] { // one of each author
				rel := model.Relationship{FollowerID: "reader", FollowedID: tweet.AuthorID,
					CreatedAt: tweets[0].CreatedAt.Add(-time.Hour)}
				_, err := e.raw.Collection(model.Relationships).Doc(model.RelationshipKey("reader", tweet.AuthorID)).
					Set(t.Context(), rel)
				testenv.Must(t, err)
			}
		})
	inParallel(t, len(tweets), func(ctx context.Context, i int) error {
		return testenv.Patiently(func() error {
			if err := e.Store.Previews.Put(ctx, tweets[i]); err != nil {
				return err
			}
			_, err := e.Store.Previews.Reconcile(ctx, tweets[i]) // a dormant follower's page begins with the newest tweets
			return err
		})
	})
	e.idle(t)
	first, err := e.home(t.Context(), "reader", 100, 1)
	testenv.Must(t, err)
	if want := newestFirst(tweets)[:20]; !slices.Equal(first, want) { // a dormant follower's page has no more
		t.Errorf("the first page on their return = %v, want %v", first, want)
	}
	begun := time.Now()
	e.idle(t)
	t.Logf("rebuilt in %.1f s", time.Since(begun).Seconds())
	e.checkLong(t, "reader", tweets)
}

// checkLong reads a timeline from its beginning to its end, and looks how large its
// documents are.
func (e *env) checkLong(t *testing.T, reader model.UserID, tweets []*model.Tweet) {
	t.Helper()
	begun := time.Now()
	got, err := e.home(t.Context(), reader, 100, 0)
	testenv.Must(t, err)
	t.Logf("%d entries read in %.1f s", len(got), time.Since(begun).Seconds())
	checkIDs(t, got, newestFirst(tweets))
	e.checkSizes(t, model.Timelines, 2)
	e.checkSizes(t, model.TweetMonths, 0)
	snap, err := e.raw.Collection(model.Timelines).Doc(model.MonthKey(reader, "2026-11")).Get(t.Context())
	testenv.Must(t, err)
	root, _ := snap.Data()["entries"].(map[string]any)
	if limit := model.EntriesPerBucket * 12 / 10; len(root) > limit {
		t.Errorf("the month's first document holds %d entries, want at most %d", len(root), limit)
	}
}

func newestFirst(tweets []*model.Tweet) []model.TweetID {
	ids := make([]model.TweetID, len(tweets))
	for i, tweet := range tweets {
		ids[len(ids)-1-i] = tweet.ID
	}
	return ids
}

func checkIDs(t *testing.T, got, want []model.TweetID) {
	t.Helper()
	for i, id := range want {
		if i >= len(got) || got[i] != id {
			t.Errorf("there are %d tweets, of which the one in place %d is wrong; want %d, and %s there", len(got), i, len(want),
				id)
			return
		}
	}
	if len(got) > len(want) {
		t.Errorf("there are %d tweets, want %d", len(got), len(want))
	}
}

// checkSizes looks that no document of a collection is too large, and that there are so many at least.
func (e *env) checkSizes(t *testing.T, collection string, atLeast int) {
	t.Helper()
	opts, err := meter.ClientOptions(testenv.FirestoreHost(t), meter.Options{})
	testenv.Must(t, err)
	client, err := vkit.NewClient(t.Context(), opts...)
	testenv.Must(t, err)
	defer client.Close()
	most, which, n := 0, "", 0
	docs := client.ListDocuments(t.Context(), &pb.ListDocumentsRequest{
		Parent: "projects/" + e.project + "/databases/(default)/documents", CollectionId: collection, PageSize: 20,
	})
	for {
		doc, err := docs.Next()
		if errors.Is(err, iterator.Done) {
			break
		}
		testenv.Must(t, err)
		n++
		if size := proto.Size(doc); size > most {
			most, which = size, doc.Name[strings.LastIndexByte(doc.Name, '/')+1:]
		}
	}
	if n < atLeast {
		t.Errorf("%s: %d documents, want at least %d: nothing overflowed", collection, n, atLeast)
	}
	t.Logf("%s: %d documents, the largest %s with %d KiB", collection, n, which, most>>10)
	if most > largest {
		t.Errorf("%s/%s has %d KiB, want at most %d", collection, which, most>>10, largest>>10)
	}
}

// TestAuthorMonth lets an author write a lot in a month, as large tweets as there are.
func TestAuthorMonth(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	e := start(t, store.Options{}, eventarc.Faults{Duplicate: 2, Delay: 100 * time.Millisecond}, func(e *env) {
		e.clock.set(time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC))
	})
	e.users(t, "ann", "reader")
	testenv.Must(t, e.follow(t.Context(), "reader", "ann"))
	var tags []string
	for i := range model.MaxTags {
		tags = append(tags, fmt.Sprintf("%s%d", strings.Repeat("火", model.MaxTagLength-1), i))
	}
	draft := model.Draft{
		Content: strings.Repeat("🎇", model.MaxSnippet+1), Summary: strings.Repeat("🎆", model.MaxSummary), Tags: tags,
	}
	var want []model.TweetID
	for range *monthTweets {
		tweet, err := e.Store.Tweets.CreateTweet(t.Context(), "ann", draft, model.Request{})
		testenv.Must(t, err)
		want = append(want, tweet.ID)
	}
	e.idle(t)
	slices.Reverse(want)
	var got []model.TweetID
	for before := model.TweetID(""); ; {
		previews, next, err := e.Store.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, 100)
		testenv.Must(t, err)
		for _, preview := range previews {
			got = append(got, preview.ID)
		}
		if before = next; next == "" {
			break
		}
	}
	checkIDs(t, got, want)
	e.checkSizes(t, model.TweetMonths, 2)
	e.audit(t, []model.UserID{"reader"})
}
