package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// staff makes an account with a role, the claim of which is in its token.
func staff(t *testing.T, role string) person {
	t.Helper()
	a := testenv.SignUp(t, "")
	// A token of some seconds ago: sessions end at whole seconds.
	token := testenv.Token(emulators.DefaultProject, map[string]any{"sub": a.UID, role: true,
		"iat": time.Now().Add(-5 * time.Second).Unix()})
	revive(t, model.UserID(a.UID))
	return person{id: model.UserID(a.UID), email: a.Email, token: token}
}

// acts lists the audit log.
func (e *env) acts(t *testing.T, token, query string) []api.Action {
	t.Helper()
	var list server.List[api.Action]
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
		by := moderation.Actor{UID: model.UserID(fmt.Sprint("actor", i%2)), Role: model.RoleCommand,
			Reason: fmt.Sprint("reason ", i)}
		id := model.TweetID("")
		if i == 3 {
			id = tweet.ID
		}
		testenv.Must(t, e.db.Moderation.Log(t.Context(), by, model.Action{Act: model.ActGrant, UserID: ann.id, TweetID: id,
			After: map[string]string{"role": strings.Repeat("é", 300)}}))
		testenv.NextMillisecond()
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
		"": "4 3 2 1 0", "by=actor1": "3 1", "user=" + string(ann.id): "4 3 2 1 0", "tweet=" + string(tweet.ID): "3",
		"by=me": "",
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
		var list server.List[api.Action]
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

// The audit log has what administrators ask of the shop, also if the shop refuses it.
func TestShopActs(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	boss, ann := staff(t, "admin"), e.join(t, "ann")
	order := e.confirmedOrder(t, ann.id)
	var p api.Product
	cost := func(reads, writes int64, r reply) reply {
		t.Helper()
		if got, want := r.cost(t), (meter.Counts{Reads: reads, Writes: writes}); got != want {
			t.Errorf("costs %+v, want %+v", got, want)
		}
		return r
	}
	yen := func(amount int) map[string]any { return map[string]any{"amount": amount, "currency": "JPY"} }
	cost(0, 2, e.do(t, "POST", "/v1/products", boss.token, map[string]any{"name": "Senko", "price": yen(300), "stock": 9},
		"Idempotency-Key", "k")).want(t, http.StatusCreated, &p)
	path, of := "/v1/products/"+string(p.ID), "/v1/admin/users/"+string(ann.id)+"/orders/"+string(order)
	cost(1, 2, e.do(t, "PATCH", path, boss.token, map[string]any{"price": yen(350)})).want(t, http.StatusOK, nil)
	cost(1, 2, e.do(t, "PATCH", path, boss.token, map[string]any{"active": false})).want(t, http.StatusOK, nil)
	e.do(t, "PATCH", path, boss.token, map[string]any{"name": "late"}, "If-Match", `"0-0"`).
		problem(t, http.StatusPreconditionFailed, "product_changed")
	cost(2, 3, e.do(t, "POST", path+"/restock", boss.token, map[string]any{"pieces": -3}, "Idempotency-Key", "r")).
		want(t, http.StatusOK, nil)
	cost(1, 2, e.do(t, "POST", of+"/ship", boss.token, nil)).want(t, http.StatusOK, nil)
	e.do(t, "POST", of+"/cancel", boss.token, nil).problem(t, http.StatusConflict, "order_state")
	e.do(t, "POST", "/v1/products", boss.token, map[string]any{"name": " ", "price": yen(1), "stock": 9}).
		problem(t, http.StatusBadRequest, "invalid_product_name")

	sold := func(act model.Act, after map[string]string) api.Action {
		return api.Action{By: boss.id, Role: model.RoleAdministrator, Act: act, ProductID: p.ID, After: after}
	}
	shipped := api.Action{By: boss.id, Role: model.RoleAdministrator, Act: model.ActShip, UserID: ann.id, OrderID: order}
	refused := shipped
	refused.Act = model.ActCancel
	got := e.acts(t, boss.token, "by=me")
	for i := range got {
		got[i].ID, got[i].At = "", time.Time{}
	}
	want := []api.Action{
		refused, shipped,
		sold(model.ActRestock, map[string]string{"pieces": "-3", "key": "r"}),
		sold(model.ActChangeProduct, map[string]string{"name": "late"}),
		sold(model.ActChangeProduct, map[string]string{"active": "false"}),
		sold(model.ActChangeProduct, map[string]string{"price": "350 JPY"}),
		sold(model.ActAddProduct, map[string]string{"name": "Senko", "description": "", "image": "", "price": "300 JPY",
			"stock": "9", "key": "k"}),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	for query, n := range map[string]int{"user=" + string(ann.id): 2, "order=" + string(order): 2, "product=" +
		string(p.ID): 5} {
		if concerned := e.acts(t, boss.token, query); len(concerned) != n {
			t.Errorf("%s: %d acts, want %d", query, len(concerned), n)
		}
	}
	for query, code := range map[string]string{"order=x": "invalid_order_id", "product=x": "invalid_product_id",
		"by=me&order=" + string(order): "one_filter", "order=" + string(order) + "&product=" + string(p.ID): "one_filter"} {
		e.do(t, "GET", "/v1/admin/actions?"+query, boss.token, nil).problem(t, http.StatusBadRequest, code)
	}
}

// An administrator may say why somebody else's tweet goes, in as many characters as for other acts.
func TestDeletionReason(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	boss, ann := staff(t, "admin"), e.join(t, "ann")
	long := strings.Repeat("é", model.MaxReason)
	e.do(t, "DELETE", "/v1/tweets/"+string(e.post(t, ann, map[string]any{"content": "x"}).ID)+"?reason="+long+"é",
		boss.token, nil).problem(t, http.StatusBadRequest, "invalid_request")
	for _, reason := range []string{"an address", long, ""} {
		id := e.post(t, ann, map[string]any{"content": "x"}).ID
		r := e.do(t, "DELETE", "/v1/tweets/"+string(id)+"?reason="+url.QueryEscape(reason), boss.token, nil).
			want(t, http.StatusNoContent, nil)
		if got, want := r.cost(t), (meter.Counts{Reads: 1, Writes: 2, Deletes: 2}); got != want {
			t.Errorf("costs %+v, want %+v", got, want)
		}
		acts := e.acts(t, boss.token, "tweet="+string(id))
		if len(acts) != 1 || acts[0].Act != model.ActDelete || acts[0].UserID != ann.id || acts[0].Reason != reason {
			t.Errorf("audit log = %+v, want one deletion for %q", acts, reason)
		}
	}
	own := e.post(t, ann, map[string]any{"content": "x"}).ID
	e.do(t, "DELETE", "/v1/tweets/"+string(own)+"?reason=mine", ann.token, nil).want(t, http.StatusNoContent, nil)
	if acts := e.acts(t, boss.token, "tweet="+string(own)); len(acts) != 0 {
		t.Errorf("the author's own deletion is in the audit log: %+v", acts)
	}
}

// A role that is taken back ends at once, although its token is good for an hour.
func TestRevokedRole(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Verifier = remember(o.Verifier) })
	mo := staff(t, "moderator")
	flagged := "/v1/tweets/" + string(e.post(t, e.join(t, "ann"), map[string]any{"content": "x"}).ID)
	e.do(t, "PUT", "/v1/admin"+flagged[len("/v1"):]+"/flag", mo.token, map[string]any{"reason": "spam"}).
		want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/admin/actions", mo.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", flagged, mo.token, nil).want(t, http.StatusOK, nil)
	auth := accounts.New(emulators.DefaultProject)
	testenv.Must(t, auth.SetRole(t.Context(), mo.id, model.RoleModerator, false))
	e.do(t, "GET", "/v1/admin/actions", mo.token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
	e.do(t, "GET", flagged, mo.token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
	e.do(t, "PUT", "/v1/users/nobody/follow", mo.token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
}
