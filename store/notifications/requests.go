// This file keeps the requests: notification events that the user's policy filtered, by sender. A filtered event is
// dropped in the event log. If the user accepts the sender, the events are pending again, and a flush puts them onto
// their notifications.

package notifications

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// ChangePolicy changes the notification policy, and returns the new settings. An event follows the policy at the time
// of its delivery. A filtered one stays in the requests whatever the policy becomes. A user without a profile is
// errs.Forbidden.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Settings) ChangePolicy(ctx context.Context, uid model.UserID,
	p model.NotificationPolicyPatch) (_ *model.NotificationChoice, err error) {
	defer errs.Wrap(&err, "notifications.ChangePolicy(%q)", uid)
	return s.change(ctx, uid, func(is *model.NotificationChoice) (bool, error) { return is.ChangePolicy(p) })
}

// Requests reads the requests of a user. Notification events that have expired are left out.
//
// Cost: 1 read.
func (s *Settings) Requests(ctx context.Context, uid model.UserID) (_ *model.NotificationRequests, err error) {
	defer errs.Wrap(&err, "notifications.Requests(%q)", uid)
	is := &model.NotificationRequests{}
	if _, err = s.db.Get(ctx, s.db.NotificationRequests(uid), is); err != nil {
		return nil, err
	}
	is.Expire(s.db.Now(), s.db.NotificationWindow)
	return is, nil
}

// noRequest is the error for a sender without a request.
func noRequest(sender model.UserID) error {
	return errs.New(errs.NotFound, "notification_request_not_found", "there is no request of %q", sender)
}

// AcceptRequest lets the sender of a request through from now on, and gives the notification events of the request to a
// flush, which puts them onto the notifications of their days. A block, a mute or other settings may still drop them.
// If the sender is accepted already, AcceptRequest does the rest of an earlier call. A sender without a request is
// errs.NotFound. More than [model.MaxAcceptedSenders] are errs.Conflict. A user without a profile is errs.Forbidden.
//
// The acceptance and the work document of the flush are one commit. So no process can end between the two.
//
// Cost: 3 reads, 1 read and 1 write for each notification event, and 4 writes. 2 reads and 1 write if it is repeated.
func (s *Settings) AcceptRequest(ctx context.Context, uid, sender model.UserID) (err error) {
	defer errs.Wrap(&err, "notifications.AcceptRequest(%q, %q)", uid, sender)
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	accepted := func(ctx context.Context) (bool, error) {
		is, err := s.NotificationEvents(ctx, uid)
		if err != nil || !is.Accepts(sender) {
			return false, err
		}
		left, err := s.Requests(ctx, uid)
		return err == nil && len(left.Of(sender).Events) == 0, err
	}
	partition := model.NotificationEventPartitionOf(uid)
	work := model.FlushWork{Partition: partition, ExpireAt: s.db.WorkExpiry()}
	left := false // the commit leaves the work document
	if err := s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		choice := db.Find[model.NotificationChoice](&l, s.db.NotificationSettings(uid))
		requests := db.Find[model.NotificationRequests](&l, s.db.NotificationRequests(uid))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		requests.Doc.Expire(s.db.Time(), s.db.NotificationWindow)
		if len(requests.Doc.Of(sender).Events) == 0 && !choice.Doc.Accepts(sender) {
			return noRequest(sender)
		}
		changed, err := choice.Doc.Accept(sender, s.db.Time())
		if err != nil {
			return err
		}
		if left, err = unfilter(s.db, tx, requests, work, sender); err != nil {
			return err
		}
		if !changed {
			return nil
		}
		if err := tx.Set(s.db.NotificationSettings(uid), choice.Doc); err != nil {
			return err
		}
		merge, option := viewers.Choice(&choice.Doc)
		return tx.Set(s.db.Viewer(uid), merge, option)
	}, accepted); err != nil {
		return err
	}
	if left {
		return nil
	}
	_, err = s.db.Ask(ctx, s.db.Doc(model.Flushes, partition), work) // an earlier one's event may be lost
	return err
}

// unfilter makes the notification events of a sender's request pending in a transaction, and removes the request. It
// leaves the work document of their flush, and returns whether it did: one may be there. It does nothing without a
// request. Its reads come before its writes.
//
// Cost: nothing without a request; 1 read, up to 2 writes, and 1 read and 1 write for each notification event.
func unfilter(d *db.DB, tx *firestore.Transaction, requests *db.Found[model.NotificationRequests],
	work model.FlushWork, sender model.UserID) (left bool, err error) {
	request, found := requests.Doc.Requests[string(sender)]
	if !found {
		return false, nil
	}
	var l db.Lookup
	var events []*db.Found[model.NotificationEvent]
	for _, e := range request.Events {
		events = append(events, db.Find[model.NotificationEvent](&l, d.NotificationEvents(work.Partition).Doc(e.ID)))
	}
	flush := d.Doc(model.Flushes, work.Partition)
	there := db.Find[struct{}](&l, flush)
	if err := l.ReadIn(tx); err != nil {
		return false, err
	}
	for _, n := range events {
		if !n.Found || !n.Doc.Filtered { // it has expired
			continue
		}
		if err := tx.Update(n.Snap.Ref, []firestore.Update{{Path: fields.Pending, Value: true},
			{Path: fields.Dropped, Value: firestore.Delete}, {Path: fields.Filtered, Value: firestore.Delete}}); err != nil {
			return false, err
		}
	}
	if !there.Found {
		if err := tx.Create(flush, work); err != nil {
			return false, err
		}
	}
	return !there.Found, tx.Update(requests.Snap.Ref, []firestore.Update{{Value: firestore.Delete,
		FieldPath: firestore.FieldPath{fields.Requests, string(sender)}}})
}

// ReleaseFollowed gives the request of a sender whom a user follows by now to a flush, which asks the policy again. So
// what was filtered because the user did not follow the sender comes to the notifications of its days. The rest comes
// back to the requests. Without a request ReleaseFollowed does nothing. It may be repeated.
//
// One commit makes the notification events pending and leaves the work document of the flush. So a process that ends
// leaves no pending notification event without a flush.
//
// Cost: 1 read. With a request 2 reads and 2 writes more, and 1 read and 1 write for each notification event; up to 1
// read more if there is a work document.
func (s *Writer) ReleaseFollowed(ctx context.Context, uid, sender model.UserID) (err error) {
	defer errs.Wrap(&err, "notifications.ReleaseFollowed(%q, %q)", uid, sender)
	ref := s.db.NotificationRequests(uid)
	var is model.NotificationRequests
	if _, err := s.db.Get(ctx, ref, &is); err != nil || len(is.Of(sender).Events) == 0 {
		return err
	}
	partition := model.NotificationEventPartitionOf(uid)
	work, left := model.FlushWork{Partition: partition, ExpireAt: s.db.WorkExpiry()}, false
	if err := s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		requests := db.Find[model.NotificationRequests](&l, ref)
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		var err error
		left, err = unfilter(s.db, tx, requests, work, sender)
		return err
	}); err != nil || left {
		return err
	}
	return s.enqueueFlush(ctx, partition) // the event of a work document that was there may be lost
}

// DismissRequest removes a request. Its notification events come to no list, and the next one of the sender makes
// another request. A sender without a request is errs.NotFound. A user without a profile is errs.Forbidden.
//
// Cost: 1 read and 1 write.
func (s *Settings) DismissRequest(ctx context.Context, uid, sender model.UserID) (err error) {
	defer errs.Wrap(&err, "notifications.DismissRequest(%q, %q)", uid, sender)
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	ref := s.db.NotificationRequests(uid)
	return s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.NotificationRequests
		if _, err := db.GetIn(tx, ref, &is); err != nil {
			return err
		}
		if is.Expire(s.db.Time(), s.db.NotificationWindow); len(is.Of(sender).Events) == 0 {
			return noRequest(sender)
		}
		return tx.Update(ref, []firestore.Update{{Value: firestore.Delete,
			FieldPath: firestore.FieldPath{fields.Requests, string(sender)}}})
	}, func(ctx context.Context) (bool, error) {
		is, err := s.Requests(ctx, uid)
		return err == nil && len(is.Of(sender).Events) == 0, err
	})
}

// Refuse takes the acceptance of a sender back: the policy applies to later notification events. Without an acceptance
// Refuse changes nothing. A user without a profile is errs.Forbidden.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Settings) Refuse(ctx context.Context, uid, sender model.UserID) (err error) {
	defer errs.Wrap(&err, "notifications.Refuse(%q, %q)", uid, sender)
	_, err = s.change(ctx, uid, func(is *model.NotificationChoice) (bool, error) {
		was := is.Accepts(sender)
		delete(is.Accepted, string(sender))
		return was, nil
	})
	return err
}
