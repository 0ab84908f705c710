package mutants

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// mutant is a bug to plant: a text that stands once in a file, what takes its place, and
// the test that must fail then.
type mutant struct {
	file, old, new string
	pkg, test      string
	why            string // what would go wrong
}

// list has the mutants of each protocol, in a file for each part of the system that would
// break. A new protocol adds its own there.
var list = slices.Concat(sources, timelines, counts, notificationEvents, work, services, audits, links, shop,
	media, heldReplies, people, webhooks)

// TestList checks that every mutant fits the code as it is now, and that its test exists.
func TestList(t *testing.T) {
	t.Parallel()
	tests := map[string]map[string]bool{} // names of tests, by package
	for i, m := range list {
		mutated, err := m.mutate()
		if err != nil {
			t.Errorf("%s: %v: change the mutant with the code", m.name(i), err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, mutated, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s: %v", m.name(i), err)
		}
		if tests[m.pkg] == nil {
			tests[m.pkg] = testsOf(t, m.pkg)
		}
		if !tests[m.pkg][m.test] {
			t.Errorf("%s: %s has no such test", m.name(i), m.pkg)
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// testsOf lists the tests of a package.
func testsOf(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testenv.Root(), pkg, "*_test.go"))
	testenv.Must(t, err)
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		testenv.Must(t, err)
		for _, found := range testFunc.FindAllStringSubmatch(string(text), -1) {
			names[found[1]] = true
		}
	}
	return names
}
