package browser

import (
	"cmp"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/testing/contract"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/agents"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/linkcard"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/internal/webhook"
	"github.com/hibana-sns/hibana/store"
)

var grep = flag.String("grep", "", "which tests of web/test, by a regular expression over their names")

func TestMain(m *testing.M) { testenv.Main(m) }

// The web client does in Chromium what web/test says: the tests with the tag @short, or all others where slow tests
// run.
func TestBrowser(t *testing.T) {
	t.Parallel()
	browser, err := emulators.FindBrowser()
	if err != nil {
		t.Skip(err)
	}
	chosen := []string{"--grep", "@short"}
	if *grep != "" {
		chosen = []string{"--grep", *grep}
	} else if testenv.RunsSlow() {
		chosen = []string{"--grep-invert", "@short"}
	}
	play(t, "chromium", browser, chosen)
}

// The main paths of the web client, which are the tests with the tag @firefox, work in Firefox too.
func TestFirefox(t *testing.T) {
	testenv.Slow(t, "a second browser") // and not beside the first: two cores are busy with one
	firefox, err := emulators.FindFirefox()
	if err != nil {
		t.Skip(err)
	}
	play(t, "firefox", firefox, []string{"--grep", cmp.Or(*grep, "@firefox")})
}

// play runs the chosen tests of web/test in a browser, against the client as it is built.
func play(t *testing.T, engine, browser string, chosen []string) {
	t.Helper()
	dir := filepath.Join(testenv.Root(), "web")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, func(msg string) { t.Log(msg) }))
	if testenv.RunsSlow() { // mastodon.spec.ts
		testenv.Must(t, emulators.InstallWeb(t.Context(), filepath.Join(testenv.Root(), "tests", "e2e", "testdata", "masto"),
			func(msg string) { t.Log(msg) }))
	}
	dist := filepath.Join(t.TempDir(), "dist")
	run(t, dir, nil, filepath.Join("node_modules", ".bin", "vite"), "build", "--logLevel", "warn", "--outDir", dist)
	served, _ := serve(t, dist)
	run(t, dir, []string{"HIBANA_URL=" + served, "HIBANA_AUTH=http://" + testenv.AuthHost(t), "HIBANA_FIRESTORE=http://" +
		testenv.FirestoreHost(t), "HIBANA_BROWSER=" + browser, "HIBANA_ENGINE=" + engine, "HIBANA_DIST=" + dist, "CI=1"},
		filepath.Join("node_modules", ".bin", "playwright"), append([]string{"test"}, chosen...)...)
}

// run runs a program of the web client's packages in dir.
func run(t *testing.T, dir string, environment []string, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), environment...), 10*time.Second
	out, err := cmd.CombinedOutput()
	t.Logf("%s %q\n%s", name, args, out)
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
}

var discard = slog.New(slog.DiscardHandler)

// serve starts the triggers and the API, with a built web client if dist is not empty.
func serve(t *testing.T, dist string) (url, project string) {
	t.Helper()
	return serveAs(t, func(o *api.Options) {
		if dist == "" {
			return
		}
		auth, firestore := testenv.AuthHost(t), testenv.FirestoreHost(t)
		about, err := json.Marshal(map[string]string{"projectId": o.Project, "apiKey": "any", "authEmulator": auth,
			"authDomain": "auth.test", "signIn": "google,apple", "secondFactor": "totp", "firestoreEmulator": firestore})
		testenv.Must(t, err)
		o.Web = server.Web{Files: os.DirFS(dist), Project: string(about), Connect: "http://" + auth + " http://" + firestore +
			" http://" + storagetest.Host(t)}
	})
}

// push offers web push, of which no test sends a message.
func push(t *testing.T) api.Push {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	testenv.Must(t, err)
	return api.Push{VAPIDPublicKey: base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())}
}

// serveAs starts the triggers and the API, as change has it. Pages of every origin may upload.
func serveAs(t *testing.T, change func(o *api.Options)) (url, project string) {
	t.Helper()
	project, host := testenv.Project(t), storagetest.Host(t)
	uploads, media := project+"-uploads", project+"-media"
	testenv.Must(t, storage.Create(t.Context(), host, uploads, "*"))
	testenv.Must(t, storage.Create(t.Context(), host, media))
	s := stacktest.Run(t, stack.Options{Project: project, Storage: host, Uploads: "gs://" + uploads,
		Store: store.Options{WriteEvery: 200 * time.Millisecond, FlushAfter: 200 * time.Millisecond,
			UploadsBucket: "gs://" + uploads, MediaBucket: "gs://" + media,
			FetchLink: linkcard.New(outbound.Client(outbound.Options{AllowLoopback: true, Redirects: outbound.MaxRedirects,
				UserAgent: outbound.UserAgent(version.Number, "")})).Fetch, Decider: agents.Local{},
			SendWebhook: webhook.New(outbound.Options{AllowLoopback: true}).Send, LoopbackWebhooks: true}})
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	o := api.Options{
		Stores: wiring.API(s.Store), Accounts: accounts.New(emulators.DefaultProject), Push: push(t),
		Options: server.Options{
			Verifier: verifier, Log: discard, Project: s.Project, PageTokenKey: []byte("thirty-two bytes for page tokens"),
		},
	}
	change(&o)
	routes := http.NewServeMux()
	client := contract.Handler(t, api.New(o))
	// Where a request asks for it, the API has public pages, which take the place of the client's at their addresses.
	o.PublicURL = "https://public.test"
	public := api.New(o)
	routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "public" {
			public.ServeHTTP(w, r)
			return
		}
		client.ServeHTTP(w, r)
	})
	// The clock computes suggestions after some minutes; a test waits for none.
	routes.HandleFunc("POST /test/suggestions", func(w http.ResponseWriter, r *http.Request) {
		if _, err := s.Store.Suggestions.Compute(r.Context(), func() bool { return false }); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	routes.HandleFunc("POST /test/agents", func(w http.ResponseWriter, r *http.Request) {
		if _, err := s.Store.Agents.RunDue(r.Context(), func() bool { return false }); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	routes.HandleFunc("POST /test/webhooks", func(w http.ResponseWriter, r *http.Request) {
		if _, err := s.Store.Moderation.DeliverDue(r.Context(), func() bool { return false }); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	served := httptest.NewServer(routes)
	t.Cleanup(served.Close)
	return served.URL, s.Project
}
