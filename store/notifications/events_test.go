package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

func TestNotify(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	notify := func(n *model.NotificationEvent) func(context.Context) error {
		return func(ctx context.Context) error { return e.NotificationEvents.Notify(ctx, n) }
	}
	begun := e.Clock.Now()
	bobs := model.NewNotificationEvent("bob", model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "bob",
		TweetID: "t1"}, begun)
	testenv.Must(t, storetest.Costs(t, "Notify", 3, 2, 0, notify(bobs)))
	e.Clock.Add(time.Hour)
	cats := model.NewNotificationEvent("cat", model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "cat",
		TweetID: "t1"}, e.Clock.Now())
	testenv.Must(t, storetest.Costs(t, "Notify, second", 3, 2, 0, notify(cats)))
	e.CoolDown()
	testenv.Must(t, notify(cats)(t.Context())) // the event came twice
	again := model.NewNotificationEvent("cat again", model.NotificationLike, "ann", model.NotificationEventPayload{
		UserID: "cat", TweetID: "t1"}, e.Clock.Now())
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Notify, counted already", 3, 2, 0, notify(again)))

	want := map[string]any{
		"slot": "like:t1", "term": "2026-11-15", "isRead": false, "countUsers": int64(2), "countTweets": int64(0),
		"records":   []any{map[string]any{"at": again.At, "userId": "cat"}, map[string]any{"at": begun, "userId": "bob"}},
		"createdAt": begun, "updatedAt": again.At, "expireAt": begun.Add(31 * 24 * time.Hour),
		"news": int64(3), "rings": int64(2), "actors": map[string]any{
			"bob": map[string]any{"notices": int64(1), "reading": int64(1)},
			"cat": map[string]any{"notices": int64(2), "reading": int64(1)},
		},
	}
	if diff := cmp.Diff(want, e.Notification(t, "ann", "like:t1_2026-11-15")); diff != "" {
		t.Errorf("notification (-want +got):\n%s", diff)
	}
	want = map[string]any{
		"type": "like", "userId": "ann", "payload": map[string]any{"userId": "cat", "tweetId": "t1"},
		"at": cats.At, "expireAt": cats.At.Add(31 * 24 * time.Hour),
		"between": "ann_cat", "on": "ann/like:t1_2026-11-15", "reading": int64(1),
	}
	if diff := cmp.Diff(want, e.Doc(t, logged(cats))); diff != "" {
		t.Errorf("notice (-want +got):\n%s", diff)
	}
}

// logged is the path of a notification event in the event log.
func logged(n *model.NotificationEvent) string {
	partition, _ := model.NotificationEventPartition(n.ID)
	return "eventLogs/" + partition + "/events/" + n.ID
}

// A process that ended after it logged a notification event has enqueued no flush. The event comes again and enqueues
// the flush.
func TestNotifyAfterACrash(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	n := model.NewNotificationEvent("bob", model.NotificationFollow, "ann", model.NotificationEventPayload{UserID: "bob"},
		e.Clock.Now())
	_, err := e.Raw.Doc(logged(n)).Set(t.Context(), n)
	testenv.Must(t, err)
	testenv.Must(t, e.NotificationEvents.Notify(t.Context(), n))
	partition, _ := model.NotificationEventPartition(n.ID)
	if e.Doc(t, "drains/"+partition) == nil {
		t.Error("nobody is asked to drain the notice")
	}
	testenv.Must(t, e.NotificationEvents.FlushAll(t.Context(), partition))
	if got := e.Notification(t, "ann", "follow_2026-11-15")["countUsers"]; got != int64(1) {
		t.Errorf("the notification counts %v users, want 1", got)
	}
}

// A notification event is dropped if one of the two users has blocked the other since, also while it is pending. It
// stays in the log, and verify finds nothing to repair.
func TestBlockedSince(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve")
	tweet := e.Tweet(t, "ann", "a spark").ID
	var notificationEvents []*model.NotificationEvent
	for _, fan := range []model.UserID{"bob", "cat", "dan", "eve"} {
		e.Clock.Add(time.Hour / 100)
		testenv.Must(t, e.Reactions.Like(t.Context(), fan, tweet))
		snap, err := e.Raw.Doc("likes/" + model.ReactionKey(fan, tweet)).Get(t.Context())
		testenv.Must(t, err)
		var like model.Like
		testenv.Must(t, snap.DataTo(&like))
		notificationEvents = append(notificationEvents, model.NewNotificationEvent(string(fan), model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: fan, TweetID: tweet}, like.CreatedAt))
	}
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	testenv.Must(t, storetest.Costs(t, "Notify, of a blocked user", 3, 1, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Notify(ctx, notificationEvents[0])
	}))
	key := notificationEvents[0].NotificationKey(time.FixedZone("Asia/Tokyo", 9*3600))
	if got := e.Notification(t, "ann", key); got != nil {
		t.Errorf("a blocked user is on a notification: %v", got)
	}
	if got := e.Doc(t, logged(notificationEvents[0])); got["dropped"] != true {
		t.Errorf("the notice is %v in the log, want it dropped", got)
	}

	partition, _ := model.NotificationEventPartition(notificationEvents[0].ID)
	for _, n := range notificationEvents[1:] { // pending, as of a hot user
		_, err := e.Raw.Doc(logged(n)).Create(t.Context(), n)
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Graph.Block(t.Context(), "cat", "ann"))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "dan"))
	testenv.Must(t, storetest.Costs(t, "a drain of three, two of them dropped", 3+1+1+3*1+1, 3+1, 0,
		func(ctx context.Context) error { return e.NotificationEvents.FlushAll(ctx, partition) }))
	got := e.Notification(t, "ann", key)
	if records := got["records"].([]any); len(records) != 1 || records[0].(map[string]any)["userId"] != "eve" ||
		got["countUsers"] != int64(1) {
		t.Errorf("notification = %v, want eve alone", got)
	}
	found, err := e.Audit.User(t.Context(), "ann", verify.Options{})
	testenv.Must(t, err)
	for _, d := range found { // the functions of other documents did not run
		if d.Kind == model.NotificationLists || d.Kind == model.NotificationLogs {
			t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
	// verify does not miss a notification event whose event was lost, if it would be dropped.
	_, err = e.Raw.Doc(logged(notificationEvents[2])).Delete(t.Context())
	testenv.Must(t, err)
	found, err = e.Audit.User(t.Context(), "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.NotificationLists || d.Kind == model.NotificationLogs {
			t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
	if diff := cmp.Diff(got, e.Notification(t, "ann", key)); diff != "" {
		t.Errorf("notification after the repair (-want +got):\n%s", diff)
	}
	// A later block takes nothing back by itself, see TestWithdrawBlocked, and an unblock brings nothing back.
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "eve"))
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
	testenv.Must(t, e.NotificationEvents.Notify(t.Context(), notificationEvents[0])) // the event comes twice
	testenv.Must(t, e.NotificationEvents.FlushAll(t.Context(), partition))
	if diff := cmp.Diff(got, e.Notification(t, "ann", key)); diff != "" {
		t.Errorf("notification (-want +got):\n%s", diff)
	}
}

// A like that is taken back and given again rings once a day: a read notification stays read, and devices get no
// message. Each other user rings, and so does each reply.
func TestRingsOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	tell := func(kind model.NotificationKind, by, tweet model.TweetID) *model.Notification {
		t.Helper()
		e.Clock.Add(5 * time.Second) // no notification is hot
		p := model.NotificationEventPayload{UserID: model.UserID(by), TweetID: tweet}
		if kind == model.NotificationReply {
			p.ReplyTo = "aa0000000000000001"
		}
		n := model.NewNotificationEvent(e.Clock.Now().String(), kind, "ann", p, e.Clock.Now())
		testenv.Must(t, e.NotificationEvents.Notify(ctx, n))
		page, _, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
		testenv.Must(t, err)
		for _, one := range page.Items {
			if one.GroupKey == n.GroupKey() {
				return &one
			}
		}
		t.Fatalf("no notification of %s", n.GroupKey())
		return nil
	}
	for _, step := range []struct {
		kind  model.NotificationKind
		by    model.TweetID
		tweet model.TweetID
		rings bool
	}{
		{model.NotificationLike, "bob", "aa0000000000000001", true},
		{model.NotificationLike, "bob", "aa0000000000000001", false},
		{model.NotificationLike, "cat", "aa0000000000000001", true},
		{model.NotificationLike, "bob", "aa0000000000000001", false},
		{model.NotificationFollow, "bob", "", true},
		{model.NotificationFollow, "bob", "", false},
		{model.NotificationReply, "bob", "aa0000000000000002", true},
		{model.NotificationReply, "bob", "aa0000000000000003", true},
	} {
		n := tell(step.kind, step.by, step.tweet)
		if n.IsRead == step.rings {
			t.Errorf("%s by %s: read %v, want %v", step.kind, step.by, n.IsRead, !step.rings)
		}
		testenv.Must(t, e.NotificationEvents.MarkRead(ctx, "ann", n.ID))
		before := *n
		before.IsRead = true
		if again := tell(step.kind, step.by, step.tweet); step.kind != model.NotificationReply && again.Sends(&before) {
			t.Errorf("%s by %s again rings", step.kind, step.by)
		}
		testenv.Must(t, e.NotificationEvents.MarkRead(ctx, "ann", n.ID))
	}
	if unread, err := e.NotificationEvents.Unread(ctx, "ann"); err != nil || unread != 0 {
		t.Errorf("%d unread in the end (%v), want none", unread, err)
	}
}

// An expired notification does not count as unread, though the database deletes it later.
func TestUnreadExpires(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	n := model.NewNotificationEvent("bob", model.NotificationFollow, "ann", model.NotificationEventPayload{UserID: "bob"},
		e.Clock.Now())
	testenv.Must(t, e.NotificationEvents.Notify(t.Context(), n))
	for _, want := range []int64{1, 0} {
		if unread, err := e.NotificationEvents.Unread(t.Context(), "ann"); err != nil || unread != want {
			t.Errorf("%d unread (%v), want %d", unread, err, want)
		}
		e.Clock.Add(model.NotificationWindow)
	}
}

// A notification event that comes while the user marks all as read stays unread.
func TestMarkAllReadBeside(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	notify := func(who model.UserID) {
		n := model.NewNotificationEvent(string(who), model.NotificationFollow, "ann", model.NotificationEventPayload{
			UserID: who}, e.Clock.Now())
		testenv.Must(t, e.NotificationEvents.Notify(context.Background(), n))
		e.CoolDown()
	}
	const path = "users/ann/notificationLists/newest"
	notify("bob")
	beside := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(path),
		func() { notify("cat") })}})
	for _, read := range []bool{false, true} {
		_, err := beside.NotificationEvents.MarkAllRead(t.Context(), "ann", time.Time{})
		testenv.Must(t, err)
		if is := e.Notification(t, "ann", "follow_2026-11-15"); is["isRead"] != read || is["countUsers"] != int64(2) {
			t.Errorf("the notification is %v, want read %v, of two users", is, read)
		}
	}
}
