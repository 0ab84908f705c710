package notifications_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

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
// change nothing. The list of notifications may be written by another process between the reads and the commit.
func TestTogether(t *testing.T) {
	for _, beside := range []bool{false, true} {
		t.Run(fmt.Sprint("another process ", beside), func(t *testing.T) {
			t.Parallel()
			var other func()
			e := &likes{storetest.Open(t, store.Options{Meter: meter.Options{Below: storetest.Before(func(path string,
				_ *firestorepb.Write) bool {
				return beside && strings.HasPrefix(path, "users/ann/notificationLists/")
			}, func() { other() })}}), t, ""}
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
				if pending > 0 || len(left) > 0 {
					t.Errorf("by %d: %d notification events are pending, and %q are left to be done", by, pending, left)
				}
				want := (by + 1) / 2 * int64(len(some))
				e.counts("at once", want, users+want-int64(len(some)), 0)
				together(t, e.Store, some, by, 2)
				e.counts("repeated", want, users+want-int64(len(some)), 0)
				if left := e.IDs(t, model.Flushes); len(left) > 0 {
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

// Twelve likes and their ends come at one moment, each twice. Each counts once, in whatever order they come.
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
			return deliver(e.Store, some[i/4], int64(1-2*(i%2)))(t.Context())
		})
	}) {
		testenv.Must(t, err)
	}
	testenv.Must(t, e.NotificationEvents.FlushAll(t.Context(), model.NotificationEventPartitionOf("ann")))
	_, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(e.id)})
	testenv.Must(t, err)
	if got, _ := e.Doc(t, "tweets/"+string(e.id))["likeCount"].(int64); got != 0 {
		t.Errorf("likeCount = %d, want 0", got)
	}
	if got, _ := e.Notification(t, "ann", "like:"+string(e.id)+"_2026-11-15")["countUsers"].(int64); got != 0 {
		t.Errorf("%d users are on the notification, want none", got)
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

// A notification event of a hot user leaves its notification once, however often it is withdrawn.
func TestTogetherWithdrawnTwice(t *testing.T) {
	e := start(t)
	var some []*model.NotificationEvent
	for _, by := range []model.UserID{"bob", "cat", "dan"} {
		some = append(some, e.notificationEvent(model.NotificationLike, by, liked))
	}
	e.CoolDown()
	for _, n := range some { // at one moment
		testenv.Must(t, e.NotificationEvents.Notify(t.Context(), n))
	}
	for range 3 {
		testenv.Must(t, e.NotificationEvents.Withdraw(t.Context(), some[0]))
	}
	e.shown("withdrawn three times", "like:"+string(liked), 1, 0, "dan", "cat")
	if got := e.Notification(t, "ann", "like:"+string(liked)+"_2026-11-15")["news"]; got != int64(2) {
		t.Errorf("the notification has %v new events, want 2", got)
	}
}
