package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// A report that is forwarded leaves a Flag of the installation for the server of the reported user, once, and nothing
// in
// it names the reporter. What is here is not forwarded, nor is anything to a suspended server.
func TestForwardReport(t *testing.T) {
	t.Parallel()
	e, f := newEnv(t, withFederation), far.New(t)
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	iri := f.Actor("bob", nil)
	var found server.List[api.UserSummary]
	e.do(t, "GET", "/v1/search/users?resolve=true&q=@bob@"+f.Host, ann.token, nil).want(t, http.StatusOK, &found)
	bob := model.RemoteUserID(iri)
	report := func(p person, uid model.UserID, forward bool) reply {
		t.Helper()
		return e.do(t, "POST", "/v1/reports", p.token, map[string]any{"userId": uid, "reason": "spam", "text": "so much",
			"forward": forward})
	}
	flags := func() (all []model.Outgoing) {
		t.Helper()
		snaps, err := e.admin.Collection(model.Outgoings).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		for _, snap := range snaps {
			var o model.Outgoing
			testenv.Must(t, snap.DataTo(&o))
			all = append(all, o)
		}
		return all
	}
	report(ann, ben.id, true).problem(t, http.StatusBadRequest, "not_remote")
	report(ben, bob, false).want(t, http.StatusNoContent, nil)
	if n := len(flags()); n != 0 {
		t.Errorf("%d reports were forwarded without being asked", n)
	}
	report(ann, bob, true).want(t, http.StatusNoContent, nil)
	report(ann, bob, true).want(t, http.StatusNoContent, nil)
	all := flags()
	if len(all) != 1 {
		t.Fatalf("there are %d activities", len(all))
	}
	var flag struct {
		Type, Actor, Content string
		Object               []string
	}
	testenv.Must(t, json.Unmarshal(all[0].Body, &flag))
	if o := all[0]; o.By != "" || flag.Type != "Flag" || !strings.HasSuffix(flag.Actor, "/actor") ||
		flag.Content != "so much" || !slices.Equal(flag.Object, []string{iri}) || len(o.Inboxes) != 1 ||
		model.HostOf(o.Inboxes[0]) != f.Host || strings.Contains(string(o.Body), string(ann.id)) {
		t.Errorf("the report is %+v, %s", o, o.Body)
	}
	acts, err := e.admin.Collection(model.AdminActions).Where("act", "==",
		model.ActForward).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	if len(acts) != 1 || acts[0].Data()["userId"] != string(bob) {
		t.Errorf("the audit log has %v", acts)
	}
	testenv.Must(t, e.db.Moderation.SetDomain(t.Context(), moderation.Actor{UID: ben.id, Role: model.RoleAdministrator},
		f.Host, model.DomainRule{Severity: model.DomainSuspend}))
	cat := e.join(t, "cat")
	report(cat, bob, true).want(t, http.StatusNoContent, nil)
	if n := len(flags()); n != 1 {
		t.Errorf("a suspended server gets a report: %d", n)
	}
}
