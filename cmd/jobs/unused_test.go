package jobs_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/cmd/jobs"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
)

// aged is Firebase Auth some days ago: its emulator makes accounts of now alone.
type aged struct {
	*accounts.Accounts
	created, seen time.Duration
	most          int // accounts in a page
	pages         int
}

func (a *aged) Page(ctx context.Context, token string, most int) ([]model.Account, string, error) {
	page, next, err := a.Accounts.Page(ctx, token, min(most, a.most))
	if token == "" { // by another app of the project: no user of the service can have it
		page = append(page, model.Account{UID: "other/app", CreatedAt: time.Now(), SeenAt: time.Now()})
	}
	for i := range page {
		page[i].CreatedAt, page[i].SeenAt = page[i].CreatedAt.Add(-a.created), page[i].SeenAt.Add(-a.seen)
	}
	a.pages++
	return page, next, err
}

// Sweeps pass over all accounts, a page each. They delete those without a profile that nobody used for a month, and
// that are younger than the deployment.
func TestUnusedAccounts(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	s := people(t)
	raw := testenv.Client(t, s.Project)
	signUp := func() model.UserID { return model.UserID(testenv.SignUpIn(t, s.Project, "").UID) }
	ann, unused, frozen, suspended, staff := signUp(), []model.UserID{signUp(), signUp(), signUp()}, signUp(), signUp(),
		signUp()
	_, err := s.Store.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	auth := &aged{Accounts: accounts.New(s.Project), created: 40 * day, seen: 31 * day, most: 2}
	testenv.Must(t, auth.Mirror(t.Context(), frozen, model.AccountStatusFrozen))
	testenv.Must(t, auth.Mirror(t.Context(), suspended, model.AccountStatusSuspended))
	testenv.Must(t, auth.SetRole(t.Context(), staff, model.RoleModerator, true))
	o := jobs.Options{Store: s.Store, Log: slog.New(slog.DiscardHandler), Accounts: auth, UnusedAfter: 30 * day}
	round := func(what string, want ...model.UserID) {
		t.Helper()
		auth.pages = 0
		for ended := false; !ended; {
			run(t, "sweep", o, jobs.Done)
			j, err := s.Store.Jobs.Job(t.Context(), "sweep")
			testenv.Must(t, err)
			ended = j.AccountsAfter == ""
		}
		snaps, err := raw.Collection(model.AccountDeletions).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		var got []model.UserID
		for _, snap := range snaps {
			got = append(got, model.UserID(snap.Ref.ID))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the accounts %q go, want %q", what, got, want)
		}
	}
	round("the first sweep")
	if auth.pages < 4 {
		t.Errorf("%d pages of 2 of 7 accounts", auth.pages)
	}
	for job, is := range map[string]model.Job{"sweep": {FirstAt: time.Now().Add(-50 * day)}, "verify": {RanAt: time.Now()},
		"export": {EndedAt: time.Now()}} {
		_, err = raw.Doc("jobs/"+job).Set(t.Context(), is)
		testenv.Must(t, err)
	}
	auth.seen = 29 * day
	round("used 29 days ago")
	auth.seen, o.UnusedAfter = 31*day, 0
	round("a deployment that keeps them")
	o.UnusedAfter = 30 * day
	auth.created = 51 * day
	round("accounts from before the first sweep")
	auth.created = 40 * day
	round("used 31 days ago", unused...)
}
