package delivery_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// The audience of a user follows the relationships, whatever the order of the events, and however often they come.
func TestAudience(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	bob, eve := e.person("bob", "https://a.example/bob", "https://a.example/inbox"), e.person("eve",
		"https://a.example/eve", "https://a.example/inbox")
	cid := e.person("cid", "https://c.example/cid", "")
	reconcile := func(who *model.User) { testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), "ann", who.ID)) }
	for _, who := range []*model.User{bob, eve, cid} {
		e.follows(who.ID, "ann", true)
		reconcile(who)
		reconcile(who)
	}
	want := []string{"https://a.example/inbox", "https://c.example/cid"}
	if got := e.audience("ann"); !slices.Equal(got, want) {
		t.Errorf("the audience is %v, want %v", got, want)
	}
	e.follows(bob.ID, "ann", false)
	reconcile(bob)
	if got := e.audience("ann"); !slices.Equal(got, want) {
		t.Errorf("without one of two the audience is %v, want %v", got, want)
	}
	// An event that comes late changes nothing.
	reconcile(eve)
	e.follows(eve.ID, "ann", false)
	// One who is gone leaves, too.
	_, err := e.Raw.Collection(model.Users).Doc(string(eve.ID)).Delete(t.Context())
	testenv.Must(t, err)
	reconcile(eve)
	if got := e.audience("ann"); !slices.Equal(got, want[1:]) {
		t.Errorf("without the last one the audience is %v", got)
	}
	// Another inbox takes the place of the former.
	moved := *cid
	moved.Remote.Inbox = "https://d.example/cid"
	_, err = e.Users.PutRemote(t.Context(), model.RemotePerson{User: moved})
	testenv.Must(t, err)
	reconcile(cid)
	if got := e.audience("ann"); !slices.Equal(got, []string{"https://d.example/cid"}) {
		t.Errorf("with another inbox the audience is %v", got)
	}
	e.follows(cid.ID, "ann", false)
	testenv.Must(t, storetest.Costs(t, "the last leaves", 3, 0, 1, func(ctx context.Context) error {
		return e.Federation.ReconcileAudience(ctx, "ann", cid.ID)
	}))
	if n := len(e.IDs(t, model.RemoteAudiences)); n != 0 {
		t.Errorf("an empty audience has %d documents", n)
	}
}

// Deliveries go to the inbox that a refresh of a follower brought, whomever the follower follows.
func TestInboxMoves(t *testing.T) {
	t.Parallel()
	e := open(t)
	all := []model.UserID{"ann", "ben", "cat"}
	e.CreateUsers(t, all...)
	bob := e.person("bob", "https://a.example/bob", "https://a.example/inbox")
	for _, uid := range all {
		e.follows(bob.ID, uid, true)
		testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), uid, bob.ID))
	}
	put := func(inbox, shared string) {
		t.Helper()
		moved := *bob
		is := *bob.Remote
		is.Inbox, is.SharedInbox = inbox, shared
		moved.Remote = &is
		_, err := e.Users.PutRemote(t.Context(), model.RemotePerson{User: moved})
		testenv.Must(t, err)
	}
	put("https://a.example/bob2", "https://a.example/inbox")
	if ids := e.IDs(t, model.RemoteMoves); len(ids) != 0 {
		t.Errorf("the same shared inbox moves %v", ids)
	}
	put("https://a.example/bob2", "https://a.example/inbox2")
	ids := e.IDs(t, model.RemoteMoves)
	if len(ids) != 1 {
		t.Fatalf("another shared inbox leaves the work %v", ids)
	}
	snap, err := e.Raw.Collection(model.RemoteMoves).Doc(ids[0]).Get(t.Context())
	testenv.Must(t, err)
	var m model.RemoteMove
	testenv.Must(t, snap.DataTo(&m))
	testenv.Must(t, m.Complete(ids[0]))
	m.WrittenAt = snap.UpdateTime
	testenv.Must(t, storetest.Costs(t, "an inbox of 3 moves", 1+3+3*3, 3, 1, func(ctx context.Context) error {
		return e.Federation.MoveInbox(ctx, &m)
	}))
	for _, uid := range all {
		if got := e.audience(uid); !slices.Equal(got, []string{"https://a.example/inbox2"}) {
			t.Errorf("the audience of %s is %v", uid, got)
		}
	}
	if ids := e.IDs(t, model.RemoteMoves); len(ids) != 0 {
		t.Errorf("the work is not done: %v", ids)
	}
}

// Who ends a follow hears no answer to that, and whose follow ends here does.
func TestEndOfFollow(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	bob := e.person("bob", in.URL+"/bob", "")
	_, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	ended := func() []string {
		t.Helper()
		testenv.Must(t, e.Followed(t.Context(), &model.Relationship{FollowerID: bob.ID, FollowedID: "ann",
			CreatedAt: e.Clock.Now()}, true))
		e.step()
		types := []string{}
		for _, is := range in.Take() {
			types = append(types, is.Type)
		}
		return types
	}
	if got := ended(); !slices.Equal(got, []string{"Reject"}) {
		t.Errorf("of a follow that ended here its server hears %v", got)
	}
	// A follow older than the marks of activities, too.
	of := model.ActKey("Follow", bob.Remote.IRI, site.User("ann"))
	id := model.ActivityKey(bob.Remote.IRI, in.URL+"/follow/1")
	_, err = e.Federation.Undone(t.Context(), id, of, e.Clock.Now())
	testenv.Must(t, err)
	if got := ended(); len(got) != 0 {
		t.Errorf("of a follow that it ended a server hears %v", got)
	}
	// Another follow after that ended here.
	_, err = e.Raw.Collection(model.Activities).Doc("other").Set(t.Context(), model.Activity{Of: of, Live: true,
		Kind: "Follow", Object: site.User("ann"), Address: in.URL + "/follow/2", ExpireAt: e.Clock.Now().Add(time.Hour)})
	testenv.Must(t, err)
	if got := ended(); !slices.Equal(got, []string{"Reject"}) {
		t.Errorf("of a second follow that ended here its server hears %v", got)
	}
	_, err = e.Raw.Collection(model.Activities).Doc("other").Delete(t.Context())
	testenv.Must(t, err)
	e.Clock.Add(model.ActivityWindow + time.Minute)
	if got := ended(); !slices.Equal(got, []string{"Reject"}) {
		t.Errorf("long after its follow ended a server hears %v", got)
	}
}

// Who takes a follow back and follows again at once hears no rejection of the second follow, which came before it was
// handled: the end of the first waits for it.
func TestFollowsAgain(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	bob := e.person("bob", in.URL+"/bob", "")
	_, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	of := model.ActKey("Follow", bob.Remote.IRI, site.User("ann"))
	comes := func(address string) string {
		t.Helper()
		m := &model.Incoming{ID: model.ActivityKey(bob.Remote.IRI, address), Address: address, Actor: bob.Remote.IRI,
			Host: model.HostOf(bob.Remote.IRI), SignedAt: e.Clock.Now(), Body: []byte("{}")}
		_, err := e.Federation.Receive(t.Context(), m, model.Activity{Of: of, Kind: "Follow", Object: site.User("ann"),
			Address: address})
		testenv.Must(t, err)
		return m.ID
	}
	ref := e.Raw.Collection(model.FollowRequests).Doc(model.FollowRequestKey(bob.ID, "ann"))
	request := model.FollowRequest{FollowerID: bob.ID, FollowedID: "ann", CreatedAt: e.Clock.Now()}
	ended := func() error { return e.FollowRequested(t.Context(), &request, true) }
	asks := func() {
		t.Helper()
		_, err := ref.Set(t.Context(), request)
		testenv.Must(t, err)
	}
	hears := func() (kinds []string) {
		t.Helper()
		e.step()
		for _, is := range in.Take() {
			kinds = append(kinds, is.Type)
		}
		return kinds
	}

	first := comes(in.URL + "/follow/1")
	testenv.Must(t, e.Federation.Handled(t.Context(), first))
	e.Clock.Add(time.Second)
	_, err = e.Federation.Undone(t.Context(), first, of, e.Clock.Now())
	testenv.Must(t, err)
	second := comes(in.URL + "/follow/2")
	// Nor is it rejected if it came after a look for follows that hold.
	undone, err := e.Federation.FollowUndone(t.Context(), bob.Remote.IRI, site.User("ann"))
	if err != nil || !undone {
		t.Errorf("with a second follow the first was taken back: %v, %v", undone, err)
	}
	if err := ended(); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("the end of the first follow does not wait for the second one: %v", err)
	}
	if got := hears(); len(got) != 0 {
		t.Errorf("before the second follow is handled its server hears %v", got)
	}
	asks()
	testenv.Must(t, e.Federation.Handled(t.Context(), second))
	testenv.Must(t, ended())
	if got := hears(); len(got) != 0 {
		t.Errorf("while the second follow waits for ann its server hears %v", got)
	}
	// A rejection on its way when somebody asks again, as by a copy of the Follow that was signed later.
	_, err = ref.Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, ended())
	asks()
	if got := hears(); len(got) != 0 {
		t.Errorf("after another request its server hears %v", got)
	}
	_, err = ref.Delete(t.Context())
	testenv.Must(t, err)
	request.CreatedAt = e.Clock.Now()
	testenv.Must(t, ended())
	if got := hears(); !slices.Equal(got, []string{"Reject"}) {
		t.Errorf("of a second follow that ann refused its server hears %v", got)
	}
}

// An inbox with more followers than are known by name stays while one of them follows, and not longer.
func TestAudienceOfMany(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	const inbox = "https://far.example/inbox"
	var all []*model.User
	for i := range model.MaxAudienceWitnesses + 2 {
		all = append(all, e.person(fmt.Sprint("u", i), fmt.Sprint("https://far.example/", i), inbox))
	}
	set := func(u *model.User, on bool) {
		e.follows(u.ID, "ann", on)
		testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), "ann", u.ID))
	}
	for _, u := range all {
		set(u, true)
	}
	for i, u := range all {
		if got := e.audience("ann"); len(got) != 1 {
			t.Fatalf("after %d of %d left, the audience is %v", i, len(all), got)
		}
		set(u, false)
	}
	if ids := e.IDs(t, model.RemoteAudiences); len(ids) != 0 {
		t.Errorf("nobody follows, and there is %v", e.Doc(t, "apAudiences/"+ids[0]))
	}
}

// The Undo of a follow names the follow as it was sent, whenever it was accepted.
func TestUnfollow(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	bob := e.person("bob", "https://far.example/bob", "https://far.example/shared")
	sent := func() (all []map[string]any) {
		snaps, err := e.Raw.Collection(model.Outgoings).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		for _, snap := range snaps {
			var o model.Outgoing
			var is map[string]any
			testenv.Must(t, errors.Join(snap.DataTo(&o), json.Unmarshal(o.Body, &is)))
			all = append(all, is)
			_, err := snap.Ref.Delete(t.Context())
			testenv.Must(t, err)
		}
		return all
	}
	var before any
	for range 2 {
		e.Clock.Add(5 * time.Second)
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", bob.ID))
		snap, err := e.Raw.Doc("followRequests/" + model.FollowRequestKey("ann", bob.ID)).Get(t.Context())
		testenv.Must(t, err)
		var asked model.FollowRequest
		testenv.Must(t, snap.DataTo(&asked))
		testenv.Must(t, e.FollowRequested(t.Context(), &asked, false))
		follows := sent()
		e.Clock.Add(5 * time.Second)
		testenv.Must(t, e.Requests.Accept(t.Context(), bob.ID, "ann"))
		snap, err = e.Raw.Doc("relationships/" + model.RelationshipKey("ann", bob.ID)).Get(t.Context())
		testenv.Must(t, err)
		var r model.Relationship
		testenv.Must(t, snap.DataTo(&r))
		testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", bob.ID))
		testenv.Must(t, e.Followed(t.Context(), &r, true))
		undone := sent()
		if len(follows) != 1 || len(undone) != 1 {
			t.Fatalf("%d follows, and %d undone", len(follows), len(undone))
		}
		of, _ := undone[0]["object"].(map[string]any)
		if follows[0]["id"] != of["id"] || of["id"] == before {
			t.Errorf("the follow is %v, its Undo undoes %v, and the one before was %v", follows[0]["id"], of["id"], before)
		}
		before = of["id"]
	}
}
