package server_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The API serves a built web client: its files, its page for every other address, and nothing of
// it at addresses of the API.
func TestWeb(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"index.html":           {Data: []byte("<!doctype html><title>Hibana</title>")},
		"assets/app-1234.js":   {Data: []byte("start()")},
		"manifest.webmanifest": {Data: []byte("{}")},
	}
	with := serving(server.Web{Files: files, Project: `{"projectId":"demo"}`, Connect: "http://127.0.0.1:1"})
	without := serving(server.Web{})
	get := func(h http.Handler, method, path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	const page, all = "text/html,*/*", "*/*"
	for _, test := range []struct {
		method, path, accept string
		status               int
		body, cache          string
	}{
		{"GET", "/", page, 200, "<title>Hibana", "no-cache"},
		{"GET", "/tweets/931a20443cfca43000", page, 200, "<title>Hibana", "no-cache"},
		{"GET", "/users/a.b", page, 200, "<title>Hibana", "no-cache"},
		{"GET", "/index.html", page, 200, "<title>Hibana", "no-cache"},
		{"GET", "/../../etc/passwd", page, 200, "<title>Hibana", "no-cache"},
		{"GET", "/assets/app-1234.js", all, 200, "start()", "public, max-age=31536000, immutable"},
		{"GET", "/assets/app-0000.js", all, 404, "route_not_found", ""},
		{"GET", "/assets", all, 200, "<title>Hibana", "no-cache"},
		{"GET", "/manifest.webmanifest", all, 200, "{}", "no-cache"},
		{"GET", "/__/firebase/init.json", all, 200, `"projectId":"demo"`, "no-cache"},
		{"GET", "/v1/nothing", page, 404, "route_not_found", ""},
		{"GET", "/v1", page, 404, "route_not_found", ""},
		{"POST", "/", page, 404, "route_not_found", ""},
		{"GET", "/oauth/authorize", page, 200, "<title>Hibana", "no-cache"},
		{"GET", "/oauth/authorize/?client_id=x", page, 200, "<title>Hibana", "no-cache"}, // as toot asks
		{"GET", "/api/v1/nothing/", page, 404, "There is no such method", ""},
		{"GET", "/health", page, 200, "ok", ""},
	} {
		w := get(with, test.method, test.path, test.accept)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) || test.cache != "" && w.Header().
			Get("Cache-Control") != test.cache {
			t.Errorf("%s %s: %d, Cache-Control %q, %s", test.method, test.path, w.Code, w.Header().Get("Cache-Control"), w.Body)
		}
	}
	if policy := get(with, "GET", "/", page).Header().Get("Content-Security-Policy"); !strings.Contains(policy,
		"connect-src 'self' http://127.0.0.1:1 https://") || !strings.Contains(policy, "script-src 'self';") {
		t.Errorf("the page's policy is %q", policy)
	}
	for _, path := range []string{"/", "/assets/app-1234.js", "/__/firebase/init.json"} {
		if w := get(without, "GET", path, page); w.Code != 404 || !strings.Contains(w.Body.String(), "route_not_found") {
			t.Errorf("without a web client, %s: %d %s", path, w.Code, w.Body)
		}
	}
}

// Firebase Hosting sends the policy that the API sends with the same pages.
func TestHostingPolicy(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "firebase.json"))
	testenv.Must(t, err)
	var file struct {
		Hosting struct {
			Headers []struct {
				Source  string
				Headers []struct{ Key, Value string }
			}
		}
	}
	testenv.Must(t, json.Unmarshal(text, &file))
	var found []string
	for _, of := range file.Hosting.Headers {
		for _, h := range of.Headers {
			if h.Key == "Content-Security-Policy" {
				found = append(found, h.Value)
			}
		}
	}
	if want := webPolicy(server.Web{}); want == "" || len(found) != 1 || found[0] != want {
		t.Errorf("firebase.json has the policies %q; want %q", found, want)
	}
}

// serving is a server with a web client and no resources.
func serving(web server.Web) *server.Server {
	return server.New(server.Options{Log: slog.New(slog.DiscardHandler), Web: web}, server.Hooks{})
}

// webPolicy is the policy of the pages of a web client.
func webPolicy(web server.Web) string {
	web.Files = fstest.MapFS{"index.html": {}}
	w := httptest.NewRecorder()
	serving(web).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	return w.Header().Get("Content-Security-Policy")
}

// What web/hosting.mjs makes of firebase.json for a deployment lets the pages connect to the API at
// its own address, and, where App Check asks for its tokens, to reCAPTCHA Enterprise; only media and
// public pages go to the API through Hosting.
func TestHostingOfDeployment(t *testing.T) {
	t.Parallel()
	hosting := func(environment ...string) (string, error) {
		to := filepath.Join(t.TempDir(), "hosting.json")
		cmd := exec.CommandContext(t.Context(), "node", filepath.Join(testenv.Root(), "web", "hosting.mjs"), to)
		cmd.Env = append(os.Environ(), environment...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return string(out), err
		}
		text, err := os.ReadFile(to)
		return string(text), err
	}
	const at = "https://hibana-api-1.asia-northeast1.run.app"
	for _, with := range [][2]string{{"", ""}, {"6Lsite", ""}, {"", "google,apple"}, {"6Lsite", "google"}} {
		key, signIn := with[0], with[1]
		text, err := hosting("VITE_API_URL="+at, "VITE_APP_CHECK_KEY="+key, "VITE_SIGN_IN="+signIn, "PROJECT=p",
			"REGION=europe-west1")
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		var file struct {
			Hosting struct {
				Public   string
				Rewrites []map[string]any
				Headers  []struct{ Headers []struct{ Key, Value string } }
			}
		}
		testenv.Must(t, json.Unmarshal([]byte(text), &file))
		h := file.Hosting
		last := len(h.Rewrites) - 1
		if h.Public != "dist" || last < 1 || h.Rewrites[0]["source"] != "/media/**" ||
			h.Rewrites[last]["destination"] != "/index.html" {
			t.Errorf("the hosting is %+v", h)
		}
		for _, rewrite := range h.Rewrites[:last] {
			run, _ := rewrite["run"].(map[string]any)
			if run["serviceId"] != "hibana-api" || run["region"] != "europe-west1" {
				t.Errorf("%v goes to %v", rewrite["source"], run)
			}
		}
		about, err := json.Marshal(map[string]string{"projectId": "p", "appCheckKey": key, "signIn": signIn,
			"authDomain": "p.firebaseapp.com"})
		testenv.Must(t, err)
		if got, want := h.Headers[0].Headers[0].Value,
			webPolicy(server.Web{Project: string(about), Connect: at}); got != want {
			t.Errorf("with the key %q the policy is\n%s, want\n%s", key, got, want)
		}
		for place, want := range map[string]bool{
			" https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/": key != "",
			" https://recaptcha.google.com/recaptcha/":                              key != "",
			"script-src 'self' https://apis.google.com":                             signIn != "",
			"frame-src https://p.firebaseapp.com":                                   signIn != "",
		} {
			if strings.Contains(text, place) != want {
				t.Errorf("with the key %q and %q the policy has %s: %t: %s", key, signIn, place, !want, text)
			}
		}
	}
	if text, err := hosting("VITE_API_URL="+at, "VITE_SIGN_IN=google", "PROJECT=", "AUTH_DOMAIN="); err == nil {
		t.Errorf("without a domain for popups the hosting is %s", text)
	}
	for _, wrong := range []string{"", "http://api.example", "https://api.example/v1",
		"https://api.example; script-src *"} {
		if text, err := hosting("VITE_API_URL=" + wrong); err == nil {
			t.Errorf("VITE_API_URL=%s makes %s", wrong, text)
		}
	}
}
