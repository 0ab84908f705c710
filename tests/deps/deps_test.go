package deps

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

const module = "github.com/hibana-sns/hibana"

// packages are packages that must exist, without the module's path. A rule about a package
// that does not exist would hold for nothing.
var packages = []string{
	"", "api", "functions", "model",
	"store", "store/facts", "store/counters", "store/profiles", "store/timelines", "store/timelines",
	"store/notifications", "store/erasure", "store/erasure", "store/ops", "store/ops", "store/ops", "store/ops",
	"store/tweets", "store/reactions", "store/graph", "store/reactions", "store/tweets", "store/tweets", "store/tweets",
	"store/discovery", "store/tweets", "store/notifications", "store/shop", "store/shop", "store/notifications",
	"store/discovery", "store/discovery", "store/discovery", "store/tweets", "store/moderation", "store/verify",
	"cmd/api", "cmd/functions", "cmd/hibana",
	"internal/config", "dev/emulators", "internal/errs", "dev/eventarc",
	"internal/gcplog", "internal/markdown", "internal/markdown/render", "internal/meter", "internal/opensearch",
	"internal/push", "internal/push/vapid", "internal/words", "dev/stack", "dev/testing/testenv",
}

// rule forbids some imports to some packages. Packages are given by patterns: the path of a
// package, or of a tree of packages with "/..." at its end. A path that begins with "./" is
// in this module.
type rule struct {
	name    string
	of      []string
	except  []string // packages of of to which the rule does not apply
	imports []string // forbidden packages
	direct  bool     // an import through another package is allowed
	why     string
}

// Modules of others that only some packages may import.
var (
	web    = []string{"github.com/gin-gonic/gin/...", "github.com/danielgtaylor/huma/v2/..."}
	events = []string{"github.com/cloudevents/sdk-go/v2/...",
		"github.com/GoogleCloudPlatform/functions-framework-go/...", "github.com/googleapis/google-cloudevents-go/..."}
	firestore = []string{"cloud.google.com/go/firestore/..."}
)

// Packages of this module that serve tests, or developers and tests.
var (
	testHelp    = []string{"./internal/testing/..."}
	development = append([]string{"./internal/local/..."}, testHelp...)
)

var rules = []rule{
	{
		name: "model has no I/O", of: []string{"./model"}, direct: true,
		imports: []string{"io/...", "log/...", "net", "net/http/...", "net/rpc/...", "net/smtp", "net/textproto", "os/...",
			"syscall", "database/...", "google.golang.org/...", "firebase.google.com/..."},
		why: "documents, ids and limits are values: whoever needs them must not need a network, a disk or a log as well",
	},
	{
		name: "HTTP is at the edge", of: []string{"./internal/errs", "./internal/markdown", "./internal/words", "./model"},
		imports: []string{"net/http"},
		why: "a failure has a kind, and package api alone knows the status that answers a request with it: an event " +
			"and a command have none",
	},
	{
		name: "model is the bottom", of: []string{"./model"},
		imports: slices.Concat(web, events, firestore, []string{"./", "./api/...", "./cmd/...", "./functions/...",
			"./store/...", "./internal/meter/..."}),
		why: "every other package imports model, so it can import none of them, and no client or framework",
	},
	{
		name: "model knows the text, and not the page", of: []string{"./model", "./store/...", "./functions/..."},
		imports: []string{"./internal/markdown/render", "github.com/microcosm-cc/bluemonday/..."},
		why: "hashtags and snippets follow from the structure of a text, which is part of the model; HTML is one form " +
			"of it, which the API alone hands out",
	},
	{
		name: "store knows no transport", of: []string{"./store/..."},
		imports: slices.Concat(web, events, []string{"./", "./api/...", "./cmd/...", "./functions/..."}),
		why: "reads and writes are the same for a request, an event and a command: what arrives is taken apart by the " +
			"caller",
	},
	{
		name: "api does not know functions", of: []string{"./api/..."},
		imports: []string{"./", "./cmd/...", "./functions/..."},
		why:     "facts and derived documents are written by two services that are deployed apart and meet in Firestore only",
	},
	{
		name: "functions do not know api", of: []string{"./", "./functions/..."},
		imports: []string{"./api/...", "./cmd/..."},
		why:     "facts and derived documents are written by two services that are deployed apart and meet in Firestore only",
	},
	{
		name: "Firestore is behind store", of: []string{"./", "./api/...", "./functions/..."}, direct: true,
		imports: firestore,
		why: "every read and write is a method of store.Store, where its cost is measured and its paths and fields " +
			"are known",
	},
	{
		name: "api reads what is derived", of: []string{"./api/..."}, direct: true,
		imports: []string{"./store", "./store/counters", "./store/timelines", "./store/erasure", "./store/ops"},
		why: "package store hands out the writers of derived documents, which belong to functions and audit: the API " +
			"gets facts and readers",
	},
	{
		name: "functions do not audit", of: []string{"./functions/..."}, direct: true,
		imports: []string{"./store/verify"},
		why: "a function that verified or repaired would hide that another one is wrong: people and the API ask for " +
			"an audit",
	},
	{
		name: "domains know only those below", of: []string{"./store/facts", "./store/profiles", "./store/notifications",
			"./store/erasure", "./store/erasure", "./store/ops", "./store/ops", "./store/ops", "./store/ops"},
		imports: []string{"./store", "./store/facts", "./store/counters", "./store/profiles", "./store/timelines",
			"./store/timelines", "./store/notifications", "./store/erasure", "./store/erasure", "./store/ops", "./store/ops",
			"./store/tweets", "./store/reactions", "./store/graph", "./store/reactions", "./store/tweets", "./store/tweets",
			"./store/tweets", "./store/discovery", "./store/tweets", "./store/notifications", "./store/notifications",
			"./store/discovery", "./store/discovery", "./store/discovery", "./store/tweets", "./store/shop", "./store/shop",
			"./store/moderation", "./store/verify"},
		why: "these are the lowest domains: what they share is in store/internal",
	},
	{
		name: "counters know facts", of: []string{"./store/counters"},
		imports: []string{"./store", "./store/profiles", "./store/timelines", "./store/timelines", "./store/notifications",
			"./store/erasure", "./store/ops", "./store/verify"},
		why: "a count follows from facts, and from nothing that is derived",
	},
	{
		name: "moderation, edits, requests, bookmarks, pins, polls, drafts, tags, mentions, settings, devices, search, " +
			"trends, totals, threads, shop and orders know facts", of: []string{"./store/moderation", "./store/tweets",
			"./store/graph", "./store/reactions", "./store/tweets", "./store/tweets", "./store/tweets", "./store/discovery",
			"./store/tweets", "./store/notifications", "./store/notifications", "./store/discovery", "./store/discovery",
			"./store/discovery", "./store/tweets", "./store/shop", "./store/shop"},
		imports: []string{"./store", "./store/counters", "./store/profiles", "./store/timelines", "./store/timelines",
			"./store/notifications", "./store/ops", "./store/verify"},
		why: "what moderators and editors do is a fact like others, and a thread shows facts: functions derive the rest",
	},
	{
		name: "shares know facts and cards", of: []string{"./store/reactions"},
		imports: []string{"./store", "./store/counters", "./store/timelines", "./store/timelines", "./store/notifications",
			"./store/erasure", "./store/ops", "./store/verify"},
		why: "a profile merges what a user shares, which are facts, with the cards of what the user wrote",
	},
	{
		name: "waking knows timelines", of: []string{"./store/timelines"},
		imports: []string{"./store", "./store/counters", "./store/notifications", "./store/erasure", "./store/ops",
			"./store/verify"},
		why: "a reader who wakes is linked with each author anew: counts and notices have nothing to do with it",
	},
	{
		name: "timelines know facts and cards", of: []string{"./store/timelines"},
		imports: []string{"./store", "./store/counters", "./store/timelines", "./store/notifications", "./store/erasure",
			"./store/ops", "./store/verify"},
		why: "a fan-out writes cards and home timelines, and a home page shows facts: counts and notices have their " +
			"own functions",
	},
	{
		name: "audit is on top", of: []string{"./store/..."}, except: []string{"./store", "./store/verify"},
		imports: []string{"./store", "./store/verify"},
		why:     "audit compares all domains: a domain that knew it could not be compared",
	},
	{
		name: "emulators are for development", of: []string{"./..."}, except: slices.Concat(development,
			[]string{"./cmd/hibana/..."}),
		imports: development,
		why: "what starts emulators or stands in for Eventarc has no place in a service that is deployed: only " +
			"cmd/hibana and tests use it",
	},
	{
		name: "tests are apart", of: []string{"./..."}, except: testHelp,
		imports: append([]string{"testing"}, testHelp...),
		why:     "what only tests need would be shipped to production with its flags and its weight",
	},
	{
		name: "tools know no business", of: []string{"./internal/config", "./internal/errs", "./internal/gcplog",
			"./internal/limits", "./internal/markdown/...", "./internal/meter", "./internal/opensearch", "./internal/push/...",
			"./internal/words"},
		imports: []string{"./", "./api/...", "./cmd/...", "./functions/...", "./store/..."},
		why:     "each does one thing for whoever asks; importing its users back would make a circle sooner or later",
	},
}

func TestImports(t *testing.T) {
	t.Parallel()
	all := list(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, p := range all {
				if !matches(r.of, p.ImportPath) || matches(r.except, p.ImportPath) {
					continue
				}
				deps := p.Deps
				if r.direct {
					deps = p.Imports
				}
				for _, dep := range deps {
					if matches(r.imports, dep) {
						t.Errorf("%s imports %s: %s", p.ImportPath, way(all, p, dep), r.why)
					}
				}
			}
		})
	}
}

func TestPackages(t *testing.T) {
	t.Parallel()
	all := list(t)
	for _, name := range packages {
		if find(all, full("./"+name)) == nil {
			t.Errorf("there is no package %s", full("./"+name))
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"./", module, true},
		{"./", module + "/api", false},
		{"./...", module, true},
		{"./...", module + "/api", true},
		{"./api", module + "/api", true},
		{"./api", module + "/api/v2", false},
		{"./api/...", module + "/api/v2", true},
		{"./api/...", module + "/apis", false},
		{"./api", "api", false},
		{"net/...", "net", true},
		{"net/...", "net/http", true},
		{"os", "os/exec", false},
	}
	for _, test := range tests {
		if got := matches([]string{test.pattern}, test.path); got != test.want {
			t.Errorf("matches(%q, %q) = %t, want %t", test.pattern, test.path, got, test.want)
		}
	}
}

// matches reports whether one of the patterns means a package.
func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		tree, ok := strings.CutSuffix(pattern, "/...")
		if tree = full(tree); ok && strings.HasPrefix(path, tree+"/") {
			return true
		}
		return path == tree
	})
}

// full returns the import path of a path that may begin with "./".
func full(path string) string {
	if path == "." || path == "./" {
		return module
	}
	if ours, ok := strings.CutPrefix(path, "./"); ok {
		return module + "/" + ours
	}
	return path
}

// pkg is a package of the module, without its tests.
type pkg struct {
	Dir, ImportPath string
	Imports         []string // packages that it imports
	Deps            []string // packages that it imports, packages that these import, and so on
}

// list returns all packages of the module.
func list(t *testing.T) []*pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=Dir,ImportPath,Imports,Deps", "./...")
	cmd.Dir = testenv.Root()
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []*pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(pkg)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		// The cache of test results does not see which files another program reads. It sees
		// this reading, so that the test runs again when a file changes.
		if _, err := os.ReadDir(p.Dir); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func find(all []*pkg, path string) *pkg {
	if i := slices.IndexFunc(all, func(p *pkg) bool { return p.ImportPath == path }); i >= 0 {
		return all[i]
	}
	return nil
}

// way returns how a package comes to import dep: by itself, or through a package of the
// module that it imports.
func way(all []*pkg, p *pkg, dep string) string {
	if slices.Contains(p.Imports, dep) {
		return dep
	}
	for _, path := range p.Imports {
		if next := find(all, path); next != nil && slices.Contains(next.Deps, dep) {
			return path + " and with it " + dep
		}
	}
	return dep // through a package of another module
}
