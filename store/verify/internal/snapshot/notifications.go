package snapshot

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Notification is a notification with its actors, the number of notification events by each, and the time at which each
// last rang.
type Notification struct {
	model.Notification
	Actors, Readings map[model.UserID]int64
}

// notifications reads the notifications of a user.
//
// Cost: 1 read a notification, and 1 read a user on a notification.
func (m moment) notifications(ctx context.Context, u *User) error {
	all := m.r.db.Doc(model.Users, string(u.ID)).Collection(model.Notifications).Query
	return each(ctx, m, all, func(snap *firestore.DocumentSnapshot, n *model.Notification) error {
		have := &Notification{Notification: *n, Actors: map[model.UserID]int64{}, Readings: map[model.UserID]int64{}}
		have.ID = snap.Ref.ID
		for uid, actor := range n.Actors {
			have.count(model.UserID(uid), actor)
		}
		have.Notification.Actors = nil // where a user stands makes no difference
		u.Notifications[have.ID] = have
		return each(ctx, m, snap.Ref.Collection(model.Actors).Query, func(snap *firestore.DocumentSnapshot,
			_ *struct{}) error {
			actor, err := ActorOf(snap)
			have.count(model.UserID(snap.Ref.ID), actor.EmbeddedActor)
			return err
		})
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
