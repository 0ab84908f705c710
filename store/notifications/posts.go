package notifications

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

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
// Cost: 1 read, 1 read for 30 subscribers, and 2 reads and what [Writer.Notify] costs for each. Without subscribers 4
// reads and 1 write: then later posts cost nothing.
func (s *Writer) NotifyPost(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "notifications.NotifyPost(%q)", t.ID)
	if !t.TellsSubscribers() {
		return nil
	}
	return s.postStep(ctx, s.db.FirstStep(s.postRun(t.ID)), model.PostRun{TweetID: t.ID, AuthorID: t.AuthorID}, false)
}

// WithdrawPost withdraws the notification events of a post that is deleted, flagged or for fewer people by now. The log
// says who was told: subscriptions may have ended since. Of a post that still tells subscribers nothing is withdrawn,
// and neither of one whose notification events have expired.
//
// Cost: 1 read, 1 read for each notification event, at least 1, and what [Writer.Withdraw] costs for each that is
// withdrawn. Nothing for a post whose notifications have expired.
func (s *Writer) WithdrawPost(ctx context.Context, author model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "notifications.WithdrawPost(%q)", id)
	if s.db.Now().Sub(id.Time()) >= s.db.NotificationWindow {
		return nil
	}
	return s.postStep(ctx, s.db.FirstStep(s.postRun(id)), model.PostRun{TweetID: id, AuthorID: author}, true)
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
	return s.postStep(ctx, step, run, withdraws(run))
}

// postRun names the work document of a post.
func (s *Writer) postRun(id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.PostRuns, string(id))
}

// postStep notifies subscribers until the step is over, or withdraws that. It reads the post itself, so that work of a
// post that is gone withdraws, whichever event asked for it. It reads the post again after each page that it notified:
// a process that withdraws meanwhile may have searched the log before.
func (s *Writer) postStep(ctx context.Context, step *db.Step, run model.PostRun, withdraw bool) error {
	t, tells, err := s.tellingPost(ctx, run.TweetID)
	if err != nil {
		return err
	}
	if !tells {
		return s.withdrawStep(ctx, step, run)
	}
	if withdraw {
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
		told, err := s.tellPost(ctx, snaps, t)
		if err != nil {
			return err
		}
		if told {
			if _, tells, err := s.tellingPost(ctx, run.TweetID); err != nil {
				return err
			} else if !tells {
				return s.withdrawStep(ctx, step, run)
			}
		}
		if run.Told += len(snaps); len(snaps) < subscribersTogether || run.Told >= model.MaxToldOfPost {
			return step.End(ctx, nil)
		}
		run.After = snaps[len(snaps)-1].Ref.ID
		if step.Over() {
			return saveRun(ctx, step, run)
		}
	}
}

// tellingPost reads a post, and reports whether it tells subscribers.
//
// Cost: 1 read.
func (s *Writer) tellingPost(ctx context.Context, id model.TweetID) (*model.Tweet, bool, error) {
	t := &model.Tweet{ID: id}
	found, err := s.db.Get(ctx, s.db.Tweet(id), t)
	return t, found && t.TellsSubscribers(), err
}

// withdrawStep withdraws the notification events of a post until the step is over.
//
// Cost: 1 read for each notification event, at least 1; 1 read more for a step after the first.
func (s *Writer) withdrawStep(ctx context.Context, step *db.Step, run model.PostRun) error {
	q := s.db.Client.CollectionGroup(model.NotificationEvents).Where(fields.Post, "==", run.TweetID).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(subscribersTogether)
	page := q
	if withdraws(run) {
		last, err := s.db.Client.Doc(run.After).Get(ctx)
		if db.NotFound(err) { // it has expired, and so have the others
			return step.End(ctx, nil)
		}
		if err != nil {
			return err
		}
		page = q.StartAfter(last)
	}
	for {
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		if _, err = sideBySide(subscribersAtOnce, snaps, func(snap *firestore.DocumentSnapshot) (bool, error) {
			n := &model.NotificationEvent{}
			if err := snap.DataTo(n); err != nil || n.Dropped {
				return false, err
			}
			n.ID = snap.Ref.ID
			return true, s.Withdraw(ctx, n)
		}); err != nil || len(snaps) < subscribersTogether {
			return cmp.Or(err, step.End(ctx, nil))
		}
		last := snaps[len(snaps)-1]
		if page = q.StartAfter(last); step.Over() {
			run.After = db.Path(last.Ref)
			return saveRun(ctx, step, run)
		}
	}
}

// withdraws reports whether a run has begun to withdraw: no id of a subscription has a slash.
func withdraws(run model.PostRun) bool {
	return strings.HasPrefix(run.After, model.NotificationLogs+"/")
}

// saveRun ends a step whose work goes on.
//
// Cost: 1 write.
func saveRun(ctx context.Context, step *db.Step, run model.PostRun) error {
	return step.Save(ctx, map[string]any{fields.TweetID: run.TweetID, fields.AuthorID: run.AuthorID,
		fields.After: run.After, fields.Told: run.Told}, nil)
}

// tellPost notifies some subscribers of a post, and reports whether there was one to notify. A subscription from after
// the post tells nothing of it. tellPost deletes subscriptions that hold no more, and are as they were read.
//
// Cost: 1 read and what [Writer.Notify] costs for each subscriber; 1 delete for a subscription that holds no more.
func (s *Writer) tellPost(ctx context.Context, snaps []*firestore.DocumentSnapshot, t *model.Tweet) (told bool,
	err error) {
	var l db.Lookup
	type subscriber struct {
		snap    *firestore.DocumentSnapshot
		sub     model.Subscription
		follows *db.Found[model.Relationship]
	}
	all := make([]subscriber, len(snaps))
	for i, snap := range snaps {
		all[i].snap = snap
		if err := snap.DataTo(&all[i].sub); err != nil {
			return false, err
		}
		all[i].follows = db.Find[model.Relationship](&l, s.db.Relationship(all[i].sub.UserID, t.AuthorID))
	}
	if len(all) == 0 {
		return false, nil
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return false, err
	}
	var due []*model.NotificationEvent
	var over []*firestore.DocumentSnapshot
	for _, is := range all {
		switch {
		case !is.follows.Found || !is.sub.Holds(&is.follows.Doc):
			over = append(over, is.snap)
		case !is.sub.CreatedAt.Truncate(time.Millisecond).After(t.ID.Time()):
			n := model.PostNotificationEvent(t.ID, t.AuthorID, is.sub.UserID)
			n.Payload.RootID = t.RootID
			text := t.FilterText()
			n.About = &text
			due = append(due, n)
		}
	}
	_, ended := sideBySide(subscribersAtOnce, over, func(snap *firestore.DocumentSnapshot) (bool, error) {
		_, err := snap.Ref.Delete(ctx, firestore.LastUpdateTime(snap.UpdateTime))
		if db.Outdated(err) || db.NotFound(err) {
			err = nil
		}
		return false, err
	})
	_, failed := sideBySide(subscribersAtOnce, due, func(n *model.NotificationEvent) (bool, error) {
		return true, s.Notify(ctx, n)
	})
	return len(due) > 0, errors.Join(ended, failed)
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
