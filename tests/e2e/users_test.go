package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
)

func TestRename(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	e.do(t, ann, "PATCH /v1/users/me", map[string]any{"username": "anna", "introduction": "Hello"}).
		want(t, http.StatusOK, nil)
	same(t, "by the new name", get[user](t, e, person{}, "/v1/usernames/anna").ID, ann.id)
	e.do(t, person{}, "GET /v1/usernames/ann", nil).refused(t, http.StatusNotFound, "username_not_found")
	other := e.join(t, "ann") // is free again
	same(t, "by the old name", get[user](t, e, person{}, "/v1/usernames/ann").ID, other.id)
	e.do(t, other, "PATCH /v1/users/me", map[string]any{"username": "anna"}).
		refused(t, http.StatusConflict, "username_taken")
	me := get[user](t, e, ann, "/v1/users/me")
	if me.Username != "anna" || me.Nickname != "ANN" || me.Introduction != "Hello" || me.Email == "" {
		t.Errorf("me = %+v", me)
	}
	same(t, "what others see", get[user](t, e, other, "/v1/users/"+ann.id).Email, "")
	made := e.post(t, ann, "by anna", tweet{})
	same(t, "author", made.Author.Username, "anna")
}

// Of those who ask for one name at the same moment, one gets it, and the others
// nothing.
func TestUsernameRace(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	for round := range 5 {
		name := fmt.Sprint("wanted", round)
		racers := []person{signUp(t), signUp(t)}
		answers := make([]answer, len(racers))
		var wg sync.WaitGroup
		for i, p := range racers {
			wg.Go(func() { answers[i] = e.do(t, p, "POST /v1/users", map[string]any{"username": name}) })
		}
		wg.Wait()
		won := 0
		if answers[0].status != http.StatusCreated {
			won = 1
		}
		answers[won].want(t, http.StatusCreated, nil)
		answers[1-won].refused(t, http.StatusConflict, "username_taken")
		same(t, "who has the name", get[user](t, e, person{}, "/v1/usernames/"+name).ID, racers[won].id)
		e.do(t, racers[1-won], "GET /v1/users/me", nil).refused(t, http.StatusNotFound, "user_not_found")
		e.do(t, racers[1-won], "POST /v1/users", map[string]any{"username": name + "too"}).want(t, http.StatusCreated, nil)
		e.do(t, racers[won], "POST /v1/users", map[string]any{"username": name + "also"}).
			refused(t, http.StatusConflict, "user_exists")
	}
}

// Somebody who is signed in anonymously reads what everybody may, and writes nothing.
func TestAnonymous(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, visitor := e.join(t, "ann"), visit(t)
	made := e.post(t, ann, "for everybody #go", tweet{})
	e.idle(t)
	for _, path := range []string{
		"/v1/tweets/" + made.ID, "/v1/tweets/" + made.ID + "/likes", "/v1/tweets/" + made.ID + "/replies", "/v1/users/" +
			ann.id,
		"/v1/users/" + ann.id + "/tweets", "/v1/users/" + ann.id + "/followers", "/v1/usernames/ann", "/v1/tags",
		"/v1/tags/go/tweets",
		"/v1/tweets:batchGet?ids=" + made.ID,
	} {
		e.do(t, visitor, "GET "+path, nil).want(t, http.StatusOK, nil)
	}
	for _, request := range []string{
		"PUT /v1/users/" + ann.id + "/follow", "DELETE /v1/users/" + ann.id + "/follow", "PUT /v1/users/" + ann.id + "/block",
		"PUT /v1/tweets/" + made.ID + "/like", "DELETE /v1/tweets/" + made.ID + "/like", "DELETE /v1/tweets/" + made.ID,
	} {
		e.do(t, visitor, request, nil).refused(t, http.StatusForbidden, "anonymous")
	}
	e.do(t, visitor, "POST /v1/users", map[string]any{"username": "nobody1"}).refused(t, http.StatusForbidden, "anonymous")
	e.do(t, visitor, "POST /v1/tweets", map[string]any{"content": "hello"}).refused(t, http.StatusForbidden, "anonymous")
	e.do(t, visitor, "PATCH /v1/users/me", map[string]any{"nickname": "Nobody"}).
		refused(t, http.StatusForbidden, "anonymous")
	e.idle(t)
	got := e.tweet(t, visitor, made)
	same(t, "likes and replies", [2]int{got.LikeCount, got.ReplyCount}, [2]int{0, 0})
	same(t, "followers", e.user(t, ann).FollowerCount, 0)
}
