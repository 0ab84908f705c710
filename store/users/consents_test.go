package users_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

var administrator = moderation.Actor{UID: "root", Role: model.RoleAdministrator}

// setTerms gives the instance a text of its terms.
func setTerms(t *testing.T, e *storetest.Env, text string) {
	t.Helper()
	_, err := e.Moderation.ChangeInstance(t.Context(), administrator, model.InstancePatch{Terms: &text})
	testenv.Must(t, err)
}

// A user consents to the current version only, once. A process asks the database once in an hour, and as long as there
// is no consent: so one in another process counts at once.
func TestConsent(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	other := e.Again(t, store.Options{})
	consent := func(version, reads, writes int64) (at time.Time, err error) {
		t.Helper()
		err = storetest.Costs(t, "Consent", reads, writes, 0, func(ctx context.Context) error {
			at, err = e.Users.Consent(ctx, "ann", version)
			return err
		})
		return at, err
	}
	consented := func(s *store.Store, uid model.UserID, version, reads int64) error {
		t.Helper()
		return storetest.Costs(t, "Consented", reads, 0, 0, func(ctx context.Context) error {
			return s.Users.Consented(ctx, uid, version)
		})
	}
	_, err := consent(1, 1, 0)
	storetest.WantErr(t, err, errs.Conflict, "terms_changed")
	setTerms(t, e, "one")
	storetest.WantErr(t, consented(other, "ann", 1, 2), errs.Forbidden, "terms_required")
	storetest.WantErr(t, consented(other, "ann", 1, 1), errs.Forbidden, "terms_required")
	for _, version := range []int64{2, 0, -1} {
		_, err = consent(version, 1, 0)
		storetest.WantErr(t, err, errs.Conflict, "terms_changed")
	}
	first, err := consent(1, 2, 1)
	testenv.Must(t, err)
	e.Clock.Add(time.Minute)
	again, err := consent(1, 2, 0)
	testenv.Must(t, err)
	if !again.Equal(first) {
		t.Errorf("a repeated consent is of %v, want %v", again, first)
	}
	testenv.Must(t, consented(other, "ann", 1, 1))
	testenv.Must(t, consented(other, "ann", 1, 0))
	e.Clock.Add(30 * time.Minute) // profiles and who has one are forgotten by now
	testenv.Must(t, consented(other, "ann", 1, 0))

	setTerms(t, e, "two")
	storetest.WantErr(t, consented(other, "ann", 2, 1), errs.Forbidden, "terms_required")
	_, err = consent(1, 1, 0) // as a client does that shows the old text
	storetest.WantErr(t, err, errs.Conflict, "terms_changed")
	setTerms(t, e, "")
	_, err = consent(2, 1, 0)
	storetest.WantErr(t, err, errs.Conflict, "terms_changed")
	_, err = e.Users.Consent(t.Context(), "nobody", 2)
	storetest.WantErr(t, err, errs.Conflict, "terms_changed")
	setTerms(t, e, "three")
	_, err = e.Users.Consent(t.Context(), "nobody", 3)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	testenv.Must(t, e.Users.Consented(t.Context(), "nobody", 3))
}

// A consent and a change of the terms at once: a user who consented has the version whose text was current then, and
// the other version is asked for.
func TestConsentAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	lossy, _ := e.Lossy(t, 0.3)
	e.CreateUsers(t, "ann")
	setTerms(t, e, "0")
	for n := range int64(8) {
		var both sync.WaitGroup
		var refused error
		both.Go(func() {
			refused = testenv.Patiently(func() error {
				_, err := lossy.Users.Consent(t.Context(), "ann", n+1)
				return err
			})
		})
		both.Go(func() { setTerms(t, e, string(rune('a'+n))) })
		both.Wait()
		u, err := e.Users.User(t.Context(), "ann")
		testenv.Must(t, err)
		switch {
		case refused == nil && u.TermsVersion != n+1:
			t.Errorf("a consent to %d left the version %d", n+1, u.TermsVersion)
		case refused != nil:
			storetest.WantErr(t, refused, errs.Conflict, "terms_changed")
		}
		storetest.WantErr(t, e.Users.Consented(t.Context(), "ann", n+2), errs.Forbidden, "terms_required")
	}
}

// A user consents while signing up, to the current terms only.
func TestConsentAtSignUp(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	setTerms(t, e, "one")
	_, err := e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann_u", TermsVersion: 2})
	storetest.WantErr(t, err, errs.Conflict, "terms_changed")
	testenv.Must(t, storetest.Costs(t, "CreateUser", 2, 6, 0, func(ctx context.Context) error {
		_, err := e.Users.CreateUser(ctx, "ann", model.NewUser{Username: "ann_u", TermsVersion: 1})
		return err
	}))
	testenv.Must(t, e.Users.Consented(t.Context(), "ann", 1))
	if u, err := e.Users.User(t.Context(), "ann"); err != nil || !u.TermsAt.Equal(u.CreatedAt) {
		t.Errorf("the profile is %+v, %v", u, err)
	}
}
