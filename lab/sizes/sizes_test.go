package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var update = flag.Bool("update", false, "rewrite testdata/names.txt by the names that there are, and a tenth more")

// exempt are exported functions that only tests call by name, with the reason.
var exempt = map[string]string{
	"store/counters.Store.RollUpSoon":           "a test is a process that ends within it",
	"store/discovery.SuggestionsWriter.Compute": "a test computes at once",
	"store/discovery.TrendsWriter.Flush":        "a test waits for no timer",
	"store/federation.Store.SigningKey":         "a test compares it with the public key",
	"store/internal/access.Deleted.Error":       "an error has it",
	"store/internal/groupcommit.Group.Do":       "packages call it through a Queue",
	"store/moderation.Statuses.Note":            "a test has the answer to a query that ran meanwhile",
	"store/moderation.Statuses.Reads":           "a test counts what queries cost",
	"store/moderation.Statuses.SetOverlap":      "a test has no late commits",
	"store/moderation.Statuses.SetTimeout":      "a test has a database that does not answer",
	"store/listen.Hub.Cost":                     "a test counts what listeners cost",
	"store/listen.Listener.Leave":               "streaming calls it by an interface",
	"store/listen.Listener.Ready":               "streaming calls it by an interface",
	"store/oauth.Store.CreateApp":               "routes of Mastodon's API call it by an interface",
	"store/oauth.Store.Exchange":                "routes of Mastodon's API call it by an interface",
	"store/oauth.Store.Issue":                   "routes of Mastodon's API call it by an interface",
	"store/oauth.Store.Revoke":                  "routes of Mastodon's API call it by an interface",
	"store/ops.Budgets.Share":                   "a limiter calls it as its Ledger",
	"store/reactions.Store.Add":                 "a test adds reactions of every kind",
	"store/timelines.Cursor.MarshalBinary":      "page tokens call it",
	"store/timelines.Cursor.UnmarshalBinary":    "page tokens call it",
	"store/verify.Auditor.All":                  "a test compares the whole database at once; a command does it in parts",
}

// loaded is the layout of the module, for all tests.
var loaded = sync.OnceValues(func() (*layout, error) { return load(testenv.Root()) })

// A package exports no more names than testdata/names.txt allows: each of them is a promise to
// other packages. How many lines a package has does not matter.
func TestNames(t *testing.T) {
	t.Parallel()
	l, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/names.txt"
	if *update {
		var text strings.Builder
		for _, p := range l.packages {
			fmt.Fprintf(&text, "%s %d\n", p.path, p.names+(p.names+9)/10)
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var path string
		var n int
		if _, err := fmt.Sscan(line, &path, &n); err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		}
		most[path] = n
	}
	for _, p := range l.packages {
		if limit, ok := most[p.path]; !ok {
			t.Errorf("%s has no line for %s, which exports %d names; -update adds it", file, p.path, p.names)
		} else if p.names > limit {
			t.Errorf("%s exports %d names, at most %d: unexport some, or raise the number in %s", p.path, p.names, limit, file)
		}
		delete(most, p.path)
	}
	for path := range most {
		t.Errorf("%s has a line for %s, which does not exist", file, path)
	}
}

func TestUses(t *testing.T) {
	t.Parallel()
	l, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range l.packages {
		for _, f := range p.funcs {
			name := p.path + "." + f.name
			if len(f.usedBy) == 0 && exempt[name] == "" {
				t.Errorf("%s is exported and nobody uses it: unexport or delete it", name)
			}
			if (strings.HasPrefix(f.name, "Writer.") || f.name == "NewWriter") && slices.Contains(f.usedBy, "api") {
				t.Errorf("api calls %s: what is derived belongs to functions and audit", name)
			}
			if p.path == "store/verify" && slices.Contains(f.usedBy, "functions") {
				t.Errorf("functions call %s: an audit that repairs would hide that a function is wrong", name)
			}
		}
	}
}
