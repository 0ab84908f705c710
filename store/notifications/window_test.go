package notifications_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The operator chooses for how long notifications are kept, and may choose again. A notification keeps the time of its
// creation. Pages, the unread count and verify agree on each day, though the database deletes what has expired.
func TestNotificationDays(t *testing.T) {
	t.Parallel()
	for _, days := range []int{model.MinNotificationDays, model.MaxNotificationDays} {
		t.Run(fmt.Sprint(days), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{NotificationBytes: 1_500})
			e.CreateUsers(t, "ann")
			window := time.Duration(days) * 24 * time.Hour
			now := e.Again(t, store.Options{NotificationBytes: 1_500, NotificationWindow: window})
			ends := map[string]time.Time{}
			notify := func(s *store.Store, window time.Duration) {
				t.Helper()
				for i := range 3 {
					e.CoolDown()
					n := model.NewNotificationEvent(fmt.Sprint(e.Clock.Now(), i), model.NotificationLike, "ann",
						model.NotificationEventPayload{UserID: "bob", TweetID: model.TweetID(fmt.Sprintf("aa%016x", len(ends)))},
						e.Clock.Now())
					testenv.Must(t, s.NotificationEvents.Notify(t.Context(), n))
					ends[n.NotificationKey(time.FixedZone("", 9*3600))] = n.At.Add(window)
				}
			}
			begin := e.Clock.Now()
			for i := range 4 {
				e.Clock.Set(begin.AddDate(0, 0, i))
				notify(e.Store, model.NotificationWindow)
			}
			for i := range 4 {
				e.Clock.Set(begin.AddDate(0, 0, 4+i))
				notify(now, window)
			}
			listed := 0
			for day := 8; day < 8+days+model.MinNotificationDays; day++ {
				e.Clock.Set(begin.AddDate(0, 0, day).Add(time.Hour))
				listed += expireLists(t, e)
				var got, want []string
				for id, end := range ends {
					if e.Clock.Now().Before(end) {
						want = append(want, id)
					}
				}
				for from := (model.Cursor{}); ; {
					page, _, err := now.NotificationEvents.Notifications(t.Context(), "ann", nil, from, 20)
					testenv.Must(t, err)
					for _, n := range page.Items {
						got = append(got, n.ID)
					}
					if from = page.Next; from == (model.Cursor{}) {
						break
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("on day %d the pages have %d notifications %q, want %d: %q", day, len(got), got, len(want), want)
				}
				if n, err := now.NotificationEvents.Unread(t.Context(), "ann"); err != nil || n != int64(len(want)) {
					t.Fatalf("on day %d %d are unread (%v), want %d", day, n, err, len(want))
				}
			}
			if listed == 0 {
				t.Error("no list of a day expired")
			}
		})
	}
}

// expireLists deletes the lists of days that have expired, as the database does within a day.
func expireLists(t *testing.T, e *storetest.Env) (deleted int) {
	t.Helper()
	all, err := e.Raw.Collection("users/ann/notificationLists").Where("expireAt", "<", e.Clock.Now()).
		Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range all {
		if _, err := snap.Ref.Delete(t.Context(), firestore.Exists); err != nil {
			t.Fatal(err)
		}
		deleted++
	}
	return deleted
}
