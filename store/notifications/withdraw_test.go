package notifications_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const liked = model.TweetID("aa0000000000000001")

// told notifies and withdraws, without a stack, as the functions do for one notification event.
type told struct {
	*storetest.Env
	t *testing.T
}

// notificationEvent is the notification event of a fact that happens now.
func (e *told) notificationEvent(kind model.NotificationKind, by model.UserID,
	tweet model.TweetID) *model.NotificationEvent {
	e.Clock.Add(time.Second)
	p := model.NotificationEventPayload{UserID: by, TweetID: tweet}
	if kind == model.NotificationReply {
		p.ReplyTo = liked
	}
	return model.FactNotificationEvent(kind, "ann", p, e.Clock.Now())
}

func (e *told) notify(n *model.NotificationEvent) {
	e.t.Helper()
	e.CoolDown()
	testenv.Must(e.t, e.NotificationEvents.Notify(e.t.Context(), n))
}

func (e *told) withdraw(n *model.NotificationEvent) {
	e.t.Helper()
	e.CoolDown()
	testenv.Must(e.t, e.NotificationEvents.Withdraw(e.t.Context(), n))
}

// shown checks the number of unread notifications, and the actors of the notification of a group key, newest first,
// with its numbers of users and tweets. Without actors the notification must be in no list. It returns the
// notification.
func (e *told) shown(what, groupKey string, unread, tweets int64, by ...model.UserID) *model.Notification {
	e.t.Helper()
	n, err := e.NotificationEvents.Unread(e.t.Context(), "ann")
	if err != nil || n != unread {
		e.t.Errorf("%s: %d unread (%v), want %d", what, n, err, unread)
	}
	var got *model.Notification
	for _, read := range []*bool{nil, new(true), new(false)} {
		page, _, err := e.NotificationEvents.Notifications(e.t.Context(), "ann", read, model.Cursor{}, 20)
		testenv.Must(e.t, err)
		for _, one := range page.Items {
			if one.GroupKey == groupKey && (read == nil || *read == one.IsRead) {
				got = &one
			}
		}
	}
	if got == nil {
		if len(by) > 0 {
			e.t.Errorf("%s: there is no notification of %s, want one with %v", what, groupKey, by)
		}
		return nil
	}
	var users []model.UserID
	distinct := map[model.UserID]bool{}
	for _, r := range got.Records {
		users, distinct[r.UserID] = append(users, r.UserID), true
	}
	if !slices.Equal(users, by) || got.CountTweets != tweets || len(users) < model.NotificationRecords &&
		got.CountUsers != int64(len(distinct)) {
		e.t.Errorf("%s: %s has %v, %d users, %d tweets; want %v, %d tweets", what, groupKey, users, got.CountUsers,
			got.CountTweets, by, tweets)
	}
	return got
}

func start(t *testing.T) *told {
	t.Parallel()
	return &told{storetest.Open(t, store.Options{}), t}
}

// A like that is taken back leaves the notification, and the notification goes with its last like. Without unread
// events it is read again.
func TestWithdraw(t *testing.T) {
	e := start(t)
	groupKey := "like:" + string(liked)
	bob, cat := e.notificationEvent(model.NotificationLike, "bob", liked), e.notificationEvent(model.NotificationLike,
		"cat", liked)
	e.notify(bob)
	before := e.shown("bob likes", groupKey, 1, 0, "bob")
	e.notify(cat)
	e.shown("cat too", groupKey, 1, 0, "cat", "bob")
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Withdraw", 2, 2, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, cat)
	}))
	after := e.shown("cat no more", groupKey, 1, 0, "bob")
	if diff := cmp.Diff(before.UpdatedAt, after.UpdatedAt); diff != "" {
		t.Errorf("the notification changed last (-want +got):\n%s", diff)
	}
	testenv.Must(t, storetest.Costs(t, "Withdraw, again", 1, 0, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, cat)
	}))
	e.notify(cat) // the event comes twice
	e.shown("an event twice", groupKey, 1, 0, "bob")

	testenv.Must(t, e.NotificationEvents.MarkRead(t.Context(), "ann", after.ID))
	dan := e.notificationEvent(model.NotificationLike, "dan", liked)
	e.notify(dan)
	e.shown("dan after ann read", groupKey, 1, 0, "dan", "bob")
	e.withdraw(dan)
	e.shown("dan no more", groupKey, 0, 0, "bob")
	e.withdraw(bob)
	e.shown("nobody", groupKey, 0, 0)
	if _, err := e.NotificationEvents.MarkAllRead(t.Context(), "ann", time.Time{}); err != nil {
		t.Error(err)
	}
	testenv.Must(t, e.NotificationEvents.MarkRead(t.Context(), "ann", after.ID)) // by a client that still shows it
	e.shown("nobody, read", groupKey, 0, 0)
}

// A notification event that is withdrawn before it comes never comes, in any order and however often.
func TestWithdrawFirst(t *testing.T) {
	e := start(t)
	groupKey := "like:" + string(liked)
	first := e.notificationEvent(model.NotificationLike, "bob", liked)
	testenv.Must(t, storetest.Costs(t, "Withdraw, before Notify", 1, 1, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, first)
	}))
	e.withdraw(first)
	e.notify(first)
	e.shown("taken back before it came", groupKey, 0, 0)
	second, third := e.notificationEvent(model.NotificationLike, "bob", liked), e.notificationEvent(model.NotificationLike,
		"bob", liked)
	e.notify(third) // given, taken back and given: the last comes first
	e.notify(second)
	e.shown("both", groupKey, 1, 0, "bob")
	e.withdraw(second)
	if n := e.shown("the last is there", groupKey, 1, 0, "bob"); !n.Records[0].At.Equal(third.At) {
		t.Errorf("bob liked at %v, want %v", n.Records[0].At, third.At)
	}
	e.withdraw(third)
	e.withdraw(second)
	e.shown("none is there", groupKey, 0, 0)
	again, last := e.notificationEvent(model.NotificationLike, "bob", liked), e.notificationEvent(model.NotificationLike,
		"bob", liked)
	e.notify(again)
	e.notify(last)
	e.withdraw(last)
	if n := e.shown("the first of two is there", groupKey, 1, 0, "bob"); !n.Records[0].At.Equal(again.At) {
		t.Errorf("bob liked at %v, want %v", n.Records[0].At, again.At)
	}
	// A day later no event comes, and so no record is left behind.
	old := e.notificationEvent(model.NotificationLike, "eve", liked)
	e.Clock.Add(26 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "Withdraw, what nobody knows", 1, 0, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, old)
	}))
	e.Clock.Add(model.NotificationWindow)
	testenv.Must(t, storetest.Costs(t, "Withdraw, long ago", 0, 0, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, old)
	}))
}

// A like that is taken back and given again counts as unread until its notification is read, and does not ring twice.
// Another user rings.
func TestWithdrawAndAgain(t *testing.T) {
	e := start(t)
	groupKey := "like:" + string(liked)
	doc := func() *model.Notification {
		t.Helper()
		var list model.NotificationList
		snap, err := e.Raw.Doc("users/ann/notificationLists/newest").Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&list))
		n := list.Notifications[groupKey+"_2026-11-15"]
		return &n
	}
	first := e.notificationEvent(model.NotificationLike, "bob", liked)
	e.notify(first)
	e.withdraw(first)
	before := doc()
	second := e.notificationEvent(model.NotificationLike, "bob", liked)
	e.notify(second)
	e.shown("again, never read", groupKey, 1, 0, "bob")
	if doc().Sends(before) {
		t.Error("a like that is given again rings")
	}
	testenv.Must(t, e.NotificationEvents.MarkRead(t.Context(), "ann", groupKey+"_2026-11-15"))
	e.withdraw(second)
	before = doc()
	if before.Sends(&model.Notification{IsRead: true, Rings: 1, CountUsers: 1}) {
		t.Error("a like that is taken back rings")
	}
	third := e.notificationEvent(model.NotificationLike, "bob", liked)
	e.notify(third)
	e.shown("again, read", groupKey, 0, 0, "bob")
	e.withdraw(third)
	before = doc()
	e.notify(e.notificationEvent(model.NotificationLike, "cat", liked))
	e.shown("another user", groupKey, 1, 0, "cat")
	if !doc().Sends(before) {
		t.Error("a like by another user does not ring")
	}
}

// A deleted reply leaves the other replies: a user with another reply stays.
func TestWithdrawReply(t *testing.T) {
	e := start(t)
	groupKey := "reply:" + string(liked)
	one, two := e.notificationEvent(model.NotificationReply, "bob", "bb0000000000000001"),
		e.notificationEvent(model.NotificationReply, "bob", "bb0000000000000002")
	e.notify(one)
	e.notify(two)
	e.shown("two replies", groupKey, 1, 2, "bob", "bob")
	e.withdraw(two)
	if n := e.shown("one is deleted", groupKey, 1, 1, "bob"); n.About() != one.Payload.TweetID {
		t.Errorf("the notification is about %s, want %s", n.About(), one.Payload.TweetID)
	}
	testenv.Must(t, e.NotificationEvents.MarkRead(t.Context(), "ann", groupKey+"_2026-11-15"))
	three := e.notificationEvent(model.NotificationReply, "bob", "bb0000000000000003")
	e.notify(three)
	e.withdraw(three)
	e.shown("the new one is deleted", groupKey, 0, 1, "bob")
	e.withdraw(one)
	e.shown("all are deleted", groupKey, 0, 0)
}

// A full list of records gets the next newest for one that goes.
func TestWithdrawOfMany(t *testing.T) {
	e := start(t)
	groupKey := "like:" + string(liked)
	var all []*model.NotificationEvent
	var by []model.UserID
	for i := range model.NotificationRecords + 4 {
		n := e.notificationEvent(model.NotificationLike, model.UserID(fmt.Sprintf("fan_%02d", i)), liked)
		all, by = append(all, n), append([]model.UserID{n.Payload.UserID}, by...)
		e.notify(n)
	}
	e.shown("all", groupKey, 1, 0, by[:10]...)
	e.withdraw(all[2]) // no record
	e.withdraw(all[9])
	by = slices.DeleteFunc(by, func(uid model.UserID) bool { return uid == "fan_02" || uid == "fan_09" })
	if n := e.shown("two less", groupKey, 1, 0, by[:10]...); n.CountUsers != int64(len(by)) {
		t.Errorf("the notification counts %d users, want %d", n.CountUsers, len(by))
	}
}

// One flush takes off and puts on. The ten newest of all that are left are the records, in each order of the ages of
// the withdrawn, the new and the replacing events.
func TestFlushOffAndOn(t *testing.T) {
	for _, on := range []struct{ first, last int }{{19, 19}, {0, 19}, {10, 25}} {
		t.Run(fmt.Sprint(on), func(t *testing.T) {
			e := start(t)
			ctx := t.Context()
			begin := e.notificationEvent(model.NotificationLike, "bob", liked).At
			partition := model.NotificationEventPartitionOf("ann")
			fan := func(i int) *model.NotificationEvent {
				return model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{
					UserID: model.UserID(fmt.Sprintf("fan_%02d", i)), TweetID: liked}, begin.Add(time.Duration(i)*time.Millisecond))
			}
			pend := func(some ...int) {
				for _, i := range some {
					_, err := e.Raw.Doc(logged(fan(i))).Create(ctx, fan(i))
					testenv.Must(t, err)
				}
			}
			var later []int
			for i := range 26 {
				if on.first <= i && i <= on.last {
					pend(i)
				} else {
					later = append(later, i)
				}
			}
			testenv.Must(t, e.NotificationEvents.FlushAll(ctx, partition))
			pend(later...)
			_, err := e.Raw.Doc(logged(fan(19))).
				Update(ctx, []firestore.Update{{Path: "withdrawn", Value: true}, {Path: "pending", Value: true}})
			testenv.Must(t, err)
			testenv.Must(t, e.NotificationEvents.FlushAll(ctx, partition))
			var want []model.UserID
			for _, i := range []int{25, 24, 23, 22, 21, 20, 18, 17, 16, 15} {
				want = append(want, fan(i).Payload.UserID)
			}
			e.shown("drained", "like:"+string(liked), 1, 0, want...)
			if got := e.Notification(t, "ann", "like:"+string(liked)+"_2026-11-15")["countUsers"]; got != int64(25) {
				t.Errorf("the notification counts %v users, want 25", got)
			}
		})
	}
}

// A notification has ten records. If one leaves, a query finds the next one; but not if the notification counts no more
// users than it has records.
func TestWithdrawFromFull(t *testing.T) {
	e := start(t)
	var some []*model.NotificationEvent
	var want []model.UserID // newest first
	for i := range model.NotificationRecords + 1 {
		by := model.UserID(fmt.Sprint("fan_", i))
		some, want = append(some, e.notificationEvent(model.NotificationLike, by, liked)), append([]model.UserID{by}, want...)
		e.notify(some[i])
	}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Withdraw of the oldest of eleven", 2, 2, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, some[0]) // which has no record
	}))
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Withdraw of one of ten", 2, 2, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, some[10])
	}))
	e.shown("nine are left", "like:"+string(liked), 1, 0, want[1:10]...)
	e.notify(e.notificationEvent(model.NotificationLike, "new_1", liked))
	e.notify(e.notificationEvent(model.NotificationLike, "new_2", liked))
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Withdraw of one of eleven", 2+11, 2, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, some[9])
	}))
	e.shown("ten are left", "like:"+string(liked), 1, 0, append([]model.UserID{"new_2", "new_1"}, want[2:10]...)...)
}

// Withdrawn events of a hot user are flushed together with the new events.
func TestWithdrawHot(t *testing.T) {
	e := start(t)
	groupKey := "like:" + string(liked)
	ctx := t.Context()
	n := e.notificationEvent(model.NotificationLike, "bob", liked)
	partition, _ := model.NotificationEventPartition(n.ID)
	e.notify(n)
	for i := range 20 { // at one moment
		fan := model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{
			UserID: model.UserID(fmt.Sprint("fan_", i)), TweetID: liked}, n.At.Add(time.Duration(i)*time.Millisecond))
		testenv.Must(t, e.NotificationEvents.Notify(ctx, fan))
		if i%2 > 0 {
			testenv.Must(t, e.NotificationEvents.Withdraw(ctx, fan))
		}
	}
	testenv.Must(t, storetest.Costs(t, "Withdraw, hot", 1, 1, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, n)
	}))
	if got := e.Doc(t, logged(n)); got["pending"] != true || got["withdrawn"] != true {
		t.Errorf("the notice is %v in the log, want it to be withdrawn", got)
	}
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, n))
	testenv.Must(t, e.NotificationEvents.FlushAll(ctx, partition))
	e.shown("drained", groupKey, 1, 0, "fan_18", "fan_16", "fan_14", "fan_12", "fan_10", "fan_8", "fan_6", "fan_4",
		"fan_2", "fan_0")
	if got := e.Notification(t, "ann", groupKey+"_2026-11-15")["countUsers"]; got != int64(10) {
		t.Errorf("the notification counts %v users, want 10", got)
	}
}
