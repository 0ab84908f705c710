package users

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Consented is [access.Store.Consented].
//
// Cost: nothing if the process remembers the consent; otherwise 1 read.
func (s *Store) Consented(ctx context.Context, uid model.UserID, version int64) error {
	return s.access.Consented(ctx, uid, version)
}

// currentTerms returns errs.Conflict (terms_changed) unless the instance has a version of the terms now.
//
// Cost: 1 read.
func (s *Store) currentTerms(ctx context.Context, version int64) (err error) {
	defer errs.Wrap(&err, "users.currentTerms(%d)", version)
	is := &model.Instance{}
	if _, err := s.db.Get(ctx, s.db.Instance(), is); err != nil {
		return err
	}
	return current(is, version)
}

// current returns errs.Conflict unless the terms of an instance have a version.
func current(is *model.Instance, version int64) error {
	switch {
	case is.Terms.Text == "":
		return model.TermsChanged(0)
	case is.Terms.Version != version:
		return model.TermsChanged(is.Terms.Version)
	}
	return nil
}

// Consent keeps that a user consents to a version of the terms, and returns when the user did so first. Another version
// than the current one is errs.Conflict (terms_changed), also if an administrator changes the terms at that moment. A
// user without a profile is errs.Forbidden.
//
// Cost: 2 reads, and 1 write if the user had not consented to the version.
func (s *Store) Consent(ctx context.Context, uid model.UserID, version int64) (at time.Time, err error) {
	defer errs.Wrap(&err, "users.Consent(%q, %d)", uid, version)
	now := s.db.Time()
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, u := &model.Instance{}, &model.User{}
		if _, err := db.GetIn(tx, s.db.Instance(), is); err != nil {
			return err
		}
		if err := current(is, version); err != nil {
			return err
		}
		found, err := db.GetIn(tx, s.db.User(uid), u)
		if err == nil && !found {
			err = model.MayWrite(model.NoProfile)
		}
		if at = u.TermsAt; err != nil || u.TermsVersion == version {
			return err
		}
		at = now
		return tx.Update(s.db.User(uid), []firestore.Update{
			{Path: fields.TermsVersion, Value: version}, {Path: fields.TermsAt, Value: now}})
	})
	s.access.ForgetConsent(uid)
	return at, err
}
