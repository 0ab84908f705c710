package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hibana-sns/hibana/functions"
)

// Both forms list the table, whole and in its order.
func TestTriggers(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "triggers", "--json")
	p.ends(0)
	var printed []struct {
		Name, Document string
		EventTypes     []functions.EventType
	}
	if err := json.Unmarshal([]byte(p.out.String()), &printed); err != nil {
		t.Fatal(err)
	}
	var got []functions.Function
	for _, f := range printed {
		got = append(got, functions.Function{Name: f.Name, Document: f.Document, On: f.EventTypes})
	}
	if diff := cmp.Diff(functions.Table, got, cmpopts.IgnoreUnexported(functions.Function{})); diff != "" {
		t.Errorf("hibana triggers --json (-table +printed):\n%s", diff)
	}

	p = hibana(t, nil, "triggers")
	p.ends(0)
	lines := strings.Split(strings.TrimSpace(p.out.String()), "\n")[1:]
	if len(lines) != len(functions.Table) {
		t.Fatalf("%d lines for %d functions", len(lines), len(functions.Table))
	}
	for i, f := range functions.Table {
		if want := []string{f.Name, f.Document}; !cmp.Equal(strings.Fields(lines[i])[:2], want) {
			t.Errorf("line %d = %q, want %q", i, lines[i], want)
		}
	}
}
