package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/httpsig"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/federation"
)

// sent is a request to an inbox, which a test changes before or after it is signed.
type sent struct {
	path, key string
	body      []byte
	form      httpsig.Form
	at        time.Time
	after     func(*http.Request) // changes what is sent
}

// sign sends an activity as an actor of a server.
func (e *env) sign(t *testing.T, f *far.Server, s sent) reply {
	t.Helper()
	if s.at.IsZero() {
		s.at = time.Now()
	}
	if s.path == "" {
		s.path = "/inbox"
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.url+s.path, bytes.NewReader(s.body))
	testenv.Must(t, err)
	r.Header.Set("Content-Type", activitypub.ContentType)
	m := httpsig.Of(r, s.body)
	m.Scheme, m.Authority = "https", "hibana.test"
	testenv.Must(t, httpsig.Sign(m, httpsig.Key{ID: s.key, Private: f.Key()}, s.form, s.at))
	if s.after != nil {
		s.after(r)
	}
	return send(t, r)
}

// activity is an activity of an actor; HOST stands for nothing here.
func activity(actor, id, kind string, object any, more map[string]any) []byte {
	is := map[string]any{"@context": "https://www.w3.org/ns/activitystreams", "id": id, "type": kind, "actor": actor,
		"object": object}
	maps.Copy(is, more)
	text, err := json.Marshal(is)
	if err != nil {
		panic(err)
	}
	return text
}

// handle does what functions do with what came.
func (e *env) handle(t *testing.T) (n int) {
	t.Helper()
	all, err := e.admin.Collection(model.IncomingActivities).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range all {
		in, err := e.db.Federation.Incoming(t.Context(), snap.Ref.ID)
		testenv.Must(t, err)
		testenv.Must(t, e.inbox.Handle(t.Context(), in))
		n++
	}
	return n
}

func (e *env) came(t *testing.T) int {
	t.Helper()
	all, err := e.admin.Collection(model.IncomingActivities).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	return len(all)
}

// An inbox takes what the actor signed, once, in both forms of signatures, and nothing else; whatever comes is no
// failure of this server.
func TestInbox(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	ann := e.join(t, "ann")
	f, evil := far.New(t), far.New(t)
	bob := f.Actor("bob", nil)
	f.Actor("eve", nil)
	evil.Actor("bob", nil)
	object := publicURL + "/users/" + string(ann.id)
	follow := func(n int) []byte {
		return activity(bob, fmt.Sprint(f.URL, "/follows/", n), "Follow", object, nil)
	}
	key := bob + "#main-key"
	before := e.came(t)
	for _, s := range []sent{{path: "/inbox", body: follow(1)},
		{path: "/users/" + string(ann.id) + "/inbox", body: follow(2), form: httpsig.RFC9421}} {
		s.key = key
		if r := e.sign(t, f, s).want(t, http.StatusAccepted, nil); len(r.body) > 0 {
			t.Errorf("%s answers %s", s.path, r.body)
		}
		e.sign(t, f, s).want(t, http.StatusAccepted, nil) // twice
	}
	if n := e.came(t); n != before+2 {
		t.Fatalf("%d activities came, want 2", n)
	}
	if n := e.handle(t); n != 2 || e.came(t) != 0 {
		t.Errorf("%d activities were handled", n)
	}
	if _, err := e.db.Graph.Relationship(t.Context(), model.RemoteUserID(bob), ann.id); err != nil {
		t.Errorf("bob does not follow ann: %v", err)
	}

	tests := map[string]struct {
		sent   sent
		by     *far.Server
		status int
		code   string
	}{
		"unsigned": {sent: sent{body: follow(9), after: func(r *http.Request) { r.Header.Del("Signature") }},
			status: 401, code: "signature_required"},
		"another body": {sent: sent{body: follow(9), after: func(r *http.Request) {
			body := bytes.Replace(follow(9), []byte("/9"), []byte("/8"), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}}, status: 401, code: "signature_required"},
		"an old signature":   {sent: sent{body: follow(9), at: time.Now().Add(-2 * time.Hour)}, status: 401},
		"a future signature": {sent: sent{body: follow(9), at: time.Now().Add(time.Hour)}, status: 401},
		"another path": {sent: sent{body: follow(9), after: func(r *http.Request) {
			r.URL.Path = "/users/" +
				string(ann.id) + "/inbox"
		}}, status: 401},
		"another actor's key": {sent: sent{body: follow(9), key: f.URL + "/users/eve#main-key"}, status: 401},
		"another host's key":  {sent: sent{body: follow(9), key: evil.URL + "/users/bob#main-key"}, by: evil, status: 401},
		"no such key":         {sent: sent{body: follow(9), key: f.URL + "/users/nobody#main-key"}, status: 401},
		"an id of another host": {sent: sent{body: activity(bob, evil.URL+"/1", "Follow", object, nil)},
			status: 400, code: "invalid_activity"},
		"an actor of another host": {sent: sent{body: activity(evil.URL+"/users/bob", evil.URL+"/1", "Follow", object,
			nil)}, status: 401},
		"no object": {sent: sent{body: activity(bob, f.URL+"/1", "Follow", nil, nil)}, status: 400},
		"no actor":  {sent: sent{body: activity("", f.URL+"/1", "Follow", object, nil)}, status: 400},
		"no id":     {sent: sent{body: activity(bob, "", "Follow", object, nil)}, status: 400},
		"no JSON":   {sent: sent{body: []byte("{")}, status: 400, code: "invalid_activity"},
		"a list":    {sent: sent{body: []byte("[]")}, status: 400},
		"nothing":   {sent: sent{body: nil}, status: 400},
		"a name twice": {sent: sent{body: []byte(`{"actor":"` + bob + `",` + string(follow(9)[1:]))}, status: 400,
			code: "invalid_activity"},
		"deep": {sent: sent{body: []byte(strings.Repeat(`{"a":`, 100))}, status: 400},
		"another type": {sent: sent{body: follow(9), after: func(r *http.Request) {
			r.Header.Set("Content-Type", "application/json")
		}}, status: 415},
		"compressed": {sent: sent{body: follow(9), after: func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }},
			status: 415},
		"nobody's inbox": {sent: sent{path: "/users/nobody/inbox", body: follow(9)}, status: 404},
		"a remote's inbox": {sent: sent{path: "/users/" + string(model.RemoteUserID(bob)) + "/inbox", body: follow(9)},
			status: 404},
		"too large":       {sent: sent{body: make([]byte, 1<<20+1)}, status: 413, code: "too_large"},
		"of no concern":   {sent: sent{body: activity(bob, f.URL+"/1", "Follow", evil.URL+"/users/x", nil)}, status: 202},
		"of unknown kind": {sent: sent{body: activity(bob, f.URL+"/1", "View", object, nil)}, status: 202},
		"pins":            {sent: sent{body: activity(bob, f.URL+"/1", "Add", object, nil)}, status: 202},
		"an unknown leaver": {sent: sent{body: activity(f.URL+"/users/x", f.URL+"/1", "Delete", f.URL+"/users/x", nil),
			key: f.URL + "/users/x#main-key"}, status: 202},
		"a leaver's post": {sent: sent{body: activity(f.URL+"/users/x", f.URL+"/1", "Delete", f.URL+"/posts/x", nil),
			key: f.URL + "/users/x#main-key"}, status: 202},
	}
	for name, tt := range tests {
		if tt.sent.key == "" {
			tt.sent.key = key
		}
		if tt.by == nil {
			tt.by = f
		}
		r := e.sign(t, tt.by, tt.sent)
		if r.status != tt.status || tt.code != "" && !strings.Contains(string(r.body), tt.code) {
			t.Errorf("%s: %d %s, want %d %s", name, r.status, r.body, tt.status, tt.code)
		}
	}
	if n := e.came(t); n != 0 {
		t.Errorf("%d activities wait", n)
	}
	if n := f.Asked("/users/x"); n != 1 { // for the post, and not for the actor who left
		t.Errorf("the leaver was asked for %d times", n)
	}
	for _, path := range []string{"/inbox", "/users/" + string(ann.id) + "/inbox"} {
		r := e.do(t, "GET", path, "", nil, "Accept", activitypub.ContentType).want(t, http.StatusMethodNotAllowed, nil)
		if r.header.Get("Allow") != "POST" {
			t.Errorf("%s allows %q", path, r.header.Get("Allow"))
		}
	}
}

// A host that sends too much is told when to come again, and takes nothing of the share of others, in whose name it
// cannot send.
func TestInboxLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation)
	ann := e.join(t, "ann")
	f, other := far.New(t), far.New(t)
	bob, cho := f.Actor("bob", nil), other.Actor("cho", nil)
	object := publicURL + "/users/" + string(ann.id)
	refused := 0
	body := activity(bob, f.URL+"/1", "View", object, nil)
	for range federation.ActivitiesAtOnce + 20 {
		if r := e.sign(t, f, sent{key: bob + "#main-key", body: body}); r.status == http.StatusTooManyRequests {
			refused++
			if r.header.Get("Retry-After") != "60" {
				t.Fatalf("Retry-After = %q", r.header.Get("Retry-After"))
			}
		}
	}
	if refused == 0 || refused > 20 {
		t.Errorf("%d of 20 activities beyond the limit were refused", refused)
	}
	e.sign(t, other, sent{key: cho + "#main-key", body: activity(cho, other.URL+"/1", "View", object, nil)}).want(t,
		http.StatusAccepted, nil)
}
