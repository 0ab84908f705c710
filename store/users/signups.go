package users

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/hooks"
)

// AskToJoin keeps a profile until an administrator approves it, see [model.SignUp], and reserves its username as long.
// A user who asks again changes what waits, and keeps the place in the list. The failures are those of
// [Store.CreateUser]; a sign-up that was refused is errs.Forbidden (sign_up_refused) until it expires. While
// [model.MaxSignUps] wait, another one is errs.Exhausted (too_many_sign_ups).
//
// Cost: 5 reads and 2 writes, 1 write if the user asked before; 1 read and 1 delete more for another username; 1 read
// more with a consent to terms, or with an AI model. Each webhook that wants it costs 1 write more.
func (s *Store) AskToJoin(ctx context.Context, uid model.UserID, n model.NewUser, reason string) (is *model.SignUp,
	err error) {
	defer errs.Wrap(&err, "users.AskToJoin(%q)", uid)
	if uid.Remote() {
		return nil, remoteUser()
	}
	if n, err = n.Clean(); err != nil {
		return nil, err
	}
	if n.TermsVersion != 0 {
		if err := s.currentTerms(ctx, n.TermsVersion); err != nil {
			return nil, err
		}
	}
	if err := s.aiModel(ctx, n.AIModel); err != nil {
		return nil, err
	}
	now := s.db.Time()
	if is, err = model.NewSignUp(uid, n, reason, now); err != nil {
		return nil, err
	}
	others, err := db.Count(ctx, s.db.SignUpsThatWait(now).Limit(model.MaxSignUps))
	if err != nil {
		return nil, err
	}
	asked := *is
	told := s.hooks.Of(ctx, model.WebhookSignUpWaiting, map[string]string{"userId": string(uid)})
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		*is = asked
		return s.askToJoin(tx, is, others >= model.MaxSignUps, now, told)
	}, func(ctx context.Context) (bool, error) {
		var made model.SignUp
		found, err := s.db.Get(ctx, s.db.SignUp(uid), &made)
		return found && made.AskedAt.Equal(now), err
	})
	return is, err
}

// askToJoin writes a sign-up, in the place of one that waits already. full says that there is no place for another one.
// told are the deliveries of a new one.
func (s *Store) askToJoin(tx *firestore.Transaction, is *model.SignUp, full bool, now time.Time,
	told hooks.Deliveries) error {
	var l db.Lookup
	ref, name := s.db.SignUp(is.UserID), s.db.Doc(model.Usernames, is.Username)
	user, was := db.Find[struct{}](&l, s.db.User(is.UserID)), db.Find[model.SignUp](&l, ref)
	holder := db.Find[model.Username](&l, name)
	if err := l.ReadIn(tx); err != nil {
		return err
	}
	if _, err := s.mayJoin(tx, is.UserID); err != nil {
		return err
	}
	waits := was.Found && was.Doc.Waits(now)
	own := waits && holder.Found && was.Doc.Username == is.Username && was.Doc.Reserves(holder.Doc)
	switch {
	case user.Found:
		return userExists()
	case was.Found && was.Doc.Refused && now.Before(was.Doc.ExpireAt):
		return model.SignUpRefused()
	case holder.Found && !own && (holder.Doc.UID != "" || now.Before(holder.Doc.HeldUntil)):
		return errs.New(errs.Exists, "username_taken", "username %q is taken", is.Username)
	case full && !waits:
		return errs.New(errs.Exhausted, "too_many_sign_ups", "%d sign-ups wait for an administrator, and there may be no "+
			"more; try again in some days", model.MaxSignUps)
	}
	if waits {
		is.Keep(&was.Doc)
		if was.Doc.Username != is.Username {
			if err := s.Release(tx, &was.Doc); err != nil {
				return err
			}
		}
	}
	if !own {
		if err := tx.Set(name, is.Reservation()); err != nil {
			return err
		}
	}
	if !waits {
		if err := told.Write(tx); err != nil {
			return err
		}
	}
	return tx.Set(ref, is)
}

// Release deletes the reservation of a sign-up's username, in the transaction that decides about the sign-up. A
// username that somebody else has stays.
//
// Cost: 1 read and 1 delete.
func (s *Store) Release(tx *firestore.Transaction, is *model.SignUp) error {
	ref := s.db.Doc(model.Usernames, is.Username)
	var name model.Username
	if found, err := db.GetIn(tx, ref, &name); err != nil || !found || !is.Reserves(name) {
		return err
	}
	return tx.Delete(ref)
}

// own reports whether the username of a new profile is reserved for a sign-up of the same user, which waited when an
// approval was needed. With n.MayWait the commit of the profile has seen it.
//
// Cost: 1 read without n.MayWait.
func (s *Store) own(ctx context.Context, uid model.UserID, n model.NewUser) (bool, error) {
	if n.MayWait {
		return false, nil
	}
	var is model.SignUp
	found, err := s.db.Get(ctx, s.db.SignUp(uid), &is)
	return found && is.Waits(s.db.Now()) && is.Username == n.Username, err
}

// waited is what the commit of a profile does with the sign-up of the user.
type waited struct {
	gone     []*firestore.DocumentRef
	reserved bool // the username is reserved for the profile
}

// waited returns what a new profile does with the sign-up of the user. See createUser about approved: without a sign-up
// that waits, an approval is errs.NotFound (sign_up_not_found), and errs.Conflict (sign_up_changed) if the user asked
// for something else meanwhile.
//
// Cost: 1 read with n.MayWait, and 1 read more for a sign-up that waits.
func (s *Store) waited(tx *firestore.Transaction, uid model.UserID, n model.NewUser, approved *model.SignUp) (w waited,
	err error) {
	if !n.MayWait {
		return w, nil
	}
	is, ref := model.SignUp{}, s.db.SignUp(uid)
	found, err := db.GetIn(tx, ref, &is)
	over := !s.db.Now().Before(is.ExpireAt)
	switch {
	case err != nil:
		return w, err
	case found && is.Refused && !over:
		return w, model.SignUpRefused()
	case approved != nil && (!found || over):
		return w, model.NoSignUp()
	case approved != nil && !is.AskedAt.Equal(approved.AskedAt):
		return w, model.SignUpChanged()
	case !found:
		return w, nil
	}
	w.gone = append(w.gone, ref)
	var name model.Username
	held := s.db.Doc(model.Usernames, is.Username)
	if found, err = db.GetIn(tx, held, &name); err != nil || !found || over || !is.Reserves(name) {
		return w, err
	}
	if w.reserved = is.Username == n.Username; !w.reserved {
		w.gone = append(w.gone, held)
	}
	return w, nil
}

// Approve makes the profile of a sign-up that an administrator has seen, see [Store.CreateUser], and removes the
// sign-up. One that is gone is errs.NotFound (sign_up_not_found); one that changed meanwhile is errs.Conflict
// (sign_up_changed), and one that was refused errs.Forbidden (sign_up_refused).
//
// Cost: 3 reads, 6 writes and 1 delete; the rest is that of CreateUser.
func (s *Store) Approve(ctx context.Context, is *model.SignUp,
	also ...func(*firestore.Transaction) error) (_ *FullUser, err error) {
	defer errs.Wrap(&err, "users.Approve(%q)", is.UserID)
	return s.createUser(ctx, is.UserID, is.NewUser(), is, also)
}

// SignUp returns the sign-up of a user that waits, or that was refused. Without one it is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) SignUp(ctx context.Context, uid model.UserID) (_ *model.SignUp, err error) {
	defer errs.Wrap(&err, "users.SignUp(%q)", uid)
	is := &model.SignUp{UserID: uid}
	found, err := s.db.Get(ctx, s.db.SignUp(uid), is)
	if err == nil && (!found || !s.db.Now().Before(is.ExpireAt)) {
		err = model.NoSignUp()
	}
	return is, err
}

// TakeBack removes the sign-up of a user, who does not want to join any more, and frees the username. One that was
// refused stays.
//
// Cost: 1 read; 1 read and 2 deletes more if it waits.
func (s *Store) TakeBack(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "users.TakeBack(%q)", uid)
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.SignUp
		found, err := db.GetIn(tx, s.db.SignUp(uid), &is)
		if err != nil || !found || is.Refused {
			return err
		}
		return errors.Join(s.Release(tx, &is), tx.Delete(s.db.SignUp(uid)))
	})
}
