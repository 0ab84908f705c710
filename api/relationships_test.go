package api_test

import (
	"net/http"
	"testing"

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
