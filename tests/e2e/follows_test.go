package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

// A tweet reaches a follower's home timeline, with its author, its counts, and
// whether the follower likes it.
func TestTweetReachesFollower(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	e.follow(t, bob, ann)
	e.idle(t)
	made := e.post(t, ann, "Sparks fly #Hibana", tweet{})
	e.idle(t)
	e.like(t, bob, made)
	e.like(t, carol, made)
	answer := e.post(t, carol, "They do", made)
	e.idle(t)

	home := e.timeline(t, bob)
	if len(home) != 1 {
		t.Fatalf("timeline = %+v, want one tweet", home)
	}
	want := tweet{
		ID: made.ID, AuthorID: ann.id, Content: "Sparks fly #Hibana", RootID: made.ID, Tags: []string{"hibana"},
		LikeCount: 2, ReplyCount: 1, Liked: true,
	}
	want.Author.Username, want.Author.Nickname = "ann", "ANN"
	same(t, "bob's timeline", home[0], want)
	same(t, "ann's timeline", ids(e.timeline(t, ann)), []string{made.ID})
	same(t, "carol's timeline", ids(e.timeline(t, carol)), []string{answer.ID})
	e.do(t, person{}, "GET /v1/timeline", nil).refused(t, http.StatusUnauthorized, "unauthenticated")

	author, follower := e.user(t, ann), e.user(t, bob)
	same(t, "ann", author, user{
		ID: ann.id, Username: "ann", Nickname: "ANN", FollowerCount: 1, TweetCount: 1,
	})
	same(t, "bob", follower, user{ID: bob.id, Username: "bob", Nickname: "BOB", FollowedCount: 1})
	same(t, "ann's tags", items[tag](t, e, person{}, "/v1/users/"+ann.id+"/tags"), []tag{{"hibana", "Hibana", 1}})
}

func TestFollowBringsNewestTwenty(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var made []tweet
	for i := range 25 {
		made = append(made, e.post(t, ann, fmt.Sprint("tweet ", i), tweet{}))
	}
	e.idle(t)
	e.follow(t, bob, ann)
	e.idle(t)
	same(t, "timeline", ids(e.timeline(t, bob)), newest(made[5:]...))
	later := e.post(t, ann, "later", tweet{})
	e.idle(t)
	same(t, "timeline with a later tweet", ids(e.timeline(t, bob)), newest(append(made[5:], later)...))
}

func TestUnfollowHides(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	e.follow(t, carol, ann)
	e.follow(t, carol, bob)
	e.idle(t)
	first, other := e.post(t, ann, "first", tweet{}), e.post(t, bob, "other", tweet{})
	e.idle(t)
	same(t, "following both", ids(e.timeline(t, carol)), newest(first, other))

	e.unfollow(t, carol, ann)
	e.idle(t)
	meanwhile := e.post(t, ann, "meanwhile", tweet{})
	e.idle(t)
	same(t, "without ann", ids(e.timeline(t, carol)), newest(other))
	same(t, "ann's followers", e.user(t, ann).FollowerCount, 0)

	e.follow(t, carol, ann)
	e.idle(t)
	same(t, "following both again", ids(e.timeline(t, carol)), newest(first, other, meanwhile))
	same(t, "ann's followers", e.user(t, ann).FollowerCount, 1)
}

func TestFollowersAndFollowing(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol, dora := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol"), e.join(t, "dora")
	for _, p := range []person{bob, carol, dora} {
		e.follow(t, p, ann)
	}
	e.follow(t, ann, carol)
	e.idle(t)
	var pages [][]string
	for _, page := range all[relative](t, e, person{}, "/v1/users/"+ann.id+"/followers", 2) {
		pages = append(pages, names(page))
	}
	same(t, "ann's followers", pages, [][]string{{"dora", "carol"}, {"bob"}})
	following := items[relative](t, e, ann, "/v1/users/me/following")
	same(t, "whom ann follows", names(following), []string{"carol"})
	if following[0].CreatedAt.IsZero() || following[0].User.ID != carol.id || following[0].User.FollowerCount != 1 {
		t.Errorf("whom ann follows = %+v", following[0])
	}
	e.do(t, ann, "GET /v1/relationships/"+bob.id+"/"+ann.id, nil).want(t, http.StatusOK, nil)
	e.do(t, ann, "GET /v1/relationships/me/"+bob.id, nil).refused(t, http.StatusNotFound, "not_following")
	e.do(t, ann, "PUT /v1/users/me/follow", nil).refused(t, http.StatusBadRequest, "self_follow")

	e.unfollow(t, dora, ann)
	e.idle(t)
	same(t, "ann's followers", names(items[relative](t, e, person{}, "/v1/users/"+ann.id+"/followers")),
		[]string{"carol", "bob"})
	same(t, "ann's counts", [2]int{e.user(t, ann).FollowerCount, e.user(t, ann).FollowedCount}, [2]int{2, 1})
}

// What is put or deleted twice is as if it were once.
func TestTwiceIsOnce(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	var posted [2]tweet
	for i := range posted {
		e.do(t, ann, "POST /v1/tweets", map[string]any{"content": "once"}, "Idempotency-Key", "k").
			want(t, http.StatusCreated, &posted[i])
	}
	same(t, "posted twice", posted[1].ID, posted[0].ID)
	e.do(t, ann, "POST /v1/tweets", map[string]any{"content": "else"}, "Idempotency-Key", "k").
		refused(t, http.StatusConflict, "idempotency_key_reused")

	type counts struct{ tweets, followers, likes, home int }
	check := func(what string, want counts) {
		t.Helper()
		e.idle(t)
		u := e.user(t, ann)
		got := counts{u.TweetCount, u.FollowerCount, e.tweet(t, bob, posted[0]).LikeCount, len(e.timeline(t, bob))}
		if got != want {
			t.Errorf("%s: counts = %+v, want %+v", what, got, want)
		}
	}
	paths := []string{"/v1/users/" + ann.id + "/follow", "/v1/users/" + carol.id + "/block", "/v1/tweets/" + posted[0].ID +
		"/like"}
	for range 2 {
		for _, path := range paths {
			e.put(t, bob, path)
		}
	}
	check("put twice", counts{tweets: 1, followers: 1, likes: 1, home: 1})
	for range 2 {
		for _, path := range paths {
			e.remove(t, bob, path)
		}
	}
	check("deleted twice", counts{tweets: 1})
}

// 45 tweets come in pages of 20, 20 and 5, none twice and none left out, though new
// ones are posted while somebody reads.
func TestPagesOfTimeline(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	e.follow(t, carol, ann)
	e.follow(t, carol, bob)
	e.idle(t)
	var made []tweet
	for i := range 45 {
		made = append(made, e.post(t, []person{ann, bob}[i%2], fmt.Sprint("tweet ", i), tweet{}))
	}
	e.idle(t)
	want := newest(made...)
	first := get[list[tweet]](t, e, carol, "/v1/timeline")
	same(t, "first page", ids(first.Items), want[:20])
	e.post(t, ann, "while carol reads", tweet{})
	e.idle(t)
	second := get[list[tweet]](t, e, carol, "/v1/timeline?pageToken="+first.NextPageToken)
	same(t, "second page", ids(second.Items), want[20:40])
	third := get[list[tweet]](t, e, carol, "/v1/timeline?pageToken="+second.NextPageToken)
	same(t, "third page", ids(third.Items), want[40:])
	same(t, "token of the third page", third.NextPageToken, "")
	e.do(t, bob, "GET /v1/timeline?pageToken="+first.NextPageToken, nil).
		refused(t, http.StatusBadRequest, "invalid_page_token")
}
