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
	"", "api", "api/server", "api/mastodon", "api/wiring", "fediverse/documents", "functions", "model", "cmd/api",
	"cmd/functions",
	"cmd/hibana", "cmd/jobs",
	"store", "store/counters", "store/discovery", "store/erasure", "store/graph", "store/moderation",
	"store/notifications", "store/ops", "store/profiles", "store/reactions", "store/shop", "store/timelines",
	"store/internal/access", "store/tweets", "store/users", "store/verify",
	"fediverse/remote", "internal/config", "internal/errs", "internal/gcplog", "internal/idtoken", "internal/markdown",
	"internal/markdown/render", "internal/media", "internal/meter", "internal/words", "dev/emulators", "dev/eventarc",
	"dev/stack", "dev/testing/testenv",
}

// rule forbids some imports to some packages. Packages are given by patterns: the path of a
// package, or of a tree of packages with "/..." at its end. A path that begins with "./" is
// in this module.
type rule struct {
	name    string
	of      []string
	except  []string // packages of of to which the rule does not apply
	imports []string // forbidden packages
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
	testHelp    = []string{"./dev/testing/..."}
	development = []string{"./dev/...", "./lab/...", "./tests/..."}
)

// rules look through packages. golangci-lint's depguard holds what a package may import itself (.golangci.yml).
var rules = []rule{
	{
		name: "HTTP is at the edge", of: []string{"./internal/errs", "./internal/markdown", "./internal/media",
			"./internal/words", "./model"},
		imports: []string{"net/http"},
		why: "a failure has a kind, and package api/server alone knows the status that answers a request with it: an event " +
			"and a command have none",
	},
	{
		name: "model is the bottom", of: []string{"./model"},
		imports: slices.Concat(web, events, firestore, []string{"./", "./api/...", "./cmd/...", "./functions/...",
			"./store/...", "./internal/meter/..."}),
		why: "every other package imports model, so it can import none of them, and no client or framework",
	},
	{
		name: "model knows the text, and not the page", of: []string{"./model", "./store/..."},
		imports: []string{"./internal/markdown/render", "github.com/microcosm-cc/bluemonday/..."},
		why: "hashtags and snippets follow from the structure of a text, which is part of the model; HTML is one form " +
			"of it, which the API hands out, and package fediverse/documents, also to functions, which send it to other " +
			"servers",
	},
	{
		name: "store knows no transport", of: []string{"./store/..."},
		imports: slices.Concat(web, events, []string{"./", "./api/...", "./cmd/...", "./functions/..."}),
		why: "reads and writes are the same for a request, an event and a command: what arrives is taken apart by the " +
			"caller",
	},
	{
		name: "the fediverse knows no transport", of: []string{"./fediverse/..."},
		imports: slices.Concat(web, events, []string{"./", "./api/...", "./cmd/...", "./functions/..."}),
		why:     "the API and functions both keep and send what is of other servers",
	},
	{
		name: "api does not know functions", of: []string{"./api/..."},
		imports: []string{"./", "./cmd/...", "./functions/..."},
		why:     "two services write source documents and projections: they are deployed apart, and meet in Firestore only",
	},
	{
		name: "the frame knows no resource", of: []string{"./api/server"},
		imports: []string{"./api", "./store/..."},
		why:     "what the frame must know of a resource is a hook, which package api fills",
	},
	{
		name: "Mastodon's API is a client", of: []string{"./api/mastodon"},
		imports: []string{"./api", "./store/..."},
		why:     "its methods are answered by operations of the native API, so that one code decides who may do what",
	},
	{
		name: "the fediverse is below both", of: []string{"./fediverse/..."},
		imports: []string{"./", "./api/...", "./cmd/...", "./functions/..."},
		why:     "the API and functions read and send the same documents, so these belong to neither",
	},
	{
		name: "functions do not know api", of: []string{"./", "./functions/..."},
		imports: []string{"./api/...", "./cmd/..."},
		why:     "two services write source documents and projections: they are deployed apart, and meet in Firestore only",
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
			"./internal/limits", "./internal/markdown/...", "./internal/media", "./internal/meter", "./internal/opensearch",
			"./internal/push/...", "./internal/words"},
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
				for _, dep := range p.Deps {
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
