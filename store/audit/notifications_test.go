package audit_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A notification expires with its first notice, and up to a day before its last. From
// then on a missing notification is no difference.
func TestExpiredNotification(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Asia/Tokyo")
	testenv.Must(t, err)
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.Users(t, "ann", "bob", "cat")
	morning := time.Date(2026, time.November, 15, 1, 0, 0, 0, zone)
	e.Clock.Set(morning)
	tweet := e.Tweet(t, "ann", "a spark")
	var first *model.Notice
	for _, liker := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Facts.Like(ctx, liker, tweet.ID))
		n := model.NewNotice("like by "+string(liker), model.NoticeLike, "ann", model.NoticePayload{UserID: liker, TweetID: tweet.ID}, e.Clock.Now())
		testenv.Must(t, e.Notices.Notify(ctx, n))
		if first == nil {
			first = n
		}
		e.Clock.Add(22 * time.Hour) // still the same day
	}
	check := func(what string, want []found) {
		t.Helper()
		if diff := cmp.Diff(want, differences(t, e, "ann", model.Notifications, model.NoticeLogs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("all there", []found{})

	// What the database deletes first.
	w := &writer{t, ctx, e.Raw}
	partition, _ := model.NoticePartition(first.ID)
	path := "users/ann/notifications/" + first.NotificationKey(zone)
	w.delete("eventLogs/" + partition + "/events/" + first.ID)
	w.delete(path)
	for _, actor := range []string{"bob", "cat"} {
		w.delete(path + "/actors/" + actor)
	}
	w.delete("likes/" + model.ReactionKey("bob", tweet.ID)) // whose notice would be missing
	check("gone too early", []found{{path, "", nil, "card", false}})
	e.Clock.Set(morning.Add(model.NotificationWindow + time.Hour))
	check("expired", []found{})
}
