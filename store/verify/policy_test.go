package verify_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// What a policy filters is owed to no list. An event that was lost comes to the requests with the repair, one whose
// like is gone leaves them, and so does one that the log does not know.
func TestFilteredNotifications(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	_, err := e.Settings.ChangePolicy(ctx, "ann", model.NotificationPolicyPatch{NotFollowed: new(model.SenderFilter)})
	testenv.Must(t, err)
	tweet := e.Tweet(t, "ann", "a spark")
	for _, liker := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Reactions.Like(ctx, liker, tweet.ID))
	}
	events := map[model.UserID]*model.NotificationEvent{}
	for _, liker := range []model.UserID{"bob", "cat"} {
		snap, err := e.Raw.Doc("likes/" + model.ReactionKey(liker, tweet.ID)).Get(ctx)
		testenv.Must(t, err)
		var like model.Like
		testenv.Must(t, snap.DataTo(&like))
		events[liker] = model.FactNotificationEvent(model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: liker, TweetID: tweet.ID}, like.CreatedAt)
	}
	testenv.Must(t, e.NotificationEvents.Notify(ctx, events["bob"]))
	collections := []string{model.NotificationLogs, model.NotificationLists, model.NotificationRequestLists, model.Viewers}
	differ := func(what string, want int) {
		t.Helper()
		if got := differences(t, e, "ann", collections...); len(got) != want {
			t.Errorf("%s: verify finds %v, want %d differences", what, got, want)
		}
	}
	repair := func(what string, senders ...model.UserID) {
		t.Helper()
		e.CoolDown()
		_, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		differ(what, 0)
		is, err := e.Settings.Requests(ctx, "ann")
		testenv.Must(t, err)
		if len(is.Requests) != len(senders) {
			t.Errorf("%s: the requests are of %v, want %v", what, is.Senders(), senders)
		}
		for _, uid := range senders {
			if r := is.Of(uid); len(r.Events) != 1 {
				t.Errorf("%s: %s has %d events in the requests", what, uid, len(r.Events))
			}
		}
		if n, err := e.NotificationEvents.Unread(ctx, "ann"); err != nil || n != 0 {
			t.Errorf("%s: %d are unread, %v", what, n, err)
		}
	}
	differ("the event of cat is lost", 1)
	repair("repaired", "bob", "cat")
	w := &writer{t, ctx, e.Raw}
	w.delete("likes/" + model.ReactionKey("bob", tweet.ID))
	differ("the like of bob is gone", 1)
	repair("the like of bob is gone", "cat")
	partition, _ := model.NotificationEventPartition(events["cat"].ID)
	w.set("eventLogs/"+partition+"/events/"+events["cat"].ID, firestore.FieldPath{"filtered"}, nil)
	differ("the log says that the event of cat is withdrawn", 1)
	repair("the log says that the event of cat is withdrawn")
	w.set("viewers/ann", firestore.FieldPath{"choice", "policy"}, nil)
	differ("the copy lacks the policy", 1)
	repair("the copy lacks the policy")
}
