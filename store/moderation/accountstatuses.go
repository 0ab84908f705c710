package moderation

import (
	"cmp"
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// after returns the state after an act. Only administrators lift a suspension: no act of a moderator changes a
// suspended user. A user who was frozen during the suspension stays frozen after it.
func after(now model.AccountStatusState, act model.Act) (model.AccountStatusState, error) {
	switch {
	case act == model.ActSuspend:
		return model.AccountStatusSuspended, nil
	case act == model.ActUnsuspend && now == model.AccountStatusFrozen:
		return "", errs.New(errs.Conflict, "user_frozen", "the user is frozen, and not suspended; restore the user with "+
			"DELETE …/freeze")
	case act == model.ActUnsuspend:
		return model.AccountStatusFree, nil
	case now == model.AccountStatusSuspended:
		return "", errs.New(errs.Conflict, "user_suspended", "the user is suspended; an administrator can lift that with "+
			"DELETE …/suspend")
	case act == model.ActFreeze:
		return model.AccountStatusFrozen, nil
	}
	return model.AccountStatusFree, nil
}

// SetAccountStatus freezes, unfreezes, suspends or unsuspends a user. If the user has the state already, the act is
// done again: then tokens that are older than this act count as older, too. An act that the user's state does not allow
// is errs.Conflict. An account status that another moderator changes at the same time is errs.Conflict as well
// (standing_changed).
//
// Cost: 1 read and 2 writes. Each webhook that wants it costs 1 write more.
func (s *Store) SetAccountStatus(ctx context.Context, by Actor, uid model.UserID,
	act model.Act) (_ *model.AccountStatus, err error) {
	defer errs.Wrap(&err, "moderation.SetAccountStatus(%q, %s)", uid, act)
	ref := s.db.Doc(model.AccountStatuses, string(uid))
	was, err := db.As[model.AccountStatus](ref.Get(ctx))
	if err != nil {
		return nil, err
	}
	before := cmp.Or(was.Doc.State, model.AccountStatusFree)
	state, err := after(before, act)
	if err != nil {
		return nil, err
	}
	entry := s.entry(by, act, uid)
	entry.Before, entry.After = map[string]string{"state": string(before)}, map[string]string{"state": string(state)}
	is := &model.AccountStatus{UserID: uid, State: state, Reason: by.Reason, By: by.UID, Action: entry.ID, ToMirror: true,
		ValidSince: was.Doc.ValidSince}
	b := s.db.Batch()
	if was.Found {
		b.Update(ref, []firestore.Update{
			{Path: fields.State, Value: is.State}, {Path: fields.Reason, Value: is.Reason}, {Path: fields.By, Value: is.By},
			{Path: fields.Action, Value: is.Action},
			{Path: fields.ToMirror, Value: true}, {Path: fields.ChangedAt, Value: firestore.ServerTimestamp},
			{Path: fields.StateAt, Value: firestore.Delete},
		}, firestore.LastUpdateTime(was.Snap.UpdateTime))
	} else {
		b.Create(ref, is)
	}
	s.log(b, entry)
	if state != before {
		s.hooks.Of(ctx, model.WebhookAccountChanged, map[string]string{"userId": string(uid), "state": string(state)}).
			Batch(b)
	}
	results, err := b.Commit(ctx)
	if db.AlreadyExists(err) || db.Outdated(err) || db.NotFound(err) {
		// If the answer to a commit is lost, the client sends the commit once more.
		found, failed := s.AccountStatus(ctx, uid)
		if failed != nil {
			return nil, failed
		}
		if found.Action != entry.ID {
			return nil, &errs.Error{Kind: errs.Conflict, Code: "standing_changed",
				Msg: "another moderator changed this account status meanwhile; read it and try again", Err: err}
		}
		is = found
	} else if err != nil {
		return nil, err
	} else {
		is.ChangedAt = results[0].UpdateTime
	}
	s.done(ctx, entry, nil)
	s.Statuses.Note(*is)
	return is, nil
}

// AccountStatus reads the account status of a user, past the cache of the process. A user without an account status is
// free.
//
// Cost: 1 read.
func (s *Store) AccountStatus(ctx context.Context, uid model.UserID) (_ *model.AccountStatus, err error) {
	defer errs.Wrap(&err, "moderation.AccountStatus(%q)", uid)
	is := &model.AccountStatus{UserID: uid, State: model.AccountStatusFree}
	_, err = s.db.Get(ctx, s.db.Doc(model.AccountStatuses, string(uid)), is)
	return is, err
}

// Recent returns the state of an account if a moderator changed it while earlier tokens may be valid, or if Firebase
// Auth may not have it. Otherwise it returns "", and the token has the state. The state is at most [KnownFor] old, or
// Recent is errs.Unavailable.
//
// Cost: nothing for the caller. For the process: 1 read for each changed account status, at most once in [AskEvery].
func (s *Store) Recent(ctx context.Context, uid model.UserID) (_ model.AccountStatusState, err error) {
	defer errs.Wrap(&err, "moderation.Recent(%q)", uid)
	return s.Statuses.state(ctx, uid)
}
