package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A user is marked as a bot at sign-up or later, and the mark goes.
func TestBot(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), testenv.SignUp(t, "")
	var u api.User
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob", "bot": true}).
		want(t, http.StatusCreated, &u)
	if !u.Bot {
		t.Error("the new profile is no bot")
	}
	e.do(t, "PUT", "/v1/users/"+bob.UID+"/follow", ann.token, nil)
	var all server.List[struct {
		User      api.UserSummary `json:"user"`
		CreatedAt time.Time       `json:"createdAt"`
	}]
	e.do(t, "GET", "/v1/users/"+string(ann.id)+"/following", ann.token, nil).want(t, http.StatusOK, &all)
	if len(all.Items) != 1 || !all.Items[0].User.Bot {
		t.Errorf("the list is %+v, want one bot", all.Items)
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

// A moderator takes the fields off, and the audit log says what they were.
func TestModeratorClearsFields(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, mo := e.join(t, "ann"), staff(t, "moderator").token
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"bot": true, "pronouns": "they/them",
		"fields": []map[string]any{{"name": "Shop", "value": "https://spam.example"}, {"name": "a", "value": "b"}}}).
		want(t, http.StatusOK, nil)
	path := "/v1/admin/users/" + string(ann.id)
	e.do(t, "PATCH", path, mo, map[string]any{"reason": "spam", "fields": []map[string]any{{"name": "a", "value": "b"}}}).
		want(t, http.StatusBadRequest, nil)
	var u api.User
	e.do(t, "PATCH", path, mo, map[string]any{"reason": "spam", "fields": []any{}, "pronouns": "", "bot": false}).
		want(t, http.StatusOK, &u)
	if len(u.Fields) > 0 || u.Pronouns != "" || u.Bot {
		t.Errorf("the profile is %+v", u)
	}
	acts := e.acts(t, mo, "userId="+string(ann.id))
	if len(acts) != 1 || acts[0].Before["fields"] != "Shop: https://spam.example\na: b" ||
		acts[0].Before["pronouns"] != "they/them" || acts[0].Before["bot"] != "true" || acts[0].After["fields"] != "" {
		t.Errorf("the audit log is %+v", acts)
	}
}
