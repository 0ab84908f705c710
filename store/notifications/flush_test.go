package notifications_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Two processes flush one partition concurrently. The slower process has read all notification events when the other
// puts them on their notifications. Every reply counts once.
func TestFlushesAtOnce(t *testing.T) {
	t.Parallel()
	const each = 3
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	var partition string
	parents := []model.TweetID{"p1", "p2"} // with a notification each, in one list
	for _, parent := range parents {
		for i := range each {
			reply := model.TweetID(fmt.Sprint(parent, "-", i))
			n := model.NewNotificationEvent(string(reply), model.NotificationReply, "ann", model.NotificationEventPayload{
				UserID: "bob", TweetID: reply, ReplyTo: parent}, e.Clock.Now())
			partition, _ = model.NotificationEventPartition(n.ID)
			_, err := e.Raw.Doc(logged(n)).Set(ctx, n)
			testenv.Must(t, err)
		}
	}
	meanwhile := storetest.Before(storetest.WritesTo("users/ann/notificationLists/newest"), func() {
		if err := e.NotificationEvents.FlushAll(ctx, partition); err != nil {
			t.Error(err)
		}
	})
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: meanwhile}})
	testenv.Must(t, slow.NotificationEvents.FlushAll(ctx, partition))
	for _, parent := range parents {
		n := e.Notification(t, "ann", "reply:"+string(parent)+"_2026-11-15")
		if n["countTweets"] != int64(each) || n["countUsers"] != int64(1) || len(n["records"].([]any)) != each {
			t.Errorf("the notification of %s has %v, want %d replies by one user", parent, n, each)
		}
	}
}

// A pending notification event is withdrawn while a flush has read it. Withdraw writes no list, and the flush puts
// nothing on.
func TestWithdrawDuringFlush(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	n := model.NewNotificationEvent("like", model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "bob",
		TweetID: liked}, e.Clock.Now())
	_, err := e.Raw.Doc(logged(n)).Set(t.Context(), n)
	testenv.Must(t, err)
	meanwhile := storetest.Before(storetest.WritesTo("users/ann/notificationLists/newest"), func() {
		if err := e.NotificationEvents.Withdraw(t.Context(), n); err != nil {
			t.Error(err)
		}
	})
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: meanwhile}})
	testenv.Must(t, slow.NotificationEvents.FlushAll(t.Context(), model.NotificationEventPartitionOf("ann")))
	if got := e.Doc(t, logged(n)); got["dropped"] != true || got["pending"] != nil {
		t.Errorf("the event is %v, want it dropped", got)
	}
	if got := e.Notification(t, "ann", n.NotificationKey(time.FixedZone("", 9*3600))); got != nil {
		t.Errorf("the notification is %v, want none", got)
	}
}

// A flush leaves notification events time to come, so that it puts many on a notification at once.
func TestFlushWaits(t *testing.T) {
	t.Parallel()
	const after = 200 * time.Millisecond
	e := storetest.Open(t, store.Options{FlushAfter: after})
	begun := time.Now()
	testenv.Must(t, e.NotificationEvents.Flush(t.Context(), model.FlushWork{Partition: "007"}))
	if took := time.Since(begun); took < after {
		t.Errorf("the drain began after %v at most, want %v", took, after)
	}
}

// The event of a flush may come again when the next flush is enqueued already. Then the work document is another one,
// and stays.
func TestFlushOfTakenWork(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{FlushAfter: time.Millisecond})
	ctx := t.Context()
	n := model.NewNotificationEvent("bob", model.NotificationFollow, "ann", model.NotificationEventPayload{UserID: "bob"},
		e.Clock.Now())
	_, err := e.Raw.Doc(logged(n)).Set(ctx, n)
	testenv.Must(t, err)
	partition, _ := model.NotificationEventPartition(n.ID)
	work := e.Raw.Doc("drains/" + partition)
	var written []time.Time
	for range 2 {
		result, err := work.Set(ctx, model.FlushWork{Partition: partition, ExpireAt: e.Clock.Now().Add(time.Hour)})
		testenv.Must(t, err)
		written = append(written, result.UpdateTime)
		e.Clock.Add(time.Second)
	}
	flush := func(written time.Time) {
		t.Helper()
		testenv.Must(t, e.NotificationEvents.Flush(ctx, model.FlushWork{Partition: partition, WrittenAt: written}))
	}
	flush(written[0])
	if e.Doc(t, "drains/"+partition) == nil || e.Doc(t, logged(n))["pending"] != true {
		t.Error("an event of earlier work did the work of the next")
	}
	flush(written[1])
	if e.Doc(t, "drains/"+partition) != nil || e.Doc(t, logged(n))["pending"] != nil {
		t.Error("the event of the work did not do it")
	}
}

// A flush without time left puts one user's notification events on, and enqueues the next flush.
func TestFlushOutOfTime(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{FlushAfter: time.Nanosecond})
	e.NotificationEvents.FlushTime = -time.Hour
	const partition, all = "007", 3
	for i := range all {
		n := model.NewNotificationEvent(fmt.Sprint("n", i), model.NotificationLike, model.UserID(fmt.Sprint("ann", i)),
			model.NotificationEventPayload{UserID: "bob", TweetID: "t1"}, e.Clock.Now())
		n.Pending = true
		_, err := e.Raw.Doc(fmt.Sprintf("eventLogs/%s/events/%d", partition, i)).Set(t.Context(), n)
		testenv.Must(t, err)
	}
	work := e.Raw.Doc("drains/" + partition)
	written, err := work.Set(t.Context(), model.FlushWork{Partition: partition, ExpireAt: e.Clock.Now().Add(time.Hour)})
	testenv.Must(t, err)
	for put := 1; put <= all; put++ {
		testenv.Must(t, e.NotificationEvents.Flush(t.Context(), model.FlushWork{Partition: partition,
			WrittenAt: written.UpdateTime}))
		docs, err := e.Raw.CollectionGroup("notificationLists").Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		asked := e.Doc(t, "drains/"+partition) != nil
		if len(docs) != put || asked != (put < all) {
			t.Errorf("drain %d put notifications of %d users, and asked for the next: %v", put, len(docs), asked)
		}
		if snap, err := work.Get(t.Context()); err == nil {
			written.UpdateTime = snap.UpdateTime
		}
	}
}
