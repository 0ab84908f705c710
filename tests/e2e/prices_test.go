package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var update = flag.Bool("update", false, "write the budgets of the tests into docs/reports/prices.md")

// page is where the budgets of the tests stand, each test's in a table of its own between two marks.
var page sync.Mutex

// compare compares a test's table with the page, or writes it there.
func compare(t *testing.T, table string) {
	t.Helper()
	page.Lock()
	defer page.Unlock()
	path := filepath.Join(testenv.Root(), "docs", "reports", "prices.md")
	text, err := os.ReadFile(path)
	testenv.Must(t, err)
	begin, end := fmt.Sprintf("<!-- %s -->\n", t.Name()), fmt.Sprintf("<!-- /%s -->", t.Name())
	before, rest, found := strings.Cut(string(text), begin)
	stands, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Errorf("%s has no table between %q and %q", path, begin, end)
		return
	}
	if *update {
		testenv.Must(t, os.WriteFile(path, []byte(before+begin+table+end+after), 0o644))
	} else if stands != table {
		t.Errorf("%s has another table of %s; go test ./tests/e2e -update writes it:\n%s", path, t.Name(), table)
	}
}
