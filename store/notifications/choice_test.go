package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// The settings at the time of the delivery count, also for pending events. A refused event stays in the log, and
// nothing brings it back.
func TestUnwanted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	_, err := e.Raw.Doc("usernames/ann").Set(ctx, model.Username{UID: "ann"})
	testenv.Must(t, err)
	root := e.Draft(t, "cat", model.Draft{Content: "loud", AllowReplies: true})
	loud := e.Draft(t, "bob", model.Draft{Content: "@ann", ReplyTo: &root.ID})
	calm := e.Draft(t, "bob", model.Draft{Content: "psst @ann"})
	testenv.Must(t, e.Settings.Mute(ctx, model.Viewer{ID: "ann", Role: model.Member}, loud.ID))
	_, err = e.Settings.Switch(ctx, "ann", map[model.NotificationKind]bool{model.NotificationFollow: false})
	testenv.Must(t, err)

	follow := model.NewNotificationEvent("f", model.NotificationFollow, "ann", model.NotificationEventPayload{
		UserID: "bob"}, e.Clock.Now())
	testenv.Must(t, storetest.Costs(t, "Notify, unwanted", 3, 1, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Notify(ctx, follow)
	}))
	if got := e.Doc(t, logged(follow)); got["dropped"] != true {
		t.Errorf("the notice is %v in the log, want it dropped", got)
	}
	like := model.NewNotificationEvent("l", model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "bob",
		TweetID: root.ID}, e.Clock.Now())
	_, err = e.Raw.Doc("likes/"+model.ReactionKey("bob", root.ID)).
		Set(ctx, model.Like{UserID: "bob", AuthorID: "ann", TweetID: root.ID, CreatedAt: like.At})
	testenv.Must(t, err)
	e.CoolDown()
	testenv.Must(t, e.NotificationEvents.Notify(ctx, like)) // muted: that is about replies and mentions

	// Two mentions by one user wait for a flush, one of them in the muted conversation.
	var partition string
	for _, tweet := range []*model.Tweet{loud, calm} {
		n := model.MentionNotificationEvent(tweet, "ann")
		n.Pending = true
		partition, _ = model.NotificationEventPartition(n.ID)
		_, err := e.Raw.Doc(logged(n)).Create(ctx, n)
		testenv.Must(t, err)
	}
	testenv.Must(t, storetest.Costs(t, "a drain of two, one unwanted", 2+1+1+1+1, 2+1, 0,
		func(ctx context.Context) error { return e.NotificationEvents.FlushAll(ctx, partition) }))

	_, err = e.Settings.Switch(ctx, "ann", map[model.NotificationKind]bool{model.NotificationFollow: true})
	testenv.Must(t, err)
	testenv.Must(t, e.NotificationEvents.Notify(ctx, follow)) // the event comes twice
	check := func() {
		t.Helper()
		page, _, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
		testenv.Must(t, err)
		got := map[string]int64{}
		for _, n := range page.Items {
			got[n.GroupKey] = n.CountUsers*10 + n.CountTweets
			for _, r := range n.Records {
				if n.GroupKey == "mention" && r.TweetID != calm.ID {
					t.Errorf("a mention in a muted conversation is on the notification: %v", r)
				}
			}
		}
		if diff := cmp.Diff(map[string]int64{"mention": 11, "like:" + string(root.ID): 10}, got); diff != "" {
			t.Errorf("notifications (-want +got):\n%s", diff)
		}
	}
	check()
	// verify does not miss a notification event that would be dropped, and a repair writes none.
	_, err = e.Raw.Doc(logged(model.MentionNotificationEvent(loud, "ann"))).Delete(ctx)
	testenv.Must(t, err)
	found, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.NotificationLogs {
			t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
	if got := e.Doc(t, logged(model.MentionNotificationEvent(loud, "ann"))); got != nil {
		t.Errorf("a repair wrote the notice %v", got)
	}
	page, _, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
	testenv.Must(t, err)
	for _, n := range page.Items {
		if n.GroupKey == "mention" && n.CountTweets != 1 {
			t.Errorf("after the repair the notification is %+v", n)
		}
	}
}
