package ceilings

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// report is the table's document. The table stands between the two marks.
const report, begin, end = "docs/reports/costs.md", "<!-- generated -->\n", "\n<!-- /generated -->"

// promise is what a request is billed: reads, writes and deletes, events.
type promise [3]int64

// promises reads the table of the report, by route and input.
func promises(t *testing.T) map[string]promise {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), report))
	testenv.Must(t, err)
	all := map[string]promise{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], " `") || !strings.Contains(cells[1], " /") {
			continue
		}
		var p promise
		for i := range p {
			p[i], err = strconv.ParseInt(strings.TrimSpace(cells[3+i]), 10, 64)
			testenv.Must(t, err)
		}
		key := rowOf(strings.Trim(cells[1], " `"), strings.TrimSpace(cells[2]))
		if _, twice := all[key]; twice {
			t.Errorf("%s has two rows of %s", report, key)
		}
		all[key] = p
	}
	return all
}

// write replaces the table of the report.
func write(t *testing.T, table string) {
	t.Helper()
	path := filepath.Join(testenv.Root(), report)
	text, err := os.ReadFile(path)
	testenv.Must(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no table between %q and %q", report, begin, end)
	}
	testenv.Must(t, os.WriteFile(path, []byte(before+begin+strings.TrimSuffix(table, "\n")+end+after), 0o644))
}

func rowOf(route, what string) string { return route + " (" + what + ")" }

// within reports whether reads are what the table says at most, but for what a busy machine reads once more. On one
// that is slow pages are found in caches, so there may be fewer.
func within(reads, promised int64) bool { return reads <= promised+max(2, promised/10) }
