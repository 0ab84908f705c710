package notifications

import (
	"context"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Notifications lists a user's notifications, the last changed first. If read is not nil, the list has only read or
// only unread notifications. The list leaves out notifications of which everything was withdrawn. A page may be shorter
// than limit though it is not the last, because expired notifications are left out.
//
// Cost: 1 read for each notification, at least 1.
func (s *Reader) Notifications(ctx context.Context, uid model.UserID, read *bool, from model.Cursor,
	limit int) (_ model.Page[model.Notification], err error) {
	defer errs.Wrap(&err, "notifications.Notifications(%q)", uid)
	q := s.db.Doc(model.Users, string(uid)).Collection(model.Notifications).Query
	if read != nil {
		q = q.Where(fields.IsRead, "==", *read)
	}
	now := s.db.Now()
	p, err := db.Page(ctx, q, firestore.FieldPath{fields.UpdatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (n model.Notification, at model.Cursor, err error) {
			err = snap.DataTo(&n)
			n.ID = snap.Ref.ID
			return n, model.Cursor{At: n.UpdatedAt, ID: n.ID}, err
		})
	kept := p.Items[:0]
	for _, n := range p.Items {
		if now.Before(n.ExpireAt) { // the database may delete an expired notification a day late
			kept = append(kept, n)
		}
	}
	p.Items = kept
	return p, err
}

// Unread counts the notifications that a user has not read and that have not expired.
//
// Cost: 1 read for each 1,000 notifications, at least 1.
func (s *Reader) Unread(ctx context.Context, uid model.UserID) (_ int64, err error) {
	defer errs.Wrap(&err, "notifications.Unread(%q)", uid)
	q := s.db.Doc(model.Users, string(uid)).Collection(model.Notifications).
		Where(fields.IsRead, "==", false).Where(fields.CreatedAt, ">", s.db.Time().Add(-model.NotificationWindow))
	return db.Count(ctx, q)
}

// read is the update of a notification that its owner reads. Only later notification events make it unread.
var read = []firestore.Update{{Path: fields.IsRead, Value: true}, {Path: fields.News, Value: firestore.Delete},
	{Path: fields.Reads, Value: firestore.Increment(1)}}

// MarkRead marks a notification as read. An unknown notification is errs.NotFound.
//
// Cost: 1 write.
func (s *Reader) MarkRead(ctx context.Context, uid model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "notifications.MarkRead(%q, %q)", uid, id)
	_, err = s.db.Notification(uid, id).Update(ctx, read)
	if db.NotFound(err) {
		return errs.New(errs.NotFound, "notification_not_found", "there is no notification %q", id)
	}
	return err
}

// markStep is how many notifications one call of MarkAllRead marks.
const markStep = 20

// MarkAllRead marks unread notifications of a user as read, up to markStep of them. It returns whether there may be
// more. A notification that gets a notification event meanwhile stays unread.
//
// Cost: 1 read and 1 write for each notification, up to markStep; at least 1 read.
func (s *Reader) MarkAllRead(ctx context.Context, uid model.UserID) (more bool, err error) {
	defer errs.Wrap(&err, "notifications.MarkAllRead(%q)", uid)
	q := s.db.Doc(model.Users, string(uid)).Collection(model.Notifications).Where(fields.IsRead, "==", false).
		Limit(markStep)
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return false, err
	}
	for _, snap := range snaps {
		_, err := snap.Ref.Update(ctx, read, firestore.LastUpdateTime(snap.UpdateTime))
		if err != nil && !db.NotFound(err) && status.Code(err) != codes.FailedPrecondition {
			return false, err
		}
	}
	return len(snaps) == markStep, nil
}
