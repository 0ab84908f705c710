package users

import (
	"context"
	"crypto/rand"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Leave begins an account deletion. One commit deletes the profile and the address, and holds the username back. The
// same commit writes the work document that removes everything else. From then on the user is unknown and can write
// nothing. If the account deletion has begun already, Leave returns that account deletion. A user without a profile is
// errs.NotFound.
//
// Cost: 3 reads, 2 writes and 4 deletes; 2 reads if the account deletion has begun already.
func (s *Store) Leave(ctx context.Context, uid model.UserID) (accountDeletion *model.DeletionWork, err error) {
	defer errs.Wrap(&err, "users.Leave(%q)", uid)
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		user, was := db.Find[model.User](&l, s.db.User(uid)), db.Find[model.DeletionWork](&l, s.db.AccountDeletion(uid))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		if was.Found && (!user.Found || !was.Doc.Done) {
			accountDeletion = &was.Doc
			return nil
		}
		if !user.Found {
			return model.NoUser(uid)
		}
		var err error
		accountDeletion, err = s.leave(ctx, user.Snap, user.Doc.Username)
		s.access.ForgetUser(uid)
		return db.Late(err) // a rename or another deletion request was first, or the answer to the commit was lost
	})
	if err != nil {
		return nil, err
	}
	return accountDeletion, nil
}

// Abandon begins the account deletions of users who have an account and never made a profile. It passes over a user who
// has a profile or an account deletion. It returns how many account deletions it began, which are most at most. A
// sign-up at the same moment is first, or is errs.Conflict (leaving).
//
// Cost: of each 30 users, 1 read for each profile, at least 1; 2 reads and 1 write for each user without a profile.
func (s *Store) Abandon(ctx context.Context, uids []model.UserID, most int) (begun int, err error) {
	defer errs.Wrap(&err, "users.Abandon(%d)", len(uids))
	keys := make([]string, len(uids))
	for i, uid := range uids {
		keys[i] = string(uid)
	}
	profiles, err := s.db.There(ctx, model.Users, keys)
	if err != nil {
		return 0, err
	}
	for _, uid := range uids {
		if profiles[string(uid)] || begun == most {
			continue
		}
		began := false
		err := s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			var l db.Lookup
			user, was := db.Find[struct{}](&l, s.db.User(uid)), db.Find[struct{}](&l, s.db.AccountDeletion(uid))
			if err := l.ReadIn(tx); err != nil {
				return err
			}
			if began = !user.Found && !was.Found; !began {
				return nil
			}
			return tx.Create(s.db.AccountDeletion(uid), s.newDeletion(uid))
		})
		if err != nil {
			return begun, err
		}
		if began {
			begun++
		}
	}
	return begun, nil
}

// newDeletion returns the work document of an account deletion that begins now.
func (s *Store) newDeletion(uid model.UserID) *model.DeletionWork {
	now := s.db.Time()
	return &model.DeletionWork{
		UserID: uid, Receipt: rand.Text(), Removed: map[string]int64{}, StartedAt: now,
		ExpireAt: now.Add(model.AccountDeletionWindow),
	}
}

// leave commits the account deletion of a user with a username. It fails if the user was renamed since the profile was
// read. A rename changes the reservation of the name, or the profile if the reservation was already gone.
func (s *Store) leave(ctx context.Context, user *firestore.DocumentSnapshot, username string) (*model.DeletionWork,
	error) {
	now, uid := s.db.Time(), model.UserID(user.Ref.ID)
	work := s.newDeletion(uid)
	name, err := db.As[model.Username](s.db.Doc(model.Usernames, username).Get(ctx))
	if err != nil {
		return nil, err
	}
	b := s.db.Batch()
	b.Create(s.db.AccountDeletion(uid), work) // before the deletion of the profile, see db.Batch
	if name.Doc.UID != uid {
		b.Delete(user.Ref, firestore.LastUpdateTime(user.UpdateTime))
	} else {
		b.Delete(user.Ref, firestore.Exists)
		b.Update(name.Snap.Ref, []firestore.Update{
			{Path: fields.UID, Value: ""}, {Path: fields.ExpireAt, Value: now.Add(model.UsernameHold)},
		}, firestore.LastUpdateTime(name.Snap.UpdateTime))
	}
	b.Delete(s.db.Doc(model.UserDetails, string(uid)))
	b.Delete(s.db.Doc(model.UserSecrets, string(uid)))
	b.Delete(s.db.Viewer(uid))
	_, err = b.Commit(ctx)
	return work, err
}

// AccountDeletion returns the account deletion with a receipt. An unknown receipt is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) AccountDeletion(ctx context.Context, receipt string) (_ *model.DeletionWork, err error) {
	defer errs.Wrap(&err, "users.AccountDeletion")
	work, err := db.First[model.DeletionWork](ctx,
		s.db.Client.Collection(model.AccountDeletions).Where(fields.Receipt, "==", receipt))
	if err == nil && !work.Found {
		return nil, errs.New(errs.NotFound, "leaving_not_found",
			"there is no such account deletion; its record is kept for %d days", int(model.AccountDeletionWindow.Hours()/24))
	}
	return &work.Doc, err
}

// Profiles returns users who have a profile. It returns them in the order of their ids and begins after the given user.
//
// Cost: 1 read for each user, at least 1.
func (s *Store) Profiles(ctx context.Context, after model.UserID, limit int) (_ []model.UserID, err error) {
	defer errs.Wrap(&err, "users.Profiles(%q)", after)
	q := s.db.Client.Collection(model.Users).Select().OrderBy(firestore.DocumentID, firestore.Asc).Limit(limit)
	if after != "" {
		q = q.StartAfter(string(after))
	}
	snaps, err := q.Documents(ctx).GetAll()
	uids := make([]model.UserID, len(snaps))
	for i, snap := range snaps {
		uids[i] = model.UserID(snap.Ref.ID)
	}
	return uids, err
}

// mayJoin returns an error if the user may not create a profile, because an account deletion is in progress. over is
// the record of an earlier account deletion that is complete, or nil.
//
// Cost: 1 read.
func (s *Store) mayJoin(tx *firestore.Transaction, uid model.UserID) (over *firestore.DocumentRef, err error) {
	var was model.DeletionWork
	found, err := db.GetIn(tx, s.db.AccountDeletion(uid), &was)
	if err != nil || !found {
		return nil, err
	}
	if !was.Done {
		return nil, errs.New(errs.Conflict, "leaving", "this account is being deleted, which takes up to three days; "+
			"after that it can make a new profile")
	}
	return s.db.AccountDeletion(uid), nil
}
