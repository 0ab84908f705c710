package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A user deletes the account: the profile is unknown at once, requests are refused at once,
// and the progress can be read without a sign-in.
func TestAccountDeletion(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	late := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id),
		"auth_time": time.Now().Add(-6 * time.Minute).Unix()})
	e.do(t, "DELETE", "/v1/users/me", late, nil).problem(t, http.StatusForbidden, "recent_sign_in_required")
	e.do(t, "GET", "/v1/users/me", late, nil).want(t, http.StatusOK, nil)

	recent := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id),
		"auth_time": time.Now().Add(-4 * time.Minute).Unix(), "frozen": true})
	var begun, now, again api.Leaving
	r := e.do(t, "DELETE", "/v1/users/me", recent, nil)
	r.want(t, http.StatusAccepted, &begun)
	location := r.header.Get("Location")
	if begun.State != "removing" || begun.StartedAt.IsZero() || location != "/v1/leavings/"+begun.ID {
		t.Errorf("DELETE = %+v at %q", begun, location)
	}
	e.do(t, "GET", location, "", nil).want(t, http.StatusOK, &now)
	e.do(t, "DELETE", "/v1/users/me", recent, nil).want(t, http.StatusAccepted, &again)
	if now.ID != begun.ID || again.ID != begun.ID {
		t.Errorf("the leavings are %q, %q and %q", begun.ID, now.ID, again.ID)
	}
	e.do(t, "GET", "/v1/leavings/unknown", "", nil).problem(t, http.StatusNotFound, "leaving_not_found")
	e.do(t, "GET", "/v1/users/"+string(ann.id), "", nil).problem(t, http.StatusNotFound, "user_not_found")
	e.do(t, "GET", "/v1/usernames/ann", "", nil).problem(t, http.StatusNotFound, "username_not_found")
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "profile_required")
	e.do(t, "POST", "/v1/users", ann.token, map[string]any{"username": "ann_two"}).
		problem(t, http.StatusConflict, "leaving")
}
