package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
)

// An administrator reviews trends, and a moderator does not.
func TestTrendReview(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, mo, admin := e.join(t, "ann"), staff(t, "moderator"), staff(t, "admin")
	tweet := e.post(t, ann, map[string]any{"content": "x"})
	e.do(t, "GET", "/v1/admin/trends", mo.token, nil).problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "PUT", "/v1/admin/trends/tags/go", mo.token, map[string]any{"decision": "allowed"}).
		problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "PUT", "/v1/admin/trends/review", admin.token, map[string]any{"needed": true}).
		want(t, http.StatusNoContent, nil)
	for tag, decision := range map[string]string{"Go": "allowed", "%23rude": "refused", "dull": "undecided"} {
		e.do(t, "PUT", "/v1/admin/trends/tags/"+tag, admin.token, map[string]any{"decision": decision}).
			want(t, http.StatusNoContent, nil)
	}
	e.do(t, "PUT", "/v1/admin/trends/tweets/"+string(tweet.ID), admin.token, map[string]any{"decision": "refused"}).
		want(t, http.StatusNoContent, nil)
	var got api.TrendReview
	e.do(t, "GET", "/v1/admin/trends", admin.token, nil).want(t, http.StatusOK, &got)
	if !got.Needed || !slices.Equal(got.Allowed, []string{"go"}) || !slices.Equal(got.Refused, []string{"rude"}) {
		t.Errorf("the review is %+v", got)
	}
}
