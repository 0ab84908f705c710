package federation

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Limits of what a process takes from other servers.
const (
	// ActivitiesAMinute is how many activities a process takes from a host in a minute, after a burst of
	// [ActivitiesAtOnce], and BytesAMinute how many bytes.
	ActivitiesAMinute = 300
	ActivitiesAtOnce  = 300
	BytesAMinute      = 8 << 20
	// KnocksAMinute is how many requests a process takes from a network address, whatever hosts they are of.
	KnocksAMinute = 1_200
	// AllAMinute is ActivitiesAMinute for all hosts, and AllBytesAMinute BytesAMinute.
	AllAMinute      = 3_000
	AllBytesAMinute = 64 << 20

	// uncounted is how many activities of a host a process takes within countEvery without counting those that wait.
	uncounted  = 20
	countEvery = 10 * time.Second
)

// Received is what became of an activity that came.
type Received int

// All results of [Store.Receive].
const (
	Kept  Received = iota // it waits for its function
	Known                 // it came before
)

// tooMuch is the error of a server that sends too much. It is to send again after a minute.
func tooMuch(what string) error {
	return &errs.Error{Kind: errs.Exhausted, Code: "too_many_activities",
		Msg: "This server takes no more activities of yours for a while: " + what + ".",
		Err: &model.NotYet{Wait: time.Minute}}
}

// MayKnock counts a request of a network address to an inbox, before its signature is checked. One that sends too many
// gets errs.Exhausted (too_many_activities). An address may speak for many hosts, so it has more than a host.
//
// Cost: nothing.
func (s *Store) MayKnock(address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := remembered(s.knocks, address, func() *rate.Limiter {
		return rate.NewLimiter(rate.Every(time.Minute/KnocksAMinute), KnocksAMinute)
	}); !l.AllowN(s.db.Now(), 1) {
		return tooMuch("your address sends too many")
	}
	return nil
}

// MayReceive counts an activity of a host, whose signature held. A host that sends too many activities or
// bytes gets errs.Exhausted (too_many_activities), and so do all hosts together. No process waits for them.
//
// Cost: nothing.
func (s *Store) MayReceive(of string, bytes int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.db.Now()
	h := s.senderOf(of)
	switch {
	case !h.activities.AllowN(now, 1) || !h.bytes.AllowN(now, bytes):
		return tooMuch("your host sends too many")
	case !s.activities.AllowN(now, 1) || !s.bytes.AllowN(now, bytes):
		return tooMuch("all hosts send too many")
	}
	return nil
}

// Receive keeps an activity, whose creation is the event of the function HandleActivity, and notes that it came. note
// has what it does. One that came before is Known, and nothing is written, see [model.Activity.Had]. Beyond
// [model.MaxIncomingOfHost] and [model.MaxIncoming] activities that wait, Receive is errs.Exhausted
// (too_many_activities): so no host fills the database while functions are slower than it. Processes count them at most
// once in 10 seconds, so some hundreds more may wait. A text that is too large is errs.Invalid (too_large).
//
// Cost: 2 writes; for one that came before 1 read. A host that sends more than 20 within 10 seconds costs 2 reads more
// in that time, and 1 for each 1,000 that wait.
func (s *Store) Receive(ctx context.Context, in *model.Incoming, note model.Activity) (_ Received, err error) {
	defer errs.Wrap(&err, "federation.Receive(%q)", in.ID)
	if len(in.Body) > model.MaxIncomingBody {
		return 0, errs.New(errs.Invalid, "too_large", "the activity is too large")
	}
	if err := s.room(ctx, in.Host); err != nil {
		return 0, err
	}
	now := s.db.Time()
	in.ReceivedAt, in.ExpireAt = now, s.db.WorkExpiry()
	note.SignedAt, note.ExpireAt, note.UndoneAt = in.SignedAt.UTC(), now.Add(model.ActivityWindow), time.Time{}
	note.Live = note.Of != ""
	work, mark := s.db.Doc(model.IncomingActivities, in.ID), s.db.Doc(model.Activities, in.ID)
	b := s.db.Batch()
	b.Create(work, in)
	b.Create(mark, note)
	if _, err = b.Commit(ctx); !db.AlreadyExists(err) {
		return Kept, err
	}
	known, err := db.As[model.Activity](mark.Get(ctx))
	if err != nil || known.Found && known.Doc.Had(in.SignedAt) {
		return Known, err
	}
	b = s.db.Batch()
	b.Create(work, in)
	b.Set(mark, note)
	if _, err = b.Commit(ctx); db.AlreadyExists(err) { // the first still waits
		return Known, nil
	}
	return Kept, err
}

// room returns an error if too many activities of a host, or of all, wait.
func (s *Store) room(ctx context.Context, of string) error {
	s.mu.Lock()
	now := s.db.Now()
	h := s.senderOf(of)
	if now.Sub(h.since) >= countEvery {
		h.since, h.taken, h.counted = now, 0, false
	}
	h.taken++
	count := h.taken > uncounted && !h.counted
	h.counted = h.counted || count
	waiting, all := h.waiting, s.waiting
	s.mu.Unlock()
	if count {
		var err error
		work := s.db.Client.Collection(model.IncomingActivities).Query
		if waiting, err = db.Count(ctx, work.Where(fields.Host, "==", of).Limit(model.MaxIncomingOfHost)); err != nil {
			return err
		}
		if all, err = db.Count(ctx, work.Limit(model.MaxIncoming)); err != nil {
			return err
		}
		s.mu.Lock()
		h.waiting, s.waiting = waiting, all
		s.mu.Unlock()
	}
	switch {
	case h.taken <= uncounted:
		return nil
	case waiting >= model.MaxIncomingOfHost:
		return tooMuch("many of yours still wait")
	case all >= model.MaxIncoming:
		return tooMuch("many still wait")
	}
	return nil
}

// Incoming returns an activity that waits; nil if there is none.
//
// Cost: 1 read.
func (s *Store) Incoming(ctx context.Context, id string) (_ *model.Incoming, err error) {
	defer errs.Wrap(&err, "federation.Incoming(%q)", id)
	found, err := db.As[model.Incoming](s.db.Doc(model.IncomingActivities, id).Get(ctx))
	if err != nil || !found.Found {
		return nil, err
	}
	found.Doc.ID = id
	return &found.Doc, nil
}

// Handled removes an activity whose effect is there, or that has none.
//
// Cost: 1 delete.
func (s *Store) Handled(ctx context.Context, id string) (err error) {
	defer errs.Wrap(&err, "federation.Handled(%q)", id)
	_, err = s.db.Doc(model.IncomingActivities, id).Delete(ctx)
	return err
}

// Noted returns what is known of an activity; nil for nothing.
//
// Cost: 1 read.
func (s *Store) Noted(ctx context.Context, id string) (_ *model.Activity, err error) {
	defer errs.Wrap(&err, "federation.Noted(%q)", id)
	found, err := db.As[model.Activity](s.db.Doc(model.Activities, id).Get(ctx))
	if err != nil || !found.Found {
		return nil, err
	}
	return &found.Doc, nil
}

// Refused notes that an activity has no effect, because a rule of this server refused it.
//
// Cost: 1 write.
func (s *Store) Refused(ctx context.Context, id string) (err error) {
	defer errs.Wrap(&err, "federation.Refused(%q)", id)
	_, err = s.db.Doc(model.Activities, id).Update(ctx, []firestore.Update{{Path: fields.Live, Value: false}})
	if db.NotFound(err) { // it expired
		return nil
	}
	return err
}

// Undone notes that an activity was undone at a time, by the clock of its server, whether or not it came. of is its
// ActKey if it is known. It returns what was known of the activity.
//
// Cost: 1 read, and 1 write.
func (s *Store) Undone(ctx context.Context, id, of string, at time.Time) (was model.Activity, err error) {
	defer errs.Wrap(&err, "federation.Undone(%q)", id)
	ref := s.db.Doc(model.Activities, id)
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		was = model.Activity{}
		if _, err := db.GetIn(tx, ref, &was); err != nil {
			return err
		}
		if was.SignedAt.After(at) || !was.UndoneAt.IsZero() { // sent anew since, or known
			return nil
		}
		is := was
		if is.Of == "" {
			is.Of = of
		}
		is.Live, is.UndoneAt, is.ExpireAt = false, at.UTC(), s.db.Time().Add(model.ActivityWindow)
		return tx.Set(ref, is)
	})
	return was, err
}

// maxEnded is how many activities [Store.End] ends at once.
const maxEnded = 200

// End notes that all activities that do a thing and were signed until a time, by the clock of their server, were undone
// at a time, and returns whether another one holds. What ends another way, such as the follow of somebody who is
// removed here, leaves its activity: so an Undo ends those before it, too.
//
// Cost: 1 read for each activity that holds, at least 1, and 1 write for each that ends.
func (s *Store) End(ctx context.Context, of string, until, at time.Time) (holds bool, err error) {
	defer errs.Wrap(&err, "federation.End")
	q := s.db.Client.Collection(model.Activities).Where(fields.Of, "==", of).Where(fields.Live, "==", true).
		Limit(maxEnded)
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		holds = false
		found, err := tx.Documents(q).GetAll()
		if err != nil {
			return err
		}
		for _, snap := range found {
			var is model.Activity
			if err := snap.DataTo(&is); err != nil {
				return err
			}
			if is.SignedAt.After(until) {
				holds = true
				continue
			}
			is.Live, is.UndoneAt, is.ExpireAt = false, at.UTC(), s.db.Time().Add(model.ActivityWindow)
			if err := tx.Set(snap.Ref, is); err != nil {
				return err
			}
		}
		return nil
	})
	return holds, err
}

// Holds reports whether an activity that does a thing holds.
//
// Cost: 1 read.
func (s *Store) Holds(ctx context.Context, of string) (_ bool, err error) {
	defer errs.Wrap(&err, "federation.Holds")
	found, err := s.db.All(ctx, s.db.Client.Collection(model.Activities).Where(fields.Of, "==", of).
		Where(fields.Live, "==", true).Limit(1))
	return len(found) > 0, err
}

// FollowsOf returns the addresses of the activities by which an actor follows another; none if they are not known.
// Answers to a follow name it. There are several while an Undo of a former follow is on its way.
//
// Cost: 1 read, at most 20.
func (s *Store) FollowsOf(ctx context.Context, actor, followed string) (all []string, err error) {
	defer errs.Wrap(&err, "federation.FollowsOf")
	snaps, err := s.db.All(ctx, s.db.Client.Collection(model.Activities).
		Where(fields.Of, "==", model.ActKey("Follow", actor, followed)).Where(fields.Live, "==", true).
		Limit(maxFollowMarks))
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		var is model.Activity
		if err := snap.DataTo(&is); err != nil {
			return nil, err
		}
		if is.Address != "" {
			all = append(all, is.Address)
		}
	}
	slices.Sort(all) // the same answer has the same bytes
	return all, nil
}

// FollowUndone reports whether an actor, of whom [Store.FollowsOf] knew no follow of another that holds, took the last
// one back, within [model.ActivityWindow], or made one since.
//
// Cost: 1 read, at most 20.
func (s *Store) FollowUndone(ctx context.Context, actor, followed string) (_ bool, err error) {
	defer errs.Wrap(&err, "federation.FollowUndone")
	snaps, err := s.db.All(ctx, s.db.Client.Collection(model.Activities).
		Where(fields.Of, "==", model.ActKey("Follow", actor, followed)).Limit(maxFollowMarks))
	if err != nil {
		return false, err
	}
	undone := false
	for _, snap := range snaps {
		var is model.Activity
		if err := snap.DataTo(&is); err != nil || is.Live {
			return err == nil && is.Address != "", err
		}
		// The mark of a follow that came later expires later.
		undone = undone || !is.UndoneAt.IsZero() && s.db.Time().Before(is.ExpireAt)
	}
	return undone, nil
}

// maxFollowMarks is how many marks of follows are looked at.
const maxFollowMarks = 20

// Moves notes that an actor moves, by an activity. A second one within [model.MoveWindow] is errs.Forbidden
// (moved_lately): else followers are sent to and fro.
//
// Cost: 1 read and 1 write.
func (s *Store) Moves(ctx context.Context, actor, activity string) (err error) {
	defer errs.Wrap(&err, "federation.Moves")
	ref := s.db.Doc(model.Activities, model.MoveKey(actor))
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.Activity
		found, err := db.GetIn(tx, ref, &is)
		if err != nil || found && is.Address == activity {
			return err
		}
		now := s.db.Time()
		if found && now.Before(is.ExpireAt) {
			return errs.New(errs.Forbidden, "moved_lately", "the account moved less than a week ago")
		}
		return tx.Set(ref, model.Activity{Kind: "Move", Address: activity, ExpireAt: now.Add(model.MoveWindow)})
	})
}
