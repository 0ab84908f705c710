package ceilings

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var update = flag.Bool("update", false, "write what is measured")

// TestCosts compares api/costs.json, which OpenAPI shows as x-cost, with the most expensive input of each route in the
// table that TestCeiling measures.
func TestCosts(t *testing.T) {
	most := map[string]promise{}
	for row, p := range promises(t) {
		route, _, _ := strings.Cut(row, " (")
		most[route] = promise{max(most[route][0], p[0]), max(most[route][1], p[1])}
	}
	var lines []string
	for _, route := range slices.Sorted(maps.Keys(most)) {
		lines = append(lines, fmt.Sprintf(`  %q: {"maxReads": %d, "maxWrites": %d}`, route, most[route][0], most[route][1]))
	}
	want := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
	path := filepath.Join(testenv.Root(), "api", "costs.json")
	if *update {
		testenv.Must(t, os.WriteFile(path, []byte(want), 0o644))
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("api/costs.json is not what the table says (%v): go test ./lab/ceilings -run Costs -update", err)
	}
}
