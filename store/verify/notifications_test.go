package verify_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A notification expires with its first notification event, and up to a day before its last. From
// then on a missing notification is no difference.
func TestExpiredNotification(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Asia/Tokyo")
	testenv.Must(t, err)
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	morning := time.Date(2026, time.November, 15, 1, 0, 0, 0, zone)
	e.Clock.Set(morning)
	tweet := e.Tweet(t, "ann", "a spark")
	var first *model.NotificationEvent
	for _, liker := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Reactions.Like(ctx, liker, tweet.ID))
		n := model.NewNotificationEvent("like by "+string(liker), model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: liker, TweetID: tweet.ID}, e.Clock.Now())
		testenv.Must(t, e.NotificationEvents.Notify(ctx, n))
		if first == nil {
			first = n
		}
		e.Clock.Add(22 * time.Hour) // still the same day
	}
	check := func(what string, want []found) {
		t.Helper()
		if diff := cmp.Diff(want, differences(t, e, "ann", model.NotificationLists, model.NotificationLogs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("all there", []found{})

	// What the database deletes first.
	w := &writer{t, ctx, e.Raw}
	partition, _ := model.NotificationEventPartition(first.ID)
	const list = "users/ann/notificationLists/newest"
	w.delete("eventLogs/" + partition + "/events/" + first.ID)
	w.set(list, in(first.NotificationKey(zone)), firestore.Delete)
	w.delete("likes/" + model.ReactionKey("bob", tweet.ID)) // whose notification event would be missing
	check("gone too early", []found{{list, "notifications/" + first.NotificationKey(zone), nil, "card", false}})
	e.Clock.Set(morning.Add(model.NotificationWindow + time.Hour))
	check("expired", []found{})
}

// Whose like is gone, and the event of that was lost, is on the notification still: verify finds it,
// and a repair takes the user off, also of a notification that is empty then.
func TestNotificationEventOfNothing(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	tweet := e.Tweet(t, "ann", "a spark")
	w := &writer{t, ctx, e.Raw}
	for _, liker := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Reactions.Like(ctx, liker, tweet.ID))
		snap, err := e.Raw.Doc("likes/" + model.ReactionKey(liker, tweet.ID)).Get(ctx)
		testenv.Must(t, err)
		var like model.Like
		testenv.Must(t, snap.DataTo(&like))
		e.CoolDown()
		testenv.Must(t, e.NotificationEvents.Notify(ctx, model.FactNotificationEvent(model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: liker, TweetID: tweet.ID}, like.CreatedAt)))
	}
	for left, liker := range []model.UserID{"bob", "cat"} {
		w.delete("likes/" + model.ReactionKey(liker, tweet.ID))
		if got := differences(t, e, "ann", model.NotificationLogs); len(got) != 1 || got[0].Field != "withdrawn" {
			t.Fatalf("the like of %s is gone: verify finds %v", liker, got)
		}
		e.CoolDown()
		_, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		if got := differences(t, e, "ann", model.NotificationLogs, model.NotificationLists); len(got) > 0 {
			t.Errorf("after the repair verify finds %v", got)
		}
		page, _, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
		if err != nil || len(page.Items) != 1-left {
			t.Errorf("without %s there are %+v, %v", liker, page.Items, err)
		}
	}
	// One that lost what it is empty of is made so again.
	key := "like:" + string(tweet.ID) + "_" + e.Clock.Now().In(time.FixedZone("", 9*3600)).Format(time.DateOnly)
	w.set("users/ann/notificationLists/newest", in(key, "countUsers"), 1)
	w.set("users/ann/notificationLists/newest", in(key, "createdAt"), e.Clock.Now())
	_, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	if got := e.Notification(t, "ann", key); got["countUsers"] != int64(0) || got["createdAt"] != nil {
		t.Errorf("the repair made %v", got)
	}
}

// A list of a day expires before the newest list forgets the day. Until then the day's unread notifications are no
// difference.
func TestExpiredDay(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	began := time.Date(2026, time.November, 15, 0, 0, 0, 0, time.UTC)
	e.Clock.Set(began.Add(20 * 24 * time.Hour))
	const list = "users/ann/notificationLists/newest"
	_, err := e.Raw.Doc(list).Set(t.Context(), model.NotificationList{ExpireAt: model.DayExpiry("2026-11-15",
		model.NotificationWindow),
		Days: map[string]model.ListedDay{"2026-11-15": {Parts: 1, Unread: 3}}})
	testenv.Must(t, err)
	want := []found{{list, "days/2026-11-15/unread", "3", "0", false}}
	if diff := cmp.Diff(want, differences(t, e, "ann", model.NotificationLists)); diff != "" {
		t.Errorf("too few are unread (-want +got):\n%s", diff)
	}
	e.Clock.Set(began.Add(model.NotificationWindow - 10*time.Hour)) // the day began 14 hours earlier in Kiribati
	if got := differences(t, e, "ann", model.NotificationLists); len(got) > 0 {
		t.Errorf("after the list has expired verify finds %v", got)
	}
}
