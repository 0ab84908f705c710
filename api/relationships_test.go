package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestFollowLimit(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withStore(t, store.Options{MaxFollows: 1}))
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/users/"+string(cat.id)+"/follow", ann.token, nil).problem(t, http.StatusForbidden, "follow_limit")
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusNoContent, nil)
}

// A user lists whom the user blocks, newest first, and nobody else's list.
func TestBlocks(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	for _, p := range []person{bob, cat} {
		e.do(t, "PUT", "/v1/users/"+string(p.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	list := func(token, query string) (ids []model.UserID, next string) {
		t.Helper()
		var got api.List[api.Person]
		e.do(t, "GET", "/v1/users/me/blocks"+query, token, nil).want(t, http.StatusOK, &got)
		for _, p := range got.Items {
			ids = append(ids, p.User.ID)
		}
		return ids, got.NextPageToken
	}
	if got, _ := list(ann.token, ""); !slices.Equal(got, []model.UserID{cat.id, bob.id}) {
		t.Errorf("ann blocks %v", got)
	}
	_, next := list(ann.token, "?pageSize=1")
	if got, _ := list(ann.token, "?pageSize=1&pageToken="+next); !slices.Equal(got, []model.UserID{bob.id}) {
		t.Errorf("the second page is %v", got)
	}
	e.do(t, "GET", "/v1/users/me/blocks?pageToken="+next, bob.token, nil).problem(t, http.StatusBadRequest, "invalid_page_token")
	if got, _ := list(bob.token, ""); len(got) > 0 {
		t.Errorf("bob blocks %v", got)
	}
	e.do(t, "DELETE", "/v1/users/"+string(cat.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	if got, _ := list(ann.token, ""); !slices.Equal(got, []model.UserID{bob.id}) {
		t.Errorf("ann still blocks %v", got)
	}
}
