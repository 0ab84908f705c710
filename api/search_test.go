package api_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
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
	e.do(t, "PATCH", "/v1/users/"+string(zoe.id), zoe.token, map[string]any{"nickname": "ＡＮＮ Zoé"}).
		want(t, http.StatusOK, nil)
	find := func(query string, more ...string) (names []string, next string, reads int64) {
		t.Helper()
		var page server.List[api.UserSummary]
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
		e.do(t, "GET", "/v1/search/users?q=anna&pageToken="+next, "", nil).
			problem(t, http.StatusBadRequest, "invalid_page_token")
	}
	if want := []string{"ann", "anna", "zoe"}; !slices.Equal(all, want) {
		t.Errorf("pages of 1 = %q, want %q", all, want)
	}
	r := e.do(t, "GET", "/v1/search/users?q=x%00%F0%9F%A6%80", "", nil).want(t, http.StatusOK, nil)
	if got := r.cost(t); got != (meter.Counts{Reads: 2}) {
		t.Errorf("a query that finds nobody costs %+v", got)
	}
}

// Everybody finds public tweets, with the hits marked and their own likes, and nobody finds
// others. What followed users wrote is a list of its own.
func TestSearchTweets(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", cat.token, nil).want(t, http.StatusOK, nil)
	var want []model.TweetID
	post := func(p person, body map[string]any) model.TweetID {
		t.Helper()
		id := e.post(t, p, body).ID
		testenv.Must(t, e.db.Search.Index(t.Context(), id)) // as its event does
		return id
	}
	for n := range 13 {
		want = slices.Insert(want, 0, post([]person{ann, bob}[n%2], map[string]any{"content": "**Big** spark 花火大会 <b> #go"}))
	}
	for _, audience := range []string{"unlisted", "followers", "mentioned"} {
		post(ann, map[string]any{"content": "spark", "visibility": audience})
	}
	e.do(t, "PUT", "/v1/tweets/"+string(want[0])+"/like", cat.token, nil).want(t, http.StatusNoContent, nil)
	find := func(p person, query string, more string) (ids []model.TweetID, first api.FoundTweet, pages int) {
		t.Helper()
		for next := ""; ; {
			var page server.List[api.FoundTweet]
			r := e.do(t, "GET", "/v1/search/tweets?q="+url.QueryEscape(query)+more+"&pageToken="+next, p.token, nil).
				want(t, http.StatusOK, &page)
			if got := r.cost(t); got.Reads > 40 || got.Writes > 0 {
				t.Errorf("a page of %q costs %+v", query, got)
			}
			for _, f := range page.Items {
				ids = append(ids, f.ID)
			}
			if pages++; pages == 1 && len(page.Items) > 0 {
				first = page.Items[0]
			}
			if next = page.NextPageToken; next == "" {
				return ids, first, pages
			}
			e.do(t, "GET", "/v1/search/tweets?q=other&pageToken="+next, p.token, nil).
				problem(t, http.StatusBadRequest, "invalid_page_token")
		}
	}
	for _, p := range []person{{}, ann, cat} {
		got, first, pages := find(p, `spark "BIG spark" 大会`, "&format=html")
		if !slices.Equal(got, want) || pages < 2 || first.Liked != (p.id == cat.id) || first.SnippetHTML == "" {
			t.Errorf("%q finds %v on %d pages, want %v; the first is %+v", p.id, got, pages, want, first)
		}
		marked := ""
		for _, part := range first.Excerpt {
			if marked += part.Text; part.Hit {
				marked += "|"
			}
		}
		if marked != "Big spark| 花火大会| <b> #go" {
			t.Errorf("the excerpt is %q", marked)
		}
	}
	var byAnn []model.TweetID
	for n, id := range want {
		if n%2 == 0 {
			byAnn = append(byAnn, id)
		}
	}
	for _, query := range []string{"from:ann #go", "from:@ANN spark"} {
		if got, _, _ := find(bob, query, ""); !slices.Equal(got, byAnn) {
			t.Errorf("%s finds %v, want %v", query, got, byAnn)
		}
	}
	if got, _, _ := find(cat, "spark", "&following=true&pageSize=1"); !slices.Equal(got, byAnn) {
		t.Errorf("followed users wrote %v, want %v", got, byAnn)
	}
	if got, _, _ := find(bob, "spark", "&following=true"); len(got) > 0 {
		t.Errorf("bob follows nobody, and finds %v", got)
	}
	var page server.List[api.FoundTweet]
	e.do(t, "GET", "/v1/search/tweets?q=spark&following=true", cat.token, nil).want(t, http.StatusOK, &page)
	e.do(t, "GET", "/v1/search/tweets?q=spark&following=true&pageToken="+page.NextPageToken, bob.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	e.do(t, "DELETE", "/v1/tweets/"+string(want[0]), []person{ann, bob}[0].token, nil).want(t, http.StatusNoContent, nil)
	if got, _, _ := find(bob, "spark", ""); !slices.Equal(got, want[1:]) {
		t.Errorf("after a deletion, before its event: %v, want %v", got, want[1:])
	}
}
