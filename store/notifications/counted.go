package notifications

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// markAlone is the age of a source document up to which a mark in the notification event is enough. Later, the commit
// also creates an idempotency record: another delivery of the CloudEvent may find no notification event and be counted
// with a record alone. That happens from the age of lateFor, so clocks may differ by the difference.
const markAlone = 12 * time.Hour

// count is a count that goes into a commit of a notification event. A nil effect counts nothing: there is none, or an
// earlier commit has it.
//
// The notification event has a mark of the CloudEvent, so a repeated CloudEvent finds that it is counted. Each commit
// has a condition on the notification event as it was read, so two deliveries at once cannot both count. A commit that
// neither creates a notification event nor takes one off also creates an idempotency record.
type count struct {
	effect *counters.Effect
	young  bool // a mark is enough
}

func (s *Writer) count(n *model.NotificationEvent, e *counters.Effect) *count {
	return &count{e, s.db.Now().Sub(n.At) < markAlone}
}

// mark puts the mark onto a notification event that the caller creates.
func (c *count) mark(n *model.NotificationEvent) {
	if c.effect != nil {
		n.Counted = map[string]bool{c.effect.Mark(): c.effect.Sharded()}
	}
}

// marked returns updates of a notification event, with the mark as far as it has room.
func (c *count) marked(logged *model.NotificationEvent, updates ...firestore.Update) []firestore.Update {
	if c.effect == nil || len(logged.Counted) >= model.MaxCountMarks {
		return updates
	}
	return append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Counted, c.effect.Mark()},
		Value: c.effect.Sharded()})
}

// add adds the writes of the effect to a commit. logged is the notification event as it was read, or nil if the commit
// creates it. alone says that the mark is enough for a young source document.
func (c *count) add(b *db.Batch, logged *model.NotificationEvent, alone bool) {
	if c.effect == nil {
		return
	}
	c.effect.Add(b)
	c.addRecord(b, logged, alone)
}

// addRecord adds the idempotency record to a commit if the mark is not enough, see add.
func (c *count) addRecord(b *db.Batch, logged *model.NotificationEvent, alone bool) {
	if c.effect == nil {
		return
	}
	if !alone || !c.young || logged != nil && len(logged.Counted) >= model.MaxCountMarks {
		c.effect.AddRecord(b)
	}
}

// has reports whether a notification event has the mark.
func (c *count) has(logged *model.NotificationEvent) bool {
	if c.effect == nil {
		return false
	}
	_, ok := logged.Counted[c.effect.Mark()]
	return ok
}

// read notes whether a notification event has the mark. If so, the effect is committed, and its roll-ups are enqueued
// and its tweets listed again.
func (c *count) read(ctx context.Context, logged *model.NotificationEvent) error {
	if c.effect == nil {
		return nil
	}
	sharded, ok := logged.Counted[c.effect.Mark()]
	if !ok {
		return nil
	}
	e := c.effect
	c.effect = nil
	return e.Resume(ctx, sharded)
}

// done finishes the effect after its commit.
func (c *count) done(ctx context.Context) error {
	if c.effect == nil {
		return nil
	}
	e := c.effect
	c.effect = nil
	return e.Finish(ctx)
}

// failed prepares the effect for the next attempt, after a commit with it failed: a counted document is gone, or the
// CloudEvent has an idempotency record.
func (c *count) failed(ctx context.Context, failure error) error {
	switch {
	case c.effect == nil:
		return nil
	case db.NotFound(failure):
		return c.effect.LeaveGone(ctx)
	case db.AlreadyExists(failure):
		recorded, err := c.effect.Recorded(ctx)
		if recorded {
			c.effect = nil
		}
		return err
	}
	return nil
}

// alone counts with an idempotency record, without a notification event.
func (c *count) alone(ctx context.Context) error {
	if c.effect == nil {
		return nil
	}
	return c.effect.Commit(ctx)
}

// countLogged counts an event whose notification event is in the log. found is false if it is not there after all.
// pending says whether a flush is to put it onto its notification, or to take it off.
//
// Cost: 1 read; 1 write, and what the effect and its record cost, if it was not counted.
func (s *Writer) countLogged(ctx context.Context, ref *firestore.DocumentRef, c *count) (found, pending bool,
	err error) {
	err = s.db.Update(ctx, func(ctx context.Context) error {
		is, err := db.As[model.NotificationEvent](ref.Get(ctx))
		if found, pending = is.Found, is.Doc.Pending; err != nil || !found {
			return err
		}
		if err := c.read(ctx, &is.Doc); err != nil || c.effect == nil {
			return err
		}
		b := s.db.Batch()
		if updates := c.marked(&is.Doc); len(updates) > 0 {
			b.Update(ref, updates, firestore.LastUpdateTime(is.Snap.UpdateTime))
		}
		c.add(b, &is.Doc, false)
		_, failure := b.Commit(ctx)
		if failure == nil {
			return c.done(ctx)
		}
		if err := c.failed(ctx, failure); err != nil {
			return err
		}
		return db.Late(failure)
	})
	return found, pending, err
}
