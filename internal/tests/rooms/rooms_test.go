package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

// limits are how many lines a package of the store may have. A package without a limit here
// may have 1,500 lines.
var limits = map[string]int{"store/facts": 2_400, "store/audit": 2_200, "store/cards": 1_600, "store/timelines": 1_600}

// exempt are exported functions that only tests call by name, with the reason.
var exempt = map[string]string{
	"store/facts.Deleted.Error":              "an error has it",
	"store/budgets.Store.Share":              "a limiter calls it as its Ledger",
	"store/timelines.Cursor.MarshalBinary":   "page tokens call it",
	"store/timelines.Cursor.UnmarshalBinary": "page tokens call it",
	"store/audit.Auditor.All":                "a test compares the whole database at once; a command does it in parts",
}

func TestRooms(t *testing.T) {
	t.Parallel()
	u, err := load(testenv.Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range u.packages {
		limit := 1_500
		if l := limits[p.path]; l != 0 {
			limit = l
		}
		if p.lines > limit {
			t.Errorf("%s has %d lines, at most %d are easy to know: split it", p.path, p.lines, limit)
		}
		for _, f := range p.funcs {
			name := p.path + "." + f.name
			if len(f.usedBy) == 0 && exempt[name] == "" {
				t.Errorf("%s is exported and nobody uses it: unexport or delete it", name)
			}
			if (strings.HasPrefix(f.name, "Writer.") || f.name == "NewWriter") && slices.Contains(f.usedBy, "api") {
				t.Errorf("api calls %s: what is derived belongs to functions and audit", name)
			}
			if p.path == "store/audit" && slices.Contains(f.usedBy, "functions") {
				t.Errorf("functions call %s: an audit that repairs would hide that a function is wrong", name)
			}
		}
	}
}
