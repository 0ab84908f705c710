package verify_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// What a subscriber was told of a post is right as long as the post is there, also after the end of the subscription,
// and a repair leaves it. After a lost event of a deletion a repair withdraws it.
func TestToldOfPosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	testenv.Must(t, e.Graph.Subscribe(ctx, "bob", "ann"))
	var posts []*model.Tweet
	for range 2 {
		e.CoolDown()
		posts = append(posts, e.Tweet(t, "ann", "x"))
		testenv.Must(t, e.NotificationEvents.NotifyPost(ctx, posts[len(posts)-1]))
	}
	repair := func() {
		t.Helper()
		e.CoolDown()
		_, err := e.Audit.User(ctx, "bob", verify.Options{Reconcile: time.Millisecond, Repair: true})
		testenv.Must(t, err)
	}
	told := func(want int64) {
		t.Helper()
		page, _, err := e.NotificationEvents.Notifications(ctx, "bob", nil, model.Cursor{}, 10)
		testenv.Must(t, err)
		got := int64(0)
		for _, n := range page.Items {
			got += n.CountTweets
		}
		if got != want {
			t.Errorf("bob was told of %d posts, want %d", got, want)
		}
	}
	log := func() []found { return differences(t, e, "bob", model.NotificationLists, model.NotificationLogs) }
	for range 2 {
		if left := log(); len(left) > 0 {
			t.Errorf("of posts that are there verify finds %v", left)
		}
		repair()
		told(2)
		testenv.Must(t, e.Graph.Unsubscribe(ctx, "bob", "ann"))
	}
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, posts[0].ID)) // nothing hears of it
	n := model.PostNotificationEvent(posts[0].ID, "ann", "bob")
	partition, _ := model.NotificationEventPartition(n.ID)
	want := []found{{"eventLogs/" + partition + "/events/" + n.ID, "withdrawn", nil, "true", false}}
	if diff := cmp.Diff(want, log()); diff != "" {
		t.Errorf("verify of a deleted post (-want +got):\n%s", diff)
	}
	repair()
	told(1)
	if left := log(); len(left) > 0 {
		t.Errorf("afterwards verify finds %v", left)
	}
}
