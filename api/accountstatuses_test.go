package api_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// another is a second instance of the API on the same database, with a clock of its own.
// Like every instance in production, it takes a token at its word.
func (e *env) another(t *testing.T) (_ *env, ahead *atomic.Int64) {
	t.Helper()
	ahead = &atomic.Int64{}
	o := e.options
	db, err := store.Open(t.Context(), e.db.Name()[len("projects/"):strings.Index(e.db.Name(), "/databases/")], "",
		store.Options{
			Emulator: testenv.FirestoreHost(t), Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) },
			Patience: time.Minute,
			Meter:    strict.Meter(t, meter.Options{}),
		})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	o.Stores, o.Verifier, o.Log = wiring.API(db), remember(o.Verifier), gcplog.New(newLines(), slog.LevelInfo)
	handler := api.New(o)
	served := httptest.NewServer(handler)
	t.Cleanup(served.Close)
	return &env{url: served.URL, db: db, log: newLines(), about: described(handler)}, ahead
}

// A frozen user may read and not write, a suspended user nothing, with the token from
// before: at once in the instance that decided, and in another when it asks.
func TestAccountStatuses(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Verifier = remember(o.Verifier) })
	other, ahead := e.another(t)
	ann := e.join(t, "ann")
	mo, root := staff(t, "moderator"), staff(t, "admin")
	path, why := "/v1/admin/users/"+string(ann.id), map[string]any{"reason": "spam"}
	auth := accounts.New(emulators.DefaultProject)

	// may checks what ann may do with her first token, and what Firebase Auth knows.
	may := func(read, write string, frozen, disabled bool) {
		t.Helper()
		for name, at := range map[string]*env{"the same instance": e, "another instance": other} {
			for method, want := range map[string]string{"GET": read, "POST": write} {
				path, status := "/v1/users/me", http.StatusOK
				var body any
				if method == "POST" {
					path, status, body = "/v1/tweets", http.StatusCreated, map[string]any{"content": "x"}
				}
				if r := at.do(t, method, path, ann.token, body); want != "" {
					r.problem(t, http.StatusForbidden, want)
				} else if r.status != status {
					t.Errorf("%s in %s: %d %s", method, name, r.status, r.body)
				}
			}
		}
		account, err := auth.Account(t.Context(), ann.id)
		testenv.Must(t, err)
		if account.Frozen != frozen || account.Disabled != disabled {
			t.Errorf("Firebase Auth has %+v, want frozen %t, disabled %t", account, frozen, disabled)
		}
	}
	act := func(method, path, token string, body any, want model.AccountStatusState) {
		t.Helper()
		var is api.Standing
		r := e.do(t, method, path, token, body).want(t, http.StatusOK, &is)
		if is.State != want || is.UserID != ann.id || is.ChangedAt == nil {
			t.Errorf("%s %s answers %+v, want %s", method, path, is, want)
		}
		if got, want := r.cost(t), (meter.Counts{Reads: 2, Writes: 3}); got != want {
			t.Errorf("%s %s costs %+v, want %+v", method, path, got, want)
		}
		ahead.Add(int64(moderation.AskEvery))
	}
	may("", "", false, false)
	act("PUT", path+"/freeze", mo.token, why, model.AccountStatusFrozen)
	may("", "account_frozen", true, false)
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"nickname": "x"}).
		problem(t, http.StatusForbidden, "account_frozen")
	act("PUT", path+"/freeze", mo.token, why, model.AccountStatusFrozen)
	act("DELETE", path+"/freeze?reason=sorry", mo.token, nil, model.AccountStatusFree)
	may("", "", false, false)
	act("PUT", path+"/suspend", root.token, why, model.AccountStatusSuspended)
	may("account_suspended", "account_suspended", false, true)
	e.do(t, "GET", "/v1/tags", ann.token, nil).problem(t, http.StatusForbidden, "account_suspended")
	e.do(t, "PUT", path+"/freeze", mo.token, why).problem(t, http.StatusConflict, "user_suspended")
	e.do(t, "DELETE", path+"/freeze", mo.token, nil).problem(t, http.StatusConflict, "user_suspended")
	var is api.Standing
	e.do(t, "GET", path+"/standing", mo.token, nil).want(t, http.StatusOK, &is)
	if is.State != model.AccountStatusSuspended || is.Reason != "spam" || is.By != root.id {
		t.Errorf("standing = %+v", is)
	}
	act("DELETE", path+"/suspend", root.token, nil, model.AccountStatusFree)
	may("", "", false, false)

	var done []string
	for _, a := range e.acts(t, mo.token, "user="+string(ann.id)) {
		done = append(done, string(a.Act)+" "+a.Before["state"]+" "+a.After["state"]+" "+a.Reason)
	}
	want := []string{
		"unsuspend suspended free ", "suspend free suspended spam", "unfreeze frozen free sorry", "freeze frozen frozen spam",
		"freeze free frozen spam",
	}
	if strings.Join(done, "\n") != strings.Join(want, "\n") {
		t.Errorf("audit log = %q, want %q", done, want)
	}
}

// Nobody acts above their role or on themselves, and a refusal leaves nothing.
func TestAccountStatusesRefused(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	mo, root, chief := staff(t, "moderator"), staff(t, "admin"), staff(t, "admin")
	auth := accounts.New(emulators.DefaultProject)
	testenv.Must(t, auth.SetRole(t.Context(), chief.id, model.RoleAdministrator, true))
	tweet := e.post(t, ann, map[string]any{"content": "x"})
	why := map[string]any{"reason": "because"}
	before := e.documents(t)
	for _, test := range []struct {
		method, path, token string
		body                any
		status              int
		code                string
	}{
		{"PUT", "/v1/admin/users/" + string(ann.id) + "/freeze", "", why, 401, "unauthenticated"},
		{"PUT", "/v1/admin/users/" + string(ann.id) + "/freeze", ann.token, why, 403, "not_moderator"},
		{"PUT", "/v1/admin/users/" + string(ann.id) + "/suspend", mo.token, why, 403, "not_admin"},
		{"DELETE", "/v1/admin/users/" + string(ann.id) + "/suspend", mo.token, nil, 403, "not_admin"},
		{"PUT", "/v1/admin/users/" + string(chief.id) + "/freeze", mo.token, why, 403, "not_admin"},
		{"POST", "/v1/admin/users/" + string(chief.id) + "/notes", mo.token, map[string]any{"text": "x"}, 403, "not_admin"},
		{"PUT", "/v1/admin/users/me/freeze", mo.token, why, 403, "own_account"},
		{"PUT", "/v1/admin/users/" + string(root.id) + "/suspend", root.token, why, 403, "own_account"},
		{"PUT", "/v1/admin/users/nobody/freeze", mo.token, why, 404, "account_not_found"},
		{"PUT", "/v1/admin/users/" + string(ann.id) + "/freeze", mo.token, map[string]any{}, 400, "invalid_request"},
		{"PUT", "/v1/admin/users/" + string(ann.id) + "/freeze", mo.token, map[string]any{"reason": " "}, 400,
			"reason_required"},
		{"PUT", "/v1/admin/users/" + string(ann.id) + "/freeze", mo.token,
			map[string]any{"reason": strings.Repeat("é", 1001)}, 400, "invalid_request"},
		{"DELETE", "/v1/admin/users/" + string(ann.id) + "/freeze?reason=" + strings.Repeat("x", 1001), mo.token, nil, 400,
			"invalid_request"},
		{"PATCH", "/v1/admin/users/" + string(ann.id), mo.token, why, 400, "empty_patch"},
		{"PATCH", "/v1/admin/users/" + string(ann.id), mo.token, map[string]any{"avatar": ""}, 400, "invalid_request"},
		{"PATCH", "/v1/admin/users/" + string(ann.id), mo.token, `{"reason":"x","avatar":null}`, 400, "invalid_request"},
		{"PATCH", "/v1/admin/users/" + string(ann.id), mo.token, map[string]any{"reason": "x", "username": "admin"}, 400,
			"reserved_username"},
		{"PATCH", "/v1/admin/users/" + string(ann.id), ann.token, map[string]any{"reason": "x", "avatar": ""}, 403,
			"not_moderator"},
		{"GET", "/v1/admin/users/" + string(ann.id) + "/notes", ann.token, nil, 403, "not_moderator"},
		{"POST", "/v1/admin/users/" + string(ann.id) + "/notes", mo.token, map[string]any{"text": " "}, 400, "note_required"},
		{"POST", "/v1/admin/users/" + string(ann.id) + "/notes", mo.token, map[string]any{"text": strings.Repeat("x", 2001)},
			400, "invalid_request"},
		{"PUT", "/v1/admin/tweets/" + string(tweet.ID) + "/flag", ann.token, why, 403, "not_moderator"},
		{"PUT", "/v1/admin/tweets/x/flag", mo.token, why, 400, "invalid_tweet_id"},
		{"PUT", "/v1/admin/tweets/0000000000000000aa/flag", mo.token, why, 404, "tweet_not_found"},
		{"POST", "/v1/reports", "", map[string]any{"userId": ann.id, "reason": "spam"}, 401, "unauthenticated"},
		{"POST", "/v1/reports", ann.token, map[string]any{"reason": "spam"}, 400, "one_target"},
		{"POST", "/v1/reports", ann.token, map[string]any{"userId": "x", "tweetId": tweet.ID, "reason": "spam"}, 400,
			"one_target"},
		{"POST", "/v1/reports", ann.token, map[string]any{"userId": ann.id, "reason": "spam"}, 400, "self_report"},
		{"POST", "/v1/reports", ann.token, map[string]any{"tweetId": tweet.ID, "reason": "spam"}, 400, "self_report"},
		{"POST", "/v1/reports", ann.token, map[string]any{"userId": "a/b", "reason": "spam"}, 400, "invalid_user_id"},
		{"POST", "/v1/reports", ann.token, map[string]any{"tweetId": "x", "reason": "spam"}, 400, "invalid_tweet_id"},
		{"POST", "/v1/reports", ann.token, map[string]any{"userId": "nobody", "reason": "spam"}, 404, "user_not_found"},
		{"POST", "/v1/reports", ann.token, map[string]any{"userId": "nobody", "reason": "envy"}, 400, "invalid_request"},
		{"POST", "/v1/reports", ann.token, map[string]any{"userId": "nobody", "reason": "spam",
			"text": strings.Repeat("é", 1001)}, 400, "invalid_request"},
		{"POST", "/v1/reports", mo.token, map[string]any{"userId": ann.id, "reason": "spam"}, 403, "profile_required"},
		{"GET", "/v1/admin/reports", ann.token, nil, 403, "not_moderator"},
		{"PUT", "/v1/admin/reports/x", mo.token, map[string]any{"decision": "acted"}, 404, "report_not_found"},
		{"PUT", "/v1/admin/reports/a%2Fb_user_c", mo.token, map[string]any{"decision": "acted"}, 404, "report_not_found"},
		{"PUT", "/v1/admin/reports/a_user_b", mo.token, map[string]any{"decision": "perhaps"}, 400, "invalid_request"},
		{"GET", "/v1/admin/actions?by=a&user=b", mo.token, nil, 400, "one_filter"},
		{"GET", "/v1/admin/actions?tweet=x", mo.token, nil, 400, "invalid_tweet_id"},
	} {
		t.Log(test.method, test.path)
		e.do(t, test.method, test.path, test.token, test.body).problem(t, test.status, test.code)
	}
	after := e.documents(t)
	if len(after) != len(before) {
		t.Errorf("there were %d documents, and %d are there", len(before), len(after))
	}
	for path, at := range before {
		if !after[path].Equal(at) {
			t.Errorf("%s was written", path)
		}
	}
}

// unreachable is Firebase Auth that does not answer while down is true.
type unreachable struct {
	api.Accounts
	down atomic.Bool
}

func (u *unreachable) Mirror(ctx context.Context, uid model.UserID, state model.AccountStatusState) error {
	if u.down.Load() {
		return errors.New("no answer")
	}
	return u.Accounts.Mirror(ctx, uid, state)
}

// What Firebase Auth did not take holds all the same, and the same request mends it.
func TestMirrorAgain(t *testing.T) {
	t.Parallel()
	u := &unreachable{}
	e := newEnv(t, func(o *api.Options) { u.Accounts, o.Accounts = o.Accounts, u })
	ann, mo := e.join(t, "ann"), staff(t, "moderator")
	path, why := "/v1/admin/users/"+string(ann.id)+"/freeze", map[string]any{"reason": "spam"}
	u.down.Store(true)
	e.do(t, "PUT", path, mo.token, why).problem(t, http.StatusServiceUnavailable, "not_mirrored")
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "account_frozen")
	u.down.Store(false)
	e.do(t, "PUT", path, mo.token, why).want(t, http.StatusOK, nil)
	if account, err := u.Account(t.Context(), ann.id); err != nil || !account.Frozen {
		t.Errorf("account = %+v, %v", account, err)
	}
	// A token that is made now says so by itself, also to an instance that knows nothing.
	fresh := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "frozen": true})
	newEnv(t).do(t, "POST", "/v1/tweets", fresh, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "account_frozen")
}

// The nightly job finds and corrects what Firebase Auth did not get: a freeze, and an end of one. What
// somebody changed there by hand, too.
func TestMirrorAll(t *testing.T) {
	t.Parallel()
	u := &unreachable{}
	e := newEnv(t, func(o *api.Options) { u.Accounts, o.Accounts = o.Accounts, u })
	ann, bob, cat, mo := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat"), staff(t, "moderator")
	freeze := func(who string) string { return "/v1/admin/users/" + who + "/freeze" }
	why := map[string]any{"reason": "spam"}
	e.do(t, "PUT", freeze(string(bob.id)), mo.token, why).want(t, http.StatusOK, nil)
	e.do(t, "PUT", freeze(string(cat.id)), mo.token, why).want(t, http.StatusOK, nil)
	testenv.Must(t, u.Accounts.Mirror(t.Context(), cat.id, model.AccountStatusFree)) // by hand
	// An operator disables an account by hand, about which no moderator decided, and its user ends all sessions.
	dan := e.join(t, "dan")
	testenv.Must(t, u.Accounts.Mirror(t.Context(), dan.id, model.AccountStatusSuspended))
	testenv.Must(t, e.db.Moderation.EndSessions(t.Context(), dan.id))
	u.down.Store(true)
	e.do(t, "PUT", freeze(string(ann.id)), mo.token, why).problem(t, http.StatusServiceUnavailable, "not_mirrored")
	e.do(t, "DELETE", freeze(string(bob.id)), mo.token, nil).problem(t, http.StatusServiceUnavailable, "not_mirrored")
	if n, err := e.db.Moderation.MirrorAll(t.Context(), u); n != 0 || errs.KindOf(err) != errs.Unavailable {
		t.Errorf("without Firebase Auth: %d, %v", n, err)
	}
	u.down.Store(false)
	// The account's next request does what is left, once the moderator's had the time for it.
	e.offset += time.Minute
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "account_frozen")
	if account, err := u.Account(t.Context(), ann.id); err != nil || !account.Frozen {
		t.Errorf("after a request the account is %+v, %v", account, err)
	}
	for _, want := range []int{2, 0} {
		if n, err := e.db.Moderation.MirrorAll(t.Context(), u); n != want || err != nil {
			t.Errorf("%d were mirrored, %v, want %d", n, err, want)
		}
	}
	for who, want := range map[model.UserID]bool{ann.id: true, bob.id: false, cat.id: true} {
		if account, err := u.Account(t.Context(), who); err != nil || account.Frozen != want {
			t.Errorf("account = %+v, %v, want frozen %t", account, err, want)
		}
	}
	if account, err := u.Account(t.Context(), dan.id); err != nil || !account.Disabled {
		t.Errorf("the account that an operator disabled is %+v, %v", account, err)
	}
}

// crossed is Firebase Auth where a role is taken from a user while Mirror is at work: between its
// reading of the account and its writing.
type crossed struct {
	api.Accounts
	between func(uid model.UserID)
}

func (c *crossed) Mirror(ctx context.Context, uid model.UserID, state model.AccountStatusState) error {
	had, err := c.Account(ctx, uid)
	if err != nil {
		return err
	}
	between := c.between
	if c.between = nil; between != nil {
		between(uid)
	}
	if err := c.Accounts.Mirror(ctx, uid, state); err != nil || between == nil {
		return err
	}
	// Mirror writes all roles that it read. So it gives back those that went meanwhile.
	if had.Moderator {
		err = errors.Join(err, c.SetRole(ctx, uid, model.RoleModerator, true))
	}
	if had.Admin {
		err = errors.Join(err, c.SetRole(ctx, uid, model.RoleAdministrator, true))
	}
	return err
}

// A freeze gives no role back that was taken from the user at the same moment, and keeps the others.
func TestFreezeBesideRevoke(t *testing.T) {
	t.Parallel()
	c := &crossed{}
	e := newEnv(t, func(o *api.Options) { c.Accounts, o.Accounts = o.Accounts, c })
	ann, why := e.join(t, "ann"), map[string]any{"reason": "spam"}
	for _, role := range []model.StaffRole{model.RoleModerator, model.RoleAdministrator} {
		testenv.Must(t, c.SetRole(t.Context(), ann.id, role, true))
	}
	c.between = func(uid model.UserID) { // hibana admin revoke
		testenv.Must(t, e.db.Moderation.Log(t.Context(), moderation.Actor{UID: "hibana", Role: model.RoleCommand},
			model.Action{Act: model.ActRevoke, UserID: uid, After: map[string]string{"role": "administrator"}}))
		testenv.Must(t, e.db.Moderation.SetRole(t.Context(), c.Accounts, uid, model.RoleAdministrator, false))
	}
	e.do(t, "PUT", "/v1/admin/users/"+string(ann.id)+"/freeze", staff(t, "admin").token, why).want(t, http.StatusOK, nil)
	account, err := c.Account(t.Context(), ann.id)
	testenv.Must(t, err)
	if account.Admin || !account.Moderator || !account.Frozen {
		t.Errorf("account = %+v, want a frozen moderator who is no administrator", account)
	}
}

// Firebase Auth did not take a suspension. A freeze is refused, because the user is suspended; and
// Firebase Auth hears of the suspension.
func TestMirrorAfterRefusal(t *testing.T) {
	t.Parallel()
	u := &unreachable{}
	e := newEnv(t, func(o *api.Options) { u.Accounts, o.Accounts = o.Accounts, u })
	ann, why := e.join(t, "ann"), map[string]any{"reason": "spam"}
	path := "/v1/admin/users/" + string(ann.id)
	u.down.Store(true)
	e.do(t, "PUT", path+"/suspend", staff(t, "admin").token, why).problem(t, http.StatusServiceUnavailable, "not_mirrored")
	e.do(t, "PUT", path+"/freeze", staff(t, "moderator").token, why).
		problem(t, http.StatusServiceUnavailable, "not_mirrored")
	u.down.Store(false)
	e.do(t, "PUT", path+"/freeze", staff(t, "moderator").token, why).problem(t, http.StatusConflict, "user_suspended")
	if account, err := u.Account(t.Context(), ann.id); err != nil || !account.Disabled {
		t.Errorf("account = %+v, %v", account, err)
	}
}

// A moderator goes through the queue: looks, flags, edits, notes, and resolves.
func TestModerating(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	mo := staff(t, "moderator")
	tweet := e.post(t, ann, map[string]any{"content": "buy sparks"})
	report := func(p person, body map[string]any, want meter.Counts) {
		t.Helper()
		r := e.do(t, "POST", "/v1/reports", p.token, body).want(t, http.StatusNoContent, nil)
		if got := r.cost(t); got.Writes != want.Writes || got.Reads > want.Reads {
			t.Errorf("a report costs %+v, want %+v at most", got, want)
		}
		testenv.NextMillisecond() // the queue goes by the time of the database
	}
	ofTweet := map[string]any{"tweetId": tweet.ID, "reason": "spam", "text": "sparks again"}
	report(bob, ofTweet, meter.Counts{Reads: 2, Writes: 1})
	report(bob, ofTweet, meter.Counts{Reads: 2})
	report(cat, ofTweet, meter.Counts{Reads: 2, Writes: 1})
	report(bob, map[string]any{"userId": ann.id, "reason": "other"}, meter.Counts{Reads: 2, Writes: 1})

	var queue server.List[api.Report]
	r := e.do(t, "GET", "/v1/admin/reports?counts=true", mo.token, nil).want(t, http.StatusOK, &queue)
	if len(queue.Items) != 3 {
		t.Fatalf("queue = %s", r.body)
	}
	if got, want := r.cost(t), (meter.Counts{Reads: 5}); got != want {
		t.Errorf("a page of 3 reports of 2 targets costs %+v, want %+v", got, want)
	}
	first := queue.Items[0]
	if first.TweetID != tweet.ID || first.UserID != ann.id || first.ReporterID != bob.id || first.Text != "sparks again" ||
		first.OpenReports != 2 || queue.Items[2].OpenReports != 3 {
		t.Errorf("queue = %+v", queue.Items)
	}

	why := map[string]any{"reason": "an advertisement"}
	read := e.do(t, "GET", "/v1/tweets/"+string(tweet.ID), mo.token, nil).want(t, http.StatusOK, nil).header.Get("ETag")
	e.do(t, "PATCH", "/v1/tweets/"+string(tweet.ID), ann.token, map[string]any{"content": "buy more sparks"}).
		want(t, http.StatusOK, nil)
	e.do(t, "PUT", "/v1/admin/tweets/"+string(tweet.ID)+"/flag", mo.token, why, "If-Match", read).
		problem(t, http.StatusPreconditionFailed, "tweet_edited")
	e.do(t, "PUT", "/v1/admin/tweets/"+string(tweet.ID)+"/flag", mo.token, why, "If-Match", `"1`).
		problem(t, http.StatusBadRequest, "invalid_if_match")
	r = e.do(t, "PUT", "/v1/admin/tweets/"+string(tweet.ID)+"/flag", mo.token, why).want(t, http.StatusNoContent, nil)
	if got := r.cost(t); got.Writes != 2 || got.Reads > 2 {
		t.Errorf("a flag costs %+v, want 2 writes and at most 2 reads", got)
	}
	var edited api.User
	r = e.do(t, "PATCH", "/v1/admin/users/"+string(ann.id), mo.token, map[string]any{"reason": "an address",
		"nickname": "", "introduction": "", "locked": true}).want(t, http.StatusOK, &edited)
	if got, want := r.cost(t), (meter.Counts{Reads: 5, Writes: 3}); got != want || edited.Nickname != "ann" ||
		edited.Email != nil || !edited.Locked {
		t.Errorf("an edit costs %+v, want %+v; answer %s", got, want, r.body)
	}
	var note api.Note
	r = e.do(t, "POST", "/v1/admin/users/"+string(ann.id)+"/notes", mo.token,
		map[string]any{"text": "once more and frozen"}).want(t, http.StatusCreated, &note)
	if got, want := r.cost(t), (meter.Counts{Writes: 2}); got != want || note.Text != "once more and frozen" ||
		note.By != mo.id || note.At.IsZero() {
		t.Errorf("a note costs %+v, want %+v; answer %s", got, want, r.body)
	}
	var notes server.List[api.Note]
	e.do(t, "GET", "/v1/admin/users/"+string(ann.id)+"/notes", mo.token, nil).want(t, http.StatusOK, &notes)
	if len(notes.Items) != 1 || notes.Items[0].ID != note.ID {
		t.Errorf("notes = %+v", notes.Items)
	}
	var resolved api.Report
	r = e.do(t, "PUT", "/v1/admin/reports/"+first.ID, mo.token, map[string]any{"decision": "acted", "note": "flagged"}).
		want(t, http.StatusOK, &resolved)
	if got, want := r.cost(t), (meter.Counts{Reads: 1, Writes: 2}); got != want || resolved.Open ||
		resolved.Resolution.By != mo.id || resolved.Resolution.Note != "flagged" {
		t.Errorf("a resolution costs %+v, want %+v; answer %s", got, want, r.body)
	}
	e.do(t, "GET", "/v1/admin/reports", mo.token, nil).want(t, http.StatusOK, &queue)
	if len(queue.Items) != 2 || queue.Items[0].ReporterID != cat.id {
		t.Errorf("queue = %+v", queue.Items)
	}
	e.do(t, "DELETE", "/v1/admin/tweets/"+string(tweet.ID)+"/flag?reason=mistake", mo.token, nil).
		want(t, http.StatusNoContent, nil)
	var done []string
	for _, a := range e.acts(t, mo.token, "by=me") {
		done = append(done, string(a.Act))
		if isFlag := strings.HasSuffix(string(a.Act), "flag"); isFlag != (a.Revision != nil) || isFlag && *a.Revision != 1 {
			t.Errorf("%s judged revision %v, want 1 of a flag and of nothing else", a.Act, a.Revision)
		}
	}
	if got, want := strings.Join(done, " "), "unflag resolve_report note edit_profile flag"; got != want {
		t.Errorf("audit log = %s, want %s", got, want)
	}
}
