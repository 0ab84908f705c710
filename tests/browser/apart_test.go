package browser

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/appcheck"
)

// The web client calls an API at another address than its own, which asks for App Check tokens and for confirmed email
// addresses.
func TestApart(t *testing.T) {
	testenv.Slow(t, "a second build of the web client")
	t.Parallel()
	browser, err := emulators.FindBrowser()
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(testenv.Root(), "web")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, func(msg string) { t.Log(msg) }))
	key := testenv.NewAppCheck(t, "one")
	served, project := serveAs(t, func(o *api.Options) {
		o.RequireVerifiedEmail = true
		o.CORSOrigins = []string{"http://127.0.0.1:*"}
		o.AppCheck = server.AppCheck{Checker: appcheck.New(t.Context(), o.Project, o.Log), Enforce: true}
	})
	dist := filepath.Join(t.TempDir(), "dist")
	run(t, dir, []string{"VITE_API_URL=" + served}, filepath.Join("node_modules", ".bin", "vite"), "build", "--logLevel",
		"warn", "--outDir", dist)
	auth, firestore := testenv.AuthHost(t), testenv.FirestoreHost(t)
	about, err := json.Marshal(map[string]string{
		"projectId": project, "apiKey": "any", "appId": "1:1234:web:abc", "appCheckKey": "key", "authEmulator": auth,
		"firestoreEmulator": firestore,
	})
	testenv.Must(t, err)
	// Firebase Hosting in small: it has the pages, and nothing at /v1.
	pages := httptest.NewServer(
		api.New(api.Options{Options: server.Options{Log: discard, Web: server.Web{Files: os.DirFS(dist),
			Project: string(about), Connect: served + " http://" + auth + " http://" + firestore}}}))
	t.Cleanup(pages.Close)
	run(t, dir, []string{
		"HIBANA_URL=" + pages.URL, "HIBANA_API=" + served, "HIBANA_APART=1", "HIBANA_AUTH_PROJECT=" +
			emulators.DefaultProject, "HIBANA_APP_CHECK=" + key.Token(t, project, nil),
		"HIBANA_AUTH=http://" + auth, "HIBANA_FIRESTORE=http://" + firestore, "HIBANA_BROWSER=" + browser, "CI=1",
	}, filepath.Join("node_modules", ".bin", "playwright"), "test")
}
