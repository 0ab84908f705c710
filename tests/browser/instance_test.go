package browser

import (
	"path/filepath"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// An administrator changes what the instance demands of everybody, so these tests have an instance of their own, and
// follow one another.
func TestInstance(t *testing.T) {
	testenv.Slow(t, "a second build of the web client")
	t.Parallel()
	browser, err := emulators.FindBrowser()
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(testenv.Root(), "web")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, func(msg string) { t.Log(msg) }))
	dist := filepath.Join(t.TempDir(), "dist")
	run(t, dir, nil, filepath.Join("node_modules", ".bin", "vite"), "build", "--logLevel", "warn", "--outDir", dist)
	chosen := []string{"test"}
	if *grep != "" {
		chosen = append(chosen, "--grep", *grep)
	}
	served, _ := serve(t, dist)
	run(t, dir, []string{"HIBANA_URL=" + served, "HIBANA_INSTANCE=1", "HIBANA_AUTH=http://" + testenv.AuthHost(t),
		"HIBANA_FIRESTORE=http://" + testenv.FirestoreHost(t), "HIBANA_BROWSER=" + browser, "CI=1"},
		filepath.Join("node_modules", ".bin", "playwright"), chosen...)
}
