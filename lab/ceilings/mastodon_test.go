package ceilings

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// worstFile is the golden file: a line for each input, with its bill. docs/reports/mastodon.md shows the largest bill
// of each method.
var worstFile = filepath.Join("api", "mastodon", "testdata", "worst.txt")

// TestMastodonCeiling measures the worst input of every method of the client API of Mastodon, holds it to its bound,
// and compares it with worst.txt. With -update it writes that file, in which lines that hold stay as they
// are. Each reading input asks another process, which has nothing cached.
func TestMastodonCeiling(t *testing.T) {
	testenv.Slow(t, "the most expensive request of every method of Mastodon")
	t.Parallel()
	e := newEnv(t)
	w := build(t, e)
	h := newHeavy(t, e, w)
	all := append(h.mastodonReads(w), h.mastodonWrites(w)...)
	for _, m := range mastodon.Methods() {
		has := func(in input) bool { return in.route == m.Name() }
		if m.Works() && !m.Live && !m.Staff && !slices.ContainsFunc(all, has) {
			t.Errorf("%s has no worst input here; give it the one that is billed most", m.Name())
		}
	}
	promised := worst(t)
	var lines []string
	for _, in := range all {
		by := e
		if strings.HasPrefix(in.route, "GET ") {
			by = e.again(t)
		}
		method, path, _ := strings.Cut(in.route, " ")
		b, _ := by.do(t, method, cmp.Or(in.target, path), in.token, in.body, cmp.Or(in.status, 200))
		if bound := boundOf(in); b.reads > bound[0] || b.writes+b.deletes > bound[1] {
			t.Errorf("%s (%s) is billed %d reads and %d writes; no request may take more than %d and %d",
				in.route, in.what, b.reads, b.writes+b.deletes, bound[0], bound[1])
		}
		row := rowOf(in.route, in.what)
		p, ok := promised[row]
		now := promise{b.reads, b.writes + b.deletes}
		if !ok || !within(now[0], p[0]) || now[1] > p[1] {
			if !*update {
				t.Errorf("%s is billed %d reads, and %d writes and deletes; %s says %v", row, now[0], now[1], worstFile, p)
			}
			p = now
		}
		lines = append(lines, fmt.Sprintf("%s: %d reads, %d writes and deletes\n", row, p[0], p[1]))
		t.Logf("%s: %d reads, %d writes and deletes", row, now[0], now[1])
		delete(promised, row)
	}
	if *update {
		testenv.Must(t, os.WriteFile(filepath.Join(testenv.Root(), worstFile), []byte(strings.Join(lines, "")), 0o644))
		return
	}
	for row := range promised {
		t.Errorf("%s has a line of %s, which is no input here", worstFile, row)
	}
}

// worst reads the golden file.
func worst(t *testing.T) map[string]promise {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), worstFile))
	if err != nil && !*update {
		t.Error(err)
	}
	all := map[string]promise{}
	for line := range strings.Lines(string(text)) {
		row, bill, _ := strings.Cut(strings.TrimSpace(line), "): ")
		var p promise
		if _, err := fmt.Sscanf(bill, "%d reads, %d writes and deletes", &p[0], &p[1]); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all[row+")"] = p
	}
	return all
}
