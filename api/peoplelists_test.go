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
	for who, n := range map[model.UserID]int{bob.id: 1, ann.id: 0} {
		e.do(t, "GET", "/v1/lists?member="+string(who), ann.token, nil).want(t, http.StatusOK, &lists)
		if len(lists.Items) != n {
			t.Errorf("with the member %s there are %+v", who, lists)
		}
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

// Others read a public list, and follow its members some at a time. Each counts as a follow.
func TestStarterPack(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	var list api.PeopleList
	e.do(t, "POST", "/v1/lists", ann.token, map[string]any{"title": "sparks", "description": "who make sparks",
		"visibility": "public", "exclusive": true}).want(t, http.StatusCreated, &list)
	if !list.Exclusive || list.RepliesPolicy != "list" || list.Visibility != "public" {
		t.Errorf("the list is %+v", list)
	}
	for n := range model.ListFollowsTogether + 1 {
		p := e.join(t, "member"+string(rune('a'+n)))
		e.do(t, "PUT", "/v1/lists/"+list.ID+"/members/"+string(p.id), ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	path := "/v1/users/" + string(ann.id) + "/lists"
	var lists server.List[api.PeopleList]
	e.do(t, "GET", path, "", nil).want(t, http.StatusOK, &lists)
	if len(lists.Items) != 1 || lists.Items[0].Description != "who make sparks" || lists.Items[0].Exclusive {
		t.Errorf("lists = %+v", lists)
	}
	e.do(t, "GET", "/v1/users/nobody/lists", "", nil).want(t, http.StatusNotFound, nil)
	path += "/" + list.ID
	var read api.PeopleList
	if e.do(t, "GET", path, cat.token, nil).want(t, http.StatusOK, &read); read.MemberCount != 6 ||
		read.OwnerID != ann.id {
		t.Errorf("the list is %+v", read)
	}
	var members server.List[api.UserSummary]
	if e.do(t, "GET", path+"/members", "", nil).want(t, http.StatusOK, &members); len(members.Items) != 6 {
		t.Errorf("members = %+v", members)
	}
	e.do(t, "GET", path+"/timeline", bob.token, nil).want(t, http.StatusOK, nil)
	count := map[string]int{}
	for next, n := "", 0; n == 0 || next != ""; n++ {
		var step server.List[api.MemberFollow]
		e.do(t, "POST", path+"/follow?pageToken="+next, bob.token, nil).want(t, http.StatusOK, &step)
		for _, m := range step.Items {
			count[string(m.Result)]++
		}
		next = step.NextPageToken
	}
	if count["followed"] != 6 || len(count) != 1 {
		t.Errorf("follows: %v", count)
	}
	e.do(t, "POST", path+"/follow?pageToken=x", bob.token, nil).want(t, http.StatusBadRequest, nil)
	e.do(t, "PATCH", "/v1/lists/"+list.ID, ann.token, map[string]any{"visibility": "private"}).
		want(t, http.StatusNoContent, nil)
	for _, suffix := range []string{"", "/members", "/timeline"} {
		e.do(t, "GET", path+suffix, bob.token, nil).want(t, http.StatusNotFound, nil)
	}
	e.do(t, "POST", path+"/follow", bob.token, nil).want(t, http.StatusNotFound, nil)
	e.do(t, "GET", path+"/members", ann.token, nil).want(t, http.StatusOK, nil)
}

// Each follow by a list counts as a follow, and a request that finds only members already followed counts nothing.
func TestLimitsOfStarterPacks(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "follows=7/day"))
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var list api.PeopleList
	e.do(t, "POST", "/v1/lists", ann.token, map[string]any{"title": "sparks", "visibility": "public"}).
		want(t, http.StatusCreated, &list)
	for n := range model.ListFollowsTogether + 1 {
		p := e.join(t, "member"+string(rune('a'+n)))
		e.do(t, "PUT", "/v1/lists/"+list.ID+"/members/"+string(p.id), ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	path := "/v1/users/" + string(ann.id) + "/lists/" + list.ID + "/follow"
	var step server.List[api.MemberFollow]
	e.do(t, "POST", path, bob.token, nil).want(t, http.StatusOK, &step)
	e.do(t, "POST", path, bob.token, nil).want(t, http.StatusOK, nil) // again
	e.do(t, "POST", path+"?pageToken="+step.NextPageToken, bob.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil).want(t, http.StatusOK, nil) // the 7th
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil).limited(t, "follows-day")
}

// A user follows a tag, whose tweets come home with it.
func TestFollowedTags(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.post(t, bob, map[string]any{"content": "a #Spark"})
	e.do(t, "PUT", "/v1/tags/SPARK/follow", ann.token, nil).want(t, http.StatusNoContent, nil)
	var tags server.List[api.FollowedTag]
	e.do(t, "GET", "/v1/users/me/followedTags", ann.token, nil).want(t, http.StatusOK, &tags)
	if len(tags.Items) != 1 || tags.Items[0].Name != "spark" || tags.Items[0].Content != "SPARK" {
		t.Errorf("tags = %+v", tags)
	}
	var home api.HomePage
	e.do(t, "GET", "/v1/timeline", ann.token, nil).want(t, http.StatusOK, &home)
	if len(home.Items) != 1 || home.Items[0].ViaTag != "spark" {
		t.Errorf("home = %+v", home)
	}
	e.do(t, "DELETE", "/v1/tags/spark/follow", ann.token, nil).want(t, http.StatusNoContent, nil)
	if e.do(t, "GET", "/v1/users/me/followedTags", ann.token, nil).want(t, http.StatusOK, &tags); len(tags.Items) > 0 {
		t.Errorf("tags = %+v", tags)
	}
}
