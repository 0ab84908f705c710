package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/local/emulators"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// staff makes an account with a role, the claim of which is in its token.
func staff(t *testing.T, role string) person {
	t.Helper()
	a := testenv.SignUp(t, "")
	// A token of some seconds ago: sessions end at whole seconds.
	token := testenv.Token(emulators.DefaultProject, map[string]any{"sub": a.UID, role: true, "iat": time.Now().Add(-5 * time.Second).Unix()})
	revive(t, model.UserID(a.UID))
	return person{id: model.UserID(a.UID), email: a.Email, token: token}
}

// acts lists the audit log.
func (e *env) acts(t *testing.T, token, query string) []api.Action {
	t.Helper()
	var list api.List[api.Action]
	e.do(t, "GET", "/v1/admin/actions?"+query, token, nil).want(t, http.StatusOK, &list)
	return list.Items
}

// The audit log is for moderators, newest first, in pages, by actor or by what is concerned.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, mo := e.join(t, "ann"), staff(t, "moderator")
	tweet := e.post(t, ann, map[string]any{"content": "x"})
	for i := range 5 {
		by := moderation.Actor{UID: model.UserID(fmt.Sprint("actor", i%2)), Role: model.RoleCommand, Reason: fmt.Sprint("reason ", i)}
		id := model.TweetID("")
		if i == 3 {
			id = tweet.ID
		}
		testenv.Must(t, e.db.Moderation.Log(t.Context(), by, model.ActGrant, ann.id, id, map[string]string{"role": strings.Repeat("é", 300)}))
	}
	e.do(t, "GET", "/v1/admin/actions", "", nil).problem(t, http.StatusUnauthorized, "unauthenticated")
	e.do(t, "GET", "/v1/admin/actions", ann.token, nil).problem(t, http.StatusForbidden, "not_moderator")
	reasons := func(list []api.Action) (all []string) {
		for _, a := range list {
			all = append(all, strings.TrimPrefix(a.Reason, "reason "))
		}
		return all
	}
	for query, want := range map[string]string{
		"": "4 3 2 1 0", "by=actor1": "3 1", "user=" + string(ann.id): "4 3 2 1 0", "tweet=" + string(tweet.ID): "3", "by=me": "",
	} {
		if got := strings.Join(reasons(e.acts(t, mo.token, query)), " "); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
	one := e.acts(t, mo.token, "tweet="+string(tweet.ID))[0]
	want := api.Action{
		ID: one.ID, By: "actor1", Role: model.RoleCommand, Act: model.ActGrant, UserID: ann.id, TweetID: tweet.ID,
		Reason: "reason 3", After: map[string]string{"role": strings.Repeat("é", model.MaxBefore)}, At: one.At,
	}
	if diff := cmp.Diff(want, one); diff != "" || time.Since(one.At).Abs() > time.Minute {
		t.Errorf("action of %v (-want +got):\n%s", one.At, diff)
	}
	var all []string
	for token, pages := "", 0; pages == 0 || token != ""; pages++ {
		var list api.List[api.Action]
		r := e.do(t, "GET", "/v1/admin/actions?pageSize=2&pageToken="+token, mo.token, nil).want(t, http.StatusOK, &list)
		if got, want := r.cost(t), (meter.Counts{Reads: max(1, int64(len(list.Items)))}); got != want {
			t.Errorf("a page costs %+v, want %+v", got, want)
		}
		all, token = append(all, reasons(list.Items)...), list.NextPageToken
	}
	if got := strings.Join(all, " "); got != "4 3 2 1 0" {
		t.Errorf("pages have %q", got)
	}
}

// A role that is taken back ends at once, although its token is good for an hour.
func TestRevokedRole(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Verifier = remember(o.Verifier) })
	mo := staff(t, "moderator")
	e.do(t, "GET", "/v1/admin/actions", mo.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/tags", mo.token, nil).want(t, http.StatusOK, nil)
	auth := accounts.New(emulators.DefaultProject)
	testenv.Must(t, auth.SetRole(t.Context(), mo.id, model.RoleModerator, false))
	e.do(t, "GET", "/v1/admin/actions", mo.token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
	e.do(t, "PUT", "/v1/users/nobody/follow", mo.token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
}
