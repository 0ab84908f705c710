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

// The event of a tweet that mentions somebody never comes. verify finds the notification event that is
// missing, and a repair writes it. The event that comes after all adds nothing.
func TestLostMention(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	_, err := e.Raw.Doc("usernames/bobby").Set(ctx, model.Username{UID: "bob"})
	testenv.Must(t, err)
	tweet := e.Tweet(t, "ann", "@bobby!")
	n := model.MentionNotificationEvent(tweet, "bob")
	partition, _ := model.NotificationEventPartition(n.ID)
	path := "eventLogs/" + partition + "/events/" + n.ID
	notificationEvents := func() []found {
		return differences(t, e, "bob", model.NotificationLists, model.NotificationLogs)
	}
	zone, err := time.LoadLocation("Asia/Tokyo")
	testenv.Must(t, err)
	want := []found{{path, "", nil, "event", false}, {"users/bob/notificationLists/newest",
		"notifications/" + n.NotificationKey(zone), nil, "card", false}}
	if diff := cmp.Diff(want, notificationEvents()); diff != "" {
		t.Errorf("verify (-want +got):\n%s", diff)
	}
	_, err = e.Audit.User(ctx, "bob", verify.Options{Reconcile: time.Millisecond, Repair: true})
	testenv.Must(t, err)
	testenv.Must(t, e.NotificationEvents.Notify(ctx, n))
	if left := notificationEvents(); len(left) > 0 {
		t.Errorf("afterwards verify finds %v", left)
	}
	page, _, err := e.NotificationEvents.Notifications(ctx, "bob", nil, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].GroupKey != "mention" || page.Items[0].CountTweets != 1 ||
		len(page.Items[0].Records) != 1 || page.Items[0].Records[0].TweetID != tweet.ID {
		t.Errorf("bob has the notifications %+v", page.Items)
	}
}

// An edit leaves somebody out and another mentions them anew, who have the notification event of the first
// time. When that has expired, verify owes no second one. The other way round, what an edit of a
// young tweet owes is found.
func TestMentionedAgain(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	for name, uid := range map[string]model.UserID{"bobby": "bob", "catty": "cat"} {
		_, err := e.Raw.Doc("usernames/"+name).Set(ctx, model.Username{UID: uid})
		testenv.Must(t, err)
	}
	tweet := e.Tweet(t, "ann", "@bobby!")
	first := model.MentionNotificationEvent(tweet, "bob")
	testenv.Must(t, e.NotificationEvents.Notify(ctx, first))
	begin := e.Clock.Now()
	e.Clock.Set(begin.AddDate(0, 0, 20))
	for _, content := range []string{"nobody", "@bobby and @catty"} { // the event of the mention of cat is lost
		after, err := e.Edits.Edit(ctx, "ann", tweet.ID, model.TweetPatch{Content: &content}, nil)
		testenv.Must(t, err)
		tweet = after.Tweet
	}
	again := model.MentionNotificationEvent(tweet, "bob")
	if again.ID != first.ID || again.At.Equal(first.At) {
		t.Fatalf("the notice of the second mention is %+v, want the id %s and another time", again, first.ID)
	}
	testenv.Must(t, e.NotificationEvents.Notify(ctx, again))
	check := func(what string, uid model.UserID, want int) {
		t.Helper()
		if got := differences(t, e, uid, model.NotificationLists, model.NotificationLogs); len(got) != want {
			t.Errorf("%s: verify finds %v of %s, want %d differences", what, got, uid, want)
		}
	}
	check("on day 20", "bob", 0)
	check("on day 20", "cat", 2)

	// What the database deletes after 31 days.
	zone, err := time.LoadLocation("Asia/Tokyo")
	testenv.Must(t, err)
	partition, _ := model.NotificationEventPartition(first.ID)
	w := &writer{t, ctx, e.Raw}
	w.delete("eventLogs/" + partition + "/events/" + first.ID)
	w.set("users/bob/notificationLists/newest", in(first.NotificationKey(zone)), firestore.Delete)
	e.Clock.Set(begin.Add(model.NotificationWindow + time.Hour))
	check("on day 31", "bob", 0)
	e.Clock.Set(begin.AddDate(0, 0, 49))
	check("on day 49", "bob", 0)
	_, err = e.Audit.User(ctx, "bob", verify.Options{Reconcile: time.Millisecond, Repair: true})
	testenv.Must(t, err)
	page, _, err := e.NotificationEvents.Notifications(ctx, "bob", nil, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(page.Items) > 0 {
		t.Errorf("after a repair bob is told again: %+v", page.Items)
	}
}
