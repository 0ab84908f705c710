package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A user names accounts on other servers, reads and changes the list, and moves to one that names the user as well.
func TestMoving(t *testing.T) {
	t.Parallel()
	e, f := newEnv(t, withFederation), far.New(t)
	ann := e.join(t, "ann")
	var is api.Instance
	e.do(t, "GET", "/v1/instance", "", nil).want(t, http.StatusOK, &is)
	if !is.Federation {
		t.Error("the instance does not say that it federates")
	}
	bob, old := f.Actor("bob", nil), f.Actor("old", nil)
	type list struct{ Accounts []string }
	all := func() (l list) {
		t.Helper()
		e.do(t, "GET", "/v1/aliases", ann.token, nil).want(t, http.StatusOK, &l)
		return l
	}
	if got := all().Accounts; got == nil || len(got) != 0 {
		t.Errorf("at first the other accounts are %v", got)
	}
	put := func(accounts ...string) reply {
		t.Helper()
		return e.do(t, "PUT", "/v1/aliases", ann.token, map[string]any{"accounts": accounts})
	}
	put("@bob@"+f.Host, "@old@"+f.Host).want(t, http.StatusOK, nil)
	if got := all().Accounts; !slices.Equal(got, []string{bob, old}) {
		t.Errorf("the other accounts are %v", got)
	}
	// One that is gone does not keep ann from removing another; a new one has to be there.
	f.Remove("/users/old")
	_, err := e.admin.Collection(model.Users).Doc(string(model.RemoteUserID(old))).Delete(t.Context())
	testenv.Must(t, err)
	put(old, old).want(t, http.StatusOK, nil)
	if got := all().Accounts; !slices.Equal(got, []string{old}) {
		t.Errorf("the other accounts are %v", got)
	}
	put(old, "@nobody@"+f.Host).problem(t, http.StatusNotFound, "no_remote_actor")

	move := func() reply {
		t.Helper()
		return e.do(t, "POST", "/v1/move", ann.token, map[string]any{"account": "@bob@" + f.Host})
	}
	move().problem(t, http.StatusConflict, "not_an_alias")
	f.Actor("bob", map[string]any{"alsoKnownAs": []string{publicURL + "/users/" + string(ann.id)}})
	move().want(t, http.StatusNoContent, nil)
	var u api.User
	e.do(t, "GET", "/v1/users/"+string(ann.id), "", nil).want(t, http.StatusOK, &u)
	if u.MovedTo != bob || u.MovedToID != model.RemoteUserID(bob) {
		t.Errorf("ann is %+v", u)
	}
	var to api.User
	e.do(t, "GET", "/v1/users/"+string(u.MovedToID), "", nil).want(t, http.StatusOK, &to)
	if to.Username != "bob@"+f.Host || to.MovedTo != "" || to.MovedToID != "" {
		t.Errorf("ann moved to %+v", to)
	}
	// A person of another server who moved here says so, too.
	gone := f.Actor("gone", map[string]any{"movedTo": publicURL + "/users/" + string(ann.id)})
	put(gone).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/users/"+string(model.RemoteUserID(gone)), "", nil).want(t, http.StatusOK, &u)
	if u.MovedTo != publicURL+"/users/"+string(ann.id) || u.MovedToID != ann.id {
		t.Errorf("who moved here is %+v", u)
	}
}
