package notifications_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// together delivers the creations or deletions of likes at one moment, each of them times times.
func together(t *testing.T, s *store.Store, some []model.Like, by int64, times int) {
	t.Helper()
	for _, err := range testenv.AtOnce(times*len(some), func(i int) error {
		return testenv.Patiently(func() error { return deliver(s, some[i/times], by)(t.Context()) })
	}) {
		testenv.Must(t, err)
	}
}

// Twelve users like a tweet of ann's at one moment, and take the likes back. Callers of one process share commits: the
// notification events are on the notification at once, and nothing is left to a flush or to a roll-up. Repeated events
// change nothing. If another process writes the list of notifications between the reads and the commit, later callers
// leave it to a flush.
func TestTogether(t *testing.T) {
	for _, beside := range []bool{false, true} {
		t.Run(fmt.Sprint("another process ", beside), func(t *testing.T) {
			t.Parallel()
			var other func()
			before := storetest.Before(func(path string, _ *firestorepb.Write) bool {
				return beside && strings.HasPrefix(path, "users/ann/notificationLists/")
			}, func() { other() })
			e := &likes{storetest.Open(t, store.Options{SlowCommit: time.Hour, Meter: meter.Options{Below: before}}), t, ""}
			e.CreateUsers(t, "ann")
			e.id = e.Tweet(t, "ann", "a spark").ID
			another := e.Again(t, store.Options{})
			other = func() {
				n := e.notificationEvent("zoe")
				testenv.Must(t, another.NotificationEvents.Notify(t.Context(), n))
			}
			var some []model.Like
			for i := range 12 {
				some = append(some, e.like(model.UserID(fmt.Sprint("fan_", i))))
			}
			e.CoolDown()
			users := int64(len(some))
			if beside {
				users++
			}
			for _, by := range []int64{1, -1} {
				together(t, e.Store, some, by, 1)
				pending := 0
				for _, l := range some {
					_, path := notice(l)
					is := e.Doc(t, path)
					if is["pending"] != nil {
						pending++
					}
					if n := len(is["counted"].(map[string]any)); n != int(3-by)/2 {
						t.Errorf("the notice %v has %d marks", is, n)
					}
				}
				left := slices.Concat(e.IDs(t, "tweets/"+string(e.id)+"/shards"), e.IDs(t, model.RollUps), e.IDs(t, model.Flushes))
				if !beside && (pending > 0 || len(left) > 0) {
					t.Errorf("by %d: %d notification events are pending, and %q are left to be done", by, pending, left)
				}
				want := (by + 1) / 2 * int64(len(some))
				e.counts("at once", want, users+want-int64(len(some)), 0)
				together(t, e.Store, some, by, 2)
				e.counts("repeated", want, users+want-int64(len(some)), 0)
				if left := e.IDs(t, model.Flushes); !beside && len(left) > 0 {
					t.Errorf("by %d: the repeated events leave the flushes %q", by, left)
				}
				e.CoolDown()
			}
		})
	}
}

// notificationEvent is a like of the tweet that is not counted.
func (e *likes) notificationEvent(by model.UserID) *model.NotificationEvent {
	return model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{UserID: by,
		TweetID: e.id}, e.Clock.Now())
}

// Six likes and the ends of three of them come at one moment, several times. Each counts once, in whatever order they
// come.
func TestTogetherMixed(t *testing.T) {
	t.Parallel()
	e := &likes{storetest.Open(t, store.Options{}), t, ""}
	e.CreateUsers(t, "ann")
	e.id = e.Tweet(t, "ann", "a spark").ID
	var some []model.Like
	for i := range 6 {
		some = append(some, e.like(model.UserID(fmt.Sprint("fan_", i))))
	}
	e.CoolDown()
	for _, err := range testenv.AtOnce(4*len(some), func(i int) error {
		return testenv.Patiently(func() error {
			return deliver(e.Store, some[i/4], int64(1-2*(i%2*(i/4%2))))(t.Context())
		})
	}) {
		testenv.Must(t, err)
	}
	testenv.Must(t, e.NotificationEvents.FlushAll(t.Context(), model.NotificationEventPartitionOf("ann")))
	_, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(e.id)})
	testenv.Must(t, err)
	if got, _ := e.Doc(t, "tweets/"+string(e.id))["likeCount"].(int64); got != 3 {
		t.Errorf("likeCount = %d, want 3", got)
	}
	if got, _ := e.Notification(t, "ann", "like:"+string(e.id)+"_2026-11-15")["countUsers"].(int64); got != 3 {
		t.Errorf("%d users are on the notification, want 3", got)
	}
}

// A like of a tweet that is gone shares a commit with likes of another tweet.
func TestTogetherGone(t *testing.T) {
	t.Parallel()
	e := &likes{storetest.Open(t, store.Options{}), t, ""}
	e.CreateUsers(t, "ann")
	e.id = e.Tweet(t, "ann", "a spark").ID
	gone := e.like("fan_gone")
	gone.TweetID = model.TweetID(strings.Repeat("0", len(e.id)))
	some := []model.Like{gone}
	for i := range 6 {
		some = append(some, e.like(model.UserID(fmt.Sprint("fan_", i))))
	}
	_, err := e.Raw.Doc("likes/"+model.ReactionKey(gone.UserID, gone.TweetID)).Set(t.Context(), gone)
	testenv.Must(t, err)
	e.CoolDown()
	testenv.Must(t, deliver(e.Store, some[6], 1)(t.Context())) // so the others find the notification hot
	together(t, e.Store, some[:6], 1, 1)
	e.counts("with one that is gone", 6, 6, 0)
	if e.Doc(t, "likes/"+model.ReactionKey(gone.UserID, gone.TweetID)) != nil {
		t.Error("the like of the tweet that is gone is there")
	}
}

// Two likes of a hot user share a commit that comes late, beside a block of one of the two users. The shared commit
// takes the blocked user off again, and answers both.
func TestTogetherLate(t *testing.T) {
	e := start(t)
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	some := []*model.NotificationEvent{}
	for _, by := range []model.UserID{"cat", "bob", "dan"} {
		some = append(some, e.notificationEvent(model.NotificationLike, by, liked))
	}
	var armed atomic.Bool
	var tried atomic.Int64
	process := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(func(path string,
		_ *firestorepb.Write) bool {
		if path == logged(some[2]) {
			tried.Add(1)
		}
		return armed.Load() && path == "users/ann/notificationLists/newest"
	}, func() {
		testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
		e.Clock.Add(2 * time.Second)
	})}})
	e.CoolDown()
	testenv.Must(t, process.NotificationEvents.Notify(ctx, some[0]))
	armed.Store(true)
	for _, err := range testenv.AtOnce(2, func(i int) error {
		n := *some[1+i]
		n.AllowedAt = e.Clock.Now()
		return process.NotificationEvents.Notify(ctx, &n)
	}) {
		testenv.Must(t, err)
	}
	if n := tried.Load(); n != 1 {
		t.Errorf("%d commits have the other like, want 1: the caller goes on alone though it is done", n)
	}
	testenv.Must(t, e.NotificationEvents.FlushAll(ctx, model.NotificationEventPartitionOf("ann")))
	e.shown("blocked", "like:"+string(liked), 1, 0, "dan", "cat")
}

// A notification event of a hot user that another process withdrew leaves its notification once. The end of the like
// shares a commit.
func TestTogetherWithdrawnTwice(t *testing.T) {
	t.Parallel()
	e := &likes{storetest.Open(t, store.Options{}), t, ""}
	e.CreateUsers(t, "ann")
	e.id = e.Tweet(t, "ann", "a spark").ID
	var some []model.Like
	for i := range 4 {
		some = append(some, e.like(model.UserID(fmt.Sprint("fan_", i))))
		testenv.Must(t, deliver(e.Store, some[i], 1)(t.Context()))
	}
	for _, l := range some[:2] {
		n, _ := notice(l)
		testenv.Must(t, e.Again(t, store.Options{}).NotificationEvents.Withdraw(t.Context(), n)) // without its count
	}
	e.CoolDown()
	together(t, e.Store, some[:3], -1, 1)
	e.counts("three likes ended", 1, 1, 2)
	if got := e.Notification(t, "ann", "like:"+string(e.id)+"_2026-11-15")["news"]; got != int64(1) {
		t.Errorf("the notification has %v new events, want 1", got)
	}
}

// A withdrawal without a count does not wait for others, because one event may cause many of them.
func TestWithdrawAlone(t *testing.T) {
	e := start(t)
	n := e.notificationEvent(model.NotificationLike, "bob", liked)
	e.notify(n)
	e.CoolDown()
	for _, by := range []model.UserID{"cat", "dan"} { // at one moment
		testenv.Must(t, e.NotificationEvents.Notify(t.Context(),
			model.FactNotificationEvent(model.NotificationLike, "ann",
				model.NotificationEventPayload{UserID: by, TweetID: liked}, n.At)))
	}
	testenv.Must(t, e.NotificationEvents.Withdraw(t.Context(), n))
	if got := e.Doc(t, logged(n)); got["withdrawn"] != true || got["pending"] != true {
		t.Errorf("the notice is %v in the log, want its withdrawal pending", got)
	}
}

// Another process writes the list of notifications between the reads and each commit of this process, or the database
// aborts the commits. The crowd's next events are pending. After a commit that found a tweet gone, nothing is tried
// again together.
func TestTogetherRefused(t *testing.T) {
	for _, of := range []struct {
		what    string
		refused error
		commits int64 // with several notification events
		pending bool  // what comes next
	}{
		{"outdated", status.Error(codes.FailedPrecondition, "the list changed"), 3, true},
		{"aborted", status.Error(codes.Aborted, "too much contention on these documents"), 1, true},
		{"gone", status.Error(codes.NotFound, "no tweet"), 1, false},
	} {
		t.Run(of.what, func(t *testing.T) {
			e := start(t)
			e.CreateUsers(t, "ann")
			var shared atomic.Int64
			process := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string,
				req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
				commit, _ := req.(*firestorepb.CommitRequest)
				if n := len(commit.GetWrites()); n > 2 {
					shared.Add(1)
					return of.refused
				}
				return invoke(ctx, method, req, reply, conn, opts...)
			}}})
			var some []*model.NotificationEvent
			for i := range 5 {
				some = append(some, e.notificationEvent(model.NotificationLike, model.UserID(fmt.Sprint("fan_", i)), liked))
			}
			notify := func(n *model.NotificationEvent) error { return process.NotificationEvents.Notify(t.Context(), n) }
			e.CoolDown()
			testenv.Must(t, notify(some[0]))
			for _, err := range testenv.AtOnce(3, func(i int) error { return notify(some[1+i]) }) {
				testenv.Must(t, err)
			}
			if n := shared.Load(); n != of.commits {
				t.Errorf("%d shared commits, want %d", n, of.commits)
			}
			testenv.Must(t, notify(some[4]))
			if got := e.Doc(t, logged(some[4])); (got["pending"] == true) != of.pending {
				t.Errorf("the next notice is %v in the log, want it pending: %t", got, of.pending)
			}
			testenv.Must(t, e.NotificationEvents.FlushAll(t.Context(), model.NotificationEventPartitionOf("ann")))
			e.shown("all", "like:"+string(liked), 1, 0, "fan_4", "fan_3", "fan_2", "fan_1", "fan_0")
		})
	}
}
