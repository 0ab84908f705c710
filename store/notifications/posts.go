package notifications

import (
	"context"
	"errors"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// subscribersTogether is how many subscriptions one query reads: as many as one query for relationships takes.
	subscribersTogether = 30

	// subscribersAtOnce is how many subscribers are notified concurrently.
	subscribersAtOnce = 10
)

// NotifyPost notifies the subscribers of the author of a new post, at most [model.MaxToldOfPost] of them: those first
// whose keys come first. Replies to others notify nobody. If one step is not enough, NotifyPost leaves a work document,
// and [Writer.ContinuePostRun] goes on. However often it is called, each subscriber is notified of a post once.
//
// Cost: 1 read, 2 reads and what [Writer.Notify] costs for each subscriber. Without subscribers 4 reads and 1 write:
// then later posts cost nothing.
func (s *Writer) NotifyPost(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "notifications.NotifyPost(%q)", t.ID)
	if !t.TellsSubscribers() {
		return nil
	}
	return s.postStep(ctx, s.db.FirstStep(s.postRun(t.ID)), model.PostRun{TweetID: t.ID, AuthorID: t.AuthorID})
}

// WithdrawPost withdraws the notification events of a deleted post.
//
// Cost: 1 read, 1 read and what [Writer.Withdraw] costs for each subscriber.
func (s *Writer) WithdrawPost(ctx context.Context, author model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "notifications.WithdrawPost(%q)", id)
	return s.postStep(ctx, s.db.FirstStep(s.postRun(id)), model.PostRun{TweetID: id, AuthorID: author})
}

// ContinuePostRun does the next step of the notification of subscribers.
//
// Cost: 1 read and 1 write or delete, and that of [Writer.NotifyPost].
func (s *Writer) ContinuePostRun(ctx context.Context, run model.PostRun) (err error) {
	defer errs.Wrap(&err, "notifications.ContinuePostRun(%q)", run.TweetID)
	step, current, err := s.db.Begin(ctx, s.postRun(run.TweetID), run.WrittenAt)
	if err != nil || !current {
		return err
	}
	return s.postStep(ctx, step, run)
}

// postRun names the work document of a post.
func (s *Writer) postRun(id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.PostRuns, string(id))
}

// postStep notifies subscribers until the step is over. It reads the post itself, so that work of a deleted post
// withdraws, whichever event asked for it. A process that notifies while another withdraws finds the log of the
// withdrawn notification event.
func (s *Writer) postStep(ctx context.Context, step *db.Step, run model.PostRun) error {
	t := model.Tweet{ID: run.TweetID}
	found, err := s.db.Get(ctx, s.db.Tweet(run.TweetID), &t)
	if err != nil {
		return err
	}
	if found && !t.TellsSubscribers() {
		return step.End(ctx, nil)
	}
	q := s.db.Client.Collection(model.Subscriptions).Where(fields.AuthorID, "==", run.AuthorID).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(subscribersTogether)
	for {
		page := q
		if run.After != "" {
			page = q.StartAfter(run.After)
		}
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		if len(snaps) == 0 && run.After == "" {
			if err := s.unsubscribed(ctx, run.AuthorID); err != nil {
				return err
			}
		}
		if err := s.tellPost(ctx, snaps, &t, run.AuthorID, found); err != nil {
			return err
		}
		if run.Told += len(snaps); len(snaps) < subscribersTogether || run.Told >= model.MaxToldOfPost {
			return step.End(ctx, nil)
		}
		run.After = snaps[len(snaps)-1].Ref.ID
		if step.Over() {
			return step.Save(ctx, map[string]any{fields.TweetID: run.TweetID, fields.AuthorID: run.AuthorID,
				fields.After: run.After, fields.Told: run.Told}, nil)
		}
	}
}

// tellPost notifies some subscribers of a post, or withdraws that. It deletes subscriptions that hold no more, and are
// as they were read.
func (s *Writer) tellPost(ctx context.Context, snaps []*firestore.DocumentSnapshot, t *model.Tweet,
	author model.UserID, found bool) error {
	var l db.Lookup
	follows := map[string]*db.Found[model.Relationship]{}
	all := make([]model.Subscription, len(snaps))
	for i, snap := range snaps {
		if err := snap.DataTo(&all[i]); err != nil {
			return err
		}
		if found {
			follows[snap.Ref.ID] = db.Find[model.Relationship](&l, s.db.Relationship(all[i].UserID, author))
		}
	}
	if len(follows) > 0 {
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
	}
	at := map[string]int{}
	for i, snap := range snaps {
		at[snap.Ref.ID] = i
	}
	_, err := sideBySide(subscribersAtOnce, snaps, func(snap *firestore.DocumentSnapshot) (bool, error) {
		sub := &all[at[snap.Ref.ID]]
		n := model.PostNotificationEvent(t.ID, author, sub.UserID)
		if !found {
			return true, s.Withdraw(ctx, n)
		}
		var r *model.Relationship
		if is := follows[snap.Ref.ID]; is.Found {
			r = &is.Doc
		}
		if !sub.Holds(r) {
			_, err := snap.Ref.Delete(ctx, firestore.LastUpdateTime(snap.UpdateTime))
			if db.Outdated(err) || db.NotFound(err) {
				err = nil
			}
			return false, err
		}
		n.Payload.RootID = t.RootID
		text := t.FilterText()
		n.About = &text
		return true, s.Notify(ctx, n)
	})
	return err
}

// unsubscribed removes the mark of subscribers from the head of an author without any. A subscription of this moment
// writes the head too, so that one of the two commits sees the other.
//
// Cost: 2 reads and 1 write.
func (s *Writer) unsubscribed(ctx context.Context, author model.UserID) error {
	var errThere = errors.New("there is a subscription")
	err := s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		if _, err := tx.Get(s.db.Head(author)); err != nil {
			return err
		}
		snaps, err := tx.Documents(s.db.Client.Collection(model.Subscriptions).Where(fields.AuthorID, "==", author).
			Limit(1)).GetAll()
		if err != nil {
			return err
		}
		if len(snaps) > 0 {
			return errThere
		}
		return tx.Update(s.db.Head(author), []firestore.Update{{Path: fields.Subscribed, Value: firestore.Delete}})
	})
	if errors.Is(err, errThere) || db.NotFound(err) {
		return nil
	}
	return err
}
