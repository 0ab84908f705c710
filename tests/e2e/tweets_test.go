package e2e

import (
	"net/http"
	"testing"
)

// A deleted tweet is gone everywhere, and leaves a tombstone; the replies to it stay.
func TestDelete(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	e.follow(t, bob, ann)
	e.idle(t)
	kept := e.post(t, ann, "kept #spark", tweet{})
	gone := e.post(t, ann, "gone #spark #ash", tweet{})
	reply := e.post(t, carol, "a reply", gone)
	for _, tw := range []tweet{kept, gone} {
		e.like(t, bob, tw)
		e.like(t, carol, tw)
	}
	e.idle(t)
	same(t, "timeline before", ids(e.timeline(t, bob)), newest(kept, gone))

	path := "/v1/tweets/" + gone.ID
	e.do(t, carol, "DELETE "+path, nil).refused(t, http.StatusForbidden, "not_author")
	e.remove(t, ann, path)
	e.idle(t)
	same(t, "timeline", ids(e.timeline(t, bob)), newest(kept))
	same(t, "recent tweets", ids(items[tweet](t, e, bob, "/v1/users/"+ann.id+"/tweets?pageSize=20")), newest(kept))
	same(t, "months", ids(items[tweet](t, e, bob, "/v1/users/"+ann.id+"/tweets?pageSize=100")), newest(kept))
	same(t, "tag page", ids(items[tweet](t, e, bob, "/v1/tags/spark/tweets")), newest(kept))
	same(t, "tags", items[tag](t, e, bob, "/v1/tags"), []tag{{"spark", "spark", 1}})
	e.do(t, bob, "GET /v1/tags/ash", nil).refused(t, http.StatusNotFound, "tag_not_found")
	same(t, "what bob likes", ids(items[tweet](t, e, bob, "/v1/users/me/likes")), newest(kept))
	same(t, "likes of the other", e.tweet(t, bob, kept).LikeCount, 2)
	author := e.user(t, ann)
	same(t, "ann's tweets", author.TweetCount, 1)
	same(t, "ann's tags", items[tag](t, e, bob, "/v1/users/"+ann.id+"/tags"), []tag{{"spark", "spark", 1}})

	for _, of := range []string{"", "/likes"} {
		e.do(t, bob, "GET "+path+of, nil).refused(t, http.StatusGone, "tweet_deleted")
	}
	tombstone := e.do(t, person{}, "GET "+path, nil).refused(t, http.StatusGone, "tweet_deleted")
	if tombstone.ID != gone.ID || tombstone.FormerType != "tweet" || tombstone.AuthorID != ann.id ||
		tombstone.DeletedAt.IsZero() {
		t.Errorf("tombstone = %+v", tombstone)
	}
	e.do(t, ann, "DELETE "+path, nil).refused(t, http.StatusGone, "tweet_deleted")
	e.do(t, bob, "PUT "+path+"/like", nil).refused(t, http.StatusGone, "tweet_deleted")
	e.do(t, bob, "POST /v1/tweets", map[string]any{"content": "too late", "replyTo": gone.ID}).
		refused(t, http.StatusGone, "tweet_deleted")

	left := e.tweet(t, bob, reply)
	if left.ReplyTo == nil || *left.ReplyTo != gone.ID || left.RootID != gone.ID {
		t.Errorf("reply = %+v, want it to name what it answered", left)
	}
	same(t, "replies", ids(items[tweet](t, e, bob, path+"/replies")), []string{reply.ID})
}

func TestReplies(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	root := e.post(t, ann, "root", tweet{})
	first, second := e.post(t, bob, "first", root), e.post(t, ann, "second", root)
	nested := e.post(t, bob, "nested", second)
	e.idle(t)
	count := func(tw tweet) int { return e.tweet(t, bob, tw).ReplyCount }
	same(t, "reply counts", []int{count(root), count(first), count(second)}, []int{2, 0, 1})
	same(t, "replies", ids(items[tweet](t, e, bob, "/v1/tweets/"+root.ID+"/replies")), []string{first.ID, second.ID})
	same(t, "root of a nested reply", nested.RootID, root.ID)
	same(t, "bob's tweets", e.user(t, bob).TweetCount, 2)

	e.remove(t, bob, "/v1/tweets/"+first.ID)
	e.idle(t)
	same(t, "reply count after a reply was deleted", count(root), 1)
}

func TestLikeAndUnlike(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	made := e.post(t, ann, "like me", tweet{})
	path := "/v1/tweets/" + made.ID + "/like"
	check := func(what string, likes int, bobs bool) {
		t.Helper()
		e.idle(t)
		tw := e.tweet(t, bob, made)
		if tw.LikeCount != likes || tw.Liked != bobs {
			t.Errorf("%s: likeCount = %d, liked = %v, want %d, %v", what, tw.LikeCount, tw.Liked, likes, bobs)
		}
		same(t, what+": who likes it", len(items[relative](t, e, bob, path+"s")), likes)
	}
	e.put(t, bob, path)
	check("bob likes it", 1, true)
	e.remove(t, bob, path)
	check("bob does not", 0, false)
	e.put(t, bob, path)
	e.put(t, carol, path)
	check("bob likes it again, and carol", 2, true)
	e.remove(t, bob, path)
	check("only carol", 1, false)
	same(t, "who likes it", names(items[relative](t, e, person{}, path+"s")), []string{"carol"})
}

func TestTags(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	one := e.post(t, ann, "#Go is fun", tweet{})
	e.idle(t) // so that this spelling is the first
	two := e.post(t, bob, "more #go and #Firestore", tweet{})
	three := e.post(t, ann, "#GO #火花", two)
	four := e.post(t, bob, "#firestore", tweet{})
	e.idle(t)
	same(t, "tags", items[tag](t, e, person{}, "/v1/tags?orderBy=tweetCount&pageSize=2"),
		[]tag{{"go", "Go", 3}, {"firestore", "Firestore", 2}})
	same(t, "a tag", get[tag](t, e, person{}, "/v1/tags/火花"), tag{"火花", "火花", 1})
	same(t, "tweets of go", ids(items[tweet](t, e, person{}, "/v1/tags/Go/tweets")), newest(one, two, three))
	same(t, "tweets of firestore", ids(items[tweet](t, e, person{}, "/v1/tags/firestore/tweets")), newest(two, four))
	e.do(t, person{}, "GET /v1/tags/never", nil).refused(t, http.StatusNotFound, "tag_not_found")

	e.remove(t, ann, "/v1/tweets/"+one.ID)
	e.remove(t, ann, "/v1/tweets/"+three.ID)
	e.idle(t)
	same(t, "tags", items[tag](t, e, person{}, "/v1/tags"), []tag{{"firestore", "Firestore", 2}, {"go", "Go", 1}})
}

// An author decides who may like and reply, by blocks and by shutting strangers out.
func TestRefusals(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	e.follow(t, bob, ann)
	e.idle(t)
	made := e.post(t, ann, "not for everybody", tweet{})
	e.idle(t)
	try := func(who person, code string) {
		t.Helper()
		like := e.do(t, who, "PUT /v1/tweets/"+made.ID+"/like", nil)
		reply := e.do(t, who, "POST /v1/tweets", map[string]any{"content": "hello", "replyTo": made.ID})
		if code == "" {
			like.want(t, http.StatusNoContent, nil)
			reply.want(t, http.StatusCreated, nil)
		} else {
			like.refused(t, http.StatusForbidden, code)
			reply.refused(t, http.StatusForbidden, code)
		}
	}
	e.put(t, ann, "/v1/users/"+bob.id+"/block")
	try(bob, "not_allowed")
	e.idle(t)
	if got := ids(e.timeline(t, bob)); len(got) != 0 {
		t.Errorf("the timeline of somebody blocked has %v, and a block ends the following", got)
	}
	e.do(t, ann, "PATCH /v1/users/me", map[string]any{"blockStrangers": true}).want(t, http.StatusOK, nil)
	try(carol, "not_allowed")
	e.follow(t, carol, ann) // does not help: it is ann who decides
	try(carol, "not_allowed")
	e.follow(t, ann, carol)
	try(carol, "")
	e.do(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).refused(t, http.StatusForbidden, "not_allowed")
	try(bob, "not_allowed")
	e.remove(t, ann, "/v1/users/"+bob.id+"/block")
	e.follow(t, ann, bob)
	try(bob, "")
	e.idle(t)
	got := e.tweet(t, ann, made)
	same(t, "likes and replies", [2]int{got.LikeCount, got.ReplyCount}, [2]int{2, 2})
}

func TestBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	found, gone := e.post(t, ann, "found", tweet{}), e.post(t, ann, "gone", tweet{})
	e.like(t, bob, found)
	e.remove(t, ann, "/v1/tweets/"+gone.ID)
	e.idle(t)
	const never = "ff0000000000000000"
	got := items[batchItem](t, e, bob, "/v1/tweets:batchGet?ids="+gone.ID+","+never+","+found.ID)
	if len(got) != 3 {
		t.Fatalf("batch = %+v, want three", got)
	}
	same(t, "statuses", []string{got[0].ID + got[0].Status, got[1].ID + got[1].Status, got[2].ID + got[2].Status},
		[]string{gone.ID + "gone", never + "unknown", found.ID + "found"})
	if tomb := got[0].Tombstone; tomb == nil || tomb.AuthorID != ann.id || tomb.DeletedAt.IsZero() {
		t.Errorf("tombstone = %+v", got[0].Tombstone)
	}
	if tw := got[2].Tweet; tw == nil || tw.LikeCount != 1 || !tw.Liked || tw.Content != "found" {
		t.Errorf("tweet = %+v", got[2].Tweet)
	}
}
