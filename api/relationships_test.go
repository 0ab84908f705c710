package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestFollowLimit(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withStore(t, store.Options{MaxFollows: 1}))
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "PUT", "/v1/users/"+string(cat.id)+"/follow", ann.token, nil).problem(t, http.StatusForbidden, "follow_limit")
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
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
		var got server.List[api.Person]
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
	e.do(t, "GET", "/v1/users/me/blocks?pageToken="+next, bob.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	if got, _ := list(bob.token, ""); len(got) > 0 {
		t.Errorf("bob blocks %v", got)
	}
	e.do(t, "DELETE", "/v1/users/"+string(cat.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	if got, _ := list(ann.token, ""); !slices.Equal(got, []model.UserID{bob.id}) {
		t.Errorf("ann still blocks %v", got)
	}
}

// An administrator lists who blocks a user, newest first. The user, and a moderator, may not.
func TestBlockers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat"), e.join(t, "dan")
	for _, by := range []person{bob, cat, dan} {
		e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/block", by.token, nil).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "PUT", "/v1/users/"+string(dan.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	path := "/v1/admin/users/" + string(ann.id) + "/blockers"
	e.do(t, "GET", path, ann.token, nil).problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "GET", path, staff(t, "moderator").token, nil).problem(t, http.StatusForbidden, "not_admin")
	chief, next := staff(t, "admin"), ""
	var got []model.UserID
	for more := true; more; more = next != "" {
		var page server.List[api.Person]
		e.do(t, "GET", path+"?pageSize=1&pageToken="+next, chief.token, nil).want(t, http.StatusOK, &page)
		for _, p := range page.Items {
			got = append(got, p.User.ID)
		}
		next = page.NextPageToken
	}
	if want := []model.UserID{dan.id, cat.id, bob.id}; !slices.Equal(got, want) {
		t.Errorf("ann is blocked by %v, want %v", got, want)
	}
}

// With view=full the relationships say what the caller keeps of users, and who asks to follow, also without the
// caller's graph. A subscription ends with the follow.
func TestRelationshipsInFull(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	at := func(method, what string, body any) {
		t.Helper()
		if r := e.do(t, method, "/v1/users/"+string(bob.id)+what, ann.token, body); r.status >= http.StatusBadRequest {
			t.Errorf("%s %s answered %d: %s", method, what, r.status, r.body)
		}
	}
	want := func(bobs api.Ties) {
		t.Helper()
		var got struct{ Body api.AllTies }
		e.do(t, "GET", "/v1/relationships?view=full&ids=me,nobody,"+string(cat.id)+","+string(bob.id)+","+string(bob.id),
			ann.token,
			nil).want(t, http.StatusOK, &got.Body)
		bobs.ID = bob.id
		if all := []api.Ties{{ID: ann.id}, {ID: "nobody"}, {ID: cat.id, RequestedBy: true}, bobs, bobs}; !slices.Equal(
			got.Body.Items, all) {
			t.Errorf("relationships of ann = %+v, want %+v", got.Body.Items, all)
		}
	}
	e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", cat.token, nil).want(t, http.StatusOK, nil)
	var own api.User
	e.do(t, "GET", "/v1/users/me", ann.token, nil).want(t, http.StatusOK, &own)
	if own.FollowRequests == nil || *own.FollowRequests != 1 {
		t.Errorf("ann has %v requests, want 1", own.FollowRequests)
	}
	at("PUT", "/follow", nil)
	at("PUT", "/notify", nil)
	at("PUT", "/hideShares", nil)
	at("PUT", "/note", map[string]any{"text": "We met"})
	full := api.Ties{Following: true, HidesShares: true, Notify: true, Note: "We met"}
	want(full)
	_, err := e.admin.Doc("viewers/" + string(ann.id)).Delete(t.Context())
	testenv.Must(t, err)
	want(full)
	at("DELETE", "/follow", nil)
	testenv.NextMillisecond()
	at("PUT", "/follow", nil)
	full.Notify = false
	want(full)
	at("DELETE", "/hideShares", nil)
	at("DELETE", "/note", nil)
	want(api.Ties{Following: true})

	var basic struct{ Body api.AllTies }
	e.do(t, "GET", "/v1/relationships?ids="+string(cat.id), ann.token, nil).want(t, http.StatusOK, &basic.Body)
	if basic.Body.Items[0] != (api.Ties{ID: cat.id}) {
		t.Errorf("without view=full %+v", basic.Body.Items[0])
	}
}

// A profile and a list of relationships report the relationship of the caller and a user, and not that the user blocks
// the caller.
func TestViewerRelationships(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat"), e.join(t, "dan")
	for _, act := range []struct {
		by     person
		path   string
		status int
	}{{ann, string(bob.id) + "/follow", http.StatusOK}, {bob, string(ann.id) + "/follow", http.StatusOK},
		{ann, string(cat.id) + "/block", http.StatusNoContent}, {dan, string(ann.id) + "/block", http.StatusNoContent}} {
		e.do(t, "PUT", "/v1/users/"+act.path, act.by.token, nil).want(t, act.status, nil)
	}
	var got struct{ Body api.AllTies }
	e.do(t, "GET", "/v1/relationships?ids="+string(bob.id)+","+string(cat.id)+"&ids="+string(dan.id)+",me,nobody",
		ann.token, nil).want(t, http.StatusOK, &got.Body)
	want := []api.Ties{{ID: bob.id, Following: true, FollowedBy: true}, {ID: cat.id, Blocking: true}, {ID: dan.id},
		{ID: ann.id}, {ID: "nobody"}}
	if !slices.Equal(got.Body.Items, want) {
		t.Errorf("relationships of ann = %+v, want %+v", got.Body.Items, want)
	}
	// Of many who follow each other the first are answered, and the others come back; of many strangers all are.
	var names, friends []string
	for i := range 100 {
		friend := model.UserID(fmt.Sprintf("friend%03d", i))
		names, friends = append(names, fmt.Sprintf("nobody%03d", i)), append(friends, string(friend))
		for _, key := range []string{model.RelationshipKey(ann.id, friend), model.RelationshipKey(friend, ann.id)} {
			_, err := e.admin.Doc("relationships/"+key).Set(t.Context(), model.Relationship{})
			testenv.Must(t, err)
		}
		_, err := e.admin.Doc("viewers/"+string(ann.id)).Set(t.Context(), map[string]any{
			"follows": map[string]any{string(friend): time.Now()}}, firestore.MergeAll)
		testenv.Must(t, err)
	}
	for _, test := range []struct {
		ids   []string
		items int
	}{{names, 100}, {friends[:50], 50}, {friends, 50}, {append(friends[:25:25], names[:75]...), 100},
		{append(names[:50:50], friends[50:]...), 100}, {slices.Concat(friends[:25], names[:25], friends[25:75]), 75}} {
		for rest, items := test.ids, []api.Ties(nil); len(rest) > 0; {
			var answer struct {
				Items []api.Ties
				Rest  []string
			}
			e.do(t, "GET", "/v1/relationships?ids="+strings.Join(rest, ","), ann.token, nil).want(t, http.StatusOK, &answer)
			if items == nil && len(answer.Items) != test.items {
				t.Errorf("of %d from %s %d are answered, want %d", len(rest), rest[0], len(answer.Items), test.items)
			}
			if items = append(items, answer.Items...); len(answer.Items) == 0 {
				t.Fatalf("of %q nobody is answered", rest)
			}
			if rest = answer.Rest; len(rest) > 0 {
				continue
			}
			for i, id := range test.ids {
				friend := strings.HasPrefix(id, "friend")
				if want := (api.Ties{ID: model.UserID(id), Following: friend, FollowedBy: friend}); len(items) != len(test.ids) ||
					items[i] != want {
					t.Fatalf("item %d of %d = %+v, want %+v", i, len(items), items[i], want)
				}
			}
		}
	}
	for i, p := range []person{bob, cat, dan} {
		for _, path := range []string{"/v1/users/" + string(p.id), "/v1/users/" + string(p.id) + "?view=full",
			"/v1/usernames/" + p.name} {
			var u api.User
			e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &u)
			if u.Following == nil || *u.Following != want[i].Following || *u.FollowedBy != want[i].FollowedBy ||
				*u.Blocking != want[i].Blocking {
				t.Errorf("%s of %s: %+v, want %+v", path, p.name, u, want[i])
			}
		}
	}
	var own, public api.User
	e.do(t, "GET", "/v1/users/me", ann.token, nil).want(t, http.StatusOK, &own)
	e.do(t, "GET", "/v1/users/"+string(bob.id), "", nil).want(t, http.StatusOK, &public)
	if own.Following != nil || public.Following != nil || public.FollowedBy != nil || public.Blocking != nil {
		t.Errorf("one's own profile has %v, and one that is read signed out %v", own.Following, public.Following)
	}
	// A page size above the maximum is the maximum.
	var list server.List[api.Person]
	e.do(t, "GET", "/v1/users/me/followers?pageSize=1000000000", ann.token, nil).want(t, http.StatusOK, &list)
	if len(list.Items) != 1 {
		t.Errorf("followers of ann: %+v", list.Items)
	}
	var tags server.List[api.Tag]
	for i := range model.MaxPageSize + 1 {
		_, err := e.admin.Doc(fmt.Sprintf("tags/tag%03d", i)).Set(t.Context(), model.Tag{TweetCount: 1})
		testenv.Must(t, err)
	}
	e.do(t, "GET", "/v1/tags?pageSize=101", "", nil).want(t, http.StatusOK, &tags)
	if len(tags.Items) != model.MaxPageSize || tags.NextPageToken == "" {
		t.Errorf("a page of 101 tags has %d, want %d", len(tags.Items), model.MaxPageSize)
	}
}

// A block, by either of two, refuses the request of one to the other for a conversation.
func TestBlockRefuses(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.do(t, "POST", "/v1/conversations", ann.token, map[string]any{"memberIds": []any{bob.id}, "text": "x"}).
		want(t, http.StatusCreated, nil)
	requests := func(what string, n int) {
		t.Helper()
		var list server.List[api.Conversation]
		e.do(t, "GET", "/v1/conversations?requests=true", bob.token, nil).want(t, http.StatusOK, &list)
		if len(list.Items) != n {
			t.Errorf("%s there are %d requests, want %d", what, len(list.Items), n)
		}
	}
	requests("before", 1)
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", "/v1/users/"+string(bob.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	requests("after a block", 0)
}
