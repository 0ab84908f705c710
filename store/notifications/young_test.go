package notifications_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The like of a moment ago says that nobody blocked and that the settings took it, so neither is read. An older like
// says nothing.
func TestYoung(t *testing.T) {
	e := start(t)
	e.CreateUsers(t, "ann", "bob")
	notify := func(what string, age time.Duration, reads, writes int64) {
		t.Helper()
		n := e.notificationEvent(model.NotificationLike, "bob", liked)
		e.CoolDown()
		n.AllowedAt = e.Clock.Now().Add(-age)
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			return e.NotificationEvents.Notify(ctx, n)
		}))
	}
	notify("Notify of a young like", 0, 1, 2)
	notify("Notify of a like of 3 s ago", 3*time.Second, 3, 2)
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	notify("Notify of a like of 3 s ago, blocked", 3*time.Second, 3, 1)
	e.shown("blocked after the likes", "like:"+string(liked), 1, 0, "bob")
}

// A block comes after a like was checked. Either the function of the block finds the notification event, or the process
// that puts it on too late takes it off again.
func TestYoungBesideBlock(t *testing.T) {
	for _, late := range []bool{false, true} {
		t.Run(map[bool]string{false: "in time", true: "late"}[late], func(t *testing.T) {
			e := start(t)
			ctx := t.Context()
			e.CreateUsers(t, "ann", "bob")
			n := e.notificationEvent(model.NotificationLike, "bob", liked)
			n.AllowedAt = e.Clock.Now()
			testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
			search := func() { testenv.Must(t, e.NotificationEvents.WithdrawBlocked(ctx, "ann", "bob")) }
			process := e.Store
			if late {
				time.Sleep(1500 * time.Millisecond) // of the 2 s after which the block searches
				process = e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(
					"users/ann/notificationLists/newest"), func() {
					search()
					e.Clock.Add(2 * time.Second)
				})}})
			}
			testenv.Must(t, process.NotificationEvents.Notify(ctx, n))
			if !late {
				if e.Doc(t, logged(n))["on"] == nil {
					t.Fatal("the notification event is not put on: its process reads the block")
				}
				search()
			}
			testenv.Must(t, e.NotificationEvents.FlushAll(ctx, model.NotificationEventPartitionOf("ann")))
			if got := e.Doc(t, logged(n)); got["withdrawn"] != true || got["pending"] != nil {
				t.Errorf("the notice is %v in the log, want it withdrawn", got)
			}
			e.shown("blocked", "like:"+string(liked), 0, 0)
		})
	}
}

// A like was checked. A minute later its author refuses it, or its actor blocks the author. Then the event comes, to a
// process that last heard from the database before. The process hears the time with the list, and reads what refuses
// the like.
func TestYoungToAnIdleProcess(t *testing.T) {
	blocks := func(blocker, blockee model.UserID) func(context.Context, *storetest.Env) error {
		return func(ctx context.Context, e *storetest.Env) error { return e.Graph.Block(ctx, blocker, blockee) }
	}
	for what, refuse := range map[string]func(context.Context, *storetest.Env) error{
		"the author's settings": func(ctx context.Context, e *storetest.Env) error {
			_, err := e.Settings.Switch(ctx, "ann", map[model.NotificationKind]bool{model.NotificationLike: false})
			return err
		},
		"a block by the actor":  blocks("bob", "ann"),
		"a block by the author": blocks("ann", "bob"),
	} {
		t.Run(what, func(t *testing.T) {
			e := start(t)
			ctx := t.Context()
			e.CreateUsers(t, "ann", "bob")
			n := e.notificationEvent(model.NotificationLike, "bob", liked)
			n.AllowedAt = e.Clock.Now()
			idle := e.Again(t, store.Options{Meter: meter.Options{BelowReads: storetest.AfterRead(
				"users/ann/notificationLists/newest", func() {
					e.Clock.Add(time.Minute)
					testenv.Must(t, refuse(ctx, e.Env))
				})}})
			testenv.Must(t, idle.NotificationEvents.Notify(ctx, n))
			if got := e.Doc(t, logged(n)); got["dropped"] != true {
				t.Errorf("the notice is %v in the log, want it dropped", got)
			}
			e.shown("refused", "like:"+string(liked), 0, 0)
		})
	}
}

// A like that is withdrawn as soon as it is put on gives no message to devices.
func TestNoMessageOfWithdrawn(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	e := storetest.Open(t, store.Options{SendToDevice: func(context.Context, model.UserID, model.Device,
		model.DeviceMessage) (bool, error) {
		sent.Add(1)
		return false, nil
	}})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	testenv.Must(t, e.Devices.Put(ctx, "ann", "laptop", browser(t, "any")))
	process := e.Again(t, store.Options{SendToDevice: func(context.Context, model.UserID, model.Device,
		model.DeviceMessage) (bool, error) {
		sent.Add(1)
		return false, nil
	}, Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("users/ann/notificationLists/newest"), func() {
		testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
		e.Clock.Add(2 * time.Second)
	})}})
	for i, by := range []model.UserID{"bob", "cat"} {
		n := model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{UserID: by,
			TweetID: liked}, e.Clock.Now())
		n.AllowedAt = e.Clock.Now()
		testenv.Must(t, process.NotificationEvents.Notify(ctx, n))
		if got := sent.Load(); got != int64(i) {
			t.Errorf("%d messages after the like of %s, want %d", got, by, i)
		}
		e.CoolDown()
	}
}
