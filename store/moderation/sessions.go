package moderation

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// endTries bounds the attempts of EndSessions while moderators change the same account.
const endTries = 5

// EndSessions refuses the ID tokens of all sign-ins of a user until now: in this process at once, in others within
// twice [AskEvery]. Firebase Auth must end the sessions before, so that it makes no new token for them. The end is in
// the account status, which every process reads anyway; the state stays, and so does the time of its change. A second
// call ends what began since the first. The same commit removes the user's devices: a browser or app whose session
// ended gets no message, and one that signs in again registers anew.
//
// Cost: 1 read, 2 writes and 1 delete; as much again for each moderator who changes the account status at that moment.
func (s *Store) EndSessions(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "moderation.EndSessions(%q)", uid)
	ref := s.db.Doc(model.AccountStatuses, string(uid))
	var before time.Time
	for try := range endTries {
		was, err := db.As[model.AccountStatus](ref.Get(ctx))
		if err != nil {
			return err
		}
		is := was.Doc
		is.UserID = uid
		if try == 0 {
			before = is.ValidSince
		} else if !is.ValidSince.Equal(before) { // the answer to the commit was lost, or another call ended them
			s.Statuses.Note(is)
			return nil
		}
		b := s.db.Batch()
		if was.Found {
			is.StateAt = is.StateChangedAt()
			changes := []firestore.Update{{Path: fields.ValidSince, Value: firestore.ServerTimestamp},
				{Path: fields.ChangedAt, Value: firestore.ServerTimestamp}}
			if !is.StateAt.IsZero() {
				changes = append(changes, firestore.Update{Path: fields.StateAt, Value: is.StateAt})
			}
			b.Update(ref, changes, firestore.LastUpdateTime(was.Snap.UpdateTime))
		} else {
			b.Create(ref, map[string]any{fields.ValidSince: firestore.ServerTimestamp,
				fields.ChangedAt: firestore.ServerTimestamp})
		}
		b.Set(s.db.Doc(model.SignInLists, string(uid)), map[string]any{fields.EndedAt: firestore.ServerTimestamp},
			firestore.MergeAll)
		b.Delete(s.db.Doc(model.DeviceLists, string(uid)))
		results, err := b.Commit(ctx)
		switch {
		case db.AlreadyExists(err), db.Outdated(err), db.NotFound(err):
			continue
		case err != nil:
			return err
		}
		is.ChangedAt, is.ValidSince = results[0].UpdateTime, results[0].UpdateTime
		s.Statuses.Note(is)
		return nil
	}
	return errChanging
}

// SessionsSince returns the time before which a sign-in of a user counts no more, or the zero time. It is as old as the
// answer of [Store.Recent], which the caller asks before, and forgotten when all earlier ID tokens have expired.
//
// Cost: nothing.
func (s *Store) SessionsSince(uid model.UserID) time.Time { return s.Statuses.sessionsSince(uid) }

func (w *Statuses) sessionsSince(uid model.UserID) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	is := w.recent[uid]
	return is.SessionsSince()
}
