package notifications_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A block takes the events of the blocked user off the blocker's notifications, also pending ones. It keeps the events
// of others and of the shop, and the notifications of the blocked user.
func TestWithdrawBlocked(t *testing.T) {
	e := start(t)
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	groupKey := "like:" + string(liked)
	both := e.notificationEvent(model.NotificationLike, "cat", liked)
	e.notify(both)
	e.notify(e.notificationEvent(model.NotificationLike, "bob", liked))
	e.notify(e.notificationEvent(model.NotificationFollow, "bob", ""))
	e.notify(e.notificationEvent(model.NotificationReply, "bob", "bb0000000000000001"))
	for i := range 3 {
		n := e.notificationEvent(model.NotificationShare, "bob", model.TweetID(fmt.Sprintf("aa000000000000000%d", i)))
		e.notify(n)
	}
	order := model.NewNotificationEvent("order", model.NotificationOrder, "ann", model.NotificationEventPayload{
		UserID: "bob", OrderID: "1", OrderStatus: model.OrderShipped}, e.Clock.Now())
	e.notify(order)
	waits := e.notificationEvent(model.NotificationFollow, "bob", "")
	partition, _ := model.NotificationEventPartition(waits.ID)
	_, err := e.Raw.Doc(logged(waits)).Create(ctx, waits)
	testenv.Must(t, err)
	theirs := model.FactNotificationEvent(model.NotificationFollow, "bob", model.NotificationEventPayload{UserID: "ann"},
		e.Clock.Now())
	e.notify(theirs)
	e.shown("all", groupKey, 7, 0, "bob", "cat")

	withdraw := func(ctx context.Context) error { return e.NotificationEvents.WithdrawBlocked(ctx, "ann", "bob") }
	testenv.Must(t, storetest.Costs(t, "WithdrawBlocked, without a block", 1, 0, 0, withdraw))
	testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
	e.CoolDown()
	testenv.Must(t, withdraw(ctx))
	if got := e.Doc(t, logged(waits)); got["dropped"] != true || got["pending"] != nil {
		t.Errorf("what waited for a drain is %v in the log, want it dropped", got)
	}
	testenv.Must(t, e.NotificationEvents.FlushAll(ctx, partition))
	e.shown("cat alone", groupKey, 2, 0, "cat")
	for _, gone := range []string{"follow", "reply:" + string(liked), "share:aa0000000000000000"} {
		if n := e.shown("blocked", gone, 2, 0); n != nil {
			t.Errorf("after the block ann has %+v", n)
		}
	}
	e.shown("an order", order.GroupKey(), 2, 0, "bob")
	later := model.NewNotificationEvent("later", model.NotificationOrder, "ann", model.NotificationEventPayload{
		UserID: "bob", OrderID: "2", OrderStatus: model.OrderShipped}, e.Clock.Now())
	e.notify(later)
	e.shown("an order of later", later.GroupKey(), 3, 0, "bob")
	if got := e.Notification(t, "bob", "follow_2026-11-15"); got["countUsers"] != int64(0) {
		t.Errorf("bob, whom ann blocks, is notified of ann by %v", got)
	}
	testenv.Must(t, storetest.Costs(t, "WithdrawBlocked, again", 1+2*2, 0, 0, withdraw))
	testenv.Must(t, e.Graph.Unblock(ctx, "ann", "bob"))
	testenv.Must(t, e.NotificationEvents.Notify(ctx, both)) // the event comes twice
	e.shown("an unblock brings nothing back", groupKey, 3, 0, "cat")
}

// A slow process reads that there is no block. Then a block comes, and WithdrawBlocked finds nothing yet, or only
// pending events. A process that puts a notification event on after that takes it off again, also if the answer to its
// commit is lost.
func TestPutOnSlowlyBesideBlock(t *testing.T) {
	for _, hot := range []bool{false, true} {
		for _, lost := range []bool{false, true} {
			t.Run(fmt.Sprintf("hot %t, lost %t", hot, lost), func(t *testing.T) {
				e := start(t)
				ctx := t.Context()
				e.CreateUsers(t, "ann", "bob")
				n := e.notificationEvent(model.NotificationLike, "bob", liked)
				late := storetest.Before(storetest.WritesTo("users/ann/notificationLists/newest"), func() {
					testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
					time.Sleep(2 * time.Second)
					testenv.Must(t, e.NotificationEvents.WithdrawBlocked(ctx, "ann", "bob"))
				})
				losses := storetest.LoseFirst(func() {})
				below := func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
					opts ...grpc.CallOption) error {
					return late(ctx, method, req, reply, conn, func(ctx context.Context, method string, req, reply any,
						conn *grpc.ClientConn, opts ...grpc.CallOption) error {
						if !lost {
							return invoke(ctx, method, req, reply, conn, opts...)
						}
						return losses.Lose(ctx, method, req, reply, conn, invoke, opts...)
					}, opts...)
				}
				slow := e.Again(t, store.Options{Meter: meter.Options{Below: below}})
				if hot {
					_, err := e.Raw.Doc(logged(n)).Create(ctx, n)
					testenv.Must(t, err)
					partition, _ := model.NotificationEventPartition(n.ID)
					testenv.Must(t, slow.NotificationEvents.FlushAll(ctx, partition))
				} else {
					testenv.Must(t, slow.NotificationEvents.Notify(ctx, n))
				}
				// ann is hot
				testenv.Must(t, e.NotificationEvents.FlushAll(ctx, model.NotificationEventPartitionOf("ann")))
				if got := e.Doc(t, logged(n)); got["withdrawn"] != true && got["dropped"] != true || got["between"] != nil ||
					got["pending"] != nil {
					t.Errorf("the notice is %v in the log, want it withdrawn, or dropped while it was pending", got)
				}
				if n := e.shown("blocked", "like:"+string(liked), 0, 0); n != nil {
					t.Errorf("after the block ann has %+v", n)
				}
			})
		}
	}
}

// Events after an unblock stay, though the function of the block is slow.
func TestUnblockedMeanwhile(t *testing.T) {
	e := start(t)
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
	done := make(chan error)
	go func() { done <- e.NotificationEvents.WithdrawBlocked(ctx, "ann", "bob") }() // waits until the block is 2 s old
	time.Sleep(500 * time.Millisecond)
	testenv.Must(t, e.Graph.Unblock(ctx, "ann", "bob"))
	e.notify(e.notificationEvent(model.NotificationLike, "bob", liked))
	testenv.Must(t, <-done)
	e.shown("after the unblock", "like:"+string(liked), 1, 0, "bob")
}

// The event of a block was lost. verify finds the blocked user on a notification, and a repair takes the user off.
func TestVerifyBlocked(t *testing.T) {
	e := start(t)
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	id := e.Tweet(t, "ann", "a spark").ID
	testenv.Must(t, e.Reactions.Like(ctx, "bob", id))
	snap, err := e.Raw.Doc("likes/" + model.ReactionKey("bob", id)).Get(ctx)
	testenv.Must(t, err)
	var like model.Like
	testenv.Must(t, snap.DataTo(&like))
	e.notify(model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "bob",
		TweetID: id}, like.CreatedAt))
	found := func(repair bool) (n int) {
		t.Helper()
		e.CoolDown()
		ds, err := e.Audit.User(ctx, "ann", verify.Options{Repair: repair, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		for _, d := range ds {
			if d.Kind == model.NotificationLogs || d.Kind == model.NotificationLists {
				n++
			}
		}
		return n
	}
	if n := found(false); n > 0 {
		t.Errorf("before the block verify finds %d differences", n)
	}
	testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
	if n := found(true); n != 1 {
		t.Errorf("after the block verify finds %d differences, want 1", n)
	}
	if n := found(false); n > 0 {
		t.Errorf("after the repair verify finds %d differences", n)
	}
	e.shown("repaired", "like:"+string(id), 0, 0)
}
