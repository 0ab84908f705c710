package notifications_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The time up to which a user has read moves forward with what is marked as read, in the same write, and never back.
func TestReadUntil(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	begin := e.Clock.Now().Truncate(time.Microsecond)
	tell := func(tweet, i int) string {
		t.Helper()
		e.CoolDown()
		n := model.NewNotificationEvent(fmt.Sprint(tweet, i), model.NotificationReply, "ann",
			model.NotificationEventPayload{UserID: "bob", TweetID: model.TweetID(fmt.Sprintf("aa%016x", i)),
				ReplyTo: model.TweetID(fmt.Sprintf("ab%016x", tweet))}, begin.Add(time.Duration(i)*time.Second))
		testenv.Must(t, e.NotificationEvents.Notify(ctx, n))
		return n.NotificationKey(time.FixedZone("", 9*3600))
	}
	want := func(what string, i int) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, 1, 0, 0, func(ctx context.Context) error {
			_, until, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 10)
			if i == 0 && !until.IsZero() || i > 0 && !until.Equal(begin.Add(time.Duration(i)*time.Second)) {
				t.Errorf("%s ann has read until %s, want second %d after %s", what, until, i, begin)
			}
			return err
		}))
	}
	all := func(what string, until time.Time, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, 1, writes, 0, func(ctx context.Context) error {
			_, err := e.NotificationEvents.MarkAllRead(ctx, "ann", until)
			return err
		}))
	}
	all("of nobody", begin, 0)
	want("without any", 0)
	one, two := tell(1, 1), tell(2, 2)
	want("when nothing is read", 0)
	testenv.Must(t, e.NotificationEvents.MarkRead(ctx, "ann", two))
	want("when the first is unread", 0)
	testenv.Must(t, storetest.Costs(t, "mark one", 1, 1, 0, func(ctx context.Context) error {
		return e.NotificationEvents.MarkRead(ctx, "ann", one)
	}))
	want("when both are read", 2)
	tell(2, 3)
	want("when the last is unread again", 2)
	tell(2, 4)
	all("in the middle of a notification", begin.Add(3*time.Second+time.Nanosecond), 1)
	want("in the middle of a notification", 3)
	all("again", begin.Add(3*time.Second+time.Nanosecond), 0)
	all("back", begin.Add(time.Second), 0)
	want("back", 3)
	all("all", time.Time{}, 1)
	want("all", 4)
	all("all again", time.Time{}, 0)

	// A list of an earlier version tells it by what is read, and keeps it with the next mark.
	_, err := e.Raw.Doc("users/ann/notificationLists/newest").Update(ctx, []firestore.Update{{Path: "readUntil",
		Value: firestore.Delete}})
	testenv.Must(t, err)
	want("in an earlier version", 4)
	all("in an earlier version", begin.Add(time.Second), 1)
	tell(1, 5)
	want("after an earlier version", 4)

	// A time of the future is taken as now.
	e.Clock.Set(begin.Add(10 * time.Second))
	all("in the future", begin.Add(time.Hour), 1)
	tell(1, 11)
	want("in the future", 10)
}
