package emulators

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A second clone with the same lock file takes the packages that the first has installed, and the cache has a bound.
func TestPackagesOfClones(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	clone := func(version string) string {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"package.json": `{"name":"clone","version":"1.0.0","dependencies":{"dep":"file:dep"}}`,
			"package-lock.json": `{"name":"clone","version":"1.0.0","lockfileVersion":3,"packages":{` +
				`"":{"name":"clone","version":"1.0.0","dependencies":{"dep":"file:dep"}},` +
				`"dep":{"version":"` + version + `"},"node_modules/dep":{"resolved":"dep","link":true}}}`,
			"dep/package.json": `{"name":"dep","version":"` + version + `"}`,
		} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	installs := func(dir string) (said string) {
		t.Helper()
		if err := InstallWeb(t.Context(), dir, func(msg string) { said += msg + "\n" }); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "node_modules", "dep", "package.json")); err != nil {
			t.Error(err)
		}
		if again := InstallWeb(t.Context(), dir, func(msg string) { t.Errorf("again: %s", msg) }); again != nil {
			t.Error(again)
		}
		return said
	}
	if said := installs(clone("1.0.0")); !strings.Contains(said, "with npm") {
		t.Errorf("the first clone says %q", said)
	}
	if said := installs(clone("1.0.0")); strings.Contains(said, "npm") || !strings.Contains(said, "another clone") {
		t.Errorf("the second clone says %q", said)
	}
	for n := range keptSets + 1 {
		installs(clone(fmt.Sprintf("2.0.%d", n)))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadDir(sets(cache))
	if err != nil || len(kept) != keptSets {
		t.Errorf("the cache has %d sets (%v), want %d", len(kept), err, keptSets)
	}
	if said := installs(clone("1.0.0")); !strings.Contains(said, "with npm") {
		t.Errorf("the oldest set is still there: %q", said)
	}
}
