package audit

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// notificationState is a notification with the users whom it counts.
type notificationState struct {
	model.Notification
	Actors map[model.UserID]bool
}

// notifications reads the notifications of a user.
//
// Cost: 1 read a notification, and 1 read a user on a notification.
func (m moment) notifications(ctx context.Context, u *userState) error {
	all := m.a.db.Doc(model.Users, string(u.ID)).Collection(model.Notifications).Query
	return each(ctx, m, all, func(snap *firestore.DocumentSnapshot, n *model.Notification) error {
		have := &notificationState{Notification: *n, Actors: map[model.UserID]bool{}}
		have.ID = snap.Ref.ID
		u.Notifications[have.ID] = have
		return each(ctx, m, snap.Ref.Collection(model.Actors).Query, func(actor *firestore.DocumentSnapshot, _ *struct{}) error {
			have.Actors[model.UserID(actor.Ref.ID)] = true
			return nil
		})
	})
}

// notices reads the notices of a user, in no order.
//
// Cost: 1 read a notice.
func (m moment) notices(ctx context.Context, uid model.UserID, to *[]model.Notice) error {
	q := m.a.db.Notices(partitionOf(uid)).Where("userId", "==", uid)
	return each(ctx, m, q, func(snap *firestore.DocumentSnapshot, n *model.Notice) error {
		n.ID = snap.Ref.ID
		*to = append(*to, *n)
		return nil
	})
}
