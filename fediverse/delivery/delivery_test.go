package delivery_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/inboxes"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const own = "http://hibana.test"

var site = fediverse.Site{URL: own}

type env struct {
	*storetest.Env
	*delivery.Out
	t *testing.T
}

func open(t *testing.T) *env {
	t.Helper()
	e := storetest.Open(t, store.Options{Federation: far.Options(t, own)})
	return &env{e, out(e.Store), t}
}

func out(s *store.Store) *delivery.Out {
	return delivery.New(delivery.Options{Store: s, Site: site, Web: outbound.Options{AllowLoopback: true}})
}

// inbox starts another server.
func (e *env) inbox() *inboxes.Server {
	return inboxes.New(e.t, func(ctx context.Context, id string) (string, error) {
		actor, _, _ := strings.Cut(id, "#")
		uid, err := url.PathUnescape(strings.TrimPrefix(actor, own+"/users/"))
		if actor == own+"/actor" {
			uid = ""
		}
		if err != nil {
			return "", err
		}
		k, err := e.Federation.Key(ctx, model.UserID(uid))
		if want := fediverse.Key(actor, k.ID); err == nil && id != want {
			err = fmt.Errorf("the key is %s, want %s", id, want)
		}
		return k.PEM, err
	})
}

// person makes a user of another server.
func (e *env) person(name, inbox, shared string) *model.User {
	e.t.Helper()
	iri := inbox + "/of/" + name
	u, err := e.Users.PutRemote(e.t.Context(), model.RemotePerson{User: model.User{ID: model.RemoteUserID(iri),
		Username: name + "@far.example", Nickname: name, Remote: &model.RemoteUser{IRI: iri, Realm: model.RealmOf(iri),
			URL: iri, Inbox: inbox,
			SharedInbox: shared, FetchedAt: e.Clock.Now(), StaleAt: e.Clock.Now().Add(time.Hour)}}})
	testenv.Must(e.t, err)
	return u
}

// follows sets whether a user follows another, as a document alone.
func (e *env) follows(follower, followed model.UserID, on bool) {
	e.t.Helper()
	ref := e.Raw.Collection(model.Relationships).Doc(model.RelationshipKey(follower, followed))
	var err error
	if on {
		_, err = ref.Set(e.t.Context(), model.Relationship{FollowerID: follower, FollowedID: followed,
			CreatedAt: e.Clock.Now()})
	} else {
		_, err = ref.Delete(e.t.Context())
	}
	testenv.Must(e.t, err)
}

// audience are the inboxes that the database has for a user.
func (e *env) audience(uid model.UserID) []string {
	e.t.Helper()
	all, err := e.Federation.Audience(e.t.Context(), uid)
	testenv.Must(e.t, err)
	slices.Sort(all)
	return all
}

// step does the steps of all activities that wait, and returns how many there were.
func (e *env) step() (n int) {
	e.t.Helper()
	for {
		snaps, err := e.Raw.Collection(model.Outgoings).Documents(e.t.Context()).GetAll()
		testenv.Must(e.t, err)
		some := false
		for _, snap := range snaps {
			o := &model.Outgoing{ID: snap.Ref.ID}
			testenv.Must(e.t, snap.DataTo(o))
			if o.Done {
				continue
			}
			o.WrittenAt = snap.UpdateTime
			some, n = true, n+1
			testenv.Must(e.t, e.SendNext(e.t.Context(), o))
		}
		if !some {
			return n
		}
	}
}

func (e *env) tick() int {
	e.t.Helper()
	n, err := e.SendDue(e.t.Context(), func() bool { return false })
	testenv.Must(e.t, err)
	return n
}

func (e *env) deliveries() []model.RemoteDelivery {
	e.t.Helper()
	all, err := e.Federation.Deliveries(e.t.Context(), "", 100)
	testenv.Must(e.t, err)
	return all
}

func act(by model.UserID, id string) activitypub.Activity {
	return activitypub.Activity{ID: own + "/" + id, Type: "Like", Actor: site.User(by), To: []string{activitypub.Public},
		Object: "https://far.example/1"}
}

// An inbox that is gone for good leaves the audience, at the first attempt and at a later one; one that is not found
// stays.
func TestGoneInbox(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	good, gone, later, missing := e.inbox(), e.inbox(), e.inbox(), e.inbox()
	gone.Answer(http.StatusGone)
	later.Answer(http.StatusServiceUnavailable)
	missing.Answer(http.StatusNotFound)
	for i, in := range []*inboxes.Server{good, gone, later, missing} {
		u := e.person(fmt.Sprintf("u%d", i), in.URL+"/i", "")
		e.follows(u.ID, "ann", true)
		testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), "ann", u.ID))
	}
	testenv.Must(t, e.Posted(t.Context(), e.Tweet(t, "ann", "hello")))
	e.step()
	want := []string{good.URL + "/i", later.URL + "/i", missing.URL + "/i"}
	if slices.Sort(want); !slices.Equal(e.audience("ann"), want) {
		t.Errorf("the audience is %v, want %v", e.audience("ann"), want)
	}
	later.Answer(http.StatusGone)
	e.Clock.Add(2 * time.Minute)
	e.tick()
	if want = []string{good.URL + "/i", missing.URL + "/i"}; !slices.Equal(slices.Sorted(slices.Values(want)),
		e.audience("ann")) {
		t.Errorf("later the audience is %v, want %v", e.audience("ann"), want)
	}
	testenv.Must(t, e.Posted(t.Context(), e.Tweet(t, "ann", "hello again")))
	e.step()
	if gone.Asked() != 1 || later.Asked() != 2 || len(good.Take()) != 2 || missing.Asked() != 2 {
		t.Errorf("the inboxes were asked %d, %d, %d times", gone.Asked(), later.Asked(), missing.Asked())
	}
}

// An activity arrives once at each inbox with a signature that holds, and costs little. A server that reads the newer
// signatures alone gets one.
func TestSend(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	a, b := e.inbox(), e.inbox()
	b.Newer()
	_, err := e.Federation.Key(t.Context(), "ann")
	testenv.Must(t, err)
	to := []string{a.URL + "/1", a.URL + "/2", b.URL + "/3"}
	testenv.Must(t, storetest.Costs(t, "an activity", 0, 1, 0, func(ctx context.Context) error {
		return e.Send(ctx, "ann", act("ann", "x"), to)
	}))
	testenv.Must(t, e.Send(t.Context(), "ann", act("ann", "x"), to)) // an event that comes twice
	if n := e.step(); n != 1 {
		t.Errorf("there were %d steps, want 1", n)
	}
	got := append(a.Take(), b.Take()...)
	paths := []string{}
	for _, is := range got {
		paths = append(paths, is.Path)
		if is.ID != own+"/x" || is.Type != "Like" || is.Object == nil || is.Object.Object[0].ID != "https://far.example/1" {
			t.Errorf("what came is %+v", is.Object)
		}
	}
	if slices.Sort(paths); !slices.Equal(paths, []string{"/1", "/2", "/3"}) || b.Asked() != 2 {
		t.Errorf("it came to %v, and the newer server was asked %d times", paths, b.Asked())
	}
	if n := len(e.IDs(t, model.Outgoings)); n != 0 {
		t.Errorf("%d activities are left", n)
	}
	testenv.Must(t, e.Send(t.Context(), "", activitypub.Activity{ID: own + "/flag", Type: "Flag", Actor: site.Own(),
		Object: "https://far.example/1"}, []string{b.URL + "/3"}))
	e.step()
	if is := b.Has(t, "Flag"); b.Asked() != 3 || is.Actor != site.Own() {
		t.Errorf("the second time the newer server was asked %d times", b.Asked())
	}
}

// What an inbox does not take is tried again, later each time. A success ends that, and so does an inbox that is gone.
func TestFailures(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	good, broken, gone, moved := e.inbox(), e.inbox(), e.inbox(), e.inbox()
	broken.Answer(http.StatusInternalServerError)
	gone.Answer(http.StatusGone)
	moved.Answer(http.StatusMovedPermanently)
	closed := e.inbox()
	closed.Close()
	to := []string{good.URL + "/i", broken.URL + "/i", gone.URL + "/i", moved.URL + "/i", closed.URL + "/i",
		"ftp://far.example/inbox", own + "/inbox"}
	testenv.Must(t, e.Send(t.Context(), "ann", act("ann", "x"), to))
	e.step()
	if got := good.Take(); len(got) != 1 {
		t.Errorf("the good server has %v", got)
	}
	left := e.deliveries()
	if len(left) != 3 {
		t.Errorf("deliveries are left: %+v", left)
	}
	if docs := e.IDs(t, model.Outgoings); len(docs) != 1 || e.Doc(t, "outgoing/"+docs[0])["done"] != true {
		t.Errorf("the body is not kept: %v", docs)
	}
	for _, d := range left {
		if d.Attempts != 1 || d.DueAt.Sub(e.Clock.Now()) != 2*time.Minute || d.Failure == "" {
			t.Errorf("a delivery is %+v", d)
		}
	}
	if n := e.tick(); n != 0 || broken.Asked() != 1 {
		t.Errorf("%d arrived at once, after %d attempts", n, broken.Asked())
	}
	e.Clock.Add(2 * time.Minute)
	if n := e.tick(); n != 0 || broken.Asked() != 2 || moved.Asked() != 2 || gone.Asked() != 1 {
		t.Errorf("%d arrived; attempts: %d, %d, %d", n, broken.Asked(), moved.Asked(), gone.Asked())
	}
	broken.Answer(0)
	moved.Answer(http.StatusNotFound)
	e.Clock.Add(10 * time.Minute)
	if n := e.tick(); n != 1 || len(broken.Take()) != 1 {
		t.Errorf("%d arrived, want 1", n)
	}
	if left := e.deliveries(); len(left) != 1 || model.HostOf(left[0].Inbox) != model.HostOf(closed.URL) {
		t.Errorf("deliveries are left: %+v", left)
	}
	// Given up after 3 days.
	for range 20 {
		e.Clock.Add(12 * time.Hour)
		e.tick()
	}
	if left := e.deliveries(); len(left) != 1 || !left[0].DueAt.IsZero() {
		t.Errorf("deliveries are left: %+v", left)
	}
}

// A host that fails again and again is left alone, and takes what waits when it is back. Others have their own.
func TestCircuit(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	broken, good := e.inbox(), e.inbox()
	broken.Answer(http.StatusBadGateway)
	send := func(i int) {
		testenv.Must(t, e.Send(t.Context(), "ann", act("ann", fmt.Sprint(i)), []string{broken.URL + "/i", good.URL + "/i"}))
		e.step()
	}
	for i := range 8 {
		send(i)
	}
	if n := broken.Asked(); n != model.CircuitFailures || len(good.Take()) != 8 {
		t.Errorf("the host was asked %d times, want %d", n, model.CircuitFailures)
	}
	server := e.Doc(t, "apCircuits/"+model.HostOf(broken.URL))
	if server["failures"] != int64(model.CircuitFailures) {
		t.Errorf("the server is %v", server)
	}
	// Another process learns it of the database.
	again := out(e.Again(t, store.Options{Federation: far.Options(t, own), Now: e.Clock.Now}))
	testenv.Must(t, again.Send(t.Context(), "ann", act("ann", "again"), []string{broken.URL + "/i"}))
	snap, err := e.Raw.Collection(model.Outgoings).Doc(model.OutgoingID(own + "/again")).Get(t.Context())
	testenv.Must(t, err)
	o := &model.Outgoing{ID: snap.Ref.ID, WrittenAt: snap.UpdateTime}
	testenv.Must(t, snap.DataTo(o))
	testenv.Must(t, again.SendNext(t.Context(), o))
	if n := broken.Asked(); n != model.CircuitFailures {
		t.Errorf("another process asked: %d", n)
	}
	broken.Answer(0)
	arrived := 0
	for range 30 {
		e.Clock.Add(time.Minute)
		arrived += e.tick()
	}
	if n := len(broken.Take()); n != 9 || arrived != 9 {
		t.Errorf("%d came back of 9, %d arrived", n, arrived)
	}
	if s := e.Doc(t, "apCircuits/"+model.HostOf(broken.URL)); s["failures"] != nil || s["retryAt"] != nil {
		t.Errorf("the server that is back is %v", s)
	}
}

// A server that hangs holds up no other, and a step ends in time.
func TestSlow(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	slow, good := e.inbox(), e.inbox()
	slow.Hang(true)
	var to []string
	for i := range 40 {
		to = append(to, fmt.Sprintf("%s/%d", slow.URL, i), fmt.Sprintf("%s/%d", good.URL, i))
	}
	testenv.Must(t, e.Send(t.Context(), "ann", act("ann", "x"), to))
	snap, err := e.Raw.Collection(model.Outgoings).Doc(model.OutgoingID(own + "/x")).Get(t.Context())
	testenv.Must(t, err)
	o := &model.Outgoing{ID: snap.Ref.ID, WrittenAt: snap.UpdateTime}
	testenv.Must(t, snap.DataTo(o))
	begun := time.Now()
	testenv.Must(t, e.SendNext(t.Context(), o))
	if took := time.Since(begun); took > 8*time.Second {
		t.Errorf("a step took %s", took)
	}
	if len(good.Take()) < 10 {
		t.Error("the good server waited for the slow one")
	}
	slow.Answer(http.StatusServiceUnavailable)
	slow.Hang(false)
	e.step()
	paths := map[string]bool{}
	for i := range 40 {
		paths[fmt.Sprintf("/%d", i)] = true
	}
	_ = paths
	if n := len(e.deliveries()); n != 40 {
		t.Errorf("%d deliveries are left, want 40", n)
	}
}

// A step that dies is done again: its inboxes get the activity twice, and none is left out.
func TestStepAgain(t *testing.T) {
	t.Parallel()
	e := open(t)
	e.CreateUsers(t, "ann")
	in := e.inbox()
	for i := range 120 {
		u := e.person(fmt.Sprintf("u%d", i), fmt.Sprintf("%s/%d", in.URL, i), "")
		e.follows(u.ID, "ann", true)
		testenv.Must(t, e.Federation.ReconcileAudience(t.Context(), "ann", u.ID))
	}
	post := e.Tweet(t, "ann", "hello")
	testenv.Must(t, e.Posted(t.Context(), post))
	doc := e.Raw.Collection(model.Outgoings).Doc(e.IDs(t, model.Outgoings)[0])
	read := func() *model.Outgoing {
		snap, err := doc.Get(t.Context())
		testenv.Must(t, err)
		o := &model.Outgoing{ID: snap.Ref.ID}
		testenv.Must(t, snap.DataTo(o))
		o.WrittenAt = snap.UpdateTime
		return o
	}
	first := read()
	testenv.Must(t, e.SendNext(t.Context(), read()))
	if n := len(in.Take()); n != model.OutgoingStep {
		t.Errorf("a step asked %d", n)
	}
	// The event of the first step comes once more.
	testenv.Must(t, e.SendNext(t.Context(), first))
	if n := len(in.Take()); n != 0 {
		t.Errorf("the event of a former step asked %d", n)
	}
	// A process that dies has sent, and did not write.
	dying, cancel := context.WithCancel(t.Context())
	o := read()
	go func() {
		for in.Asked() < model.OutgoingStep+10 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_ = e.SendNext(dying, o)
	e.step()
	all := map[string]int{}
	for _, is := range in.Take() {
		all[is.Path]++
	}
	if len(all) != 120-model.OutgoingStep {
		t.Errorf("%d inboxes got it after the first step, want %d", len(all), 120-model.OutgoingStep)
	}
}
