package api_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/internal/meter"
)

// Anybody finds people by the beginning of either name, page by page. The token of one query is
// no token of another.
func TestSearchUsers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	for _, name := range []string{"ann", "anna", "bob"} {
		e.join(t, name)
	}
	zoe := e.join(t, "zoe")
	e.do(t, "PATCH", "/v1/users/"+string(zoe.id), zoe.token, map[string]any{"nickname": "ＡＮＮ Zoé"}).want(t, http.StatusOK, nil)
	find := func(query string, more ...string) (names []string, next string, reads int64) {
		t.Helper()
		var page api.List[api.UserSummary]
		target := "/v1/search/users?q=" + url.QueryEscape(query)
		for _, m := range more {
			target += "&" + m
		}
		r := e.do(t, "GET", target, "", nil).want(t, http.StatusOK, &page)
		for _, u := range page.Items {
			names = append(names, u.Username)
		}
		return names, page.NextPageToken, r.cost(t).Reads
	}
	if got, next, reads := find("An"); !slices.Equal(got, []string{"ann", "anna", "zoe"}) || next != "" || reads > 6 {
		t.Errorf("An finds %q, next %q, for %d reads", got, next, reads)
	}
	if got, _, reads := find("@an"); !slices.Equal(got, []string{"ann", "anna"}) || reads != 2 {
		t.Errorf("@an finds %q for %d reads", got, reads)
	}
	if got, _, _ := find("ann zoé"); !slices.Equal(got, []string{"zoe"}) {
		t.Errorf("ann zoé finds %q", got)
	}
	var all []string
	for next := ""; ; {
		got, more, reads := find("ann", "pageSize=1", "pageToken="+next)
		if all = append(all, got...); reads > 3 {
			t.Errorf("a page of 1 costs %d reads", reads)
		}
		if next = more; next == "" || len(all) > 9 {
			break
		}
		e.do(t, "GET", "/v1/search/users?q=anna&pageToken="+next, "", nil).problem(t, http.StatusBadRequest, "invalid_page_token")
	}
	if want := []string{"ann", "anna", "zoe"}; !slices.Equal(all, want) {
		t.Errorf("pages of 1 = %q, want %q", all, want)
	}
	r := e.do(t, "GET", "/v1/search/users?q=x%00%F0%9F%A6%80", "", nil).want(t, http.StatusOK, nil)
	if got := r.cost(t); got != (meter.Counts{Reads: 2}) {
		t.Errorf("a query that finds nobody costs %+v", got)
	}
}
