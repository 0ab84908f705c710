package api_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// notify does the work of the triggers: it writes notification events of a user and flushes them into notifications.
func (e *env) notify(t *testing.T, events ...*model.NotificationEvent) {
	t.Helper()
	for _, event := range events {
		if err := e.db.NotificationEvents.Notify(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		partition, _ := model.NotificationEventPartition(event.ID)
		if err := e.db.NotificationEvents.FlushAll(t.Context(), partition); err != nil {
			t.Fatal(err)
		}
	}
}

// noon is at noon in Tokyo some days ago, so that nothing depends on when a test runs.
func noon(daysAgo int) time.Time {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -daysAgo).Add(3 * time.Hour)
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	if got := pages[api.Notification](t, e, "/v1/notifications?pageSize=1", ann.token); len(got) != 0 {
		t.Errorf("notifications = %+v, want none", got)
	}
	const tweet, reply = model.TweetID("aa0000000000000001"), model.TweetID("bb0000000000000002")
	day := noon(3)
	e.notify(t,
		model.NewNotificationEvent("1", model.NotificationFollow, ann.id, model.NotificationEventPayload{UserID: bob.id},
			day),
		model.NewNotificationEvent("2", model.NotificationFollow, ann.id, model.NotificationEventPayload{UserID: "nobody"},
			day.Add(time.Second)),
		model.NewNotificationEvent("3", model.NotificationLike, ann.id, model.NotificationEventPayload{UserID: carol.id,
			TweetID: tweet}, day.Add(2*time.Second)),
		model.NewNotificationEvent("4", model.NotificationReply, ann.id, model.NotificationEventPayload{UserID: bob.id,
			TweetID: reply, ReplyTo: tweet}, day.Add(3*time.Second)),
		model.NewNotificationEvent("5", model.NotificationFollow, bob.id, model.NotificationEventPayload{UserID: ann.id},
			day),
	)
	term := "_" + day.Format(time.DateOnly)
	summary := func(p person) *api.UserSummary { return &api.UserSummary{ID: p.id, Username: p.name, Nickname: p.name} }
	want := []api.Notification{
		{
			ID: "reply:" + string(tweet) + term, Slot: "reply:" + string(tweet), Term: term[1:], CountUsers: 1, CountTweets: 1,
			Records:   []api.Record{{At: day.Add(3 * time.Second), UserID: bob.id, TweetID: reply, User: summary(bob)}},
			CreatedAt: day.Add(3 * time.Second), UpdatedAt: day.Add(3 * time.Second),
		}, {
			ID: "like:" + string(tweet) + term, Slot: "like:" + string(tweet), Term: term[1:], CountUsers: 1,
			Records:   []api.Record{{At: day.Add(2 * time.Second), UserID: carol.id, User: summary(carol)}},
			CreatedAt: day.Add(2 * time.Second), UpdatedAt: day.Add(2 * time.Second),
		}, {
			ID: "follow" + term, Slot: "follow", Term: term[1:], CountUsers: 2,
			Records:   []api.Record{{At: day.Add(time.Second), UserID: "nobody"}, {At: day, UserID: bob.id, User: summary(bob)}},
			CreatedAt: day, UpdatedAt: day.Add(time.Second),
		},
	}
	check := func(filter string, want ...api.Notification) {
		t.Helper()
		for _, size := range []int{1, 2, 5} {
			got := pages[api.Notification](t, e, fmt.Sprintf("/v1/notifications?filter=%s&pageSize=%d", filter, size), ann.token)
			if diff := cmp.Diff(append([]api.Notification(nil), want...), got); diff != "" {
				t.Errorf("%s in pages of %d (-want +got):\n%s", filter, size, diff)
			}
		}
		if filter != "unread" {
			return
		}
		var unread api.UnreadCount
		r := e.do(t, "GET", "/v1/notifications/unreadCount", ann.token, nil).want(t, http.StatusOK, &unread)
		if cost := (meter.Counts{Reads: 1}); unread.Count != int64(len(want)) || r.cost(t) != cost {
			t.Errorf("unread count = %d for %+v, want %d for %+v", unread.Count, r.cost(t), len(want), cost)
		}
	}
	check("all", want...)
	check("unread", want...)
	check("read")

	for _, writes := range []int64{1, 0} {
		r := e.do(t, "PUT", "/v1/notifications/"+want[1].ID+"/read", ann.token, nil).want(t, http.StatusNoContent, nil)
		if got, want := r.cost(t), (meter.Counts{Reads: 1, Writes: writes}); got != want || len(r.body) != 0 {
			t.Errorf("reading one costs %+v, want %+v; it says %q", got, want, r.body)
		}
	}
	want[1].IsRead = true
	check("all", want...)
	check("unread", want[0], want[2])
	check("read", want[1])

	all := e.do(t, "PUT", "/v1/notifications/read", ann.token, nil).want(t, http.StatusNoContent, nil)
	if got, want := all.cost(t), (meter.Counts{Reads: 1, Writes: 1}); got != want {
		t.Errorf("reading all costs %+v, want %+v", got, want)
	}
	want[0].IsRead, want[2].IsRead = true, true
	check("unread")
	check("read", want...)

	// A new event makes a notification unread.
	again := day.Add(time.Minute)
	e.notify(t, model.NewNotificationEvent("6", model.NotificationLike, ann.id, model.NotificationEventPayload{
		UserID: bob.id, TweetID: tweet}, again))
	like := want[1]
	like.IsRead, like.CountUsers, like.UpdatedAt = false, 2, again
	like.Records = append([]api.Record{{At: again, UserID: bob.id, User: summary(bob)}}, like.Records...)
	check("unread", like)
	check("all", like, want[0], want[2])

	// Nobody else's are touched, or seen.
	if got := pages[api.Notification](t, e, "/v1/notifications?pageSize=5", bob.token); len(got) != 1 || got[0].IsRead ||
		got[0].Records[0].UserID != ann.id {
		t.Errorf("bob's notifications = %+v, want ann's following, unread", got)
	}

	// After 31 days they are gone, whether or not the database has deleted them.
	e.offset = model.NotificationWindow - 48*time.Hour
	check("unread")
	check("all")
}

// A token is good for its list only.
func TestNotificationTokens(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.notify(t,
		model.NewNotificationEvent("1", model.NotificationFollow, ann.id, model.NotificationEventPayload{UserID: bob.id},
			noon(1)),
		model.NewNotificationEvent("2", model.NotificationFollow, ann.id, model.NotificationEventPayload{UserID: bob.id},
			noon(2)),
	)
	var page server.List[api.Notification]
	e.do(t, "GET", "/v1/notifications?filter=unread&pageSize=1", ann.token, nil).want(t, http.StatusOK, &page)
	if page.NextPageToken == "" {
		t.Fatal("there is no second page")
	}
	e.do(t, "GET", "/v1/notifications?filter=unread&pageToken="+page.NextPageToken, ann.token, nil).
		want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/notifications?pageToken="+page.NextPageToken, ann.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	e.do(t, "GET", "/v1/notifications?filter=unread&pageToken="+page.NextPageToken, bob.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
}

func TestEventLookup(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "admin": true})
	at := noon(1)
	event := model.NewNotificationEvent("1", model.NotificationReply, ann.id, model.NotificationEventPayload{UserID: "bob",
		TweetID: "bb0000000000000002", ReplyTo: "aa0000000000000001"}, at)
	path := "/v1/admin/events/" + event.ID
	e.do(t, "GET", path, admin, nil).problem(t, http.StatusNotFound, "event_not_found")
	if err := e.db.NotificationEvents.Notify(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	want := api.Event{
		ID: event.ID, Type: api.EventKind(model.NotificationReply), UserID: ann.id, At: at,
		ExpireAt: at.Add(model.NotificationWindow),
		Payload:  api.EventPayload{UserID: "bob", TweetID: "bb0000000000000002", ReplyTo: "aa0000000000000001"},
	}
	for range 2 {
		var got api.Event
		r := e.do(t, "GET", path, admin, nil).want(t, http.StatusOK, &got)
		if diff := cmp.Diff(want, got); diff != "" || r.cost(t) != (meter.Counts{Reads: 1}) {
			t.Errorf("event for %+v (-want +got):\n%s", r.cost(t), diff)
		}
		e.notify(t, event) // once more: it is the same
		want.Pending = false
	}
	// What comes of somebody whom the user blocks is on no notification.
	bob := e.join(t, "bob")
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	blocked := model.NewNotificationEvent("2", model.NotificationFollow, ann.id, model.NotificationEventPayload{
		UserID: bob.id}, at)
	e.notify(t, blocked)
	var got api.Event
	e.do(t, "GET", "/v1/admin/events/"+blocked.ID, admin, nil).want(t, http.StatusOK, &got)
	if !got.Dropped || got.Pending {
		t.Errorf("the event of a blocked user is %+v, want it dropped", got)
	}
	// Events of all kinds are as the contract says.
	for _, kind := range model.NotificationKinds {
		event := model.NewNotificationEvent("of_"+string(kind), kind, ann.id, model.NotificationEventPayload{UserID: "carl",
			TweetID: "bb0000000000000003"}, at)
		testenv.Must(t, e.db.NotificationEvents.Notify(t.Context(), event))
		e.do(t, "GET", "/v1/admin/events/"+event.ID, admin, nil).want(t, http.StatusOK, &got)
		if got.Type != api.EventKind(kind) {
			t.Errorf("an event of the kind %s is told as %s", kind, got.Type)
		}
	}
	e.do(t, "GET", path, ann.token, nil).problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "GET", path, signUpAnonymously(t), nil).problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "GET", path, "", nil).problem(t, http.StatusUnauthorized, "unauthenticated")
}

// flag marks tweets as violative, as a moderator would.
func (e *env) flag(t *testing.T, ids ...model.TweetID) {
	t.Helper()
	for _, id := range ids {
		if _, err := e.admin.Doc("tweets/"+string(id)).
			Update(context.WithoutCancel(t.Context()), []firestore.Update{{Path: "isViolative", Value: true}}); err != nil {
			t.Fatal(err)
		}
	}
}

// A notification that lost its last notification event is in no list, and no longer counts as unread.
func TestWithdrawnNotification(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	const tweet = model.TweetID("aa0000000000000001")
	like := model.FactNotificationEvent(model.NotificationLike, ann.id, model.NotificationEventPayload{UserID: bob.id,
		TweetID: tweet}, noon(1))
	another := model.FactNotificationEvent(model.NotificationLike, ann.id, model.NotificationEventPayload{UserID: carol.id,
		TweetID: tweet}, noon(1).Add(time.Second))
	e.notify(t, like, another)
	check := func(what string, users ...model.UserID) {
		t.Helper()
		for _, filter := range []string{"all", "unread", "read"} {
			var got, want []model.UserID
			for _, n := range pages[api.Notification](t, e, "/v1/notifications?filter="+filter, ann.token) {
				if n.CountUsers != int64(len(users)) {
					t.Errorf("%s: it counts %d users, want %d", what, n.CountUsers, len(users))
				}
				for _, r := range n.Records {
					got = append(got, r.UserID)
				}
			}
			if filter != "read" {
				want = users
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, filter %s (-want +got):\n%s", what, filter, diff)
			}
		}
		var unread api.UnreadCount
		e.do(t, "GET", "/v1/notifications/unreadCount", ann.token, nil).want(t, http.StatusOK, &unread)
		if want := min(int64(len(users)), 1); unread.Count != want {
			t.Errorf("%s: %d unread, want %d", what, unread.Count, want)
		}
	}
	check("two likes", carol.id, bob.id)
	for _, n := range []*model.NotificationEvent{another, like} {
		testenv.Must(t, e.db.NotificationEvents.Withdraw(t.Context(), n))
		partition, _ := model.NotificationEventPartition(n.ID)
		testenv.Must(t, e.db.NotificationEvents.FlushAll(t.Context(), partition))
		if n == another {
			check("one like", bob.id)
		}
	}
	check("none")
	e.do(t, "PUT", "/v1/notifications/like:"+string(tweet)+"_"+noon(1).Format(time.DateOnly)+"/read", ann.token, nil).
		want(t, http.StatusNoContent, nil)
	check("none, read")
}
