package mutants

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var plant = flag.Bool("mutants", false, "plant each mutant and run its test; takes longer than all other tests")

// limit is how long one mutant may take.
const limit = 3 * time.Minute

// name is what a mutant is called in the output. A name with slashes could not be given
// to -run.
func (m mutant) name(i int) string {
	return fmt.Sprintf("%d %s %s", i+1, strings.ReplaceAll(m.file, "/", "."), m.test)
}

// mutate returns the file with the bug in it.
func (m mutant) mutate() (string, error) {
	text, err := os.ReadFile(filepath.Join(testenv.Root(), m.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%q stands in %s %d times, want once", m.old, m.file, n)
	}
	return strings.Replace(string(text), m.old, m.new, 1), nil
}

// TestMutants plants one mutant after the other, as an overlay: the compiler sees the
// mutant in the place of the file, and no file changes. Its test must fail. A mutant that
// does not build, and one that makes its test hang, shows nothing. Before that, all tests
// must pass without a mutant.
func TestMutants(t *testing.T) {
	if !*plant {
		t.Skip("planting takes longer than all other tests: make soak does it, and -mutants")
	}
	begun := time.Now()
	say := func(format string, args ...any) {
		fmt.Printf("%5.0f s  %s\n", time.Since(begun).Seconds(), fmt.Sprintf(format, args...))
	}
	tests := map[string][]string{}
	for _, m := range list {
		tests[m.pkg] = append(tests[m.pkg], m.test)
	}
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		if out, err := goTest(t, pkg, tests[pkg]); err != nil {
			t.Fatalf("without a mutant, %s: %v\n%s", pkg, err, out)
		}
		say("%s passes without a mutant", pkg)
	}
	dir := t.TempDir()
	for i, m := range list {
		t.Run(m.name(i), func(t *testing.T) {
			mutated, err := m.mutate()
			testenv.Must(t, err)
			file, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
			testenv.Must(t, os.WriteFile(file, []byte(mutated), 0o600))
			replace, err := json.Marshal(
				map[string]any{"Replace": map[string]string{filepath.Join(testenv.Root(), m.file): file}})
			testenv.Must(t, err)
			testenv.Must(t, os.WriteFile(overlay, replace, 0o600))
			out, err := goTest(t, m.pkg, []string{m.test}, "-overlay", overlay)
			switch {
			case err == nil:
				say("SURVIVED %s", m.name(i))
				t.Errorf("%s passes, although %s", m.test, m.why)
			case !strings.Contains(out, "--- FAIL: "+m.test+" "):
				say("BROKEN %s", m.name(i))
				t.Errorf("%s did not fail, and something else did: %v\n%s", m.test, err, out)
			default:
				say("noticed %s", m.name(i))
			}
		})
	}
}

// goTest runs tests of a package, and returns their output.
func goTest(t *testing.T, pkg string, names []string, args ...string) (string, error) {
	t.Helper()
	args = append([]string{"test", "-vet=off", "-count", "1", "-timeout", limit.String(), "-run", "^(" +
		strings.Join(names, "|") + ")$"}, args...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = testenv.Root()
	out, err := cmd.CombinedOutput()
	return string(out), err
}
