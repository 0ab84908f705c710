package mastodon_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// shared is a share as apps read it.
type shared struct {
	ID, Content string
	Account     struct{ Acct string }
	Reblog      *shared
	Favourited  bool
	Bookmarked  bool
	Reblogged   bool
	Pinned      *bool
}

// The id of a share is that of the share: it is read with the post in it, acts on it are acts on the post, and only the
// sharer ends it.
func TestShareID(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	post := statusID(e.post(t, ann, "shared"))
	var share, other shared
	e.ask(t, cid, "POST "+statuses+"/"+post+"/reblog", nil).want(t, http.StatusOK, &other)
	e.ask(t, bob, "POST "+statuses+"/"+post+"/reblog", nil).want(t, http.StatusOK, &share)
	for id, sharer := range map[string]string{share.ID: "bob", other.ID: "cid"} {
		for _, who := range []person{ann, bob, {}} {
			var got shared
			e.ask(t, who, "GET "+statuses+"/"+id, nil).want(t, http.StatusOK, &got)
			if got.ID != id || got.Account.Acct != sharer || got.Reblog == nil || got.Reblog.ID != post ||
				got.Reblog.Account.Acct != "ann" || got.Pinned != nil {
				t.Errorf("%s reads %s of %s as %+v", who.name, id, sharer, got)
			}
		}
	}
	var all []shared
	e.ask(t, ann, "GET "+statuses+"?id[]="+share.ID+"&id[]="+post+"&id[]="+other.ID, nil).want(t, http.StatusOK, &all)
	same(t, "several", each(all, func(s shared) string { return s.ID + " " + s.Account.Acct }),
		[]string{share.ID + " bob", post + " ann", other.ID + " cid"})

	for _, act := range []string{"favourite", "bookmark", "reblog"} {
		e.ask(t, ann, "POST "+statuses+"/"+share.ID+"/"+act, nil).want(t, http.StatusOK, nil)
	}
	var got shared
	e.ask(t, ann, "GET "+statuses+"/"+post, nil).want(t, http.StatusOK, &got)
	if !got.Favourited || !got.Bookmarked || !got.Reblogged {
		t.Errorf("after acts on the share, the post is %+v", got)
	}
	var source struct{ ID, Text string }
	e.ask(t, ann, "GET "+statuses+"/"+share.ID+"/source", nil).want(t, http.StatusOK, &source)
	same(t, "the source", source.Text, "shared")
	e.ask(t, ann, "GET "+statuses+"/"+share.ID+"/context", nil).want(t, http.StatusOK, nil)

	// ann shares the post, and ends no share of her own by the id of another's
	e.ask(t, ann, "DELETE "+statuses+"/"+share.ID, nil).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "GET "+statuses+"/"+post, nil).want(t, http.StatusOK, &got)
	if !got.Reblogged {
		t.Error("the id of another's share ended the caller's own")
	}
	e.ask(t, bob, "DELETE "+statuses+"/"+share.ID, nil).want(t, http.StatusOK, &got)
	if got.ID != share.ID || got.Reblog == nil || got.Reblog.Reblogged {
		t.Errorf("the share that ended is %+v", got)
	}
	for _, id := range []string{share.ID, other.ID[:17] + "1" + other.ID[18:], strings.Repeat("7", 16) + other.ID[16:]} {
		e.ask(t, ann, "GET "+statuses+"/"+id, nil).want(t, http.StatusNotFound, nil)
		e.ask(t, bob, "DELETE "+statuses+"/"+id, nil).want(t, http.StatusNotFound, nil)
	}
	e.ask(t, ann, "GET "+statuses+"/"+other.ID, nil).want(t, http.StatusOK, nil)
}

// Who shares a post again gets the share that is there, or an id that is known at least.
func TestShareAgain(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	reblog := func(post string) (s shared) {
		e.ask(t, bob, "POST "+statuses+"/"+post+"/reblog", nil).want(t, http.StatusOK, &s)
		return s
	}
	post := statusID(e.post(t, ann, "shared"))
	share := reblog(post)
	for n := range 6 {
		if n == 2 {
			same(t, "the share that is there", reblog(post).ID, share.ID)
		}
		reblog(statusID(e.post(t, ann, fmt.Sprint("shared later ", n))))
	}
	again := reblog(post)
	if again.Reblog == nil || again.Reblog.ID != post || again.Account.Acct != "bob" {
		t.Errorf("shared again: %+v", again)
	}
	e.ask(t, bob, "GET "+statuses+"/"+again.ID, nil).want(t, http.StatusOK, nil)
}
