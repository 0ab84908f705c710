package timelines_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// heardTTL is the TTL of the caches of a digestWorld.
const heardTTL = 2 * time.Second

// digestWorld is a reader's home page in two processes of the API, and functions of several versions and modes. bob
// follows ann.
type digestWorld struct {
	*storetest.Env
	t       *testing.T
	api     []*store.Store
	written *store.Store // functions that write digests
	killed  *store.Store // functions that are killed before they write a digest
	former  *store.Store // functions that write no digests
	want    []model.TweetID
}

func newDigestWorld(t *testing.T) *digestWorld {
	t.Helper()
	w := &digestWorld{Env: storetest.Open(t, store.Options{CacheTTL: heardTTL}), t: t}
	w.CreateUsers(t, "ann", "bob", "cat")
	follow(t, w.Env, "bob", "ann")
	for _, mode := range []model.DigestMode{model.DigestsHeard, model.DigestsWritten} {
		w.api = append(w.api, w.Again(t, store.Options{CacheTTL: heardTTL, ChangeDigests: mode}))
	}
	w.written = w.Again(t, store.Options{ChangeDigests: model.DigestsWritten})
	w.former = w.Again(t, store.Options{})
	w.killed = w.Again(t, store.Options{ChangeDigests: model.DigestsWritten, Meter: meter.Options{Below: noDigests}})
	for range 3 { // with new caches, caches that begin to hear, and caches that have heard
		w.deliver(w.former)
		w.look("at the beginning")
	}
	return w
}

// noDigests is an interceptor that refuses commits with digests.
func noDigests(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption) error {
	if commit, ok := req.(*pb.CommitRequest); ok {
		for _, write := range commit.Writes {
			if strings.Contains(write.GetUpdate().GetName(), "/"+model.ChangeDigests+"/") {
				return status.Error(codes.Canceled, "the process was killed")
			}
		}
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}

// deliver lets ann post, and calls the function of the post.
func (w *digestWorld) deliver(functions *store.Store) {
	w.t.Helper()
	tweet := w.post()
	testenv.Must(w.t, functions.Timelines.Deliver(w.t.Context(), tweet))
}

// post lets ann post in the API that writes digests.
func (w *digestWorld) post() *model.Tweet {
	w.t.Helper()
	full, err := w.api[1].Tweets.CreateTweet(w.t.Context(), "ann", model.Draft{Content: "a spark"}, model.Request{})
	testenv.Must(w.t, err)
	w.want = slices.Insert(w.want, 0, full.ID)
	return full.Tweet
}

// look shows the home page in each process of the API after the TTL. All show the posts with the present counts.
func (w *digestWorld) look(when string) {
	w.t.Helper()
	w.Clock.Add(heardTTL + time.Millisecond)
	for n, api := range w.api {
		items, _, _, err := api.Timelines.Home(w.t.Context(), "bob", "", "", 20)
		testenv.Must(w.t, err)
		var shown []model.TweetID
		for _, item := range items {
			shown = append(shown, item.ID)
		}
		if !slices.Equal(shown, w.want) {
			w.t.Errorf("%s: process %d shows %v, want %v", when, n, shown, w.want)
		}
	}
	w.Clock.Add(readcache.Every)
	for n, api := range w.api {
		items, _, _, err := api.Timelines.Home(w.t.Context(), "bob", "", "", 20)
		testenv.Must(w.t, err)
		for _, item := range items {
			if want := w.Doc(w.t, "tweets/"+string(item.ID))["likeCount"]; item.Tweet.LikeCount != want {
				w.t.Errorf("%s: process %d shows %d likes of %s, want %d", when, n, item.Tweet.LikeCount, item.ID, want)
			}
		}
	}
}

// like counts a like of a tweet, for the event of a name.
func (w *digestWorld) like(functions *store.Store, event string, id model.TweetID) error {
	return functions.Counters.Reaction(counters.IdempotencyRecord{EventID: event, Function: "CountLike"},
		&model.Like{UserID: "cat", TweetID: id}, 1).Commit(w.t.Context())
}

// digests returns how often digests list a head or tweet.
func (w *digestWorld) digests(field, id string) int {
	w.t.Helper()
	lists := w.Raw.Collection(model.ChangeDigests).Where(field, "array-contains", id)
	snaps, err := lists.Documents(w.t.Context()).GetAll()
	testenv.Must(w.t, err)
	return len(snaps)
}

// Processes hear of what a digest lists, and of changes by functions of a former version or mode, in any order.
func TestChangeDigests(t *testing.T) {
	t.Parallel()
	w := newDigestWorld(t)
	for n, functions := range []*store.Store{w.written, w.written, w.former, w.written, w.former, w.former, w.written} {
		when := fmt.Sprint("step ", n)
		before, liked := w.digests("heads", "ann"), w.digests("tweets", string(w.want[0]))
		id := w.want[0]
		stamps := map[string]any{}
		for _, path := range []string{"heads/ann", "tweets/" + string(id)} {
			stamps[path] = w.Doc(t, path)["changedAt"]
		}
		w.deliver(functions)
		testenv.Must(t, w.like(functions, when, id))
		w.look(when)
		more := 0
		if functions == w.written {
			more = 1
		}
		for path, listed := range map[string]int{"heads/ann": w.digests("heads", "ann") - before,
			"tweets/" + string(id): w.digests("tweets", string(id)) - liked} {
			is := w.Doc(t, path)["changedAt"]
			if stamped := is != stamps[path]; stamped != (more == 0) || listed != more {
				t.Errorf("%s: %s is in %d digests, want %d; its changedAt moved: %t", when, path, listed, more, stamped)
			}
		}
	}
}

// Pages without changes cost a query for digests more, and it serves heads and tweets. A change that a digest lists
// costs nothing until a page needs it.
func TestCostOfDigests(t *testing.T) {
	t.Parallel()
	w := newDigestWorld(t)
	page := func(ctx context.Context) error {
		_, _, _, err := w.api[0].Timelines.Home(ctx, "bob", "", "", 20)
		return err
	}
	w.Clock.Add(time.Minute)
	testenv.Must(t, page(t.Context()))
	w.Clock.Add(time.Minute)
	testenv.Must(t, storetest.Costs(t, "nothing changed", 2+2+1, 0, 0, page))

	w.CreateUsers(t, "dan")
	tweet, err := w.written.Tweets.CreateTweet(t.Context(), "dan", model.Draft{Content: "another"}, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, w.written.Timelines.Deliver(t.Context(), tweet.Tweet))
	w.Clock.Add(time.Minute)
	testenv.Must(t, storetest.Costs(t, "another head changed", 2+2+1, 0, 0, page))
}

// A function is killed after its change and before the digest. The event comes again, to another process, and finds the
// change done.
func TestKilledBeforeDigest(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for what, event := range map[string]func(w *digestWorld) func(*store.Store) error{
		"a post": func(w *digestWorld) func(*store.Store) error {
			tweet := w.post()
			return func(s *store.Store) error { return s.Timelines.Deliver(ctx, tweet) }
		},
		"a deletion": func(w *digestWorld) func(*store.Store) error {
			before := &model.Tweet{ID: w.want[0]}
			snap, err := w.Raw.Doc("tweets/" + string(w.want[0])).Get(ctx)
			testenv.Must(t, err)
			testenv.Must(t, snap.DataTo(before))
			testenv.Must(t, w.Tweets.DeleteTweet(ctx, "", true, w.want[0]))
			w.want = w.want[1:]
			return func(s *store.Store) error { return s.Previews.Update(ctx, before.ID, before, nil) }
		},
		"a like": func(w *digestWorld) func(*store.Store) error {
			return func(s *store.Store) error { return w.like(s, "like", w.want[0]) }
		},
		"a like with its notification": func(w *digestWorld) func(*store.Store) error {
			l := &model.Like{UserID: "cat", TweetID: w.want[0], AuthorID: "ann", CreatedAt: w.Clock.Now()}
			return func(s *store.Store) error {
				effect := s.Counters.Reaction(counters.IdempotencyRecord{EventID: "noted", Function: "CountLike"}, l, 1)
				n := model.FactNotificationEvent(model.NotificationLike, "ann",
					model.NotificationEventPayload{UserID: "cat", TweetID: l.TweetID}, l.CreatedAt)
				return s.NotificationEvents.NotifyAndCount(ctx, n, effect)
			}
		},
		"a roll-up": func(w *digestWorld) func(*store.Store) error {
			shard := w.Raw.Doc("tweets/" + string(w.want[0]) + "/shards/1")
			_, err := shard.Set(ctx, map[string]any{"likeCount": 7})
			testenv.Must(t, err)
			return func(s *store.Store) error {
				_, err := s.Counters.RollUpNow(ctx, model.RollUpWork{Collection: model.Tweets, ID: string(w.want[0])})
				return err
			}
		},
	} {
		for _, mode := range []model.DigestMode{model.DigestsWritten, model.DigestsHeard} {
			t.Run(what+", again in mode "+string(mode), func(t *testing.T) {
				t.Parallel()
				w := newDigestWorld(t)
				do := event(w)
				if err := do(w.killed); err == nil {
					t.Error("the event was acknowledged without a digest")
				}
				testenv.Must(t, do(w.Again(t, store.Options{ChangeDigests: mode})))
				w.look("after the event came again")
			})
		}
	}
}

// A moderator flags a tweet. Then a function counts a like of it, and is killed before the digest. All processes hear
// of the flag, although the event of the like does not come again.
func TestFlagAndKilledBeforeDigest(t *testing.T) {
	t.Parallel()
	w := newDigestWorld(t)
	id := w.want[0]
	testenv.Must(t, w.api[1].Tweets.Flag(t.Context(), id, true))
	if err := w.like(w.killed, "like", id); err == nil {
		t.Error("the event was acknowledged without a digest")
	}
	w.want = w.want[1:]
	w.Clock.Add(readcache.Every)
	w.look("after the flag")
}

// A process rolls up without an event, and is killed before the digest. The event of the work document was lost. The
// record that the process left requests the roll-up anew, and so the processes hear of the counts.
func TestRollUpSoonKilledBeforeDigest(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newDigestWorld(t)
	_, err := w.Raw.Doc("tweets/"+string(w.want[0])+"/shards/1").Set(ctx, map[string]any{"likeCount": 7})
	testenv.Must(t, err)
	work := model.RollUpWork{Collection: model.Tweets, ID: string(w.want[0]), ExpireAt: time.Now().Add(time.Hour)}
	written, err := w.Raw.Doc("rollups/"+model.RollUpKey(work.Collection, work.ID)).Set(ctx, work)
	testenv.Must(t, err)
	work.WrittenAt = written.UpdateTime
	if err := w.killed.Counters.RollUpSoon(ctx, work); err == nil {
		t.Error("the roll-up ended without a digest")
	}
	records := w.IDs(t, model.ClaimedRollUps)
	if len(records) != 1 {
		t.Fatalf("records of roll-ups under way: %v, want one", records)
	}
	again := w.Again(t, store.Options{ChangeDigests: model.DigestsWritten, WriteEvery: time.Minute})
	testenv.Must(t, again.Counters.RollUpAgain(ctx, model.ClaimedRollUp{Collection: work.Collection, ID: work.ID,
		Record: records[0]}))
	work.WrittenAt = time.Time{}
	_, err = again.Counters.RollUpNow(ctx, work)
	testenv.Must(t, err)
	w.look("after the sweep")
}

// Functions that write digests create a head that is missing.
func TestDigestOfMissingHead(t *testing.T) {
	t.Parallel()
	for what, do := range map[string]func(w *digestWorld){
		"rebuilt": func(w *digestWorld) { testenv.Must(t, w.written.Timelines.RebuildHead(t.Context(), "ann")) },
		"a post":  func(w *digestWorld) { w.deliver(w.written) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newDigestWorld(t)
			_, err := w.Raw.Doc("heads/ann").Delete(t.Context())
			testenv.Must(t, err)
			before := w.digests("heads", "ann")
			do(w)
			if n := w.digests("heads", "ann") - before; n != 1 || w.Doc(t, "heads/ann") == nil {
				t.Errorf("%d digests list the head %v, want 1", n, w.Doc(t, "heads/ann"))
			}
			w.look("after the head was created")
		})
	}
}

// More digests come than one answer has: pages read heads and tweets again for a while, and then hear again.
func TestManyDigests(t *testing.T) {
	t.Parallel()
	w := newDigestWorld(t)
	for range 2 {
		b := w.Raw.BulkWriter(t.Context())
		for range readcache.Limit {
			_, err := b.Create(w.Raw.Collection(model.ChangeDigests).NewDoc(), map[string]any{"heads": []string{"x"},
				"writtenAt": firestore.ServerTimestamp})
			testenv.Must(t, err)
		}
		b.End()
		w.deliver(w.written)
		w.look("many digests")
		w.deliver(w.written)
		w.look("the processes hear nothing")
		snaps, err := w.Raw.Collection(model.ChangeDigests).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		for _, snap := range snaps { // as if some seconds had passed
			_, err := snap.Ref.Delete(t.Context())
			testenv.Must(t, err)
		}
		w.Clock.Add(readcache.ListenAgain)
		for range 2 {
			w.deliver(w.written)
			w.look("the processes hear again")
		}
	}
}

// A page reads a head while it changes. The reading is from before the change, and ends after the process has heard of
// the change.
func TestSlowReadingBesideDigest(t *testing.T) {
	t.Parallel()
	w := newDigestWorld(t)
	var hold atomic.Pointer[chan struct{}]
	begun := make(chan struct{}, 1)
	slow := w.Again(t, store.Options{CacheTTL: heardTTL, ChangeDigests: model.DigestsHeard, Meter: meter.Options{
		BelowReads: func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
			open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
			s, err := open(ctx, desc, conn, method, opts...)
			return &slowHeads{s, &hold, begun}, err
		}}})
	w.CreateUsers(t, "dan")
	testenv.Must(t, w.Graph.Follow(t.Context(), "cat", "ann"))
	testenv.Must(t, w.Graph.Follow(t.Context(), "dan", "bob"))
	page := func(reader model.UserID) []model.TweetID {
		return idsOf(pages(t, slow, reader, sizes(20), func() {}))
	}
	for range 2 {
		page("dan") // the process hears of changes, and does not have ann's head
		w.Clock.Add(heardTTL + time.Millisecond)
	}
	held, done := make(chan struct{}), make(chan []model.TweetID)
	hold.Store(&held)
	go func() { done <- page("cat") }()
	<-begun
	hold.Store(nil)
	w.deliver(w.written)
	w.Clock.Add(heardTTL + time.Millisecond)
	page("dan") // the process hears of the change
	close(held)
	<-done
	w.Clock.Add(heardTTL + time.Millisecond)
	if got := page("cat"); !slices.Equal(got, w.want) {
		t.Errorf("the page has %v, want %v", got, w.want)
	}
}

// slowHeads is the answer to a call. It holds the answer with ann's head back.
type slowHeads struct {
	grpc.ClientStream
	hold  *atomic.Pointer[chan struct{}]
	begun chan struct{}
}

func (s *slowHeads) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if r, ok := m.(*pb.BatchGetDocumentsResponse); ok && err == nil &&
		strings.HasSuffix(r.GetFound().GetName(), "/heads/ann") {
		if held := s.hold.Load(); held != nil {
			s.begun <- struct{}{}
			<-*held
		}
	}
	return err
}
