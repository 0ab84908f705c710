package api_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A user is marked as a bot at sign-up or later, and the mark goes.
func TestBot(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), testenv.SignUp(t, "")
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "admin": true})
	var u api.User
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob", "bot": true}).
		want(t, http.StatusCreated, &u)
	if !u.Bot {
		t.Error("the new profile is no bot")
	}
	list := func() (bots int) {
		t.Helper()
		var all server.List[api.User]
		e.do(t, "GET", "/v1/users?q=bob", admin, nil).want(t, http.StatusOK, &all)
		for _, u := range all.Items {
			if u.Bot {
				bots++
			}
		}
		return bots
	}
	if got := list(); got != 1 {
		t.Errorf("a list has %d bots, want 1", got)
	}
	for _, want := range []bool{false, true} {
		e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"bot": want}).want(t, http.StatusOK, &u)
		var seen api.User
		e.do(t, "GET", "/v1/users/"+string(ann.id), bob.IDToken, nil).want(t, http.StatusOK, &seen)
		if u.Bot != want || seen.Bot != want {
			t.Errorf("bot = %t and %t after a patch to %t", u.Bot, seen.Bot, want)
		}
	}
}
