package store

import (
	"context"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Notifications lists a user's cards, the last changed first: all of them, or those
// that are read or unread. A read each.
func (s *Store) Notifications(ctx context.Context, uid model.UserID, read *bool, from Cursor, limit int) (_ Page[model.Notification], err error) {
	defer errs.Wrap(&err, "store.Notifications(%q)", uid)
	q := s.doc(model.Users, string(uid)).Collection(model.Notifications).Query
	if read != nil {
		q = q.Where("isRead", "==", *read)
	}
	now := s.now()
	p, err := page(ctx, q, firestore.FieldPath{"updatedAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (n model.Notification, at Cursor, err error) {
			err = snap.DataTo(&n)
			n.ID = snap.Ref.ID
			return n, Cursor{At: n.UpdatedAt, ID: n.ID}, err
		})
	kept := p.Items[:0]
	for _, n := range p.Items {
		if now.Before(n.ExpireAt) { // the database may take a day to delete it
			kept = append(kept, n)
		}
	}
	p.Items = kept
	return p, err
}

// UnreadNotifications counts the cards that a user has not read: a read for each
// thousand.
func (s *Store) UnreadNotifications(ctx context.Context, uid model.UserID) (_ int64, err error) {
	defer errs.Wrap(&err, "store.UnreadNotifications(%q)", uid)
	q := s.doc(model.Users, string(uid)).Collection(model.Notifications).
		Where("isRead", "==", false).Where("createdAt", ">", s.time().Add(-model.NotificationWindow))
	result, err := q.NewAggregationQuery().WithCount("n").Get(ctx)
	if err != nil {
		return 0, err
	}
	n, _ := result["n"].(*firestorepb.Value)
	return n.GetIntegerValue(), nil
}

// ReadNotification marks a card as read: 1 write. One that is not there is
// errs.NotFound.
func (s *Store) ReadNotification(ctx context.Context, uid model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "store.ReadNotification(%q, %q)", uid, id)
	_, err = s.notification(uid, id).Update(ctx, []firestore.Update{{Path: "isRead", Value: true}})
	if missing(err) {
		return errs.New(errs.NotFound, "notification_not_found", "there is no notification %q", id)
	}
	return err
}

// ReadAllNotifications marks every card as read that is there when it is called: a read
// and a write each. One to which something is added meanwhile stays unread.
func (s *Store) ReadAllNotifications(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "store.ReadAllNotifications(%q)", uid)
	q := s.doc(model.Users, string(uid)).Collection(model.Notifications).Where("isRead", "==", false)
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return err
	}
	for _, snap := range snaps {
		_, err := snap.Ref.Update(ctx, []firestore.Update{{Path: "isRead", Value: true}}, firestore.LastUpdateTime(snap.UpdateTime))
		if err != nil && !missing(err) && status.Code(err) != codes.FailedPrecondition {
			return err
		}
	}
	return nil
}

func (s *Store) notification(uid model.UserID, key string) *firestore.DocumentRef {
	return s.doc(model.Users, string(uid)).Collection(model.Notifications).Doc(key)
}
