package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// identity calls a method of the Identity Toolkit API, as a client does, and returns what the answer has.
func identity(t *testing.T, method string, body map[string]any) (answer struct{ IDToken, Error string }) {
	t.Helper()
	text, err := json.Marshal(body)
	testenv.Must(t, err)
	url := "http://" + testenv.AuthHost(t) + "/identitytoolkit.googleapis.com/v1/accounts:" + method + "?key=any"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(string(text)))
	testenv.Must(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	testenv.Must(t, err)
	defer resp.Body.Close()
	if text, err = io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		answer.Error = string(text)
		return answer
	}
	testenv.Must(t, err)
	testenv.Must(t, json.Unmarshal(text, &answer))
	return answer
}

// oobCodes returns the codes in the letters that the Auth emulator sent to an address, oldest first.
func oobCodes(t *testing.T, email, requestType string) (codes []string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+testenv.AuthHost(t)+
		"/emulator/v1/projects/"+emulators.DefaultProject+"/oobCodes", nil)
	testenv.Must(t, err)
	var all struct {
		OobCodes []struct{ Email, NewEmail, RequestType, OobCode string }
	}
	testenv.Must(t, json.Unmarshal(send(t, req).body, &all))
	for _, one := range all.OobCodes {
		if one.Email == email && one.RequestType == requestType {
			codes = append(codes, one.OobCode)
		}
	}
	return codes
}

// A client tells of a sign-in once, and the list has it with the families of system and program.
func TestSignIns(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	account := testenv.SignUp(t, "")
	revive(t, model.UserID(account.UID))
	const phone = "Mozilla/5.0 (Linux; Android 16) Chrome/140.0.0.0 Mobile Safari/537.36"
	token := func(ago time.Duration, provider string) string {
		return testenv.Token(emulators.DefaultProject, map[string]any{"sub": account.UID,
			"auth_time": time.Now().Add(-ago).Unix(), "firebase": map[string]any{"sign_in_provider": provider}})
	}
	old, now := token(time.Hour, "google.com"), token(time.Minute, "password")
	tell := func(token string, want meter.Counts) {
		t.Helper()
		r := e.do(t, "PUT", "/v1/users/me/sign-in", token, nil, "User-Agent", phone).want(t, http.StatusNoContent, nil)
		if got := r.cost(t); got != want {
			t.Errorf("the request costs %+v, want %+v", got, want)
		}
	}
	tell(now, meter.Counts{Reads: 2, Writes: 1}) // before a profile
	tell(now, meter.Counts{Reads: 2})
	tell(old, meter.Counts{Reads: 2, Writes: 1})
	var got api.SignIns
	e.do(t, "GET", "/v1/users/me/sign-ins", old, nil).want(t, http.StatusOK, &got)
	if len(got.Items) != 2 || got.Items[0].Provider != "password" || got.Items[0].Current || !got.Items[1].Current ||
		got.Items[1].Provider != "google.com" || got.Items[0].System != "Android" || got.Items[0].Program != "Chrome" ||
		got.Items[0].Ended {
		t.Errorf("the sign-ins are %+v", got.Items)
	}
	e.do(t, "GET", "/v1/users/me/sign-ins", testenv.SignUp(t, "").IDToken, nil).want(t, http.StatusOK, &got)
	if len(got.Items) != 0 {
		t.Errorf("another account has the sign-ins %+v", got.Items)
	}
	e.do(t, "PUT", "/v1/users/me/sign-in", signUpAnonymously(t), nil).problem(t, http.StatusForbidden, "anonymous")
}

// After signing out everywhere, ID tokens from before are refused: at once in the instance that did it, and in another
// when it asks for changes. Firebase Auth makes no new ones. A new sign-in works, and a frozen user stays frozen.
func TestSignOutEverywhere(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Verifier = remember(o.Verifier) })
	other, ahead := e.another(t)
	ann, ben, mo := e.join(t, "ann"), e.join(t, "ben"), staff(t, "moderator")
	password := map[string]any{"email": ann.email, "password": "correct horse", "returnSecureToken": true}
	first := identity(t, "signInWithPassword", password)
	status := func(at *env, token, code string) {
		t.Helper()
		if r := at.do(t, "GET", "/v1/users/me", token, nil); code != "" {
			r.problem(t, http.StatusUnauthorized, code)
		} else {
			r.want(t, http.StatusOK, nil)
		}
	}
	standing := func() (is api.Standing) {
		t.Helper()
		e.do(t, "GET", "/v1/admin/users/"+string(ann.id)+"/standing", mo.token, nil).want(t, http.StatusOK, &is)
		return is
	}
	for _, token := range []string{ann.token, first.IDToken, ben.token} {
		status(e, token, "")
		status(other, token, "")
	}
	nextSecond(t)
	r := e.do(t, "DELETE", "/v1/users/me/sign-ins", ann.token, nil).want(t, http.StatusNoContent, nil)
	if got, want := r.cost(t), (meter.Counts{Reads: 1, Writes: 3, Deletes: 1}); got != want {
		t.Errorf("the request costs %+v, want %+v", got, want)
	}
	status(e, ann.token, "revoked_token")
	status(e, first.IDToken, "revoked_token")
	status(e, ben.token, "")
	status(other, first.IDToken, "") // it has not asked
	ahead.Add(int64(moderation.AskEvery))
	status(other, first.IDToken, "revoked_token")
	status(other, ben.token, "")
	// Firebase Auth knows, too; its emulator refreshes tokens of ended sessions nevertheless.
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	_, err = verifier.VerifyNow(t.Context(), first.IDToken)
	storetest.WantErr(t, err, errs.Unauthenticated, "revoked_token")
	if is := standing(); is.State != model.AccountStatusFree || is.ChangedAt != nil {
		t.Errorf("the standing is %+v, want one that nobody changed", is)
	}

	second := identity(t, "signInWithPassword", password)
	status(e, second.IDToken, "")
	status(other, second.IDToken, "")
	e.do(t, "PUT", "/v1/users/me/sign-in", second.IDToken, nil).want(t, http.StatusNoContent, nil)

	// A moderator's decision keeps the end of the sessions, and a later end keeps the decision.
	e.do(t, "PUT", "/v1/admin/users/"+string(ann.id)+"/freeze", mo.token, map[string]any{"reason": "spam"}).
		want(t, http.StatusOK, nil)
	frozen := standing()
	status(e, first.IDToken, "revoked_token")
	nextSecond(t)
	e.do(t, "DELETE", "/v1/users/me/sign-ins", second.IDToken, nil).want(t, http.StatusNoContent, nil)
	status(e, second.IDToken, "revoked_token")
	if is := standing(); is.State != model.AccountStatusFrozen || !is.ChangedAt.Equal(*frozen.ChangedAt) {
		t.Errorf("the standing is %+v, want %+v", is, frozen)
	}
	third := identity(t, "signInWithPassword", password)
	e.do(t, "POST", "/v1/tweets", third.IDToken, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "account_frozen")
	var got api.SignIns
	e.do(t, "GET", "/v1/users/me/sign-ins", third.IDToken, nil).want(t, http.StatusOK, &got)
	if len(got.Items) != 1 || !got.Items[0].Ended || got.Items[0].Current {
		t.Errorf("the sign-ins are %+v, want an ended one", got.Items)
	}
}

// nextSecond waits for the next second of the clock: Firebase Auth ends sessions at whole seconds.
func nextSecond(t *testing.T) {
	t.Helper()
	now := time.Now()
	select {
	case <-time.After(time.Until(now.Truncate(time.Second).Add(time.Second))):
	case <-t.Context().Done():
	}
}

// The stored address follows the confirmed change of the address at Firebase Auth, with the next token.
func TestChangedEmail(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	address := "new-" + ann.email
	asked := identity(t, "sendOobCode", map[string]any{"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": ann.token,
		"newEmail": address})
	codes := oobCodes(t, ann.email, "VERIFY_AND_CHANGE_EMAIL")
	if asked.Error != "" || len(codes) != 1 {
		t.Fatalf("the answer is %q, and the letters have the codes %q", asked.Error, codes)
	}
	email := func(token string) string {
		t.Helper()
		var me api.User
		e.do(t, "GET", "/v1/users/me", token, nil).want(t, http.StatusOK, &me)
		return *me.Email
	}
	if got := email(ann.token); got != ann.email {
		t.Errorf("before the confirmation the address is %q", got)
	}
	nextSecond(t)
	identity(t, "update", map[string]any{"oobCode": codes[0]})
	after := identity(t, "signInWithPassword", map[string]any{"email": address, "password": "correct horse",
		"returnSecureToken": true})
	if got := email(after.IDToken); got != address {
		t.Errorf("after the confirmation the address is %q, want %q", got, address)
	}
}

// An administrator has Firebase Auth send a letter, whose link only its reader has. The audit log has the act, and no
// address.
func TestPasswordReset(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, chief, mo := e.join(t, "ann"), staff(t, "admin"), staff(t, "moderator")
	path, why := "/v1/admin/users/"+string(ann.id)+"/passwordReset", map[string]any{"reason": "locked out"}
	e.do(t, "POST", path, mo.token, why).problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "POST", "/v1/admin/users/"+string(chief.id)+"/passwordReset", chief.token, why).
		problem(t, http.StatusForbidden, "own_account")
	if codes := oobCodes(t, ann.email, "PASSWORD_RESET"); len(codes) != 0 {
		t.Fatalf("a refused request sent %q", codes)
	}
	if r := e.do(t, "POST", path, chief.token, why).want(t, http.StatusNoContent, nil); len(r.body) != 0 {
		t.Errorf("the answer has %q", r.body)
	}
	codes := oobCodes(t, ann.email, "PASSWORD_RESET")
	if len(codes) != 1 {
		t.Fatalf("the letters have the codes %q, want one", codes)
	}
	if is := identity(t, "resetPassword", map[string]any{"oobCode": codes[0], "newPassword": "battery staple"}); is.
		Error != "" {
		t.Errorf("the code of the letter: %s", is.Error)
	}
	if is := identity(t, "signInWithPassword", map[string]any{"email": ann.email, "password": "battery staple",
		"returnSecureToken": true}); is.IDToken == "" {
		t.Errorf("the new password: %s", is.Error)
	}
	entries := e.acts(t, chief.token, "by=me")
	if len(entries) != 1 || entries[0].Act != model.ActResetPassword || entries[0].UserID != ann.id ||
		entries[0].Reason != "locked out" || entries[0].Before != nil || entries[0].After != nil {
		t.Errorf("the audit log has %+v", entries)
	}
	testenv.AccountUpdate(t, map[string]any{"localId": ann.id, "deleteAttribute": []string{"EMAIL"}})
	e.do(t, "POST", path, chief.token, why).problem(t, http.StatusConflict, "no_address")
}
