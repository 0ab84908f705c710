package worst

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

// promise is what a request is billed: reads, writes and deletes, events.
type promise [3]int64

// promises reads the table of docs/amplifiers.md: the figures of today, by route and input.
func promises(t *testing.T) map[string]promise {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "docs", "amplifiers.md"))
	testenv.Must(t, err)
	all := map[string]promise{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], " `") || !strings.Contains(cells[1], " /") {
			continue
		}
		var p promise
		for i := range p {
			figures := strings.Fields(strings.ReplaceAll(cells[3+i], "*", ""))
			p[i], err = strconv.ParseInt(figures[len(figures)-1], 10, 64)
			testenv.Must(t, err)
		}
		key := rowOf(strings.Trim(cells[1], " `"), strings.TrimSpace(cells[2]))
		if _, twice := all[key]; twice {
			t.Errorf("docs/amplifiers.md has two rows of %s", key)
		}
		all[key] = p
	}
	return all
}

func rowOf(route, what string) string { return route + " (" + what + ")" }

// within tells whether reads are what the table says at most, but for what a busy machine reads once more. On one that is
// slow pages are found in caches, so there may be fewer.
func within(reads, promised int64) bool { return reads <= promised+max(2, promised/10) }
