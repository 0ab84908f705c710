package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// Deliver puts a new tweet into its author's month and head, which the home pages of the followers read. It writes the
// preview from the event's data and reads the tweet itself last. So Deliver repairs its own writes if the tweet was
// deleted or edited meanwhile. A tweet in no audience partition is delivered to nobody.
//
// Cost: 2 reads and 2 writes.
func (w *Writer) Deliver(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "timelines.Deliver(%q)", t.ID)
	if t.AudiencePartition() == model.NoAudiencePartition {
		return nil
	}
	if err := w.previews.Put(ctx, t); err != nil {
		return err
	}
	there, err := w.previews.Reconcile(ctx, t)
	if err == nil && there && t.Imported == "" {
		telemetry.Fresh(ctx, t.ID.Time())
	}
	return err
}

// DeliverShare puts a new share into its sharer's month and head. It reads the share itself last, and takes the share
// out of the month again if it was withdrawn meanwhile.
//
// Each share has its own id. So late work for a withdrawn share touches no newer share of the same tweet. A share from
// before shares reached home timelines has no id, and is delivered to nobody.
//
// Cost: 2 reads and 2 writes.
func (w *Writer) DeliverShare(ctx context.Context, l *model.Share) (err error) {
	defer errs.Wrap(&err, "timelines.DeliverShare(%q, %q)", l.UserID, l.TweetID)
	position := l.Position()
	if position == "" {
		return nil
	}
	if err := w.previews.PutShare(ctx, l); err != nil {
		return err
	}
	there, err := w.previews.ReconcileNewShare(ctx, l.UserID, position)
	if err != nil || there {
		return err
	}
	return w.previews.RemoveShare(ctx, l.UserID, position)
}

// WithdrawShare takes a withdrawn share out of its sharer's head and month. A share of a deleted account stays until
// the account deletion removes both.
//
// Cost: 2 reads and 2 writes; 2 reads and 1 write if the month has expired.
func (w *Writer) WithdrawShare(ctx context.Context, l *model.Share) (err error) {
	defer errs.Wrap(&err, "timelines.WithdrawShare(%q, %q)", l.UserID, l.TweetID)
	position := l.Position()
	if position == "" || w.db.KnowsGone(l.UserID) {
		return nil
	}
	if err := w.previews.ReconcileHead(ctx, l.UserID, position); err != nil || w.expired(position) {
		return err
	}
	return w.previews.RemoveShare(ctx, l.UserID, position)
}

// expired reports whether no home timeline reaches back to the month of a position.
func (w *Writer) expired(position model.Position) bool {
	return !model.TimelineExpiry(position.Month()).After(w.db.Now())
}
