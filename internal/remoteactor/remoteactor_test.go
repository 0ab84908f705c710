package remoteactor

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/httpsig"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

const own = "http://hibana.test"

func pair(t *testing.T, bits int) (*rsa.PrivateKey, string) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return private, string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// far is another server: answers by path, where HOST stands for its address and PEM for its key.
type far struct {
	*httptest.Server
	asked atomic.Int64
}

func newFar(t *testing.T, key string, answers map[string]string) *far {
	t.Helper()
	f := &far{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.asked.Add(1)
		text, ok := answers[r.URL.Path]
		if to, redirects := strings.CutPrefix(text, "-> "); redirects {
			http.Redirect(w, r, strings.ReplaceAll(to, "HOST", f.URL), http.StatusFound)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		quoted, _ := json.Marshal(key)
		w.Header().Set("Content-Type", activitypub.ContentType+"; charset=utf-8")
		if strings.HasPrefix(r.URL.Path, "/files/") {
			w.Header().Set("Content-Type", "application/json")
		}
		w.Header().Set("Cache-Control", "public, max-age=7200")
		_, _ = w.Write([]byte(strings.NewReplacer("HOST", f.URL, `"PEM"`, string(quoted)).Replace(text)))
	}))
	t.Cleanup(f.Close)
	return f
}

func actor(path, keyID, owner string) string {
	return `{"id":"HOST` + path + `","type":"Person","inbox":"HOST` + path + `/inbox","publicKey":{"id":"` + keyID +
		`","owner":"` + owner + `","publicKeyPem":"PEM"}}`
}

// An actor is believed about itself, on its own host, and in no other way.
func TestFetch(t *testing.T) {
	t.Parallel()
	private, text := pair(t, 2048)
	evil := newFar(t, text, map[string]string{"/a": actor("/a", "HOST/a#k", "HOST/a")})
	f := newFar(t, text, map[string]string{
		"/users/ann": actor("/users/ann", "HOST/users/ann#main-key", "HOST/users/ann"),
		"/users/bea/main-key": strings.Replace(actor("/users/bea", "HOST/users/bea/main-key", "HOST/users/bea"), "inbox",
			"x", 1),
		"/users/bea":     actor("/users/bea", "HOST/users/bea/main-key", "HOST/users/bea"),
		"/keys/1":        `{"id":"HOST/keys/1","owner":"HOST/users/cho","publicKeyPem":"PEM"}`,
		"/users/cho":     actor("/users/cho", "HOST/keys/1", "HOST/users/cho"),
		"/moved":         "-> HOST/users/ann",
		"/moved/twice":   "-> HOST/moved",
		"/away":          "-> " + evil.URL + "/a",
		"/loop":          "-> HOST/loop",
		"/foreign":       strings.ReplaceAll(actor("/a", "HOST/a#k", "HOST/a"), "HOST", evil.URL),
		"/foreign-key":   actor("/foreign-key", evil.URL+"/a#k", "HOST/foreign-key"),
		"/foreign-owner": actor("/foreign-owner", "HOST/foreign-owner#k", evil.URL+"/a"),
		"/liar":          actor("/other", "HOST/other#k", "HOST/other"),
		"/other":         actor("/third", "HOST/third#k", "HOST/third"),
		"/note":          `{"id":"HOST/note","type":"Note"}`,
		"/files/ann":     actor("/files/ann", "HOST/files/ann#k", "HOST/files/ann"),
		"/no-key":        `{"id":"HOST/no-key","type":"Person","inbox":"HOST/i"}`,
		"/large":         `{"id":"HOST/large","type":"Person","x":"` + strings.Repeat("a", activitypub.MaxBytes) + `"}`,
		"/deep":          strings.Repeat("[", 1000),
		"/keys/evil":     `{"id":"HOST/keys/evil","owner":"` + evil.URL + `/a","publicKeyPem":"PEM"}`,
	})
	fetcher := New(outbound.Options{AllowLoopback: true}, own, func(id string) string { return own + "/actor#" + id })
	by := model.SigningKey{ID: "k", Private: private}
	tests := []struct{ path, actor, why string }{
		{"/users/ann", "/users/ann", ""},
		{"/users/bea/main-key", "/users/bea", ""}, // as GoToSocial has it
		{"/keys/1", "/users/cho", ""},
		{"/moved", "/users/ann", ""},
		{"/moved/twice", "/users/ann", ""},
		{"/away", "", "redirects to another host"},
		{"/loop", "", "too often"},
		{"/foreign", "", "another host"},
		{"/keys/evil", "", "another host"},
		{"/foreign-key", "", "no key of use"},
		{"/foreign-owner", "", "no key of use"},
		{"/liar", "", "another object than itself"},
		{"/note", "", "no actor"},
		{"/files/ann", "", "something else"},
		{"/no-key", "", "no key of use"},
		{"/large", "", "too large"},
		{"/deep", "", "limit"},
		{"/nobody", "", "not there"},
	}
	for _, tt := range tests {
		a, err := fetcher.Fetch(t.Context(), f.URL+tt.path, by)
		if tt.why != "" {
			if errs.KindOf(err) != errs.NotFound || !strings.Contains(err.Error(), tt.why) {
				t.Errorf("%s: %+v, %v, want an error of %q", tt.path, a, err, tt.why)
			}
			continue
		}
		if err != nil || a.ID != f.URL+tt.actor || a.MaxAge != 2*time.Hour || len(a.Keys) != 1 || a.Keys[0].Text != text {
			t.Errorf("%s: %+v, %v", tt.path, a, err)
		}
	}
	if evil.asked.Load() != 0 {
		t.Errorf("the other host was asked %d times", evil.asked.Load())
	}
	for _, address := range []string{"", "ann", "ftp://far.example/a", own + "/users/u", "HTTP://HIBANA.test/users/u",
		"https://a:b@far.example/a", f.URL + "/users/ann#main-key", "https://far.example/" + strings.Repeat("a", 3000)} {
		if _, err := fetcher.Fetch(t.Context(), address, by); errs.KindOf(err) != errs.NotFound {
			t.Errorf("%.50q: %v, want NotFound", address, err)
		}
	}
}

// In production no request leaves for this machine, its network, or a port of no web server; and none without TLS.
func TestGuard(t *testing.T) {
	t.Parallel()
	private, text := pair(t, 2048)
	f := newFar(t, text, map[string]string{"/a": actor("/a", "HOST/a#k", "HOST/a")})
	fetcher := New(outbound.Options{}, own, func(id string) string { return id })
	for _, address := range []string{f.URL + "/a", "https://127.0.0.1/a", "https://169.254.169.254/a", "https://[::1]/a",
		"https://10.0.0.1/a", "http://far.example/a", "https://8.8.8.8:8080/a"} {
		if _, err := fetcher.Fetch(t.Context(), address, model.SigningKey{ID: "k", Private: private}); errs.KindOf(err) !=
			errs.NotFound {
			t.Errorf("%s: %v, want NotFound", address, err)
		}
	}
	if f.asked.Load() != 0 {
		t.Error("this machine was asked")
	}
}

// Requests are signed, as servers with authorized fetch demand.
func TestSigned(t *testing.T) {
	t.Parallel()
	private, _ := pair(t, 2048)
	var seen atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := &httpsig.Message{Method: r.Method, Scheme: "http", Authority: r.Host, Target: r.RequestURI, Header: r.Header}
		sig, err := httpsig.Parse(m, time.Now())
		if err == nil {
			err = sig.Verify(&private.PublicKey)
		}
		if err == nil {
			seen.Store(sig.KeyID)
		}
		http.Error(w, "", http.StatusServiceUnavailable)
	}))
	t.Cleanup(s.Close)
	fetcher := New(outbound.Options{AllowLoopback: true}, own, func(id string) string { return own + "/actor#" + id })
	_, err := fetcher.Fetch(t.Context(), s.URL+"/users/a?b=c", model.SigningKey{ID: "k", Private: private})
	if errs.KindOf(err) != errs.Unavailable || seen.Load() != own+"/actor#k" {
		t.Errorf("%v; the signature is by %v", err, seen.Load())
	}
}

// Weak and foreign keys of an actor are left out, and no more than five are kept.
func TestKeysOf(t *testing.T) {
	t.Parallel()
	_, weak := pair(t, 1024)
	_, good := pair(t, 2048)
	const id = "https://far.example/u"
	o := &activitypub.Object{ID: id}
	for i, text := range []string{weak, "x", good, good, good, good, good, good} {
		o.PublicKeys = append(o.PublicKeys, activitypub.Key{ID: id + "#" + string(rune('a'+i)), Owner: id, Text: text})
	}
	o.PublicKeys[2].Owner = "https://far.example/v"
	got := keysOf(o)
	if len(got) != 5 || got[0].ID != id+"#d" {
		t.Errorf("keysOf = %v", got)
	}
	o = &activitypub.Object{ID: id, Multikeys: []activitypub.Key{{ID: id + "#ed", Owner: id,
		Text: "z6Mkh4LmfP1ev9MNPGr7JbEbtD6BD4fsu1duEj83PMCs3xHG"}}}
	if got := keysOf(o); len(got) != 1 {
		t.Errorf("keysOf a Multikey = %v", got)
	}
}
