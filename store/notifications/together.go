package notifications

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// together is a notification event of a hot user that shares a commit with others.
type together struct {
	n    *model.NotificationEvent
	c    *count
	off  bool                               // it is withdrawn
	look bool                               // it may be in the log
	read *db.Found[model.NotificationEvent] // as it is in the log; nil if it was not read
}

// outcome is what became of a notification event that shares a commit.
type outcome struct {
	done bool
	read *db.Found[model.NotificationEvent] // as it was in the log; nil if it was not read
}

// togetherAttempts is how often changeTogether tries to commit. Another process may write the user's notifications.
const togetherAttempts = 3

// changeTogether puts notification events of a hot user onto their notifications, and takes withdrawn ones off, in one
// commit with their counts. So the user's list is written once for all of them, and no notification event is pending.
// The tweets that are counted are those of the user, so they too are written once for all.
//
// The outcomes say for each notification event whether it is done. A caller whose notification event is not done goes
// on alone, with a pending notification event: it is in the log already, or other processes write the user's
// notifications at this moment, or a tweet is gone. If others wrote the list since it was read, or the commit is slow
// or aborted, the user is busy until the user is cold: the next events are pending.
//
// Cost: what change costs, 1 write for each notification event and for each counted document; 1 read for each that is
// withdrawn. After a failure 1 read for each.
func (s *Writer) changeTogether(ctx context.Context, _ model.UserID, all []together) ([]outcome, error) {
	outcomes, first := make([]outcome, len(all)), map[string]int{}
	for i, one := range all {
		if _, ok := first[one.n.ID]; !ok {
			first[one.n.ID] = i
		}
	}
	repeated := false
	for attempt := range togetherAttempts {
		var some []together
		var at []int
		for i, one := range all {
			if f, ok := first[one.n.ID]; ok && f == i {
				some, at = append(some, one), append(at, i)
			}
		}
		fit, err := s.fitting(ctx, some, attempt > 0)
		if err != nil {
			return nil, err
		}
		var changed []together
		for i, ok := range fit {
			if ok {
				changed = append(changed, some[i])
			} else {
				delete(first, some[i].n.ID)
				outcomes[at[i]].read = some[i].read
			}
		}
		if len(changed) == 0 {
			return outcomes, nil
		}
		if repeated && len(changed) == len(some) {
			return outcomes, nil // it is an idempotency record that exists
		}
		is, err := s.tryTogether(ctx, changed)
		if db.Outdated(is.refused) || db.Contended(is.refused) || is.took > s.contention.Slow {
			s.contention.Contend(s.hot(all[0].n))
		}
		if err != nil {
			return nil, err
		}
		if is.refused == nil {
			for i, ok := range fit {
				outcomes[at[i]].done = ok
			}
			return outcomes, nil
		}
		repeated = db.AlreadyExists(is.refused)
		if !repeated && !db.Outdated(is.refused) {
			return outcomes, nil
		}
	}
	return outcomes, nil
}

// fitting reads the notification events that are withdrawn, or all of them, and reports which of them a commit can
// have: a new one that is not in the log, and a withdrawn one that is on its notification and not yet counted.
//
// Cost: 1 read for each that it reads.
func (s *Writer) fitting(ctx context.Context, some []together, all bool) ([]bool, error) {
	var l db.Lookup
	for i, one := range some {
		if one.off || one.look || all {
			some[i].read = db.Find[model.NotificationEvent](&l, s.logged(one.n.ID))
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	fit := make([]bool, len(some))
	for i, one := range some {
		switch {
		case one.read == nil:
			fit[i] = true
		case !one.off:
			fit[i] = !one.read.Found
		default:
			is := &one.read.Doc
			fit[i] = one.read.Found && !is.Pending && !is.Withdrawn && !is.Dropped && !one.c.has(is)
		}
	}
	return fit, nil
}

// logged names a notification event in the log.
func (s *Writer) logged(id string) *firestore.DocumentRef {
	partition, _ := model.NotificationEventPartition(id)
	return s.db.NotificationEvents(partition).Doc(id)
}

// tryTogether commits what change commits, with the counts.
func (s *Writer) tryTogether(ctx context.Context, all []together) (attempt, error) {
	changed := make([]model.NotificationEvent, len(all))
	var effects []*counters.Effect
	for i, one := range all {
		if one.off {
			changed[i] = one.read.Doc
			changed[i].ID, changed[i].Withdrawn = one.n.ID, true
		} else {
			changed[i] = *one.n
			changed[i].Pending = false
			one.c.mark(&changed[i])
		}
		if one.c.effect != nil {
			effects = append(effects, one.c.effect)
		}
	}
	joined := counters.Join(effects, func(string) bool { return true })
	is, err := s.tryChange(ctx, changed, func(b *db.Batch) {
		for i, one := range all {
			ref, is := s.logged(one.n.ID), &changed[i]
			if one.off {
				b.Update(ref, one.c.marked(&one.read.Doc, became(is)...), firestore.LastUpdateTime(one.read.Snap.UpdateTime))
				one.c.addRecord(b, &one.read.Doc, true)
			} else {
				b.Create(ref, is)
				one.c.addRecord(b, nil, true)
			}
		}
		joined.Add(b)
	})
	if is.refused != nil || err != nil {
		return is, err
	}
	return is, joined.Finish(ctx)
}
