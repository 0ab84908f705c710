package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/model"
)

// Everybody reads the instance, and administrators change it.
func TestInstance(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "admin": true})
	var is api.Instance
	e.do(t, "GET", "/v1/instance", "", nil).want(t, http.StatusOK, &is)
	if is.Name != "" || is.Terms != nil || is.Rules == nil || is.UpdatedAt != nil || is.Version != version.Number ||
		is.Limits.Content != model.MaxContent || is.Limits.VideoBytes != model.MaxVideoBytes || is.Limits.FollowedTags == 0 {
		t.Errorf("at first the instance is %+v", is)
	}
	e.do(t, "PATCH", "/v1/admin/instance", admin, map[string]any{"name": "Sparks", "rules": []string{"Be kind."},
		"description": "For **sparks**", "terms": "Be *kind*.", "contactEmail": "root@example.com",
		"contactUser": ann.id, "languages": []string{"ja"}}).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/instance?format=html", "", nil).want(t, http.StatusOK, &is)
	if is.Name != "Sparks" || !slices.Equal(is.Rules, []string{"Be kind."}) || is.Terms.Version != 1 || is.TermsNeeded ||
		is.Terms.HTML != "<p>Be <em>kind</em>.</p>" || is.DescriptionHTML != "<p>For <strong>sparks</strong></p>" ||
		is.Contact.UserID != ann.id || is.Contact.Email != "root@example.com" || is.UpdatedAt == nil {
		t.Errorf("the instance is %+v", is)
	}
}

// With terms that the instance needs, a user who has not consented may read, take everything along and leave, and not
// write. Who signs up consents first.
func TestTermsRequired(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, leaver := e.join(t, "ann"), e.join(t, "leaver")
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(e.join(t, "ruth").id), "admin": true})
	tweet := e.post(t, ann, map[string]any{"content": "before"})
	change := func(fields map[string]any) {
		t.Helper()
		e.do(t, "PATCH", "/v1/admin/instance", admin, fields).want(t, http.StatusOK, nil)
	}
	writes := func(token string) []reply {
		return []reply{
			e.do(t, "POST", "/v1/tweets", token, map[string]any{"content": "x"}),
			e.do(t, "DELETE", "/v1/tweets/"+string(tweet.ID)+"/like", token, nil),
			e.do(t, "PATCH", "/v1/users/me", token, map[string]any{"nickname": "x"}),
		}
	}
	refused := func(token string) {
		t.Helper()
		for _, r := range writes(token) {
			r.problem(t, http.StatusForbidden, "terms_required")
		}
	}
	change(map[string]any{"terms": "Be kind."})
	e.post(t, ann, map[string]any{"content": "nobody needs terms yet"})
	change(map[string]any{"termsNeeded": true})
	refused(ann.token)
	e.do(t, "GET", "/v1/timeline", ann.token, nil).want(t, http.StatusOK, nil)
	if r := e.do(t, "DELETE", "/v1/users/me", leaver.token, nil); strings.Contains(string(r.body), "terms_required") {
		t.Errorf("a user who does not agree cannot leave: %s", r.body)
	}
	if r := e.do(t, "POST", "/v1/users/me/export", ann.token, nil); strings.Contains(string(r.body), "terms_required") {
		t.Errorf("a user who does not agree cannot take everything along: %s", r.body)
	}
	change(map[string]any{"name": "Sparks"}) // by an administrator who has not consented

	bob := testenv.SignUp(t, "")
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob"}).
		problem(t, http.StatusForbidden, "terms_required")
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob", "termsVersion": 7}).
		problem(t, http.StatusConflict, "terms_changed")
	e.do(t, "POST", "/v1/users", bob.IDToken, map[string]any{"username": "bob", "termsVersion": 1}).
		want(t, http.StatusCreated, nil)
	e.do(t, "POST", "/v1/tweets", bob.IDToken, map[string]any{"content": "x"}).want(t, http.StatusCreated, nil)

	for v := int64(1); v <= 2; v++ {
		e.do(t, "PUT", "/v1/users/me/terms", ann.token, map[string]any{"version": v + 1}).
			problem(t, http.StatusConflict, "terms_changed")
		e.do(t, "PUT", "/v1/users/me/terms", ann.token, map[string]any{"version": v}).want(t, http.StatusOK, nil)
		for _, r := range writes(ann.token) {
			if r.status >= 300 {
				t.Errorf("after the consent a write is %d %s", r.status, r.body)
			}
		}
		var me api.User
		e.do(t, "GET", "/v1/users/me", ann.token, nil).want(t, http.StatusOK, &me)
		if me.TermsVersion == nil || *me.TermsVersion != v {
			t.Errorf("the own profile has the terms %v, want %d", me.TermsVersion, v)
		}
		change(map[string]any{"terms": "Be kinder. " + string(rune('a'+v))})
		refused(ann.token)
	}
	change(map[string]any{"termsNeeded": false})
	e.post(t, ann, map[string]any{"content": "after"})
}

// While the instance demands an invitation, nobody signs up without one.
func TestInvitations(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(e.join(t, "ruth").id), "admin": true})
	e.do(t, "PATCH", "/v1/admin/instance", admin, map[string]any{"invitationNeeded": true}).want(t, http.StatusOK, nil)
	var made api.Invitation
	e.do(t, "POST", "/v1/admin/invitations", admin, map[string]any{"note": "x"}).want(t, http.StatusCreated, &made)
	if made.MaxUses != 1 || made.Uses != 0 || made.ExpireAt.Before(time.Now().AddDate(0, 0, 6)) {
		t.Errorf("the invitation is %+v", made)
	}
	bob, cat := testenv.SignUp(t, ""), testenv.SignUp(t, "")
	join := func(token, name, code string) reply {
		return e.do(t, "POST", "/v1/users", token, map[string]any{"username": name, "invitation": code})
	}
	join(bob.IDToken, "bob", "").problem(t, http.StatusForbidden, "invitation_required")
	join(bob.IDToken, "bob", "nonsense").problem(t, http.StatusForbidden, "invitation_invalid")
	join(bob.IDToken, "bob", " "+strings.ToLower(string(made.Code))).want(t, http.StatusCreated, nil)
	join(cat.IDToken, "cat", string(made.Code)).problem(t, http.StatusForbidden, "invitation_invalid")
	e.do(t, "DELETE", "/v1/admin/invitations/"+string(made.Code), admin, nil).want(t, http.StatusNoContent, nil)
	var list server.List[api.Invitation]
	e.do(t, "GET", "/v1/admin/invitations", admin, nil).want(t, http.StatusOK, &list)
	if len(list.Items) > 0 {
		t.Errorf("the list has %+v", list.Items)
	}
}
