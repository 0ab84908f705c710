package api_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
)

// A frozen user appeals, and writes again after the reversal. Nobody answers the own appeal, or sees those of others.
func TestAppeals(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, mo := e.join(t, "ann"), e.join(t, "bob"), staff(t, "moderator")
	tweet := e.post(t, ann, map[string]any{"content": "rude words"})
	e.do(t, "PUT", "/v1/admin/tweets/"+string(tweet.ID)+"/flag", mo.token, map[string]any{"reason": "rude"}).
		want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/admin/users/"+string(ann.id)+"/freeze", mo.token, map[string]any{"reason": "rude"}).
		want(t, http.StatusOK, nil)
	var decisions struct {
		Items         []api.Decision
		NextPageToken string
	}
	list := func() []api.Decision {
		t.Helper()
		decisions.Items = nil
		e.do(t, "GET", "/v1/users/me/decisions", ann.token, nil).want(t, http.StatusOK, &decisions)
		return decisions.Items
	}
	if got := list(); len(got) != 2 || got[0].Act != "freeze" || got[1].TweetID != tweet.ID || got[0].Appeal != nil {
		t.Fatalf("ann sees %+v", got)
	}
	freeze := decisions.Items[0]
	path := "/v1/users/me/decisions/" + freeze.ID + "/appeal"
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "account_frozen")
	e.do(t, "PUT", path, bob.token, map[string]any{"text": "let her"}).
		problem(t, http.StatusNotFound, "decision_not_found")
	e.do(t, "PUT", path, ann.token, map[string]any{"text": " "}).problem(t, http.StatusBadRequest, "text_required")
	e.do(t, "PUT", path, ann.token, map[string]any{"text": "it was a joke"}).want(t, http.StatusOK, nil)
	e.do(t, "PUT", path, ann.token, map[string]any{"text": "another"}).problem(t, http.StatusConflict, "appeal_exists")

	var open struct {
		Items         []api.Appeal
		NextPageToken string
	}
	e.do(t, "GET", "/v1/admin/appeals", mo.token, nil).want(t, http.StatusOK, &open)
	if len(open.Items) != 1 || open.Items[0].Reason != "rude" || open.Items[0].UserID != ann.id {
		t.Errorf("the moderators see %+v", open.Items)
	}
	answer := map[string]any{"state": "reversed", "answer": "sorry"}
	e.do(t, "PUT", "/v1/admin/appeals/"+freeze.ID, ann.token, answer).problem(t, http.StatusForbidden, "not_moderator")
	for range 2 {
		e.do(t, "PUT", "/v1/admin/appeals/"+freeze.ID, mo.token, answer).want(t, http.StatusOK, nil)
	}
	e.do(t, "PUT", "/v1/admin/appeals/"+freeze.ID, mo.token, map[string]any{"state": "upheld", "answer": "no"}).
		problem(t, http.StatusConflict, "appeal_answered")
	if got := list(); got[0].Appeal == nil || got[0].Appeal.State != "reversed" || got[0].Appeal.Answer != "sorry" {
		t.Errorf("ann sees %+v", got)
	}
	e.post(t, ann, map[string]any{"content": "thank you"})

	e.do(t, "PUT", "/v1/users/me/decisions/"+decisions.Items[1].ID+"/appeal", ann.token,
		map[string]any{"text": "a quote"}).
		want(t, http.StatusOK, nil)
	e.do(t, "PUT", "/v1/admin/appeals/"+decisions.Items[1].ID, mo.token, answer).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/tweets/"+string(tweet.ID), bob.token, nil).want(t, http.StatusOK, nil)
}
