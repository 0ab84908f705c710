package delivery_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// queued returns the activities that wait, by type, and forgets them.
func (e *env) queued() map[string]map[string]any {
	e.t.Helper()
	snaps, err := e.Raw.Collection(model.Outgoings).Documents(e.t.Context()).GetAll()
	testenv.Must(e.t, err)
	all := map[string]map[string]any{}
	for _, snap := range snaps {
		var o model.Outgoing
		testenv.Must(e.t, snap.DataTo(&o))
		var body map[string]any
		testenv.Must(e.t, json.Unmarshal(o.Body, &body))
		all[o.What] = body
		_, err := snap.Ref.Delete(e.t.Context())
		testenv.Must(e.t, err)
	}
	return all
}

// followed makes a remote user follow one here.
func (e *env) followed(follower *model.User, by model.UserID) {
	e.t.Helper()
	e.follows(follower.ID, by, true)
	testenv.Must(e.t, e.Federation.ReconcileAudience(e.t.Context(), by, follower.ID))
}

// edit edits a post of ann, and returns the version before, and the one after.
func (e *env) edit(id model.TweetID, p model.TweetPatch) (before, after *model.Tweet) {
	e.t.Helper()
	found, err := e.Tweets.TweetsNow(e.t.Context(), []model.TweetID{id})
	testenv.Must(e.t, err)
	full, err := e.Edits.Edit(e.t.Context(), "ann", id, p, nil)
	testenv.Must(e.t, err)
	return found[id], full.Tweet
}

// Followers elsewhere hear that a post is gone which an edit took from them, and of its deletion.
func TestNarrowed(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	eve := e.person("eve", in.URL+"/eve", "")
	bob := e.person("bob", in.URL+"/bob", "")
	for _, u := range []*model.User{eve, bob} {
		e.followed(u, "ann")
	}
	answered := e.Tweet(t, eve.ID, "hello")
	post := e.Draft(t, "ann", model.Draft{Content: "hello", AllowReplies: true, ReplyTo: &answered.ID})
	testenv.Must(t, e.Posted(t.Context(), post))
	e.step()
	in.Take()
	narrow := model.Mentioned
	before, after := e.edit(post.ID, model.TweetPatch{Visibility: &narrow})
	testenv.Must(t, e.Edited(t.Context(), before, 1))
	e.step()
	heard := map[string]string{}
	for _, is := range in.Take() {
		heard[is.Path] += is.Object.Type
	}
	if heard["/bob"] != "Delete" || heard["/eve"] != "Update" {
		t.Errorf("the servers hear %v", heard)
	}
	testenv.Must(t, e.Deleted(t.Context(), after, e.Clock.Now()))
	e.step()
	got := in.Take()
	if len(got) != 2 {
		t.Errorf("%d servers hear of the deletion, want 2", len(got))
	}
	for _, is := range got {
		o := is.Object
		if slices.Contains(o.CC, eve.Remote.IRI) || slices.Contains(o.To, eve.Remote.IRI) {
			t.Errorf("followers learn whom the post named: %s", is.Body)
		}
	}
}

// What waits of a post that has fewer readers now, or that moderators hid, does not go out.
func TestNarrowedBeforeSending(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	e.followed(e.person("bob", in.URL+"/bob", ""), "ann")
	narrow := model.Followers
	for name, change := range map[string]func(model.TweetID){
		"narrower": func(id model.TweetID) { e.edit(id, model.TweetPatch{Visibility: &narrow}) },
		"hidden": func(id model.TweetID) {
			_, err := e.Raw.Collection(model.Tweets).Doc(string(id)).Update(t.Context(), []firestore.Update{{Path: "isViolative",
				Value: true}})
			testenv.Must(t, err)
		},
	} {
		post := e.Tweet(t, "ann", "hello")
		testenv.Must(t, e.Posted(t.Context(), post))
		in.Answer(http.StatusServiceUnavailable)
		late := e.Tweet(t, "ann", "hello again")
		change(post.ID)
		e.step()
		if got := in.Take(); len(got) != 0 {
			t.Errorf("%s: it went out: %v", name, got)
		}
		testenv.Must(t, e.Posted(t.Context(), late))
		e.step()
		change(late.ID)
		in.Answer(0)
		in.Take()
		e.Clock.Add(time.Hour)
		if n := e.tick(); n != 0 || len(e.deliveries()) != 0 {
			t.Errorf("%s: %d arrived later, %v are left", name, n, e.deliveries())
		}
	}
}

// The end of an account reaches followers, and those whom the user followed.
func TestLeft(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	e.followed(e.person("bob", in.URL+"/bob", ""), "ann")
	eve := e.person("eve", in.URL+"/eve", "")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", eve.ID))
	testenv.Must(t, e.Requests.Accept(t.Context(), eve.ID, "ann"))
	_, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	testenv.Must(t, e.Left(t.Context(), "ann", e.Clock.Now()))
	e.step()
	var paths []string
	for _, is := range in.Take() {
		paths = append(paths, is.Path+" "+is.Object.Type)
	}
	if slices.Sort(paths); !slices.Equal(paths, []string{"/bob Delete", "/eve Delete"}) {
		t.Errorf("what arrives is %v", paths)
	}
}

// An import tells nobody; its edits and its deletion reach the servers that may have fetched it.
func TestImported(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	e.followed(e.person("bob", "https://far.example/bob", ""), "ann")
	post := e.Tweet(t, "ann", "hello")
	post.Imported = "digest"
	_, err := e.Raw.Collection(model.Tweets).Doc(string(post.ID)).Set(t.Context(), post)
	testenv.Must(t, err)
	testenv.Must(t, e.Posted(t.Context(), post))
	if got := e.queued(); len(got) != 0 {
		t.Errorf("the import goes out: %v", got)
	}
	testenv.Must(t, e.Edited(t.Context(), post, 1))
	testenv.Must(t, e.Deleted(t.Context(), post, e.Clock.Now()))
	if got := e.queued(); got["Update"] == nil || got["Delete"] == nil {
		t.Errorf("what goes out is %v", got)
	}
}

// An account that is made and deleted again says so again, also while the first end waits.
func TestLeftAgain(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	e.followed(e.person("bob", in.URL+"/bob", ""), "ann")
	_, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	first := e.Clock.Now()
	in.Answer(503)
	for range 2 { // the event came twice
		testenv.Must(t, e.Left(t.Context(), "ann", first))
	}
	e.step()
	in.Take()
	in.Answer(0)
	testenv.Must(t, e.Left(t.Context(), "ann", first.Add(24*time.Hour)))
	e.step()
	if got := in.Take(); len(got) != 1 || got[0].Object.Type != "Delete" {
		t.Errorf("of the second end arrives %v", got)
	}
	if n := len(e.IDs(t, model.Outgoings)); n != 1 {
		t.Errorf("%d activities are left, want the first", n)
	}
}
