package notifications_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/notifications"
)

// Two processes drain one partition at once. The slower process has read all notices when
// the other puts them on their notifications. Every reply counts once.
func TestDrainsAtOnce(t *testing.T) {
	t.Parallel()
	const each = 3
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	var partition string
	parents := []model.TweetID{"p1", "p2"} // with a notification each
	for _, parent := range parents {
		for i := range each {
			reply := model.TweetID(fmt.Sprint(parent, "-", i))
			n := model.NewNotice(string(reply), model.NoticeReply, "ann", model.NoticePayload{UserID: "bob", TweetID: reply, ReplyTo: parent}, e.Clock.Now())
			partition, _ = model.NoticePartition(n.ID)
			_, err := e.Raw.Doc(logged(n)).Set(ctx, n)
			testenv.Must(t, err)
		}
	}
	var once sync.Once
	meanwhile := func(path string, _ bool) {
		if strings.HasPrefix(path, "users/ann/notifications/") { // the first of the two; the slower process goes on to the second
			once.Do(func() {
				if err := e.Notices.DrainAll(ctx, partition); err != nil {
					t.Error(err)
				}
			})
		}
	}
	slow := e.Again(t, store.Options{Meter: meter.Options{OnWrite: meanwhile}})
	testenv.Must(t, slow.Notices.DrainAll(ctx, partition))
	for _, parent := range parents {
		n := e.Doc(t, "users/ann/notifications/reply:"+string(parent)+"_2026-11-15")
		if n["countTweets"] != int64(each) || n["countUsers"] != int64(1) || len(n["records"].([]any)) != each {
			t.Errorf("the notification of %s has %v, want %d replies by one user", parent, n, each)
		}
	}
}

// A drain leaves notices time to come, so that it puts many on a notification at once.
func TestDrainWaits(t *testing.T) {
	t.Parallel()
	const after = 200 * time.Millisecond
	e := storetest.Open(t, store.Options{DrainAfter: after})
	begun := time.Now()
	testenv.Must(t, e.Notices.Drain(t.Context(), model.DrainWork{Partition: "007"}))
	if took := time.Since(begun); took < after {
		t.Errorf("the drain began after %v at most, want %v", took, after)
	}
}

// The event of a drain may come again when the next drain is asked for already. Then the
// work document is not the one of the event, and stays.
func TestDrainOfTakenWork(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{DrainAfter: time.Millisecond})
	ctx := t.Context()
	n := model.NewNotice("bob", model.NoticeFollow, "ann", model.NoticePayload{UserID: "bob"}, e.Clock.Now())
	_, err := e.Raw.Doc(logged(n)).Set(ctx, n)
	testenv.Must(t, err)
	partition, _ := model.NoticePartition(n.ID)
	work := e.Raw.Doc("drains/" + partition)
	var written []time.Time
	for range 2 {
		result, err := work.Set(ctx, model.DrainWork{Partition: partition, ExpireAt: e.Clock.Now().Add(time.Hour)})
		testenv.Must(t, err)
		written = append(written, result.UpdateTime)
		e.Clock.Add(time.Second)
	}
	drain := func(written time.Time) {
		t.Helper()
		testenv.Must(t, e.Notices.Drain(ctx, model.DrainWork{Partition: partition, WrittenAt: written}))
	}
	drain(written[0])
	if e.Doc(t, "drains/"+partition) == nil || e.Doc(t, logged(n))["pending"] != true {
		t.Error("an event of earlier work did the work of the next")
	}
	drain(written[1])
	if e.Doc(t, "drains/"+partition) != nil || e.Doc(t, logged(n))["pending"] != nil {
		t.Error("the event of the work did not do it")
	}
}

// A drain that has no time left puts one notification's notices on, and asks for the next drain.
func TestDrainOutOfTime(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{DrainAfter: time.Nanosecond})
	notifications.DrainTime(e.Notices, -time.Hour)
	const partition, all = "007", 3
	for i := range all {
		n := model.NewNotice(fmt.Sprint("n", i), model.NoticeLike, "ann", model.NoticePayload{UserID: "bob", TweetID: model.TweetID(fmt.Sprint("t", i))}, e.Clock.Now())
		n.Pending = true
		_, err := e.Raw.Doc(fmt.Sprintf("eventLogs/%s/events/%d", partition, i)).Set(t.Context(), n)
		testenv.Must(t, err)
	}
	work := e.Raw.Doc("drains/" + partition)
	written, err := work.Set(t.Context(), model.DrainWork{Partition: partition, ExpireAt: e.Clock.Now().Add(time.Hour)})
	testenv.Must(t, err)
	for put := 1; put <= all; put++ {
		testenv.Must(t, e.Notices.Drain(t.Context(), model.DrainWork{Partition: partition, WrittenAt: written.UpdateTime}))
		docs, err := e.Raw.Collection("users/ann/notifications").Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		asked := e.Doc(t, "drains/"+partition) != nil
		if len(docs) != put || asked != (put < all) {
			t.Errorf("drain %d put %d notifications, and asked for the next: %v", put, len(docs), asked)
		}
		if snap, err := work.Get(t.Context()); err == nil {
			written.UpdateTime = snap.UpdateTime
		}
	}
}
