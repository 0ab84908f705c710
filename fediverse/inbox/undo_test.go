package inbox_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// An Undo may embed the activity that it undoes under another address, as Lemmy does: it undoes what the activity says,
// and all that did it before. What was done after it holds.
func TestUndoOfAnotherAddress(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	uid := model.RemoteUserID(bob)
	post := e.Tweet(t, "ann", "hello")
	for _, is := range []struct{ kind, object, doc string }{
		{"Follow", site.User("ann"), "relationships/" + model.RelationshipKey(uid, "ann")},
		{"Like", site.Post(post.ID), "likes/" + model.ReactionKey(uid, post.ID)},
		{"Announce", site.Post(post.ID), "shares/" + model.ReactionKey(uid, post.ID)},
		{"Block", site.User("ben"), "blocks/" + model.RelationshipKey(uid, "ben")},
	} {
		at := f.URL + "/" + is.kind
		undo := func(n string) []byte {
			return say("Undo", bob, at+"/undo/"+n, map[string]any{"type": is.kind, "id": at + "/other/" + n, "actor": bob,
				"object": is.object}, nil)
		}
		e.gets(t, say(is.kind, bob, at+"/1", is.object, nil))
		e.gets(t, say(is.kind, bob, at+"/2", is.object, nil))
		e.gets(t, undo("1"))
		if e.Doc(t, is.doc) != nil {
			t.Errorf("%s: it stays", is.kind)
		}
		e.gets(t, say(is.kind, bob, at+"/3", is.object, nil))
		e.arrives(t, undo("2"), e.Clock.Now().Add(-time.Second))
		e.work(t)
		if e.Doc(t, is.doc) == nil {
			t.Errorf("%s: an Undo that was late ended what was done after it", is.kind)
		}
	}
}

// A follower who was removed here follows again, and no more.
func TestRemovedFollower(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	uid := model.RemoteUserID(bob)
	e.gets(t, say("Follow", bob, f.URL+"/follow/1", site.User("ann"), nil))
	testenv.Must(t, e.Graph.RemoveFollower(t.Context(), "ann", uid))
	again := say("Follow", bob, f.URL+"/follow/2", site.User("ann"), nil)
	e.gets(t, again)
	if !e.follows(t, uid, "ann") {
		t.Error("bob cannot follow again")
	}
	e.gets(t, say("Undo", bob, f.URL+"/undo/2", object(again), nil))
	if e.follows(t, uid, "ann") {
		t.Error("bob follows still")
	}
}

// The event of an activity may come twice, also after somebody here ended its effect.
func TestCopyOfEvent(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	uid := model.RemoteUserID(bob)
	e.arrives(t, say("Follow", bob, f.URL+"/follow/1", site.User("ann"), nil), e.Clock.Now())
	in, err := e.Federation.Incoming(t.Context(), e.IDs(t, model.IncomingActivities)[0])
	testenv.Must(t, err)
	testenv.Must(t, e.in.Handle(t.Context(), in))
	testenv.Must(t, e.Graph.RemoveFollower(t.Context(), "ann", uid))
	testenv.Must(t, e.in.Handle(t.Context(), in))
	if e.follows(t, uid, "ann") {
		t.Error("a copy of the event brings back a follower whom ann removed")
	}
}
