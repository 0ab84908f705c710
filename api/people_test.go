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

// A user finds people: suggestions with their reasons, people of the directory, and familiar followers. Whom the user
// dismisses or blocks is gone, and an administrator lists everybody.
func TestPeople(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat"), e.join(t, "dan")
	for _, pair := range [][2]person{{ann, bob}, {bob, cat}, {bob, dan}, {ann, dan}} {
		e.do(t, "PUT", "/v1/users/"+string(pair[1].id)+"/follow", pair[0].token, nil).want(t, http.StatusOK, nil)
	}
	suggested := func(query string) (all []api.Suggestion) {
		t.Helper()
		var got api.Suggestions
		e.do(t, "GET", "/v1/suggestions"+query, ann.token, nil).want(t, http.StatusOK, &got)
		return got.Items
	}
	if got := suggested(""); len(got) != 0 {
		t.Errorf("suggestions before a computation = %+v", got)
	}
	_, err := e.db.Suggestions.Compute(t.Context(), func() bool { return false })
	testenv.Must(t, err)
	got := suggested("?limit=1")
	if len(got) != 1 || got[0].User.ID != cat.id || len(got[0].Reason.FollowedBy) != 1 ||
		got[0].Reason.FollowedBy[0].Username != "bob" || got[0].Reason.Others != 0 {
		t.Errorf("suggestions = %+v, want cat, followed by bob", got)
	}
	var familiar api.FamiliarFollowers
	e.do(t, "GET", "/v1/users/"+string(dan.id)+"/familiarFollowers", ann.token, nil).want(t, http.StatusOK, &familiar)
	if len(familiar.Items) != 1 || familiar.Items[0].ID != bob.id || familiar.Count != 1 || !familiar.Complete {
		t.Errorf("familiar followers of dan = %+v, want bob", familiar)
	}

	var me api.User
	e.do(t, "PATCH", "/v1/users/me", cat.token, map[string]any{"discoverable": true, "language": "ja-JP"}).
		want(t, http.StatusOK, &me)
	if !me.Discoverable || me.Language != "ja" {
		t.Errorf("the profile says %t and %q, want what was set", me.Discoverable, me.Language)
	}
	if me.NotSuggested == nil || *me.NotSuggested {
		t.Error("the user's own profile does not say that the user is suggested")
	}
	e.do(t, "PATCH", "/v1/users/me", dan.token, map[string]any{"notSuggested": true}).want(t, http.StatusOK, &me)
	if me.NotSuggested == nil || !*me.NotSuggested {
		t.Error("the user's own profile does not say what was set")
	}
	for _, view := range []string{"", "?view=full"} {
		var other api.User
		e.do(t, "GET", "/v1/users/"+string(dan.id)+view, ann.token, nil).want(t, http.StatusOK, &other)
		if other.NotSuggested != nil {
			t.Errorf("the profile%s of another says whether the user is suggested", view)
		}
	}
	directory := func(token, query string) (ids []model.UserID) {
		t.Helper()
		var page server.List[api.UserSummary]
		e.do(t, "GET", "/v1/directory"+query, token, nil).want(t, http.StatusOK, &page)
		for _, u := range page.Items {
			ids = append(ids, u.ID)
		}
		return ids
	}
	if got := directory("", "?language=ja"); !slices.Equal(got, []model.UserID{cat.id}) {
		t.Errorf("the directory for a visitor is %v, want cat", got)
	}
	if got := directory("", "?language=en&order=popular"); len(got) != 0 {
		t.Errorf("the directory of another language is %v, want nobody", got)
	}
	e.do(t, "PUT", "/v1/users/"+string(cat.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	if got := directory(ann.token, "?language=ja"); len(got) != 0 {
		t.Errorf("the directory for who blocks is %v, want nobody", got)
	}
	if got := suggested(""); len(got) != 0 {
		t.Errorf("suggestions after a block = %+v, want none", got)
	}
	e.do(t, "DELETE", "/v1/users/"+string(cat.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	if got := suggested(""); len(got) != 1 {
		t.Errorf("suggestions after the block = %+v, want cat again", got)
	}
	e.do(t, "DELETE", "/v1/suggestions/"+string(cat.id), ann.token, nil).want(t, http.StatusNoContent, nil)
	if got := suggested(""); len(got) != 0 {
		t.Errorf("suggestions after a dismissal = %+v, want none", got)
	}

	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(dan.id), "admin": true})
	var all []model.UserID
	for path := "/v1/users?pageSize=3"; path != ""; {
		var page server.List[api.User]
		e.do(t, "GET", path, admin, nil).want(t, http.StatusOK, &page)
		for _, u := range page.Items {
			all = append(all, u.ID)
		}
		if path = ""; page.NextPageToken != "" {
			path = "/v1/users?pageSize=3&pageToken=" + page.NextPageToken
		}
	}
	if want := []model.UserID{dan.id, cat.id, bob.id, ann.id}; !slices.Equal(all, want) {
		t.Errorf("all users are %v, want %v", all, want)
	}
}
