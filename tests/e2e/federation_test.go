package e2e

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/store"
)

// pair are two installations that federate, each with a database, functions and an address of its own.
type pair struct{ a, b *env }

// newPair starts two installations. What comes to an inbox passes through spoil, if it is not nil.
func newPair(t testing.TB, spoil func(http.Handler) http.Handler) pair {
	t.Helper()
	return pair{federating(t, spoil, nil), federating(t, spoil, nil)}
}

// federating starts an installation that federates, with a clock of its own unless that is nil.
func federating(t testing.TB, spoil func(http.Handler) http.Handler, now func() time.Time) *env {
	t.Helper()
	testenv.AuthHost(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	cfg := config.Service{Federation: "on", PublicURL: "http://" + l.Addr().String(), AllowLoopbackLinks: true,
		ActorKey: "thirty-two bytes for keys of actors"}
	o := store.Options{Now: now, CacheTTL: time.Nanosecond, WriteEvery: 10 * time.Millisecond,
		FlushAfter: 10 * time.Millisecond}
	federate, err := fediverse.Store(t.Context(), cfg)
	testenv.Must(t, err)
	federate(&o)
	s := stacktest.Run(t, stack.Options{Store: o, Fediverse: cfg})
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	log := slog.New(slog.DiscardHandler)
	handler := api.New(api.Options{
		Stores: wiring.API(s.Store), Accounts: accounts.New(emulators.DefaultProject), PublicURL: cfg.PublicURL,
		Federation: wiring.Fediverse(config.API{Service: cfg}, s.Store, log),
		Options:    server.Options{Verifier: verifier, Log: log, PageTokenKey: []byte("thirty-two bytes for page tokens")},
	})
	if spoil != nil {
		handler = spoil(handler)
	}
	served := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	served.Start()
	t.Cleanup(served.Close)
	return &env{stack: s, url: served.URL}
}

// settle waits until neither installation has anything to do. What one does may be work for the other.
func (p pair) settle(t testing.TB) {
	t.Helper()
	for range 3 {
		p.a.idle(t)
		p.b.idle(t)
	}
}

// find returns the user of an installation who is somebody of the other one.
func (e *env) find(t testing.TB, who, other person, of *env) person {
	t.Helper()
	found := items[user](t, e, who, "/v1/search/users?resolve=true&q="+url.QueryEscape("@"+other.name+"@"+of.host()))
	if len(found) != 1 || found[0].Username != other.name+"@"+of.host() {
		t.Fatalf("@%s@%s is found as %+v", other.name, of.host(), found)
	}
	return person{id: found[0].ID, name: found[0].Username}
}

// host is the host of the installation.
func (e *env) host() string {
	u, err := url.Parse(e.url)
	if err != nil {
		panic(err)
	}
	return u.Host
}

// kinds returns what somebody's notifications are about, sorted.
func (e *env) kinds(t testing.TB, who person) (all []string) {
	t.Helper()
	for _, n := range items[struct{ Slot string }](t, e, who, "/v1/notifications") {
		kind, _, _ := strings.Cut(n.Slot, ":")
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}

// Two people on two installations follow, post, like, share, answer, edit, delete and block as neighbors do.
func TestPair(t *testing.T) {
	testenv.Slow(t, "two installations that federate")
	t.Parallel()
	p := newPair(t, nil)
	a, b := p.a, p.b
	ann, bob := a.join(t, "ann"), b.join(t, "bob")
	farBob := a.find(t, ann, bob, b)

	a.follow(t, ann, farBob)
	p.settle(t)
	same(t, "bob's followers", b.user(t, bob).FollowerCount, 1)
	same(t, "whom ann follows", a.user(t, ann).FollowedCount, 1)
	same(t, "bob's notifications", b.kinds(t, bob), []string{"follow"})

	a.remove(t, ann, "/v1/users/"+farBob.id+"/follow")
	p.settle(t)
	same(t, "bob's followers without ann", b.user(t, bob).FollowerCount, 0)
	a.follow(t, ann, farBob)
	p.settle(t)
	same(t, "bob's followers with ann again", b.user(t, bob).FollowerCount, 1)
	same(t, "whom ann follows again", a.user(t, ann).FollowedCount, 1)

	made := b.post(t, bob, "Sparks fly from **afar** #hibana", tweet{})
	p.settle(t)
	home := a.timeline(t, ann)
	if len(home) != 1 || home[0].AuthorID != farBob.id || home[0].Content != "Sparks fly from **afar** #hibana" {
		t.Fatalf("ann's timeline is %+v", home)
	}
	seen := home[0]

	a.like(t, ann, seen)
	a.put(t, ann, "/v1/tweets/"+seen.ID+"/share")
	answer := a.post(t, ann, "I see them", seen)
	p.settle(t)
	is := get[struct{ LikeCount, ReplyCount, ShareCount int }](t, b, bob, "/v1/tweets/"+made.ID)
	if is.LikeCount != 1 || is.ReplyCount != 1 || is.ShareCount != 1 {
		t.Errorf("bob's post has %+v", is)
	}
	replies := items[tweet](t, b, bob, "/v1/tweets/"+made.ID+"/replies")
	if len(replies) != 1 || replies[0].Author.Username != "ann@"+a.host() || replies[0].Content != "I see them" {
		t.Errorf("bob sees the replies %+v", replies)
	}
	same(t, "bob's notifications", b.kinds(t, bob), []string{"follow", "like", "reply", "share"})

	// bob likes and shares the answer back, and follows.
	farAnn := b.find(t, bob, ann, a)
	b.follow(t, bob, farAnn)
	b.like(t, bob, replies[0])
	p.settle(t)
	same(t, "likes of ann's answer", get[tweet](t, a, ann, "/v1/tweets/"+answer.ID).LikeCount, 1)
	same(t, "ann's followers", a.user(t, ann).FollowerCount, 1)

	b.do(t, bob, "PATCH /v1/tweets/"+made.ID, map[string]any{"content": "Sparks fall"}).want(t, http.StatusOK, nil)
	a.remove(t, ann, "/v1/tweets/"+seen.ID+"/like")
	a.remove(t, ann, "/v1/tweets/"+seen.ID+"/share")
	p.settle(t)
	same(t, "ann sees the edit", get[tweet](t, a, ann, "/v1/tweets/"+seen.ID).Content, "Sparks fall")
	is = get[struct{ LikeCount, ReplyCount, ShareCount int }](t, b, bob, "/v1/tweets/"+made.ID)
	if is.LikeCount != 0 || is.ShareCount != 0 {
		t.Errorf("after ann withdrew both, bob's post has %+v", is)
	}

	b.do(t, bob, "DELETE /v1/tweets/"+made.ID, nil).want(t, http.StatusNoContent, nil)
	p.settle(t)
	a.do(t, ann, "GET /v1/tweets/"+seen.ID, nil).refused(t, http.StatusGone, "tweet_deleted")

	a.do(t, ann, "PUT /v1/users/"+farBob.id+"/block", nil).want(t, http.StatusNoContent, nil)
	p.settle(t)
	same(t, "bob's followers after ann's block", b.user(t, bob).FollowerCount, 0)
	same(t, "ann's followers after her block", a.user(t, ann).FollowerCount, 0)
	b.do(t, bob, "PUT /v1/tweets/"+replies[0].ID+"/like", nil).want(t, http.StatusForbidden, nil)
}

// Somebody who is locked decides about followers of other servers.
func TestPairLocked(t *testing.T) {
	testenv.Slow(t, "two installations that federate")
	t.Parallel()
	p := newPair(t, nil)
	a, b := p.a, p.b
	ann, bob := a.join(t, "ann"), b.join(t, "bob")
	b.do(t, bob, "PATCH /v1/users/me", map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	farBob := a.find(t, ann, bob, b)
	a.follow(t, ann, farBob)
	p.settle(t)
	asks := items[relative](t, b, bob, "/v1/users/me/followRequests")
	if len(asks) != 1 || a.user(t, ann).FollowedCount != 0 {
		t.Fatalf("bob has the requests %+v, and ann follows %d", asks, a.user(t, ann).FollowedCount)
	}
	secret := b.do(t, bob, "POST /v1/tweets", map[string]any{"content": "for followers", "visibility": "followers"})
	secret.want(t, http.StatusCreated, nil)
	b.do(t, bob, "PUT /v1/users/me/followRequests/"+asks[0].User.ID, nil).want(t, http.StatusNoContent, nil)
	p.settle(t)
	same(t, "whom ann follows", a.user(t, ann).FollowedCount, 1)
	b.do(t, bob, "POST /v1/tweets", map[string]any{"content": "now you see it", "visibility": "followers"}).
		want(t, http.StatusCreated, nil)
	p.settle(t)
	home := a.timeline(t, ann)
	if len(home) != 1 || home[0].Content != "now you see it" {
		t.Errorf("ann's timeline is %+v", home)
	}
	if others := items[tweet](t, a, person{}, "/v1/tweets"); len(others) != 0 {
		t.Errorf("a visitor sees %+v", others)
	}
	b.do(t, bob, "DELETE /v1/users/me/followers/"+asks[0].User.ID, nil).want(t, http.StatusNoContent, nil)
	p.settle(t)
	same(t, "whom ann follows after bob removed her", a.user(t, ann).FollowedCount, 0)
}

// Somebody moves to the other installation, and is followed there by who followed before, on both.
func TestPairMove(t *testing.T) {
	testenv.Slow(t, "two installations that federate")
	t.Parallel()
	p := newPair(t, nil)
	a, b := p.a, p.b
	old, neighbor := a.join(t, "ann"), a.join(t, "carol")
	now, far := b.join(t, "ann_new"), b.join(t, "dave")
	farOld, farNow := b.find(t, now, old, a), a.find(t, old, now, b)
	a.follow(t, neighbor, old)
	b.follow(t, far, farOld)
	p.settle(t)

	to := map[string]any{"account": "@ann_new@" + b.host()}
	a.do(t, old, "POST /v1/move", to).refused(t, http.StatusConflict, "not_an_alias")
	var is struct{ Accounts []string }
	b.do(t, now, "PUT /v1/aliases", map[string]any{"accounts": []string{"@ann@" + a.host()}}).want(t, http.StatusOK, &is)
	same(t, "the aliases", is.Accounts, []string{a.url + "/users/" + old.id})
	b.do(t, now, "PUT /v1/aliases", map[string]any{"accounts": []string{"@nobody@" + a.host()}}).
		refused(t, http.StatusNotFound, "no_remote_actor")
	a.do(t, old, "POST /v1/move", to).want(t, http.StatusNoContent, nil)
	p.settle(t)
	same(t, "followers of the new account", b.user(t, now).FollowerCount, 2)
	same(t, "where the old account says that it moved", get[struct{ MovedTo string }](t, a, neighbor,
		"/v1/users/"+old.id).MovedTo, b.url+"/users/"+now.id)
	if whom := items[relative](t, a, neighbor, "/v1/users/"+neighbor.id+"/following"); len(whom) == 0 ||
		whom[0].User.ID != farNow.id {
		t.Errorf("carol follows %+v", whom)
	}
}

// Two people on two installations mention each other by handle, and write to each other alone.
func TestPairMentions(t *testing.T) {
	testenv.Slow(t, "two installations that federate")
	t.Parallel()
	p := newPair(t, nil)
	a, b := p.a, p.b
	ann, bob, cho := a.join(t, "ann"), b.join(t, "bob"), b.join(t, "cho")

	// Nobody at b knows ann yet: bob's post makes b ask. What nobody has, and what has no server, stays text.
	said := "@" + strings.ToUpper(ann.name) + "@" + a.host() + " and @nobody@" + a.host() + ", but not mail@ann.example"
	made := b.post(t, bob, said, tweet{})
	type mention struct{ Username, UserID string }
	type full struct {
		tweet
		HTML       string
		Visibility string
		Mentions   []mention
	}
	is := get[full](t, b, bob, "/v1/tweets/"+made.ID+"?format=html")
	if len(is.Mentions) != 1 || is.Mentions[0].Username != ann.name+"@"+a.host() ||
		!strings.Contains(is.HTML, `<a href="/users/`+is.Mentions[0].UserID+`" class="mention">@`) {
		t.Fatalf("bob's post is %+v", is)
	}
	p.settle(t)
	same(t, "ann's notifications", a.kinds(t, ann), []string{"mention"})
	heard := items[full](t, a, ann, "/v1/users/me/mentions?format=html")
	if len(heard) != 1 || !strings.HasPrefix(heard[0].Content, "@"+ann.name+" ") ||
		heard[0].Author.Username != bob.name+"@"+b.host() {
		t.Fatalf("ann hears %+v", heard)
	}

	// Her own handle is hers here, too.
	own := a.post(t, ann, "I am @"+ann.name+"@"+a.host(), tweet{})
	if is := get[full](t, a, ann, "/v1/tweets/"+own.ID); len(is.Mentions) != 1 || is.Mentions[0].UserID != ann.id {
		t.Errorf("ann's handle is %+v", is.Mentions)
	}

	// What she answers is for bob alone.
	var secret full
	a.do(t, ann, "POST /v1/tweets", map[string]any{"content": "@" + bob.name + "@" + b.host() + " hush",
		"visibility": "mentioned"}).want(t, http.StatusCreated, &secret)
	p.settle(t)
	heard = items[full](t, b, bob, "/v1/users/me/mentions")
	if len(heard) != 1 || heard[0].Content != "@"+bob.name+" hush" {
		t.Fatalf("bob hears %+v", heard)
	}
	same(t, "bob's notifications", b.kinds(t, bob), []string{"mention"})
	same(t, "bob reads it", get[full](t, b, bob, "/v1/tweets/"+heard[0].ID).Visibility, "mentioned")
	for name, who := range map[string]person{"cho": cho, "a visitor": {}} {
		b.do(t, who, "GET /v1/tweets/"+heard[0].ID, nil).refused(t, http.StatusNotFound, "tweet_not_found")
		if found := items[tweet](t, b, who, "/v1/users/"+heard[0].AuthorID+"/tweets"); len(found) != 0 {
			t.Errorf("%s sees %+v", name, found)
		}
	}
	a.do(t, person{}, "GET /v1/tweets/"+secret.ID, nil).refused(t, http.StatusNotFound, "tweet_not_found")
	res, err := http.Get(a.url + "/posts/" + secret.ID)
	testenv.Must(t, err)
	testenv.Must(t, res.Body.Close())
	same(t, "the post by its address", res.StatusCode, http.StatusNotFound)
}

// A reply of another server waits for the approval of whoever began the thread.
func TestPairHeld(t *testing.T) {
	testenv.Slow(t, "two installations that federate")
	t.Parallel()
	p := newPair(t, nil)
	a, b := p.a, p.b
	ann, bob := a.join(t, "ann"), b.join(t, "bob")
	b.follow(t, bob, b.find(t, bob, ann, a))
	p.settle(t)
	a.do(t, ann, "PATCH /v1/users/me", map[string]any{"holdReplies": "strangers"}).want(t, http.StatusOK, nil)
	root := a.post(t, ann, "who is there?", tweet{})
	p.settle(t)
	home := b.timeline(t, bob)
	if len(home) != 1 {
		t.Fatalf("bob's timeline is %+v", home)
	}
	b.post(t, bob, "me", home[0])
	p.settle(t)
	if replies := items[tweet](t, a, ann, "/v1/tweets/"+root.ID+"/replies"); len(replies) != 0 {
		t.Errorf("before the approval there are %+v", replies)
	}
	held := items[tweet](t, a, ann, "/v1/heldReplies")
	if len(held) != 1 || held[0].Content != "me" || held[0].Author.Username != bob.name+"@"+b.host() {
		t.Fatalf("there waits %+v", held)
	}
	a.do(t, ann, "POST /v1/heldReplies/"+held[0].ID+"/approve", nil).want(t, http.StatusCreated, nil)
	p.settle(t)
	replies := items[tweet](t, a, person{}, "/v1/tweets/"+root.ID+"/replies")
	if len(replies) != 1 || replies[0].Content != "me" {
		t.Errorf("after the approval there are %+v", replies)
	}
	same(t, "ann's notifications", a.kinds(t, ann), []string{"follow", "reply"})
}
