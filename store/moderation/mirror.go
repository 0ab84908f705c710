package moderation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// mirrorTries bounds the attempts to update Firebase Auth while other acts change the same user.
	mirrorTries = 5

	// mirrorTime bounds the time of these attempts. It begins before the update of Firebase Auth, and goes on if the
	// caller is gone: a change that was undone must be made again.
	mirrorTime = 20 * time.Second

	// revokedWithin is how long after a role was revoked an earlier act may give the role back. A request that did not end
	// may be sent again within the hour.
	revokedWithin = 75 * time.Minute

	// actsLookedAt is how many of the last acts on a user are searched for revoked roles.
	actsLookedAt = 100
)

// Accounts are the accounts of Firebase Auth. Firebase Auth has no conditional writes: a method that changes an account
// reads it, and writes all its roles and whether it is frozen. So the last of two concurrent changes undoes the other.
type Accounts interface {
	Account(ctx context.Context, uid model.UserID) (model.Account, error)

	// Mirror makes Firebase Auth agree with an account status. A repeated call changes nothing.
	Mirror(ctx context.Context, uid model.UserID, state model.AccountStatusState) error

	// SetRole gives a role to an account, or revokes it.
	SetRole(ctx context.Context, uid model.UserID, role model.StaffRole, has bool) error
}

// Mirror makes Firebase Auth agree with the account status of a user. Afterwards it reads the database: the account
// status, and the roles that were revoked from the user a moment ago. Every act on an account is written there first.
// So the last process that changes the account sees the other changes, and repeats its own if it was undone.
//
// The account status records that Firebase Auth has it. Until then [Store.Recent] returns the account status for longer
// than tokens live. The account's next request does the rest through [Store.Unmirrored], and so does [Store.MirrorAll]
// at night. So a process may end at any point.
//
// Mirror goes on if ctx ends. If Mirror does not finish, the error is errs.Unavailable (not_mirrored). If other acts
// keep changing the user, the error is errs.Conflict (standing_changed). The same call repairs both.
//
// Cost: 1 read and 1 write; no write if the account status was mirrored before; with a role 1 read for each recent act.
func (s *Store) Mirror(ctx context.Context, auth Accounts, is *model.AccountStatus) (err error) {
	defer errs.Wrap(&err, "moderation.Mirror(%q)", is.UserID)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mirrorTime)
	defer cancel()
	for range mirrorTries {
		if err := auth.Mirror(ctx, is.UserID, is.State); err != nil {
			return notMirrored(err)
		}
		took, err := s.takeBack(ctx, auth, is.UserID)
		if err != nil {
			return notMirrored(err)
		}
		now, err := db.As[model.AccountStatus](s.db.Doc(model.AccountStatuses, string(is.UserID)).Get(ctx))
		if err != nil {
			return notMirrored(err)
		}
		now.Doc.UserID, now.Doc.State = is.UserID, cmp.Or(now.Doc.State, model.AccountStatusFree)
		if !took && now.Doc.Action == is.Action {
			switch again, err := s.mirrored(ctx, now); {
			case err != nil:
				return notMirrored(err)
			case !again:
				return nil
			}
		}
		is = &now.Doc
	}
	return errChanging
}

// mirrored records that Firebase Auth has an account status, unless the account status has changed since it was read.
func (s *Store) mirrored(ctx context.Context, is *db.Found[model.AccountStatus]) (changed bool, err error) {
	if is.Doc.ToMirror {
		_, err := is.Snap.Ref.Update(ctx, []firestore.Update{{Path: fields.ToMirror, Value: firestore.Delete}},
			firestore.LastUpdateTime(is.Snap.UpdateTime))
		if db.Outdated(err) {
			return true, nil // also if the answer to this was lost: then the next call has nothing to record
		}
		if err != nil {
			return false, err
		}
		is.Doc.ToMirror = false
	}
	if is.Found {
		s.Statuses.Note(is.Doc)
	}
	return false, nil
}

// Unmirrored returns the account status of an account that Firebase Auth should have by now, and may not. This process
// has known the account status for as long as [Store.Mirror] may take. The result is nil if there is none, or if a
// caller got it within that time.
//
// Cost: nothing.
func (s *Store) Unmirrored(uid model.UserID) *model.AccountStatus { return s.Statuses.unmirrored(uid) }

// mirroredWithin is how far back [Store.MirrorAll] searches for account statuses that are free again.
const mirroredWithin = 8 * 24 * time.Hour

// MirrorAll makes Firebase Auth agree with three kinds of account statuses: those that are not free, those that changed
// within mirroredWithin, and those without a record that Firebase Auth has them. It returns how many it had to mirror.
// An account that is gone is left out. An account that fails does not stop the others.
//
// Cost: 1 read for each of them, at least 3, and what [Store.Mirror] costs for each that differs.
func (s *Store) MirrorAll(ctx context.Context, auth Accounts) (mirrored int, err error) {
	defer errs.Wrap(&err, "moderation.MirrorAll")
	accountStatuses := s.db.Client.Collection(model.AccountStatuses)
	all := map[model.UserID]*model.AccountStatus{}
	for _, q := range []firestore.Query{
		accountStatuses.Where(fields.State, "in", []model.AccountStatusState{model.AccountStatusFrozen,
			model.AccountStatusSuspended}),
		accountStatuses.Where(fields.ChangedAt, ">", s.db.Time().Add(-mirroredWithin)),
		accountStatuses.Where(fields.ToMirror, "==", true),
	} {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return 0, err
		}
		for _, snap := range snaps {
			is := &model.AccountStatus{UserID: model.UserID(snap.Ref.ID)}
			if err := snap.DataTo(is); err != nil {
				return 0, err
			}
			if is.State != "" { // else the user ended all sessions, and no moderator decided anything
				all[is.UserID] = is
			}
		}
	}
	for _, is := range all {
		account, failed := auth.Account(ctx, is.UserID)
		if errs.KindOf(failed) == errs.NotFound {
			continue
		}
		agrees := account.Frozen == (is.State == model.AccountStatusFrozen) &&
			account.Disabled == (is.State == model.AccountStatusSuspended)
		if failed == nil && agrees && !is.ToMirror {
			continue
		}
		if failed == nil {
			failed = s.Mirror(ctx, auth, is)
		}
		if failed != nil {
			err = errors.Join(err, failed)
		} else {
			mirrored++
		}
	}
	return mirrored, err
}

// SetRole gives a role to a user, or revokes it. Then it checks, as [Store.Mirror] does, whether that undid a
// concurrent act on the user. The entry of the audit log comes before SetRole. A role that was given, and that another
// act revoked meanwhile, is errs.Conflict (standing_changed).
//
// A role may be missing after another change of the account at the same time. It can be given again. SetRole may be
// called again if it does not finish.
//
// Cost: 1 read, what [Store.Mirror] costs if the account status was undone, and with a role 1 read for each recent act.
func (s *Store) SetRole(ctx context.Context, auth Accounts, uid model.UserID, role model.StaffRole,
	has bool) (err error) {
	defer errs.Wrap(&err, "moderation.SetRole(%q, %s, %v)", uid, role, has)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mirrorTime)
	defer cancel()
	if err := auth.SetRole(ctx, uid, role, has); err != nil {
		return err
	}
	for range mirrorTries {
		// The account is read before the account status: an account status that the account does not have yet is the newer
		// one.
		account, err := auth.Account(ctx, uid)
		if err != nil {
			return err
		}
		is, err := s.AccountStatus(ctx, uid)
		if err != nil {
			return err
		}
		if account.Frozen != (is.State == model.AccountStatusFrozen) {
			if err := s.Mirror(ctx, auth, is); err != nil {
				return err
			}
			continue
		}
		took, err := s.takeBack(ctx, auth, uid)
		if err != nil {
			return err
		}
		if took {
			continue
		}
		if has && role == model.RoleAdministrator && !account.Admin || has && role == model.RoleModerator &&
			!account.Moderator {
			return errChanging
		}
		return nil
	}
	return errChanging
}

// takeBack revokes the roles that were revoked before and that the user has again. It returns whether there were any.
func (s *Store) takeBack(ctx context.Context, auth Accounts, uid model.UserID) (took bool, err error) {
	account, err := auth.Account(ctx, uid)
	if err != nil || !account.Admin && !account.Moderator {
		return false, err
	}
	// The time is the database's, as the times of the entries are.
	snaps, err := s.db.Client.Collection(model.AdminActions).Where(fields.UserID, "==", uid).
		Where(fields.At, ">", s.db.Server.Now().Add(-revokedWithin)).
		OrderBy(fields.At, firestore.Desc).Limit(actsLookedAt).Documents(ctx).GetAll()
	if err != nil {
		return false, err
	}
	has := map[model.StaffRole]bool{model.RoleAdministrator: account.Admin, model.RoleModerator: account.Moderator}
	for _, snap := range snaps { // newest first
		var a model.Action
		if err := snap.DataTo(&a); err != nil {
			return false, err
		}
		role := model.StaffRole(a.After["role"])
		if a.Act != model.ActGrant && a.Act != model.ActRevoke || !has[role] {
			continue
		}
		has[role] = false // earlier acts do not matter for this role
		if a.Act == model.ActRevoke {
			if err := auth.SetRole(ctx, uid, role, false); err != nil {
				return false, err
			}
			took = true
		}
	}
	return took, nil
}

var errChanging = errs.New(errs.Conflict, "standing_changed",
	"others keep changing this account; look at it and try again")

func notMirrored(err error) error {
	return &errs.Error{Kind: errs.Unavailable, Code: "not_mirrored", Err: err,
		Msg: "the decision is written, but Firebase Auth did not take it; send the same request once more"}
}
