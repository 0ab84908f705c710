package notifications_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Notifications leave the newest list, and their days get more lists. Pages list all of them, the last changed first,
// and each changes, is read and is withdrawn where it is.
func TestLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{NotificationBytes: 1_500})
	ctx := t.Context()
	begin := e.Clock.Now()
	var want []string
	var events []*model.NotificationEvent
	notify := func(by model.UserID, i int) {
		t.Helper()
		e.CoolDown()
		n := model.NewNotificationEvent(fmt.Sprint(by, i), model.NotificationLike, "ann", model.NotificationEventPayload{
			UserID: by, TweetID: model.TweetID(fmt.Sprintf("aa%016x", i))}, e.Clock.Now())
		testenv.Must(t, e.NotificationEvents.Notify(ctx, n))
		events = append(events, n)
		want = append([]string{n.NotificationKey(time.FixedZone("", 9*3600))}, want...)
	}
	const quiet, busy = 9, 30
	for i := range quiet { // a few days with one each, and a day with many
		e.Clock.Set(begin.AddDate(0, 0, i))
		notify("bob", i)
	}
	for i := range busy {
		notify("bob", 100+i)
	}
	list := func(what string, read *bool, size int, want []string) {
		t.Helper()
		got := []string{}
		for from, n := (model.Cursor{}), 0; n < 50; n++ {
			m := meter.New()
			page, _, err := e.NotificationEvents.Notifications(meter.With(ctx, m), "ann", read, from, size)
			testenv.Must(t, err)
			if reads := m.Snapshot().Reads; reads > 1+16 {
				t.Errorf("%s: a page costs %d reads", what, reads)
			}
			for _, one := range page.Items {
				got = append(got, one.ID)
			}
			if from = page.Next; from.IsZero() {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s in pages of %d (-want +got):\n%s", what, size, diff)
		}
	}
	check := func(what string, unread int) {
		t.Helper()
		if n, err := e.NotificationEvents.Unread(ctx, "ann"); err != nil || n != int64(unread) {
			t.Errorf("%s: %d are unread (%v), want %d", what, n, err, unread)
		}
		found, err := e.Audit.User(ctx, "ann", verify.Options{})
		testenv.Must(t, err)
		for _, d := range found {
			if d.Kind == model.NotificationLists {
				t.Errorf("%s: verify finds %s %s: have %v, want %v", what, d.Document, d.Field, d.Have, d.Want)
			}
		}
	}
	for _, size := range []int{1, 7, 100} {
		list("all", nil, size, want)
		list("unread", new(false), size, want)
	}
	check("all", len(want))
	var newest model.NotificationList
	snap, err := e.Raw.Doc("users/ann/notificationLists/newest").Get(ctx)
	testenv.Must(t, err)
	testenv.Must(t, snap.DataTo(&newest))
	today := newest.Days[model.NotificationDay(want[0])]
	if today.Parts != 16 || len(newest.Days) < quiet {
		t.Errorf("these days left the newest list: %+v", newest.Days)
	}

	// An old one changes, one is read, and one is withdrawn.
	e.CoolDown()
	n := *events[0]
	n.ID, n.Payload.UserID = events[0].ID[:28]+"f", "cat"
	testenv.Must(t, e.NotificationEvents.Notify(ctx, &n))
	if got := e.Notification(t, "ann", want[len(want)-1]); got["countUsers"] != int64(2) {
		t.Errorf("the oldest is %v, want two users", got)
	}
	testenv.Must(t, storetest.Costs(t, "MarkRead, of an old one", 2, 2, 0, func(ctx context.Context) error {
		return e.NotificationEvents.MarkRead(ctx, "ann", want[len(want)-1])
	}))
	list("read", new(true), 5, want[len(want)-1:])
	check("one is read", len(want)-1)
	e.CoolDown()
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, events[len(events)-1]))
	want = want[1:]
	list("one is withdrawn", nil, 6, want)
	calls := 0
	for more := true; more; calls++ {
		more, err = e.NotificationEvents.MarkAllRead(ctx, "ann", time.Time{})
		testenv.Must(t, err)
	}
	if calls < 3 || calls > 10 {
		t.Errorf("all were marked as read in %d calls", calls)
	}
	list("all are read", new(true), 10, want)
	list("all are read", new(false), 10, []string{})
	if n, err := e.NotificationEvents.Unread(ctx, "ann"); err != nil || n != 0 {
		t.Errorf("%d are unread (%v), want none", n, err)
	}

	// All expire, and the next notification takes their days along.
	e.Clock.Add(model.NotificationWindow + 5*24*time.Hour)
	list("all expired", nil, 10, []string{})
	want = nil
	notify("bob", 200)
	list("a new one", nil, 10, want)
	snap, err = e.Raw.Doc("users/ann/notificationLists/newest").Get(ctx)
	testenv.Must(t, err)
	newest = model.NotificationList{}
	testenv.Must(t, snap.DataTo(&newest))
	if len(newest.Days) > 0 || len(newest.Notifications) != 1 {
		t.Errorf("the newest list is %+v", newest)
	}
}

// Two processes notify, read and withdraw with small lists. Each event is on its notification once.
func TestListsAtOnce(t *testing.T) {
	t.Parallel()
	o := store.Options{NotificationBytes: 1_000, FlushAfter: time.Nanosecond}
	e := storetest.Open(t, o)
	stores := []*store.Store{e.Store, e.Again(t, o), e.Again(t, o)}
	const all = 40
	var events []*model.NotificationEvent
	for i := range all {
		events = append(events, model.NewNotificationEvent(fmt.Sprint(i), model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: model.UserID(fmt.Sprintf("fan_%d", i%7)),
				TweetID: model.TweetID(fmt.Sprintf("aa%016x", i/2))}, e.Clock.Now().Add(time.Duration(i)*time.Second)))
	}
	partition := model.NotificationEventPartitionOf("ann")
	for _, err := range testenv.AtOnce(len(stores), func(n int) error {
		s := stores[n].NotificationEvents
		for _, i := range rand.Perm(all) {
			if err := s.Notify(t.Context(), events[i]); err != nil {
				return err
			}
			if i%5 == 0 {
				if err := s.FlushAll(t.Context(), partition); err != nil {
					return err
				}
			}
		}
		return s.FlushAll(t.Context(), partition)
	}) {
		testenv.Must(t, err)
	}
	got, _, err := e.NotificationEvents.Notifications(t.Context(), "ann", nil, model.Cursor{}, 100)
	testenv.Must(t, err)
	if len(got.Items) != all/2 {
		t.Errorf("ann has %d notifications, want %d", len(got.Items), all/2)
	}
	for _, n := range got.Items {
		if n.CountUsers != 2 || len(n.Records) != 2 {
			t.Errorf("a notification is %+v, want two users", n)
		}
	}
	found, err := e.Audit.User(t.Context(), "ann", verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.NotificationLists {
			t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
}

// Notifications of version 0.1.0 have documents of their own. An import moves them into lists with their users, also
// beside an event of the new version, and keeps what was read.
func TestImport(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{NotificationBytes: 1_500})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	tweets := e.CreateTweets(t, "ann", 6)
	like := func(by model.UserID, id model.TweetID) {
		t.Helper()
		e.CoolDown()
		testenv.Must(t, e.Reactions.Like(ctx, by, id))
		snap, err := e.Raw.Doc("likes/" + model.ReactionKey(by, id)).Get(ctx)
		testenv.Must(t, err)
		var l model.Like
		testenv.Must(t, snap.DataTo(&l))
		testenv.Must(t, e.NotificationEvents.Notify(ctx, model.FactNotificationEvent(model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: by, TweetID: id}, l.CreatedAt)))
	}
	for _, id := range tweets {
		like("bob", id)
	}
	page, _, err := e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
	testenv.Must(t, err)
	testenv.Must(t, e.NotificationEvents.MarkRead(ctx, "ann", page.Items[0].ID))
	testenv.Must(t, e.NotificationEvents.MarkRead(ctx, "ann", page.Items[5].ID))
	page, _, err = e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
	testenv.Must(t, err)
	want := page.Items
	b := e.Raw.Batch() //nolint:staticcheck // as in package db
	for _, n := range want {
		b.Set(e.Raw.Doc("users/ann/notifications/"+n.ID), n)
	}
	for _, list := range e.IDs(t, "users/ann/notificationLists") {
		b.Delete(e.Raw.Doc("users/ann/notificationLists/" + list))
	}
	_, err = b.Commit(ctx)
	testenv.Must(t, err)

	// After the upgrade cat likes a tweet of which ann had read the notification.
	i := slices.IndexFunc(want, func(n model.Notification) bool { return n.ID == page.Items[5].ID })
	_, id, _ := strings.Cut(want[i].GroupKey, ":")
	like("cat", model.TweetID(id))
	for range 2 {
		testenv.Must(t, e.Audit.ImportNotifications(ctx, "ann"))
	}
	page, _, err = e.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 20)
	testenv.Must(t, err)
	if got := page.Items[0]; got.ID != want[i].ID || got.CountUsers != 2 || got.IsRead {
		t.Errorf("the notification that got an event is %+v", got)
	}
	if diff := cmp.Diff(want[:5], page.Items[1:]); diff != "" {
		t.Errorf("the others (-want +got):\n%s", diff)
	}
	if left := e.IDs(t, "users/ann/notifications"); len(left) > 0 {
		t.Errorf("%d documents are left", len(left))
	}
	found, err := e.Audit.User(ctx, "ann", verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.NotificationLists || d.Kind == model.Notifications {
			t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
		}
	}
}

// A list of a day with all parts takes no more events when it is full. They are dropped, and verify misses none.
func TestFullLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	n := model.NewNotificationEvent("l", model.NotificationFollow, "ann", model.NotificationEventPayload{UserID: "bob"},
		e.Clock.Now())
	key := n.NotificationKey(time.FixedZone("", 9*3600))
	full := model.NotificationList{Notifications: map[string]model.Notification{}, Parts: 16, ExpireAt: n.ExpireAt}
	for i := 0; full.Bytes() <= 600<<10; i++ {
		records, actors := make([]model.Record, 10), map[string]model.EmbeddedActor{}
		for j := range records {
			records[j] = model.Record{At: n.At, UserID: model.UserID(fmt.Sprintf("%0128d", j)), TweetID: liked}
		}
		for j := range model.EmbeddedActors {
			actors[fmt.Sprintf("%0128d", j)] = model.EmbeddedActor{NotificationEvents: 1, Reading: 1}
		}
		full.Notifications[fmt.Sprintf("like:aa%016x_2026-11-15", i)] = model.Notification{Records: records, Actors: actors,
			ExpireAt: n.ExpireAt, GroupKey: "like:" + string(liked), CountUsers: 20, CreatedAt: n.At, UpdatedAt: n.At}
	}
	newest := model.NotificationList{Days: map[string]model.ListedDay{"2026-11-15": {Parts: 16}}, ExpireAt: n.ExpireAt}
	place := newest.Place(key)
	list := e.Raw.Doc("users/ann/notificationLists/" + place)
	for ref, doc := range map[*firestore.DocumentRef]model.NotificationList{list: full,
		e.Raw.Doc("users/ann/notificationLists/newest"): newest} {
		_, err := ref.Set(ctx, doc)
		testenv.Must(t, err)
	}
	testenv.Must(t, e.NotificationEvents.Notify(ctx, n))
	if got := e.Doc(t, logged(n)); got["dropped"] != true || e.Notification(t, "ann", key) != nil {
		t.Errorf("the event is %v, want it dropped", got)
	}
	for id := range full.Notifications {
		_, err := list.Update(ctx, []firestore.Update{{FieldPath: firestore.FieldPath{"notifications", id},
			Value: firestore.Delete}})
		testenv.Must(t, err)
		break
	}
	again := model.NewNotificationEvent("m", model.NotificationFollow, "ann", model.NotificationEventPayload{
		UserID: "cat"}, e.Clock.Now())
	e.CoolDown()
	testenv.Must(t, e.NotificationEvents.Notify(ctx, again))
	if got := e.Notification(t, "ann", key); got["countUsers"] != int64(1) {
		t.Errorf("with room in the list the notification is %v", got)
	}
}

// A day leaves the newest list, and later events of the day write its lists alone. The newest list stays until they
// expire, also if no event of another day comes.
func TestNewestListOutlivesDays(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{NotificationBytes: 1_500})
	e.Clock.Set(time.Date(2026, time.November, 15, 0, 0, 0, 0, time.FixedZone("", 9*3600)))
	var last *model.NotificationEvent
	for i := range 23 {
		e.Clock.Add(time.Hour)
		last = model.NewNotificationEvent(fmt.Sprint(i), model.NotificationLike, "ann", model.NotificationEventPayload{
			UserID: "bob", TweetID: model.TweetID(fmt.Sprintf("aa%016x", i))}, e.Clock.Now())
		testenv.Must(t, e.NotificationEvents.Notify(t.Context(), last))
	}
	newest := e.Doc(t, "users/ann/notificationLists/newest")
	if days, ok := newest["days"].(map[string]any); !ok || days["2026-11-15"] == nil {
		t.Fatalf("no day left the newest list: %v", newest)
	}
	if at := newest["expireAt"].(time.Time); at.Before(last.ExpireAt) {
		t.Errorf("the newest list expires at %v, before a notification of %v", at, last.ExpireAt)
	}

	// A list that outlives its day does not hinder the newest list, which forgets the day.
	e.Clock.Set(model.DayExpiry("2026-11-15", model.NotificationWindow).Add(23 * time.Hour))
	testenv.Must(t, e.NotificationEvents.Notify(t.Context(), model.NewNotificationEvent("new", model.NotificationFollow,
		"ann", model.NotificationEventPayload{UserID: "bob"}, e.Clock.Now())))
	e.Clock.Add(2 * time.Hour)
	if more, err := e.NotificationEvents.MarkAllRead(t.Context(), "ann", time.Time{}); err != nil || more {
		t.Errorf("after the day expired MarkAllRead = %v, %v", more, err)
	}
	newest = e.Doc(t, "users/ann/notificationLists/newest")
	if days, _ := newest["days"].(map[string]any); days["2026-11-15"] != nil {
		t.Errorf("the newest list keeps the expired day: %v", days)
	}
}

// A process has read a notification in the newest list when its day leaves the list. What the process does takes effect
// where the notification is now, once.
func TestDayLeavesMeanwhile(t *testing.T) {
	for what, test := range map[string]struct {
		do            func(ctx context.Context, s *store.Store, n, other *model.NotificationEvent) error
		users, unread int64
	}{
		"it is marked as read": {func(ctx context.Context, s *store.Store, n, _ *model.NotificationEvent) error {
			return s.NotificationEvents.MarkRead(ctx, "ann", n.NotificationKey(time.FixedZone("", 9*3600)))
		}, 1, 0},
		"all are marked as read": {func(ctx context.Context, s *store.Store, _, _ *model.NotificationEvent) error {
			_, err := s.NotificationEvents.MarkAllRead(ctx, "ann", time.Time{})
			return err
		}, 1, 0},
		"it is withdrawn": {func(ctx context.Context, s *store.Store, n, _ *model.NotificationEvent) error {
			return s.NotificationEvents.Withdraw(ctx, n)
		}, 0, 0},
		"it gets an event": {func(ctx context.Context, s *store.Store, _, other *model.NotificationEvent) error {
			return s.NotificationEvents.Notify(ctx, other)
		}, 2, 1},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{NotificationBytes: 1_500})
			const others = 5 // so few that one call marks all as read
			ctx := t.Context()
			event := func(by model.UserID, tweet int) *model.NotificationEvent {
				return model.NewNotificationEvent(fmt.Sprint(by, tweet), model.NotificationLike, "ann",
					model.NotificationEventPayload{UserID: by, TweetID: model.TweetID(fmt.Sprintf("aa%016x", tweet))},
					e.Clock.Now())
			}
			first, other := event("bob", 0), event("cat", 0)
			key := first.NotificationKey(time.FixedZone("", 9*3600))
			testenv.Must(t, e.NotificationEvents.Notify(ctx, first))
			moves := storetest.Before(storetest.WritesTo("users/ann/notificationLists/newest"), func() {
				for i := range others {
					e.Clock.Add(24 * time.Hour)
					if err := e.NotificationEvents.Notify(ctx, event("bob", 1+i)); err != nil {
						t.Error(err)
					}
				}
			})
			slow := e.Again(t, store.Options{NotificationBytes: 1_500, Meter: meter.Options{Below: moves}})
			testenv.Must(t, test.do(ctx, slow, first, other))
			testenv.Must(t, e.NotificationEvents.FlushAll(ctx, model.NotificationEventPartitionOf("ann")))
			day := model.NotificationDay(key)
			listed, _ := e.Doc(t, "users/ann/notificationLists/newest")["days"].(map[string]any)[day].(map[string]any)
			list := e.Doc(t, "users/ann/notificationLists/"+model.DayList(day, 0))
			if list == nil || listed == nil {
				t.Fatalf("the day did not leave the newest list: %v", listed)
			}
			n := list["notifications"].(map[string]any)[key].(map[string]any)
			if n["countUsers"] != test.users || listed["unread"] != test.unread {
				t.Errorf("the notification is %v, and its day counts %v; want %d users and %d", n, listed, test.users, test.unread)
			}
			if unread, err := e.NotificationEvents.Unread(ctx, "ann"); err != nil || unread != others+test.unread {
				t.Errorf("%d are unread (%v), want %d", unread, err, others+test.unread)
			}
			found, err := e.Audit.User(ctx, "ann", verify.Options{})
			testenv.Must(t, err)
			for _, d := range found {
				if d.Kind == model.NotificationLists {
					t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
				}
			}
		})
	}
}
