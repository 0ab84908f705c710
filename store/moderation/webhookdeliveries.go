package moderation

import (
	"context"
	"errors"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// deliveriesAtOnce is how many deliveries of a webhook one run of DeliverDue sends.
	deliveriesAtOnce = 20
	// deliveryLease is for how long an attempt is one process's. It is longer than a tick.
	deliveryLease = 2 * time.Minute
)

// SendWebhook sends a delivery at a time, and returns the HTTP status of the answer; 0 without one. An error says, for
// administrators, why it did not arrive.
type SendWebhook func(ctx context.Context, to *model.Webhook, d *model.WebhookDelivery, now time.Time) (int, error)

// tried is what became of the attempts at one webhook.
type tried struct {
	id       model.WebhookID
	delivery int // that arrived
	at       time.Time
	status   int
	failure  string
	any      bool
}

// DeliverDue sends the deliveries that are due, at most 20 to a webhook and until over returns true, and returns how
// many arrived. Webhooks are asked at the same time, and after a failure the rest of a webhook's deliveries wait for
// the next run: one that hangs holds up no other. Two runs at the same time send a delivery once, unless a process ends
// between the answer and its commit, or the commit's answer is lost: then the delivery arrives again, with the same id.
// A delivery that failed is tried again for about 3 days, and a webhook that failed for [model.WebhookPatience] is
// switched off. Without a sender DeliverDue does nothing.
//
// Cost: nothing without webhooks, but 1 read of the process, at most once a minute. Otherwise 2 reads, 1 read more for
// each further webhook; each attempt 1 read and 2 writes, at least 1 read; 1 read and 1 write more for the results.
func (s *Store) DeliverDue(ctx context.Context, over func() bool) (arrived int, err error) {
	defer errs.Wrap(&err, "moderation.DeliverDue")
	if s.send == nil || s.hooks.Empty(ctx) {
		return 0, nil
	}
	all, err := s.readWebhooks(ctx) // as they are now: nothing goes to a webhook that was removed
	if err != nil {
		return 0, err
	}
	var mu sync.Mutex
	var group safely.Group
	var results []tried
	var failed []error
	for _, hook := range all.Hooks {
		if !hook.Enabled {
			continue
		}
		group.Go(func() error {
			var is tried
			err := safely.Do(func() (err error) { is, err = s.deliver(ctx, hook, over); return err })
			mu.Lock()
			defer mu.Unlock()
			failed, arrived = append(failed, err), arrived+is.delivery
			if is.any {
				results = append(results, is)
			}
			return nil
		})
	}
	failed = append(failed, group.Wait())
	return arrived, errors.Join(append(failed, s.noteTried(ctx, results))...)
}

// deliver sends the deliveries of one webhook that are due, oldest first, until one fails.
func (s *Store) deliver(ctx context.Context, hook *model.Webhook, over func() bool) (is tried, err error) {
	is.id = hook.ID
	due, err := s.db.All(ctx, s.db.Client.Collection(model.WebhookDeliveries).Where(fields.HookID, "==", hook.ID).
		Where(fields.DueAt, "<=", s.db.Time()).OrderBy(fields.DueAt, firestore.Asc).Limit(deliveriesAtOnce))
	if err != nil {
		return is, err
	}
	for _, snap := range due {
		if over() {
			return is, nil
		}
		d := &model.WebhookDelivery{ID: snap.Ref.ID}
		if err := snap.DataTo(d); err != nil {
			return is, err
		}
		claimed, err := snap.Ref.Update(ctx, []firestore.Update{
			{Path: fields.DueAt, Value: s.db.Time().Add(deliveryLease)}, {Path: fields.Attempts, Value: d.Attempts + 1},
		}, firestore.LastUpdateTime(snap.UpdateTime))
		if db.Outdated(err) || db.NotFound(err) { // another process has it
			continue
		}
		if err != nil {
			return is, err
		}
		d.Attempts++
		status, failure := s.send(ctx, hook, d, s.db.Now())
		is.any, is.at, is.status, is.failure = true, s.db.Time(), status, ""
		if failure != nil {
			is.failure = failure.Error()
		} else {
			is.delivery++
		}
		if err := s.endAttempt(ctx, snap.Ref, claimed.UpdateTime, d, is); err != nil {
			return is, err
		}
		if failure != nil {
			return is, nil
		}
	}
	return is, nil
}

// endAttempt writes what became of an attempt, if it is still this process's.
func (s *Store) endAttempt(ctx context.Context, ref *firestore.DocumentRef, claimed time.Time, d *model.WebhookDelivery,
	is tried) error {
	updates := []firestore.Update{{Path: fields.Status, Value: is.status}}
	next, again := model.NextAttempt(d.Attempts, is.at)
	switch {
	case is.failure == "":
		updates = append(updates, firestore.Update{Path: fields.DueAt, Value: firestore.Delete},
			firestore.Update{Path: fields.Failure, Value: firestore.Delete})
	case again:
		updates = append(updates, firestore.Update{Path: fields.DueAt, Value: next},
			firestore.Update{Path: fields.Failure, Value: model.Snippet(is.failure, model.MaxWebhookFailure)})
	default:
		updates = append(updates, firestore.Update{Path: fields.DueAt, Value: firestore.Delete},
			firestore.Update{Path: fields.Failure, Value: model.Snippet(is.failure, model.MaxWebhookFailure)})
	}
	_, err := ref.Update(ctx, updates, firestore.LastUpdateTime(claimed))
	if db.Outdated(err) || db.NotFound(err) { // the lease was over, or the answer was lost
		return nil
	}
	return err
}

// noteTried writes the results into the list of webhooks. What an administrator changed meanwhile stays.
func (s *Store) noteTried(ctx context.Context, results []tried) error {
	if len(results) == 0 {
		return nil
	}
	defer s.hooks.Forget()
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is := &model.Webhooks{}
		if _, err := db.GetIn(tx, s.db.Webhooks(), is); err != nil {
			return err
		}
		for _, r := range results {
			if hook := is.Hooks[string(r.id)]; hook != nil && !r.at.Before(hook.TriedAt) {
				hook.Tried(r.at, r.status, r.failure)
			}
		}
		return tx.Set(s.db.Webhooks(), is)
	})
}
