package bounds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

// TestShapes looks that docs/operate/rollout.md says of every collection, once, how the shape of its
// documents may change. What it calls short-lived has a TTL policy.
func TestShapes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "docs/operate/rollout.md"))
	testenv.Must(t, err)
	_, table, _ := strings.Cut(string(text), "| kind | collections |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows, kinds := strings.Split(table, "\n"), map[string][]string{}
	for _, row := range rows {
		cells := strings.Split(row, "|")
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[2], -1) {
			kinds[m[1]] = append(kinds[m[1]], strings.TrimSpace(cells[1]))
		}
	}
	all, expire := collections(t), expiring(t)
	for _, name := range all {
		if len(kinds[name]) != 1 {
			t.Errorf("%s is in the rows %q of the table of shapes, want one", name, kinds[name])
		} else if kinds[name][0] == "short-lived" && !slices.Contains(expire, name) {
			t.Errorf("%s is short-lived, and has no TTL policy in firestore.indexes.json", name)
		}
	}
	for name := range kinds {
		if !slices.Contains(all, name) {
			t.Errorf("the table of shapes has %s, which is no collection", name)
		}
	}
}

// expiring are the collections with a TTL policy.
func expiring(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "firestore.indexes.json"))
	testenv.Must(t, err)
	var file struct {
		FieldOverrides []struct {
			CollectionGroup string
			TTL             bool
		}
	}
	testenv.Must(t, json.Unmarshal(text, &file))
	for _, f := range file.FieldOverrides {
		if f.TTL {
			names = append(names, f.CollectionGroup)
		}
	}
	return names
}
