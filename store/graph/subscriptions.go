package graph

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Subscribe makes notifications of the posts of an author whom a user follows, until the user unsubscribes or follows
// the author no more. The author does not learn of it. A repeated call changes nothing. A user who does not follow the
// author is errs.NotFound (not_following). More than [model.MaxSubscriptions] are errs.Conflict; subscriptions of one
// moment may pass the limit by their number.
//
// The transaction reads the relationship, and the author's head, which it marks unless it has the mark. So of a
// subscription and an unfollow at the same moment one sees the other, and a post after the subscription finds the mark.
//
// Cost: 5 reads and 1 write, and 1 write more for the first subscriber of the author; 2 reads and no write if the
// subscription exists. At the limit 2 reads for each
// subscription, and 1 delete for each that holds no more.
func (s *Store) Subscribe(ctx context.Context, uid, author model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Subscribe(%q, %q)", uid, author)
	subscribed, err := s.Subscribed(ctx, uid, author)
	if err != nil || subscribed {
		return err
	}
	if err := s.subscriptionLimit(ctx, uid); err != nil {
		return err
	}
	err = s.db.TransactOnce(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		r := db.Find[model.Relationship](&l, s.db.Relationship(uid, author))
		head := db.Find[model.Head](&l, s.db.Head(author))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if !r.Found {
			return errs.New(errs.NotFound, "not_following", "%q does not follow %q", uid, author)
		}
		at := s.db.Time()
		if at.Before(r.Doc.CreatedAt) { // by the clock of another process
			at = r.Doc.CreatedAt
		}
		if err := tx.Set(s.db.Subscription(uid, author), model.Subscription{UserID: uid, AuthorID: author,
			CreatedAt: at}); err != nil {
			return err
		}
		if !head.Found { // it was lost, and the next one has the mark
			_, err := s.access.User(ctx, author)
			return err
		}
		if head.Doc.Subscribed {
			return nil
		}
		return tx.Update(s.db.Head(author), []firestore.Update{{Path: fields.Subscribed, Value: true}})
	}, func(ctx context.Context) (bool, error) { return s.Subscribed(ctx, uid, author) })
	return err
}

// Subscribed reports whether a user is notified of an author's posts.
//
// Cost: 2 reads.
func (s *Store) Subscribed(ctx context.Context, uid, author model.UserID) (_ bool, err error) {
	defer errs.Wrap(&err, "graph.Subscribed(%q, %q)", uid, author)
	var l db.Lookup
	sub := db.Find[model.Subscription](&l, s.db.Subscription(uid, author))
	r := db.Find[model.Relationship](&l, s.db.Relationship(uid, author))
	err = s.db.Read(ctx, &l)
	return err == nil && sub.Found && r.Found && sub.Doc.Holds(&r.Doc), err
}

// Unsubscribe ends the notifications of an author's posts. Those that are there stay. Without a subscription it changes
// nothing.
//
// Cost: 1 delete.
func (s *Store) Unsubscribe(ctx context.Context, uid, author model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Unsubscribe(%q, %q)", uid, author)
	return s.db.DeleteOnce(ctx, s.db.Subscription(uid, author))
}

// subscriptionLimit returns the error of the limit that one more subscription would exceed. At the limit it first
// deletes the subscriptions that hold no more.
//
// Cost: 1 read; at the limit that of [Store.Subscribe].
func (s *Store) subscriptionLimit(ctx context.Context, uid model.UserID) error {
	q := s.db.Client.Collection(model.Subscriptions).Where(fields.UserID, "==", uid)
	n, err := db.Count(ctx, q.Limit(model.MaxSubscriptions))
	if err != nil || n < model.MaxSubscriptions {
		return err
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return err
	}
	var l db.Lookup
	follows := make([]*db.Found[model.Relationship], len(snaps))
	subs := make([]model.Subscription, len(snaps))
	for i, snap := range snaps {
		if err := snap.DataTo(&subs[i]); err != nil {
			return err
		}
		follows[i] = db.Find[model.Relationship](&l, s.db.Relationship(uid, subs[i].AuthorID))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	hold := 0
	for i, snap := range snaps {
		if follows[i].Found && subs[i].Holds(&follows[i].Doc) {
			hold++
			continue
		}
		_, err := snap.Ref.Delete(ctx, firestore.LastUpdateTime(snap.UpdateTime))
		if err != nil && !db.Outdated(err) && !db.NotFound(err) {
			return err
		}
	}
	if hold >= model.MaxSubscriptions {
		return errs.New(errs.Conflict, "too_many_subscriptions", "the posts of %d people make notifications, which is as "+
			"many as may be; take one back first", model.MaxSubscriptions)
	}
	return nil
}
