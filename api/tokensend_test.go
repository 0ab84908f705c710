package api_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// No token outlives the role, the session or the account by which it was given.
func TestTokensEnd(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	auth := accounts.New(emulators.DefaultProject)
	mo := e.join(t, "moe")
	token := e.appToken(t, mo, "read write admin:read")
	testenv.Must(t, auth.SetRole(t.Context(), mo.id, model.RoleModerator, true))
	// What the process knows of the account is a minute old at most; a new process knows at once.
	another := func() *env {
		fresh, _ := e.another(t)
		return fresh
	}
	f := another()
	f.do(t, "GET", "/v1/admin/reports", token, nil).want(t, http.StatusOK, nil)
	f.do(t, "PUT", "/v1/admin/tweets/00/flag", token, map[string]any{"reason": "x"}).
		problem(t, http.StatusForbidden, "scope_required")
	nextSecond(t)
	testenv.Must(t, auth.SetRole(t.Context(), mo.id, model.RoleModerator, false))
	// At once, though the process knew the role a moment ago; removing a role ends the sessions, too.
	f.do(t, "GET", "/v1/admin/reports", token, nil).problem(t, http.StatusUnauthorized, "revoked_token")

	ann := e.join(t, "ann")
	token = e.appToken(t, ann, "read")
	nextSecond(t)
	testenv.AccountUpdate(t, map[string]any{"localId": ann.id, "password": "another horse",
		"validSince": time.Now().Unix()})
	another().do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusUnauthorized, "revoked_token")

	ben := e.join(t, "ben")
	token = e.appToken(t, ben, "read")
	pending := e.register(t, "read")
	code := e.letIn(t, ben, pending.asks("read"))
	f = another()
	f.do(t, "GET", "/v1/users/me", token, nil).want(t, http.StatusOK, nil)
	nextSecond(t)
	e.do(t, "DELETE", "/v1/users/me/sign-ins", ben.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
	e.exchange(t, pending, code).failure(t, "a code from before the end of all sessions", 400, "invalid_grant")
	another().do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusUnauthorized, "revoked_token")

	cat := e.join(t, "cat")
	token = e.appToken(t, cat, "read write")
	e.do(t, "GET", "/v1/users/me", token, nil).want(t, http.StatusOK, nil)
	root := staff(t, "admin")
	nextSecond(t)
	e.do(t, "PUT", "/v1/admin/users/"+string(cat.id)+"/suspend", root.token, map[string]any{"reason": "spam"}).
		want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusForbidden, "account_suspended")
	another().do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusForbidden, "account_suspended")
	nextSecond(t)
	e.do(t, "DELETE", "/v1/admin/users/"+string(cat.id)+"/suspend", root.token, nil).want(t, http.StatusOK, nil)
	another().do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusUnauthorized, "revoked_token")

	dan := e.join(t, "dan")
	token = e.appToken(t, dan, "read write")
	e.do(t, "PUT", "/v1/admin/users/"+string(dan.id)+"/freeze", root.token, map[string]any{"reason": "spam"}).
		want(t, http.StatusOK, nil)
	e.do(t, "POST", "/v1/tweets", token, map[string]any{"content": "x"}).problem(t, http.StatusForbidden, "account_frozen")
	e.do(t, "GET", "/v1/users/me", token, nil).want(t, http.StatusOK, nil)
	testenv.Must(t, auth.Delete(t.Context(), dan.id))
	another().do(t, "GET", "/v1/users/me", token, nil).problem(t, http.StatusUnauthorized, "invalid_token")
}

// A new password ends sessions at Firebase Auth, and the next sign-in ends what these registered to be told of
// notifications. What was registered since stays.
func TestNewPasswordEndsPush(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	const path = "/v1/users/me/pushSubscriptions"
	register := func(token, id string) {
		e.do(t, "PUT", path+"/"+id, token, map[string]any{"fcmToken": "of-" + id}).want(t, http.StatusNoContent, nil)
	}
	register(ann.token, "lost")
	register(e.appToken(t, ann, "read push"), "thief")
	tell := func(token string, want meter.Counts) {
		t.Helper()
		r := e.do(t, "PUT", "/v1/users/me/sign-in", token, nil).want(t, http.StatusNoContent, nil)
		if got := r.cost(t); got != want {
			t.Errorf("to tell of a sign-in costs %+v, want %+v", got, want)
		}
	}
	devices := func(token string, want ...string) {
		t.Helper()
		var list server.List[api.PushSubscription]
		e.do(t, "GET", path, token, nil).want(t, http.StatusOK, &list)
		got := make([]string, 0, len(list.Items))
		for _, one := range list.Items {
			got = append(got, one.ID)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("the devices are %v, want %v", got, want)
		}
	}
	tell(ann.token, meter.Counts{Reads: 2, Writes: 1})
	devices(ann.token, "lost", "thief")
	nextSecond(t)
	testenv.AccountUpdate(t, map[string]any{"localId": ann.id, "password": "another horse",
		"validSince": time.Now().Unix()})
	again := identity(t, "signInWithPassword", map[string]any{"email": ann.email, "password": "another horse",
		"returnSecureToken": true}).IDToken
	register(again, "new")
	tell(again, meter.Counts{Reads: 3, Writes: 2}) // a transaction of its own
	devices(again, "new")
	tell(again, meter.Counts{Reads: 2})
}

// An app without a scope of staff is that of a member, whoever its user is: it sees no more, and has limits.
func TestAppsOfStaff(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "requests=5/minute"))
	auth := accounts.New(emulators.DefaultProject)
	ann, mo, ada := e.join(t, "ann"), e.join(t, "moe"), e.join(t, "ada")
	tweet := e.post(t, ann, map[string]any{"content": "x"})
	e.do(t, "PUT", "/v1/admin/tweets/"+string(tweet.ID)+"/flag", staff(t, "admin").token, map[string]any{"reason": "x"}).
		want(t, http.StatusNoContent, nil)
	plain, judges := e.appToken(t, mo, "read write"), e.appToken(t, mo, "read admin:read:reports")
	plainOfAdmin, all := e.appToken(t, ada, "read write"), e.appToken(t, ada, "read admin:read")
	testenv.Must(t, auth.SetRole(t.Context(), mo.id, model.RoleModerator, true))
	testenv.Must(t, auth.SetRole(t.Context(), ada.id, model.RoleAdministrator, true))
	f, _ := e.another(t)
	path := "/v1/tweets/" + string(tweet.ID)
	for token, want := range map[string]int{plain: 404, judges: 200, plainOfAdmin: 404, all: 200} {
		if r := f.do(t, "GET", path, token, nil); r.status != want {
			t.Errorf("a flagged tweet: %d %s, want %d", r.status, r.body, want)
		}
	}
	count := func(token string) (refused int) {
		for range 7 {
			if f.do(t, "GET", "/v1/instance", token, nil).status == http.StatusTooManyRequests {
				refused++
			}
		}
		return refused
	}
	if count(plainOfAdmin) == 0 || count(all) != 0 {
		t.Error("an administrator's app has limits if and only if it has no scope of staff")
	}
}
