package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A user makes a list, puts people on it, and reads what they write. Nobody else knows the list.
func TestPeopleLists(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	var list api.PeopleList
	for range 2 {
		r := e.do(t, "POST", "/v1/lists", ann.token, map[string]any{"title": "friends"}, "Idempotency-Key", "k").
			want(t, http.StatusCreated, &list)
		if r.header.Get("Location") != "/v1/lists/"+list.ID {
			t.Errorf("Location: %s, of %s", r.header.Get("Location"), list.ID)
		}
	}
	path := "/v1/lists/" + list.ID
	e.do(t, "PATCH", path, ann.token, map[string]any{"title": "old friends"}).want(t, http.StatusNoContent, nil)
	for _, p := range []person{bob, cat, bob} {
		e.do(t, "PUT", path+"/members/"+string(p.id), ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	var lists server.List[api.PeopleList]
	e.do(t, "GET", "/v1/lists", ann.token, nil).want(t, http.StatusOK, &lists)
	if e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &list); len(lists.Items) != 1 ||
		lists.Items[0] != list || list.Title != "old friends" || list.MemberCount != 2 {
		t.Errorf("lists = %+v, and %+v", lists, list)
	}
	var members server.List[api.UserSummary]
	e.do(t, "GET", path+"/members", ann.token, nil).want(t, http.StatusOK, &members)
	if len(members.Items) != 2 || members.Items[0].ID != cat.id || members.Items[1].ID != bob.id {
		t.Errorf("members = %+v", members)
	}
	var want []model.TweetID // newest first
	for _, visibility := range []string{"public", "followers", "unlisted", "mentioned"} {
		tweet, err := e.db.Tweets.Cached(t.Context(), e.post(t, bob, map[string]any{"content": "x",
			"visibility": visibility}).ID)
		testenv.Must(t, err)
		testenv.Must(t, e.db.Previews.Put(t.Context(), tweet))
		want = append([]model.TweetID{tweet.ID}, want...)
	}
	timeline := func(what string, want ...model.TweetID) {
		t.Helper()
		var got []model.TweetID
		for next := ""; ; {
			var page server.List[api.Tweet]
			e.do(t, "GET", path+"/timeline?pageSize=1&pageToken="+next, ann.token, nil).want(t, http.StatusOK, &page)
			for _, tweet := range page.Items {
				got = append(got, tweet.ID)
			}
			if next = page.NextPageToken; next == "" {
				break
			}
		}
		if len(got) != len(want) || len(want) > 0 && strings.Join(texts(got), " ") != strings.Join(texts(want), " ") {
			t.Errorf("%s: the timeline has %v, want %v", what, got, want)
		}
	}
	timeline("a stranger", want[1], want[3])
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
	timeline("a follower", want[1], want[2], want[3])
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/block", bob.token, nil).want(t, http.StatusNoContent, nil)
	timeline("a block")
	for _, p := range []string{"", "/members", "/timeline"} {
		e.do(t, "GET", path+p, bob.token, nil).problem(t, http.StatusNotFound, "list_not_found")
	}
	e.do(t, "DELETE", path+"/members/"+string(bob.id), ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", path+"/members/"+string(bob.id), ann.token, nil).problem(t, http.StatusForbidden, "not_allowed")
	for range 2 {
		e.do(t, "DELETE", path, ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "GET", path, ann.token, nil).problem(t, http.StatusNotFound, "list_not_found")

	none := "/v1/lists/" + strings.Repeat("0", 20)
	for _, bad := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"POST", "/v1/lists", `{"title":""}`, 400, "invalid_request"},
		{"POST", "/v1/lists", `{"title":" "}`, 400, "invalid_list_title"},
		{"POST", "/v1/lists", `{"title":"` + strings.Repeat("x", model.MaxListTitle+1) + `"}`, 400, "invalid_request"},
		{"POST", "/v1/lists", `{"name":"x"}`, 400, "invalid_request"},
		{"PATCH", none, `{"title":"x"}`, 404, "list_not_found"},
		{"GET", "/v1/lists/x", "", 400, "invalid_list_id"},
		{"GET", none + "/timeline?pageToken=x", "", 400, "invalid_page_token"},
		{"PUT", none + "/members/bob", "", 404, "list_not_found"},
		{"PUT", none + "/members/a%2Fb", "", 400, "invalid_user_id"},
	} {
		var body any
		if bad.body != "" {
			body = bad.body
		}
		e.do(t, bad.method, bad.path, ann.token, body).problem(t, bad.status, bad.code)
	}
}

func texts[T ~string](all []T) (texts []string) {
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return texts
}
