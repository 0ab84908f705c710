package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// TestHeldReplies holds replies of a stranger: with a key, and as a draft. The author of the thread sees them with
// their pictures, approves one and refuses the other. A block and a mute keep a reply from the list.
func TestHeldReplies(t *testing.T) {
	t.Parallel()
	const files = "https://media.test"
	e := newEnvAt(t, files)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	me := func(a person) (u api.User) {
		t.Helper()
		e.do(t, "GET", "/v1/users/me", a.token, nil).want(t, http.StatusOK, &u)
		return u
	}
	if u := me(ann); u.HoldReplies != "off" || u.HeldReplies != nil {
		t.Errorf("the profile is %+v", u)
	}
	var u api.User
	e.do(t, "PATCH", "/v1/users/"+string(ann.id), ann.token, map[string]any{"holdReplies": "strangers"}).
		want(t, http.StatusOK, &u)
	if u.HoldReplies != "strangers" || u.HeldReplies == nil || *u.HeldReplies != 0 {
		t.Errorf("the profile is %+v", u)
	}
	root := e.post(t, ann, map[string]any{"content": "root"})
	e.do(t, "PATCH", "/v1/users/me", bob.token, map[string]any{"avatarMedia": e.uploaded(t, bob.token, "avatar")}).
		want(t, http.StatusOK, nil)
	avatar := me(bob).Avatar
	if root.HeldBy != ann.id {
		t.Errorf("the root is held by %q", root.HeldBy)
	}
	picture := e.uploaded(t, bob.token, "tweet")
	body := map[string]any{"content": "may I?", "replyTo": root.ID, "media": []model.MediaID{picture}, "summary": "s"}
	var first, again, drafted api.HeldNotice
	r := e.do(t, "POST", "/v1/tweets", bob.token, body, "Idempotency-Key", "k")
	r.want(t, http.StatusAccepted, &first)
	if r.header.Get("Location") != "" || r.header.Get("ETag") != "" || !first.Held {
		t.Errorf("the answer is %v, %+v", r.header, first)
	}
	var d api.Draft
	e.do(t, "POST", "/v1/drafts", bob.token, map[string]any{"content": "draft", "replyTo": root.ID}).
		want(t, http.StatusCreated, &d)
	e.do(t, "POST", "/v1/drafts/"+d.ID+"/publish", bob.token, nil).want(t, http.StatusAccepted, &drafted)
	list := func(path string, a person) (all []string, items []api.HeldReply) {
		t.Helper()
		var page server.List[api.HeldReply]
		e.do(t, "GET", path, a.token, nil).want(t, http.StatusOK, &page)
		for _, h := range page.Items {
			all = append(all, h.ID)
		}
		return all, page.Items
	}
	for path, of := range map[string]person{"/v1/heldReplies": ann, "/v1/users/me/heldReplies": bob} {
		ids, items := list(path, of)
		if diff := cmp.Diff([]string{drafted.ID, first.ID}, ids); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", path, diff)
		}
		h := items[1]
		if h.Content != "may I?" || h.Summary != "s" || h.AuthorID != bob.id || h.Author.Nickname != "bob" ||
			h.RootAuthorID != ann.id || h.ReplyTo != root.ID || h.RootID != root.ID || len(h.Media) != 1 {
			t.Errorf("%s has %+v", path, h)
		} else if got := get(t, e, strings.TrimPrefix(h.Media[0].URLs.Small, files)).status; got != http.StatusOK {
			t.Errorf("its picture answers %d", got)
		}
		if h.Author.Avatar != avatar || !strings.HasPrefix(avatar, files) {
			t.Errorf("%s has the avatar %q, want %q", path, h.Author.Avatar, avatar)
		}
	}
	if n := me(ann).HeldReplies; n == nil || *n != 2 {
		t.Errorf("%v replies wait", n)
	}
	for _, act := range []string{"block", "mute"} {
		e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/"+act, ann.token, map[string]any{}).want(t, http.StatusNoContent, nil)
		if ids, _ := list("/v1/heldReplies", ann); len(ids) > 0 {
			t.Errorf("after a %s the list has %v", act, ids)
		}
		e.do(t, "DELETE", "/v1/users/"+string(bob.id)+"/"+act, ann.token, nil).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "POST", "/v1/heldReplies/"+first.ID+"/approve", cat.token, nil).
		problem(t, http.StatusNotFound, "held_reply_not_found")
	var tweet api.Tweet
	r = e.do(t, "POST", "/v1/heldReplies/"+first.ID+"/approve", ann.token, nil)
	r.want(t, http.StatusCreated, &tweet)
	if tweet.AuthorID != bob.id || *tweet.ReplyTo != root.ID || len(tweet.Media) != 1 || tweet.HeldBy != ann.id ||
		r.header.Get("Location") != "/v1/tweets/"+string(tweet.ID) {
		t.Errorf("approved: %+v", tweet)
	}
	e.do(t, "POST", "/v1/heldReplies/"+first.ID+"/approve", ann.token, nil).
		problem(t, http.StatusNotFound, "held_reply_not_found")
	e.do(t, "DELETE", "/v1/heldReplies/"+drafted.ID, ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", "/v1/heldReplies/"+drafted.ID, bob.token, nil).
		problem(t, http.StatusNotFound, "held_reply_not_found")
	e.do(t, "POST", "/v1/tweets", bob.token, body, "Idempotency-Key", "k").want(t, http.StatusAccepted, &again)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the repeated request (-first +again):\n%s", diff)
	}
	if ids, _ := list("/v1/users/me/heldReplies", bob); len(ids) > 0 {
		t.Errorf("%v still wait", ids)
	}
}
