package access

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// consentKnown is how long a process remembers a user's consent to terms. A consent is never taken back, so that its
// age does not matter: only a user who leaves and signs up again could have a consent of before.
const consentKnown = time.Hour

// Consented returns errs.Forbidden (terms_required) for a user who has not consented to a version of the terms, or to a
// later one. A user without a profile passes: [Store.MayWrite] is about them. A process that remembers an older consent
// looks again, because the user may have consented in another process.
//
// Cost: nothing if the process remembers the consent, for consentKnown; 1 read if it does not, or if there is none. The
// profile is cached then, and other checks of the same request do not read it.
func (s *Store) Consented(ctx context.Context, uid model.UserID, version int64) (err error) {
	defer errs.Wrap(&err, "access.Consented(%q, %d)", uid, version)
	if is, found, err := s.consents.One(ctx, uid); err != nil || found && is >= version {
		return err
	}
	s.ForgetConsent(uid)
	if is, found, err := s.consents.One(ctx, uid); err != nil || !found || is >= version {
		return err
	}
	return model.TermsRequired(version)
}

// ForgetConsent removes a user's consent from the caches, after it changed.
func (s *Store) ForgetConsent(uid model.UserID) {
	s.ForgetProfile(uid) // first: a load of consents that begins after the next line reads a profile of now
	s.consents.Forget(uid)
}

// readConsents loads for the cache to which terms users consented. Users without a profile are absent.
//
// Cost: 1 read for each profile that is not cached.
func (s *Store) readConsents(ctx context.Context, uids []model.UserID) (map[model.UserID]int64, error) {
	users, err := s.users.All(ctx, uids)
	consents := make(map[model.UserID]int64, len(users))
	for uid, u := range users {
		consents[uid] = u.TermsVersion
	}
	return consents, err
}
