package mastodon_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// The marker of notifications never goes behind what was read, though a new event makes its whole group unread.
func TestNotificationsMarker(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	newest := func() string {
		t.Helper()
		e.idle(t)
		all, err := bob.GetNotifications(t.Context(), nil)
		testenv.Must(t, err)
		return string(all[0].ID)
	}
	var last client.ID
	mention := func() string {
		t.Helper()
		s, err := ann.PostStatus(t.Context(), &client.Toot{Status: "@bob"})
		testenv.Must(t, err)
		last = s.ID
		return newest()
	}
	move := func(to any) {
		t.Helper()
		e.ask(t, bob, "POST /api/v1/markers", map[string]any{"notifications": map[string]any{"last_read_id": to}}).
			want(t, http.StatusOK, nil)
	}
	is := func() string {
		t.Helper()
		var m struct {
			Notifications struct {
				LastReadID string `json:"last_read_id"`
			}
		}
		e.ask(t, bob, "GET /api/v1/markers?timeline[]=notifications", nil).want(t, http.StatusOK, &m)
		return m.Notifications.LastReadID
	}
	want := func(what, id string) {
		t.Helper()
		same(t, "the marker "+what, is(), id)
	}
	_, err := cid.AccountFollow(t.Context(), client.ID(bob.id))
	testenv.Must(t, err)
	followed := newest()
	want("of who read nothing", "0")
	move(followed)
	first := mention()
	move(first)
	want("that was moved", first)
	second := mention()
	want("after one more mention", first)
	third := mention()
	move(second)
	want("in the middle of a group", second)
	move(first)
	want("that was moved back", second)
	e.ask(t, bob, "POST /api/v1/notifications/"+third+"/dismiss", nil).want(t, http.StatusOK, nil)
	want("after a group was dismissed", third)
	fourth := mention()
	want("after one more mention", third)
	e.ask(t, bob, "PUT /v1/notifications/read", nil).want(t, http.StatusNoContent, nil)
	want("after all were read natively", fourth)
	testenv.Must(t, ann.DeleteStatus(t.Context(), last))
	if e.idle(t); is()[:14] != fourth[:14] {
		t.Errorf("without its mention the marker is %s, was %s", is(), fourth)
	}
	move(time.Now().Add(time.Hour).UnixMicro())
	if fifth := mention(); is() >= fifth || is() < fourth[:14] {
		t.Errorf("after a time of the future was read the marker is %s, of %s", is(), fifth)
	}
}

// A number as max_id begins with the latest day that its time has in any time zone, and is below all that has its time:
// the day of a notification may be another one than in UTC.
func TestBoundaryDay(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC)
	id := strconv.FormatInt(at.UnixMicro(), 10)
	same(t, "the first day", mastodon.FirstDay(id), "2026-11-30")
	for _, day := range []string{"2026-11-29", "2026-11-30"} {
		if follow := model.AppNotificationID(at, 0, "", day); mastodon.Boundary(id, 0) > follow {
			t.Errorf("the boundary %s is after %s", mastodon.Boundary(id, 0), follow)
		} else {
			same(t, "the first day of "+follow, mastodon.FirstDay(follow), day)
		}
	}
}
