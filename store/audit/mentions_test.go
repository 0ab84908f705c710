package audit_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/audit"
)

// The event of a tweet that mentions somebody never comes. verify finds the notice that is
// missing, and a repair writes it. The event that comes after all adds nothing.
func TestLostMention(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.Users(t, "ann", "bob")
	_, err := e.Raw.Doc("usernames/bobby").Set(ctx, model.Username{UID: "bob"})
	testenv.Must(t, err)
	tweet := e.Tweet(t, "ann", "@bobby!")
	n := model.MentionNotice(tweet, "bob")
	partition, _ := model.NoticePartition(n.ID)
	path := "eventLogs/" + partition + "/events/" + n.ID
	notices := func() []found { return differences(t, e, "bob", model.Notifications, model.NoticeLogs) }
	zone, err := time.LoadLocation("Asia/Tokyo")
	testenv.Must(t, err)
	want := []found{{path, "", nil, "event", false}, {"users/bob/notifications/" + n.NotificationKey(zone), "", nil, "card", false}}
	if diff := cmp.Diff(want, notices()); diff != "" {
		t.Errorf("verify (-want +got):\n%s", diff)
	}
	_, err = e.Audit.User(ctx, "bob", audit.Options{Settle: time.Millisecond, Repair: true})
	testenv.Must(t, err)
	testenv.Must(t, e.Notices.Notify(ctx, n))
	if left := notices(); len(left) > 0 {
		t.Errorf("afterwards verify finds %v", left)
	}
	page, err := e.Notices.Notifications(ctx, "bob", nil, model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].Slot != "mention" || page.Items[0].CountTweets != 1 || len(page.Items[0].Records) != 1 || page.Items[0].Records[0].TweetID != tweet.ID {
		t.Errorf("bob has the notifications %+v", page.Items)
	}
}
