package snapshot

import (
	"context"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Notification is a notification with its actors, the number of notification events by each, and the time at which each
// last rang.
type Notification struct {
	model.Notification
	Actors, Readings map[model.UserID]int64
}

// ListedDay is a day that left the newest list of notifications: how many of its notifications count as unread there,
// and how many are.
type ListedDay struct {
	Counted, Unread int64
	Goes            time.Time // from then on its notifications may have expired
}

// notifications reads the notifications of a user, and the ids of notifications that an earlier version left.
//
// Cost: 1 read, 1 read a list, 1 read a notification, and 1 read a user with a document.
func (m moment) notifications(ctx context.Context, u *User) error {
	below := m.r.db.User(u.ID)
	lists := map[string]*model.NotificationList{}
	if err := each(ctx, m, below.Collection(model.NotificationLists).Query, func(snap *firestore.DocumentSnapshot,
		list *model.NotificationList) error {
		lists[snap.Ref.ID] = list
		return nil
	}); err != nil {
		return err
	}
	if newest := lists[model.NewestList]; newest != nil {
		u.Newest = *newest
	}
	for day, listed := range u.Newest.Days {
		goes, _ := listed.Span(day)
		u.ListedDays[day] = ListedDay{Counted: listed.Unread, Goes: goes}
	}
	for id, list := range lists {
		for key, n := range list.Notifications {
			if u.Newest.Place(key) != id {
				continue // no page shows it
			}
			if day := model.NotificationDay(key); id != model.NewestList && n.Unread() {
				is := u.ListedDays[day]
				is.Unread++
				u.ListedDays[day] = is
			}
			if err := m.notification(ctx, u, key, n); err != nil {
				return err
			}
		}
	}
	earlier := below.Collection(model.Notifications).Select()
	return each(ctx, m, earlier, func(snap *firestore.DocumentSnapshot, _ *struct{}) error {
		u.Earlier = append(u.Earlier, snap.Ref.ID)
		return nil
	})
}

// notification notes a notification with its actors.
func (m moment) notification(ctx context.Context, u *User, key string, n model.Notification) error {
	have := &Notification{Notification: n, Actors: map[model.UserID]int64{}, Readings: map[model.UserID]int64{}}
	have.ID = key
	for uid, actor := range n.Actors {
		have.count(model.UserID(uid), actor)
	}
	have.Notification.Actors = nil // where a user stands makes no difference
	u.Notifications[key] = have
	actors := m.r.db.Notification(u.ID, key).Collection(model.Actors).Query
	return each(ctx, m, actors, func(snap *firestore.DocumentSnapshot, _ *struct{}) error {
		actor, err := ActorOf(snap)
		have.count(model.UserID(snap.Ref.ID), actor.EmbeddedActor)
		return err
	})
}

// count notes a user whom the notification counts.
func (n *Notification) count(uid model.UserID, a model.EmbeddedActor) {
	if a.NotificationEvents > 0 {
		n.Actors[uid], n.Readings[uid] = a.NotificationEvents, a.Reading
	}
}

// ActorOf decodes a user on a notification. An actor from before notification events were counted has one.
func ActorOf(snap *firestore.DocumentSnapshot) (*model.Actor, error) {
	actor := &model.Actor{EmbeddedActor: model.EmbeddedActor{NotificationEvents: 1}}
	return actor, snap.DataTo(actor)
}

// NotificationEvents reads the notification events of a user at one moment, in no order.
//
// Cost: 1 read, and 1 read a notification event.
func (r *Reader) NotificationEvents(ctx context.Context, uid model.UserID) (all []model.NotificationEvent, err error) {
	defer errs.Wrap(&err, "snapshot.NotificationEvents(%q)", uid)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	err = m.notificationEvents(ctx, uid, &all)
	return all, err
}

// notificationEvents reads the notification events of a user, in no order.
//
// Cost: 1 read a notification event.
func (m moment) notificationEvents(ctx context.Context, uid model.UserID, to *[]model.NotificationEvent) error {
	q := m.r.db.NotificationEvents(model.NotificationEventPartitionOf(uid)).Where(fields.UserID, "==", uid)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, n *model.NotificationEvent) error {
		n.ID = snap.Ref.ID
		*to = append(*to, *n)
		return nil
	})
}

// toldPosts reads the posts that a user was told of as a subscriber. No subscription matters: what it told stays when
// it ends.
//
// Cost: 1 read of each post.
func (m moment) toldPosts(ctx context.Context, u *User) error {
	var mu sync.Mutex
	g, ctx := safely.WithContext(ctx)
	g.SetLimit(textsAtOnce)
	for _, n := range u.NotificationEvents {
		if n.Type != model.NotificationPost {
			continue
		}
		g.Go(func() error {
			t, err := db.As[model.Tweet](m.get(ctx, m.r.db.Tweet(n.Payload.TweetID)))
			if err != nil || !t.Found || t.Doc.AuthorID != n.Payload.UserID || !t.Doc.TellsSubscribers() {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			u.ToldPosts[n.ID] = true
			return nil
		})
	}
	return g.Wait()
}
