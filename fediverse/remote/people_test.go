package remote_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const own = "http://hibana.test"

type env struct {
	*storetest.Env
	*remote.Remote
}

func open(t *testing.T) *env {
	t.Helper()
	e := storetest.Open(t, store.Options{Federation: far.Options(t, own)})
	return &env{e, of(e.Store, e)}
}

func of(s *store.Store, e *storetest.Env) *remote.Remote {
	return remote.New(remote.Options{Store: s, Site: fediverse.Site{URL: own}, Now: e.Clock.Now})
}

// A person of another server is a user, as its actor says and its host may say.
func TestPerson(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	iri := f.Actor("Bob", map[string]any{"preferredUsername": "Bob", "name": "Bob  <b>B</b>\n",
		"summary": `<p>Hello <a href="https://a.example/">a.example</a></p>`, "manuallyApprovesFollowers": true,
		"type": "Service", "discoverable": true, "published": "2020-01-02T03:04:05Z",
		"icon":  map[string]any{"type": "Image", "mediaType": "image/png", "url": "https://cdn.example/a.png"},
		"image": map[string]any{"type": "Image", "url": "javascript:alert(1)"},
		"attachment": []any{map[string]any{"type": "PropertyValue", "name": "Site",
			"value": `<a href="https://b.example/x" rel="me"><span class="invisible">https://</span>b.example/x</a>`}},
		"movedTo": "https://c.example/users/bob"})
	f.Finger("bob@"+f.Host, "bob@"+f.Host, iri)
	u, err := e.Person(t.Context(), iri)
	testenv.Must(t, err)
	if u.ID != model.RemoteUserID(iri) || u.Username != "bob@"+f.Host || u.Nickname != "Bob B" || !u.Locked || !u.Bot ||
		u.Avatar != "https://cdn.example/a.png" || u.Header != "" || u.Discoverable || !u.NotSuggested ||
		u.Remote.IRI != iri || u.Remote.Inbox != iri+"/inbox" || u.Remote.SharedInbox != f.URL+"/inbox" ||
		u.Remote.URL != f.URL+"/@Bob" || u.Remote.MovedTo != "https://c.example/users/bob" || u.CreatedAt.Year() != 2020 {
		t.Errorf("the person is %+v, %+v", u, u.Remote)
	}
	detail, err := e.Users.Detail(t.Context(), u.ID)
	testenv.Must(t, err)
	if detail.Introduction != "Hello <https://a.example/>" || len(detail.Fields) != 1 ||
		detail.Fields[0] != (model.ProfileField{Name: "Site", Value: "https://b.example/x"}) {
		t.Errorf("the details are %+v", detail)
	}
	if uid, err := e.Users.UserByUsername(t.Context(), "bob@"+f.Host); err != nil || uid != u.ID {
		t.Errorf("the username is of %s: %v", uid, err)
	}
	again, err := e.Person(t.Context(), iri)
	testenv.Must(t, err)
	byHandle, err := e.PersonOf(t.Context(), "@BOB@"+strings.ToUpper(f.Host))
	testenv.Must(t, err)
	if again.ID != u.ID || byHandle.ID != u.ID || f.Asked("/users/Bob") != 1 {
		t.Errorf("a known person is %s and %s after %d fetches", again.ID, byHandle.ID, f.Asked("/users/Bob"))
	}
	e.Clock.Add(25 * time.Hour)
	f.Actor("Bob", map[string]any{"name": "Robert"})
	f.Finger("bob@"+f.Host, "bob@"+f.Host, iri)
	if u, err = e.Person(t.Context(), iri); err != nil || u.Nickname != "Robert" || u.Locked || u.Bot ||
		f.Asked("/users/Bob") != 2 {
		t.Errorf("after a day the person is %+v: %v", u, err)
	}
	if ids := e.IDs(t, model.Propagations); len(ids) != 1 {
		t.Errorf("the new name is written by %v", ids)
	}
	e.Clock.Add(25 * time.Hour)
	f.Close()
	if u, err = e.Person(t.Context(), iri); err != nil || u.Nickname != "Robert" {
		t.Errorf("a person whose server is down is %+v: %v", u, err)
	}
	_, err = e.Known(t.Context(), f.URL+"/users/nobody")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
}

// A handle is the actor's if the server of the handle says so, and no two people have one.
func TestHandles(t *testing.T) {
	t.Parallel()
	e, f, home := open(t), far.New(t), far.New(t)
	person := func(iri string) *model.User {
		t.Helper()
		u, err := e.Person(t.Context(), iri)
		testenv.Must(t, err)
		return u
	}
	// The host of the actor names a handle of another host, which confirms it.
	ann := f.Actor("ann", nil)
	f.Finger("ann@"+f.Host, "annie@"+home.Host, ann)
	home.Finger("annie@"+home.Host, "annie@"+home.Host, ann)
	if u := person(ann); u.Username != "annie@"+home.Host {
		t.Errorf("ann is %s", u.Username)
	}
	if u, err := e.PersonOf(t.Context(), "annie@"+home.Host); err != nil || u.ID != model.RemoteUserID(ann) {
		t.Errorf("annie is %v: %v", u, err)
	}
	// It names one of a host that does not confirm it, or one of this installation.
	bea := f.Actor("bea", nil)
	f.Finger("bea@"+f.Host, "admin@"+home.Host, bea)
	home.Finger("admin@"+home.Host, "admin@"+home.Host, home.URL+"/users/admin")
	cho := f.Actor("cho", nil)
	f.Finger("cho@"+f.Host, "admin@hibana.test", cho)
	for iri, want := range map[string]string{bea: "bea@" + f.Host, cho: "cho@" + f.Host} {
		if u := person(iri); u.Username != want {
			t.Errorf("%s is %s, want %s", iri, u.Username, want)
		}
	}
	// An actor that calls itself as another one of its host gets another name, until the host confirms it.
	dan := f.Actor("dan", nil)
	person(dan)
	fake := f.PutObject("/users/fake", map[string]any{"id": f.URL + "/users/fake", "type": "Person",
		"inbox": f.URL + "/i", "preferredUsername": "dan"})
	other := model.OtherUsername("dan@"+f.Host, model.RemoteUserID(fake))
	if u := person(fake); u.Username != other || !strings.HasPrefix(other, "dan-") {
		t.Errorf("the second dan is %s, want %s", u.Username, other)
	}
	e.Clock.Add(8 * 24 * time.Hour)
	f.Finger("dan@"+f.Host, "dan@"+f.Host, fake)
	if u := person(fake); u.Username != "dan@"+f.Host {
		t.Errorf("the confirmed dan is %s", u.Username)
	}
	former, err := e.Tweets.User(t.Context(), model.RemoteUserID(dan))
	testenv.Must(t, err)
	if want := model.OtherUsername("dan@"+f.Host, former.ID); former.Username != want {
		t.Errorf("the former dan is %s, want %s", former.Username, want)
	}
	for _, name := range []string{"dan@" + f.Host, former.Username} {
		if _, err := e.Users.UserByUsername(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A name that no handle has.
	if u := person(f.Actor("eva", map[string]any{"preferredUsername": "e v/a"})); !strings.HasPrefix(u.Username, "ap-") {
		t.Errorf("a strange name is %s", u.Username)
	}
	// WebFinger at the template of host-meta.
	f.Put("/no-webfinger", "")
	f.Put("/.well-known/host-meta", `<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Link rel="lrdd"
		template="HOST/lrdd?resource={uri}"/></XRD>`)
	gus := f.Actor("gus", nil)
	if u, err := e.PersonOf(t.Context(), "gus@"+f.Host); err != nil || u.ID != model.RemoteUserID(gus) {
		t.Errorf("gus is %v: %v", u, err)
	}
	if ids := e.IDs(t, model.RemoteServers); len(ids) != 1 || ids[0] != f.Host {
		t.Errorf("the known servers are %v", ids)
	}
}

// What no actor may say of itself.
func TestHostileActors(t *testing.T) {
	t.Parallel()
	e, f, evil := open(t), far.New(t), far.New(t)
	for what, more := range map[string]map[string]any{
		"another host":  {"id": evil.URL + "/users/x"},
		"another inbox": {"inbox": evil.URL + "/inbox"},
		"no inbox":      {"inbox": nil},
		"no actor":      {"type": "Note"},
		"this server":   {"id": own + "/users/ann"},
		"a fragment":    {"id": f.URL + "/users/x#a"},
	} {
		_, err := e.Person(t.Context(), f.Actor("x"+strings.ReplaceAll(what, " ", ""), more))
		if errs.KindOf(err) != errs.NotFound || err == nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, iri := range []string{own + "/users/nobody", "ftp://a.example/", "https://u@a.example/", "",
		"http://10.0.0.1/a", "https://[::1]:1/a", f.Put("/away", "-> "+evil.URL+"/users/x"), f.Put("/large",
			strings.Repeat(" ", 2<<20))} {
		if _, err := e.Person(t.Context(), iri); errs.KindOf(err) != errs.NotFound && errs.KindOf(err) != errs.Unavailable ||
			err == nil {
			t.Errorf("%s: %v", iri, err)
		}
	}
	if ids := e.IDs(t, model.Users); len(ids) != 0 {
		t.Errorf("there are %v", ids)
	}
	u, err := e.Person(t.Context(), f.Actor("big", map[string]any{"name": strings.Repeat("n\u202e", 5000),
		"summary": "<p>" + strings.Repeat("s ", 50_000), "endpoints": map[string]any{"sharedInbox": evil.URL + "/inbox"},
		"followers": evil.URL + "/followers", "url": evil.URL + "/@big", "movedTo": strings.Repeat("m", 5000)}))
	testenv.Must(t, err)
	detail, err := e.Users.Detail(t.Context(), u.ID)
	testenv.Must(t, err)
	if r := u.Remote; r.SharedInbox != "" || r.Followers != "" || r.URL != r.IRI || r.MovedTo != "" ||
		model.ValidateNickname(u.Nickname) != nil || len(detail.Introduction) > model.MaxRemoteIntroduction {
		t.Errorf("the person is %+v, %+v with %d characters", u, r, len(detail.Introduction))
	}
	// Nobody signs in, signs up or is changed as a person of another server.
	_, err = e.Users.CreateUser(t.Context(), u.ID, model.NewUser{Username: "bigger"})
	storetest.WantErr(t, err, errs.Forbidden, "remote_user")
	_, err = e.Users.AskToJoin(t.Context(), model.RemoteUserID("x"), model.NewUser{Username: "bigger"}, "please")
	storetest.WantErr(t, err, errs.Forbidden, "remote_user")
	_, err = e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann@" + f.Host})
	storetest.WantErr(t, err, errs.Invalid, "invalid_username")
	nickname := "x"
	storetest.WantErr(t, e.Users.UpdateUser(t.Context(), u.ID, model.UserPatch{Nickname: &nickname}), errs.Forbidden,
		"remote_user")
}

// What people and posts cost.
func TestCosts(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	iri := f.Actor("bob", nil)
	post := f.Put("/notes/1", noteText("1", `,"content":"a"`))
	reply := f.Put("/notes/2", noteText("2", `,"content":"b","inReplyTo":"HOST/notes/1"`))
	_, err := e.Federation.SigningKey(t.Context(), "")
	testenv.Must(t, err)
	costs := func(what string, reads, writes int64, do func(context.Context) error) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, do))
	}
	person := func(ctx context.Context) error { _, err := e.Person(ctx, iri); return err }
	costs("a new person", 6, 6, person) // the profile, 4 in the transaction, the facet; 5 documents and the facet
	costs("a known person", 1, 0, person)
	e.Clock.Add(25 * time.Hour)
	costs("a stale person", 7, 2, person) // with the key of the installation
	costs("a post", 7, 4, func(ctx context.Context) error { _, err := e.Post(ctx, post); return err })
	costs("a reply to a known post", 8, 4, func(ctx context.Context) error { _, err := e.Post(ctx, reply); return err })
	costs("a known post", 1, 0, func(ctx context.Context) error { _, err := e.Post(ctx, reply); return err })
	u, err := e.Known(t.Context(), iri)
	testenv.Must(t, err)
	costs("a post that comes", 4, 3, func(ctx context.Context) error {
		_, err := e.Put(ctx, u, object(t, f, noteText("3", `,"content":"c"`)))
		return err
	})
	costs("a repetition", 1, 0, func(ctx context.Context) error {
		_, err := e.Put(ctx, u, object(t, f, noteText("3", `,"content":"c"`)))
		return err
	})
	costs("an edit", 5, 4, func(ctx context.Context) error {
		_, err := e.Put(ctx, u, object(t, f, noteText("3", `,"content":"d","updated":"2025-01-01T00:00:00Z"`)))
		return err
	})
}
