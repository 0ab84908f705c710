package notifications_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A notification event of version 0.1.0 is withdrawn before, while and after its notification is imported. The users on
// the notification, and whether it is read, are the same as if it had been imported first.
func TestWithdrawnBesideImport(t *testing.T) {
	const before, beside, between, after = "before", "beside", "between the reads", "after"
	const hot, crowd = "hot", "in a crowd"
	for _, when := range []string{before, beside, between, after, hot, crowd} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			e := &told{storetest.Open(t, store.Options{SlowCommit: time.Hour}), t}
			ctx := t.Context()
			e.CreateUsers(t, "ann", "bob", "cat")
			id := e.Tweet(t, "ann", "a spark").ID
			var events []*model.NotificationEvent
			var likes []model.Like
			likers := []model.UserID{"bob", "cat"}
			if when == crowd {
				e.CreateUsers(t, "dan")
				likers = append(likers, "dan")
			}
			for _, by := range likers {
				testenv.Must(t, e.Reactions.Like(ctx, by, id))
				snap, err := e.Raw.Doc("likes/" + model.ReactionKey(by, id)).Get(ctx)
				testenv.Must(t, err)
				var l model.Like
				testenv.Must(t, snap.DataTo(&l))
				n, _ := notice(l)
				e.notify(n)
				events, likes = append(events, n), append(likes, l)
			}
			storetest.Former(t, e.Raw)
			withdraw := func() {
				for _, n := range events {
					if n.Payload.UserID != "bob" {
						continue
					}
					_, err := e.Raw.Doc("likes/" + model.ReactionKey("bob", id)).Delete(ctx)
					testenv.Must(t, err)
					e.withdraw(n)
				}
			}
			importing := e.Store
			switch when {
			case before:
				withdraw()
			case hot:
				e.notify(e.notificationEvent(model.NotificationLike, "cat", liked)) // of a tweet that is not there
				_, err := e.Raw.Doc("likes/" + model.ReactionKey("bob", id)).Delete(ctx)
				testenv.Must(t, err)
				testenv.Must(t, e.NotificationEvents.Withdraw(ctx, events[0]))
				testenv.Must(t, e.NotificationEvents.FlushAll(ctx, model.NotificationEventPartitionOf("ann")))
			case crowd:
				e.CoolDown()
				e.notify(e.notificationEvent(model.NotificationLike, "cat", liked)) // of a tweet that is not there
				ended := []model.Like{likes[0], likes[2]}
				for _, l := range ended {
					_, err := e.Raw.Doc("likes/" + model.ReactionKey(l.UserID, id)).Delete(ctx)
					testenv.Must(t, err)
				}
				together(t, e.Store, ended, -1, 1)
				if left := e.IDs(t, model.Flushes); len(left) > 0 {
					t.Errorf("the flushes %q are left", left)
				}
			case between:
				_, err := e.Raw.Doc("likes/" + model.ReactionKey("bob", id)).Delete(ctx)
				testenv.Must(t, err)
				other := e.Again(t, store.Options{Meter: meter.Options{BelowReads: storetest.AfterRead(
					"users/ann/notificationLists/newest", func() {
						testenv.Must(t, e.Audit.ImportNotifications(ctx, "ann"))
					})}})
				testenv.Must(t, other.NotificationEvents.Withdraw(ctx, events[0]))
			case beside:
				importing = e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(
					func(path string, _ *firestorepb.Write) bool { return path == "users/ann/notificationLists/newest" },
					withdraw)}})
			}
			testenv.Must(t, importing.Audit.ImportNotifications(ctx, "ann"))
			if when == after {
				withdraw()
			}
			unread := int64(1)
			if when == hot || when == crowd {
				unread = 2 // with the notification of the other tweet
			}
			n := e.shown(when, "like:"+string(id), unread, 0, "cat")
			if n == nil || n.CountUsers != 1 {
				t.Errorf("%s: the notification is %+v, want one user", when, n)
			}
			found, err := e.Audit.User(ctx, "ann", verify.Options{})
			testenv.Must(t, err)
			for _, d := range found {
				if d.Kind == model.NotificationLogs && (when == hot || when == crowd) {
					continue // the like of the other tweet has no document
				}
				if d.Kind == model.NotificationLists || d.Kind == model.Notifications || d.Kind == model.NotificationLogs {
					t.Errorf("%s: verify finds %s %s: have %v, want %v", when, d.Document, d.Field, d.Have, d.Want)
				}
			}
			if diff := cmp.Diff([]string{}, e.IDs(t, "users/ann/notifications")); diff != "" {
				t.Errorf("%s: left of the former layout (-want +got):\n%s", when, diff)
			}
		})
	}
}

// Notifications go back into documents, each with one for each user on it. A notification that version 0.1.0 wrote
// already stays as it is.
func TestExportNotifications(t *testing.T) {
	t.Parallel()
	e := &told{storetest.Open(t, store.Options{}), t}
	ctx := t.Context()
	e.CreateUsers(t, "ann")
	other := model.TweetID("aa0000000000000002")
	gone := e.notificationEvent(model.NotificationFollow, "dan", "")
	for _, n := range []*model.NotificationEvent{e.notificationEvent(model.NotificationLike, "bob", liked),
		e.notificationEvent(model.NotificationLike, "cat", liked), e.notificationEvent(model.NotificationLike, "bob", other),
		gone} {
		e.notify(n)
	}
	e.withdraw(gone)
	want := e.Notification(t, "ann", "like:"+string(liked)+"_2026-11-15")
	delete(want, "actors")
	const notifications = "users/ann/notifications/"
	newer := map[string]any{"countUsers": int64(7)}
	_, err := e.Raw.Doc(notifications+"like:"+string(other)+"_2026-11-15").Set(ctx, newer)
	testenv.Must(t, err)
	for range 2 {
		testenv.Must(t, e.Audit.ExportNotifications(ctx, "ann"))
	}
	if diff := cmp.Diff(want, e.Doc(t, notifications+"like:"+string(liked)+"_2026-11-15")); diff != "" {
		t.Errorf("the notification (-listed +document):\n%s", diff)
	}
	actors := e.IDs(t, notifications+"like:"+string(liked)+"_2026-11-15/actors")
	if diff := cmp.Diff([]string{"bob", "cat"}, actors); diff != "" {
		t.Errorf("actors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(newer, e.Doc(t, notifications+"like:"+string(other)+"_2026-11-15")); diff != "" {
		t.Errorf("the notification that version 0.1.0 wrote (-want +got):\n%s", diff)
	}
	if all := e.IDs(t, "users/ann/notifications"); len(all) != 2 || len(e.IDs(t, "users/ann/notificationLists")) > 0 {
		t.Errorf("there are documents %v, and lists %v", all, e.IDs(t, "users/ann/notificationLists"))
	}
}
