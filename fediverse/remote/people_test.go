package remote_test

import (
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
