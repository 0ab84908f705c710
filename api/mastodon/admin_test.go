package mastodon_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

type adminAccount struct {
	ID, Username        string
	Disabled, Suspended bool
	Approved            bool
}

// Moderators resolve reports and disable accounts, administrators also suspend them and decide on sign-ups. What the
// native API refuses is refused.
func TestAdmin(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	mo, ruth := e.join(t, "moe").as("moderator"), e.join(t, "ruth").as("admin")
	post := statusID(e.post(t, bob, "buy sparks"))
	report := map[string]any{"account_id": bob.id, "status_ids": []string{post}, "category": "spam", "comment": "ads"}
	var filed struct {
		Category  string
		StatusIDs []string `json:"status_ids"`
	}
	e.ask(t, ann, "POST /api/v1/reports", report).want(t, http.StatusOK, &filed)
	same(t, "the report", filed.StatusIDs, []string{post})

	var reports []struct {
		ID, Category, Comment string
		TargetAccount         adminAccount `json:"target_account"`
		Statuses              []struct{ ID string }
	}
	e.ask(t, ann, "GET /api/v1/admin/reports", nil).want(t, http.StatusForbidden, nil)
	e.ask(t, mo, "GET /api/v1/admin/reports", nil).want(t, http.StatusOK, &reports)
	if r := reports[0]; len(reports) != 1 || r.Category != "spam" || r.Comment != "ads" || r.TargetAccount.ID != bob.id ||
		r.Statuses[0].ID != post {
		t.Fatalf("the reports are %+v", reports)
	}
	act := func(by person, kind string) answer {
		return e.ask(t, by, "POST /api/v1/admin/accounts/"+bob.id+"/action",
			map[string]any{"type": kind, "text": "ads", "report_id": reports[0].ID})
	}
	act(mo, "suspend").want(t, http.StatusForbidden, nil)
	act(mo, "silence").want(t, http.StatusUnprocessableEntity, nil)
	act(mo, "disable").want(t, http.StatusOK, nil)
	var is adminAccount
	e.ask(t, mo, "GET /api/v1/admin/accounts/"+bob.id, nil).want(t, http.StatusOK, &is)
	same(t, "bob", is, adminAccount{bob.id, "bob", true, false, true})
	e.ask(t, mo, "GET /api/v1/admin/reports", nil).want(t, http.StatusOK, &reports)
	same(t, "open reports", len(reports), 0)
	e.ask(t, mo, "POST /api/v1/admin/accounts/"+bob.id+"/enable", nil).want(t, http.StatusOK, &is)
	same(t, "bob again", is.Disabled, false)
	signUps(t, e, mo, ruth)
}

func signUps(t *testing.T, e *env, mo, ruth person) {
	t.Helper()
	e.ask(t, ruth, "PATCH /v1/admin/instance", map[string]any{"approvalNeeded": true}).want(t, http.StatusOK, nil)
	ask := func(name string) person {
		a := testenv.SignUp(t, "")
		p := person{id: a.UID, token: a.IDToken}
		e.ask(t, p, "POST /v1/users", map[string]any{"username": name, "nickname": name, "reason": "sparks"}).
			want(t, http.StatusAccepted, nil)
		return p
	}
	dee, eve := ask("dee"), ask("eve")
	var all []adminAccount
	e.ask(t, mo, "GET /api/v2/admin/accounts?status=pending", nil).want(t, http.StatusForbidden, nil)
	e.ask(t, ruth, "GET /api/v2/admin/accounts?status=pending", nil).want(t, http.StatusOK, &all)
	same(t, "sign-ups", all, []adminAccount{{ID: dee.id, Username: "dee"}, {ID: eve.id, Username: "eve"}})
	var is adminAccount
	e.ask(t, ruth, "POST /api/v1/admin/accounts/"+dee.id+"/approve", nil).want(t, http.StatusOK, &is)
	same(t, "approved", is.Approved, true)
	e.ask(t, ruth, "POST /api/v1/admin/accounts/"+eve.id+"/reject", nil).want(t, http.StatusOK, nil)
	e.ask(t, dee, "GET /api/v1/accounts/verify_credentials", nil).want(t, http.StatusOK, nil)
	e.ask(t, eve, "GET /api/v1/accounts/verify_credentials", nil).want(t, http.StatusNotFound, nil)
}
