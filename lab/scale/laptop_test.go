package scale_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var documents = flag.Int("documents", 2000, "how many other documents the database of TestLaptop has; 160000 is a "+
	"laptop after a day of load")

const (
	laptopLikes  = 400
	laptopUsers  = 300
	laptopTweets = 20 // each of an author; the first one gets half of the likes
)

// TestLaptop likes tweets on a database with many other documents. The emulator looks at all of them for each query, so
// nothing on the way of a like may be a query: neither a count, nor a notification.
func TestLaptop(t *testing.T) {
	testenv.Slow(t, "the documents that it makes")
	var asked queries
	e := start(t, store.Options{Meter: meter.Options{BelowReads: asked.read}}, eventarc.Faults{}, func(e *env) {
		e.fill(t, *documents)
	})
	authors, fans := names("author", laptopTweets), names("fan", laptopUsers)
	e.profiles(t, append(authors, fans...))
	tweets := make([]model.TweetID, len(authors))
	for i, author := range authors {
		var err error
		tweets[i], err = e.tweet(t.Context(), author)
		testenv.Must(t, err)
	}
	e.idle(t)
	want := make([]int64, len(tweets))
	of := make([]int, laptopLikes) // the tweet of each like
	for i := range of {
		if i >= laptopLikes/2 {
			of[i] = 1 + i%(laptopTweets-1)
		}
		want[of[i]]++
	}
	type reaction func(context.Context, model.UserID, model.TweetID) error
	for _, phase := range []struct {
		name string
		does reaction
		n    int // of the first ones of the likes
	}{{"likes", e.Store.Reactions.Like, laptopLikes}, {"unlikes", e.Store.Reactions.Unlike, laptopLikes * 3 / 4}} {
		asked.reset()
		cpu, begun := emulatorCPU(t), time.Now()
		inParallel(t, phase.n, func(ctx context.Context, i int) error {
			return testenv.Patiently(func() error { return phase.does(ctx, fans[i%laptopUsers], tweets[of[i]]) })
		})
		acted := time.Since(begun)
		e.idle(t)
		t.Logf("%d documents, %d %s by %d users in %.1f s; all counted and notified after %.1f s; %.1f s of CPU of the "+
			"emulator", *documents, phase.n, phase.name, laptopUsers, acted.Seconds(), time.Since(begun).Seconds(),
			(emulatorCPU(t) - cpu).Seconds())
		for _, line := range asked.lines() {
			t.Logf("query: %s", line)
		}
		if phase.name == "unlikes" {
			for _, i := range of[:phase.n] {
				want[i]--
			}
		}
		e.checkLaptop(t, authors, tweets, want)
	}
}

// checkLaptop compares the count of likes of each tweet, and the users of whom its author is notified.
func (e *env) checkLaptop(t *testing.T, authors []model.UserID, tweets []model.TweetID, want []int64) {
	t.Helper()
	for i, id := range tweets {
		snap, err := e.raw.Collection(model.Tweets).Doc(string(id)).Get(t.Context())
		testenv.Must(t, err)
		if n, _ := snap.Data()[model.LikeCount].(int64); n != want[i] {
			t.Errorf("likeCount of tweet %d = %d, want %d", i, n, want[i])
		}
		page, _, err := e.Store.NotificationEvents.Notifications(t.Context(), authors[i], nil, model.Cursor{}, 10)
		testenv.Must(t, err)
		var notified int64
		for _, n := range page.Items { // one a day
			notified += n.CountUsers
		}
		if notified != want[i] {
			t.Errorf("the author of tweet %d is notified of %d likes, want %d", i, notified, want[i])
		}
	}
}

// fill writes documents of which nobody hears: as many tweets, likes, relationships and notification events of other
// users, as they are after a day of load.
func (e *env) fill(t *testing.T, n int) {
	t.Helper()
	const together = 400
	inParallel(t, (n+together-1)/together, func(ctx context.Context, part int) error {
		b := e.raw.Batch()
		for i := part * together; i < min(n, (part+1)*together); i++ {
			user, tweet, at := fmt.Sprintf("other%d", i%6000), fmt.Sprintf("%016x", i), time.Unix(int64(i), 0)
			switch i % 4 {
			case 0:
				b.Set(e.raw.Collection(model.Tweets).Doc(tweet), map[string]any{"authorId": user, "createdAt": at,
					"content": strings.Repeat("spark ", 20), "likeCount": i, "replyCount": 1, "shareCount": 2, "language": "en",
					"author": map[string]any{"username": user, "nickname": user, "avatarUrl": "https://example.com/" + user}})
			case 1:
				b.Set(e.raw.Collection(model.Likes).Doc(user+"_"+tweet), model.Like{UserID: model.UserID(user),
					TweetID: model.TweetID(tweet), AuthorID: "another", CreatedAt: at})
			case 2:
				b.Set(e.raw.Collection(model.Relationships).Doc(user+"_"+tweet), map[string]any{"followerId": user,
					"followedId": tweet, "createdAt": at})
			default:
				b.Set(e.raw.Collection(model.NotificationLogs).Doc(tweet[13:]).Collection(model.NotificationEvents).Doc(tweet),
					map[string]any{"type": "like", "userId": user, "at": at, "expireAt": at, "between": user + "_" + tweet,
						"on": user + "_like:" + tweet, "payload": map[string]any{"userId": user, "tweetId": tweet}})
			}
		}
		_, err := b.Commit(ctx)
		return err
	})
}

// profiles writes profiles by key.
func (e *env) profiles(t *testing.T, uids []model.UserID) {
	t.Helper()
	inParallel(t, len(uids), func(ctx context.Context, i int) error {
		_, err := e.raw.Collection(model.Users).Doc(string(uids[i])).Set(ctx, model.User{Username: string(uids[i])})
		return err
	})
}

// queries notes the queries of a process, with how long they took.
type queries struct {
	mu  sync.Mutex
	all map[string]asked // by collection and filter
}

type asked struct {
	times int
	took  time.Duration
}

func (q *queries) reset() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all = map[string]asked{}
}

func (q *queries) add(of string, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all == nil {
		q.all = map[string]asked{}
	}
	a := q.all[of]
	q.all[of] = asked{a.times + 1, a.took + took}
}

// lines returns a line for each kind of query.
func (q *queries) lines() (lines []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, of := range slices.Sorted(maps.Keys(q.all)) {
		a := q.all[of]
		lines = append(lines, fmt.Sprintf("%4d times, %8.1f ms each, %s", a.times,
			float64(a.took.Milliseconds())/float64(a.times), of))
	}
	return lines
}

// read is an interceptor of reads.
func (q *queries) read(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	stream grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := stream(ctx, desc, conn, method, opts...)
	if err != nil || strings.HasSuffix(method, "/BatchGetDocuments") {
		return s, err
	}
	return &queryStream{ClientStream: s, to: q}, nil
}

type queryStream struct {
	grpc.ClientStream
	to    *queries
	of    string
	begun time.Time
}

func (s *queryStream) SendMsg(m any) error {
	s.of, s.begun = fmt.Sprintf("%T", m), time.Now()
	if req, ok := m.(*pb.RunQueryRequest); ok {
		from, filter := req.GetStructuredQuery().GetFrom(), req.GetStructuredQuery().GetWhere()
		s.of = fmt.Sprint(from[0].GetCollectionId(), " ", filter.GetFieldFilter().GetField().GetFieldPath(),
			filter.GetCompositeFilter().GetFilters())
	}
	return s.ClientStream.SendMsg(m)
}

func (s *queryStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if err != nil && !s.begun.IsZero() {
		s.to.add(s.of, time.Since(s.begun))
	}
	return err
}
