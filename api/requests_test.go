package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A locked user is asked, lists who asks, newest first, and answers; the asker gets a notification of what became
// of it. Nobody but the asked answers.
func TestFollowRequests(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat"), e.join(t, "dan")
	follow := func(by person, want api.Followed) {
		t.Helper()
		var got api.Followed
		e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", by.token, nil).want(t, http.StatusOK, &got)
		if got != want {
			t.Errorf("%s follows ann: %+v, want %+v", by.name, got, want)
		}
	}
	stands := func(what string, by person, following, requested bool) {
		t.Helper()
		var u api.User
		e.do(t, "GET", "/v1/users/"+string(ann.id), by.token, nil).want(t, http.StatusOK, &u)
		var all api.AllTies
		e.do(t, "GET", "/v1/relationships?ids="+string(ann.id), by.token, nil).want(t, http.StatusOK, &all)
		want := api.Ties{ID: ann.id, Following: following, Requested: requested}
		if !u.Locked || *u.Following != following || *u.Requested != requested || !slices.Equal(all.Items, []api.Ties{want}) {
			t.Errorf("%s: the profile says %+v, and the ties are %+v, want %+v", what, u, all.Items, want)
		}
	}
	list := func(by person, query string) (ids []model.UserID, next string) {
		t.Helper()
		var got server.List[api.Person]
		e.do(t, "GET", "/v1/users/me/followRequests"+query, by.token, nil).want(t, http.StatusOK, &got)
		for _, p := range got.Items {
			ids = append(ids, p.User.ID)
		}
		return ids, got.NextPageToken
	}
	follow(dan, api.Followed{Following: true})
	var u api.User
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"locked": true}).want(t, http.StatusOK, &u)
	if !u.Locked {
		t.Errorf("ann is %+v", u)
	}
	follow(dan, api.Followed{Following: true})
	for _, p := range []person{bob, cat, bob} {
		follow(p, api.Followed{Requested: true})
	}
	stands("asked", bob, false, true)
	stands("a follower from before", dan, true, false)
	e.do(t, "GET", "/v1/relationships/"+string(bob.id)+"/"+string(ann.id), bob.token, nil).
		problem(t, http.StatusNotFound, "not_following")

	if got, _ := list(ann, ""); !slices.Equal(got, []model.UserID{cat.id, bob.id}) {
		t.Errorf("%v ask ann", got)
	}
	_, next := list(ann, "?pageSize=1")
	if got, _ := list(ann, "?pageSize=1&pageToken="+next); !slices.Equal(got, []model.UserID{bob.id}) {
		t.Errorf("the second page is %v", got)
	}
	e.do(t, "GET", "/v1/users/me/followRequests?pageToken="+next, bob.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	if got, _ := list(bob, ""); len(got) > 0 {
		t.Errorf("%v ask bob", got)
	}

	accept := func(by, whom person) reply {
		t.Helper()
		return e.do(t, "PUT", "/v1/users/me/followRequests/"+string(whom.id), by.token, nil)
	}
	accept(cat, bob).problem(t, http.StatusNotFound, "request_not_found")
	accept(bob, bob).problem(t, http.StatusNotFound, "request_not_found")
	for range 2 {
		accept(ann, bob).want(t, http.StatusNoContent, nil)
		e.do(t, "DELETE", "/v1/users/me/followRequests/"+string(cat.id), ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	stands("accepted", bob, true, false)
	stands("refused", cat, false, false)
	follow(cat, api.Followed{Requested: true})
	e.do(t, "DELETE", "/v1/users/"+string(ann.id)+"/follow", cat.token, nil).want(t, http.StatusNoContent, nil)
	stands("withdrawn", cat, false, false)
	accept(ann, cat).problem(t, http.StatusNotFound, "request_not_found")
	e.do(t, "PUT", "/v1/users/me/followRequests/nobody", ann.token, nil).problem(t, http.StatusNotFound, "user_not_found")
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"locked": "yes"}).
		problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"locked": nil}).
		problem(t, http.StatusBadRequest, "invalid_request")

	// A user who is frozen after asking may be accepted, and may not withdraw.
	follow(cat, api.Followed{Requested: true})
	frozen := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(cat.id), "frozen": true})
	e.do(t, "DELETE", "/v1/users/"+string(ann.id)+"/follow", frozen, nil).
		problem(t, http.StatusForbidden, "account_frozen")
	accept(ann, cat).want(t, http.StatusNoContent, nil)
	stands("accepted while frozen", cat, true, false)
}
