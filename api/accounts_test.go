package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// An administrator finds an account by its address, with a profile and without. The audit log has each request, and no
// address.
func TestFindAccount(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, alone, chief := e.join(t, "ann"), testenv.SignUp(t, ""), staff(t, "admin")
	began := time.Now()
	find := func(email string) reply {
		t.Helper()
		return e.do(t, "POST", "/v1/admin/users:byEmail", chief.token, map[string]any{"email": email, "reason": "locked out"})
	}
	var got api.Account
	find(strings.ToUpper(ann.email)).want(t, http.StatusOK, &got)
	if got.UID != ann.id || got.Email != ann.email || got.User == nil || got.User.Username != "ann" || got.Suspended ||
		got.SeenAt.Before(got.CreatedAt) || got.CreatedAt.After(began) || began.Sub(got.CreatedAt) > time.Hour {
		t.Errorf("the account of ann is %+v", got)
	}
	got = api.Account{}
	find(alone.Email).want(t, http.StatusOK, &got)
	if got.UID != model.UserID(alone.UID) || got.User != nil {
		t.Errorf("the account without a profile is %+v", got)
	}
	find("nobody-"+ann.email).problem(t, http.StatusNotFound, "account_not_found")
	entries := e.acts(t, chief.token, "by=me")
	if len(entries) != 3 {
		t.Fatalf("%d entries, want 3: %+v", len(entries), entries)
	}
	for i, want := range []model.UserID{"", model.UserID(alone.UID), ann.id} {
		if a := entries[i]; a.Act != model.ActFindAccount || a.UserID != want || a.Reason != "locked out" ||
			a.Before != nil || a.After != nil {
			t.Errorf("entry %d is %+v, want one of %q without an address", i, a, want)
		}
	}
	e.do(t, "POST", "/v1/admin/users:byEmail", ann.token, map[string]any{"email": ann.email, "reason": "x"}).
		problem(t, http.StatusForbidden, "not_admin")
}

// An address of more than 100 characters makes no profile, and takes the place of no shorter one. Capitals are lowered.
func TestEmailForm(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	account := testenv.SignUp(t, "")
	revive(t, model.UserID(account.UID)) // tokens of before are good
	token := func(email string, ago time.Duration) string {
		return testenv.Token(emulators.DefaultProject, map[string]any{"sub": account.UID, "email": email,
			"iat": time.Now().Add(-ago).Unix()})
	}
	long := strings.Repeat("x", 89) + "@example.com"
	profile := map[string]any{"username": "ann", "nickname": "Ann"}
	e.do(t, "POST", "/v1/users", token(long, time.Hour/2), profile).problem(t, http.StatusBadRequest, "email_too_long")
	var got api.User
	e.do(t, "POST", "/v1/users", token("Ann@Example.COM", time.Hour/3), profile).want(t, http.StatusCreated, &got)
	for i, email := range []string{"", long, "ANN@Example.com"} {
		if i > 0 {
			e.do(t, "GET", "/v1/users/me", token(email, time.Hour/time.Duration(3+i)), nil).want(t, http.StatusOK, &got)
		}
		if got.Email == nil || *got.Email != "ann@example.com" {
			t.Errorf("after %q the address is %v", email, got.Email)
		}
	}
	secret, err := e.admin.Doc("userSecrets/" + account.UID).Get(t.Context())
	testenv.Must(t, err)
	if secret.Data()["email"] != "ann@example.com" {
		t.Errorf("the database has %q", secret.Data()["email"])
	}
}
