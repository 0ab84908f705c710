package api_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// While the instance needs approval, a sign-up waits, and its user writes nothing. An administrator approves or refuses
// it. An invitation needs no approval.
func TestSignUpApproval(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPages)
	root := staff(t, "admin")
	e.do(t, "PATCH", "/v1/admin/instance", root.token, map[string]any{"approvalNeeded": true}).want(t, http.StatusOK, nil)
	ann, bob, cat := testenv.SignUp(t, ""), testenv.SignUp(t, ""), testenv.SignUp(t, "")
	var is api.SignUp
	e.do(t, "POST", "/v1/users", ann.IDToken, map[string]any{"username": "ann", "reason": "I like sparks"}).
		want(t, http.StatusAccepted, &is)
	if is.State != "waiting" || is.Username != "ann" || is.Reason != "I like sparks" {
		t.Errorf("the sign-up is %+v", is)
	}
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob"}).want(t, http.StatusAccepted, nil)
	e.do(t, "POST", "/v1/tweets", ann.IDToken, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "profile_required")
	e.do(t, "GET", "/v1/users/"+ann.UID, root.token, nil).problem(t, http.StatusNotFound, "user_not_found")
	e.do(t, "GET", "/@ann", "", nil).want(t, http.StatusNotFound, nil)
	e.do(t, "GET", "/v1/usernames/ann", root.token, nil).problem(t, http.StatusNotFound, "username_not_found")
	e.do(t, "POST", "/v1/users", cat.IDToken, map[string]any{"username": "ann"}).
		problem(t, http.StatusConflict, "username_taken")
	e.do(t, "GET", "/v1/users/me/sign-up", cat.IDToken, nil).problem(t, http.StatusNotFound, "sign_up_not_found")
	var list struct {
		Items         []api.SignUp
		NextPageToken string
	}
	e.do(t, "GET", "/v1/admin/sign-ups", root.token, nil).want(t, http.StatusOK, &list)
	if len(list.Items) != 2 || list.Items[0].Email != ann.Email || list.Items[0].Reason == "" {
		t.Errorf("the list is %+v", list)
	}
	e.do(t, "PUT", "/v1/admin/sign-ups/"+ann.UID+"/approval?askedAt=2026-01-01T00:00:00Z", root.token, nil).
		problem(t, http.StatusConflict, "sign_up_changed")
	seen := url.QueryEscape(list.Items[0].AskedAt.Format(time.RFC3339Nano))
	for range 2 {
		e.do(t, "PUT", "/v1/admin/sign-ups/"+ann.UID+"/approval?askedAt="+seen, root.token, nil).want(t, http.StatusOK, nil)
	}
	e.do(t, "POST", "/v1/tweets", ann.IDToken, map[string]any{"content": "x"}).want(t, http.StatusCreated, nil)
	e.do(t, "PUT", "/v1/admin/sign-ups/"+bob.UID+"/refusal", root.token, map[string]any{"answer": "Not now"}).
		want(t, http.StatusNoContent, nil)
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob"}).
		problem(t, http.StatusForbidden, "sign_up_refused")
	is = api.SignUp{}
	e.do(t, "GET", "/v1/users/me/sign-up", bob.IDToken, nil).want(t, http.StatusOK, &is)
	if is.State != "refused" || is.Answer != "Not now" || is.Email != "" {
		t.Errorf("bob sees %+v", is)
	}
	var invitation api.Invitation
	e.do(t, "POST", "/v1/admin/invitations", root.token, map[string]any{}).want(t, http.StatusCreated, &invitation)
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob", "invitation": invitation.Code}).
		problem(t, http.StatusForbidden, "sign_up_refused")
	e.do(t, "POST", "/v1/users", cat.IDToken, map[string]any{"username": "cat"}).want(t, http.StatusAccepted, nil)
	e.do(t, "POST", "/v1/users", cat.IDToken, map[string]any{"username": "cat", "invitation": invitation.Code}).
		want(t, http.StatusCreated, nil)
	e.do(t, "GET", "/v1/users/me/sign-up", cat.IDToken, nil).problem(t, http.StatusNotFound, "sign_up_not_found")
}

// The sign-up of an account that was deleted in Firebase Auth is not approved, and goes.
func TestSignUpGone(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	_, err := e.db.Users.AskToJoin(t.Context(), "gone", model.NewUser{Username: "gone"}, "")
	testenv.Must(t, err)
	e.do(t, "PUT", "/v1/admin/sign-ups/gone/approval", staff(t, "admin").token, nil).
		problem(t, http.StatusNotFound, "sign_up_not_found")
	for _, of := range []string{"users/gone", "signUps/gone", "usernames/gone"} {
		if snap, err := e.admin.Doc(of).Get(t.Context()); err == nil && snap.Exists() {
			t.Errorf("%s is there", of)
		}
	}
}

// Nobody signs up with an address of a blocked domain; users who have signed up stay. A forged header changes no
// address.
func TestSignUpBlocks(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	root, old := staff(t, "admin"), e.join(t, "old")
	ann := testenv.SignUp(t, "")
	domain := ann.Email[len(ann.Email)-len("example.com"):]
	path := "/v1/admin/sign-up-blocks?of="
	e.do(t, "PUT", path+domain, root.token, map[string]any{"comment": "spam"}).want(t, http.StatusNoContent, nil)
	e.do(t, "POST", "/v1/users", ann.IDToken, map[string]any{"username": "ann"}).
		problem(t, http.StatusForbidden, "email_domain_blocked")
	e.post(t, old, map[string]any{"content": "x"})
	e.do(t, "PUT", path+domain, root.token, map[string]any{"severity": "approval", "days": 3}).
		want(t, http.StatusNoContent, nil)
	e.do(t, "POST", "/v1/users", ann.IDToken, map[string]any{"username": "ann"}).want(t, http.StatusAccepted, nil)
	var all api.SignUpBlocks
	e.do(t, "GET", "/v1/admin/sign-up-blocks", root.token, nil).want(t, http.StatusOK, &all)
	if len(all.Items) != 1 || all.Items[0].Of != domain || all.Items[0].ExpireAt == nil {
		t.Errorf("the list is %+v", all)
	}
	for range 2 {
		e.do(t, "DELETE", path+domain, root.token, nil).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "PUT", path+"127.0.0.0/8", root.token, map[string]any{}).want(t, http.StatusNoContent, nil)
	e.do(t, "POST", "/v1/users", ann.IDToken, map[string]any{"username": "ann"}, "X-Forwarded-For", "192.0.2.1").
		problem(t, http.StatusForbidden, "address_blocked")
}
