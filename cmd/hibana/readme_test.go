package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
)

// root is the repository, as seen from this package.
const root = "../.."

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The README has the session as hibana dev prints it and every command, docs/code.md every
// function.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme := readDoc(t, "README.md")
	if want := "\n```sh\n" + session("127.0.0.1:8000", "127.0.0.1:9099") + "```\n"; !strings.Contains(readme, want) {
		t.Errorf("README.md does not have the session of session.sh in a fenced block:\n%s", want)
	}
	code := readDoc(t, "docs/code.md")
	for _, f := range functions.Table {
		if !regexp.MustCompile(`(?m)^\|.*\b` + f.Name + `\b.*\|`).MatchString(code) {
			t.Errorf("docs/code.md has no row for %s", f.Name)
		}
	}
	for _, command := range kong.Must(&commands{}).Model.Children {
		if !regexp.MustCompile("(?m)^\\| `bin/hibana --help` \\|.*`" + command.Name + "`").MatchString(readme) {
			t.Errorf("README.md does not name the command %s", command.Name)
		}
	}
}

// The documents name every collection and every variable of the environment, and link
// to what there is.
func TestDocs(t *testing.T) {
	t.Parallel()
	dataModel := readDoc(t, "docs/data-model.md")
	for _, name := range collections(t) {
		if !regexp.MustCompile("[`/]" + name + "[`/]").MatchString(dataModel) {
			t.Errorf("docs/data-model.md does not name the collection %s", name)
		}
	}
	operations := readDoc(t, "docs/operations.md")
	for _, name := range variables(reflect.TypeFor[config.API]()) {
		if !strings.Contains(operations, "\n| `"+name+"` |") {
			t.Errorf("docs/operations.md has no row for %s", name)
		}
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := filepath.Glob(filepath.Join(root, "docs", "adr", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, path := range append(append(documents, decisions...), filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, link[1])
			}
		}
	}
	if links == 0 {
		t.Error("no links found")
	}
}

// collections are the values of the constants in the first block of
// model/collections.go.
func collections(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "model", "collections.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Decls[0].(*ast.GenDecl).Specs {
		for _, v := range spec.(*ast.ValueSpec).Values {
			name, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
	}
	if len(names) < 30 {
		t.Fatalf("only %d collections found", len(names))
	}
	return names
}

// variables are the names in the env tags of a struct and those within it.
func variables(s reflect.Type) (names []string) {
	for i := range s.NumField() {
		f := s.Field(i)
		if f.Type.Kind() == reflect.Struct {
			names = append(names, variables(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("env"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// deploy/triggers.sh prints one command for each function and event type.
func TestDeployTriggers(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "deploy", "triggers.sh"))
	cmd.Env = append(os.Environ(), "PROJECT=p", "REGION=here", "LOCATION=nam5", "HIBANA="+os.Args[0], beHibana+"=1")
	var errout bytes.Buffer
	cmd.Stderr = &errout
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errout)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	n := 0
	names := map[string]bool{}
	for _, f := range functions.Table {
		for _, on := range f.On {
			if n == len(lines) {
				t.Fatalf("%d lines; none for %s, %s", len(lines), f.Name, on)
			}
			// Read as a shell would, which the commands are quoted for.
			args, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\n' `+strings.TrimPrefix(lines[n], "gcloud")).Output()
			if err != nil {
				t.Fatal(err)
			}
			n++
			got := strings.Split(strings.TrimSpace(string(args)), "\n")
			if want := []string{"eventarc", "triggers", "create"}; len(got) < 4 || !reflect.DeepEqual(got[:3], want) {
				t.Fatalf("command %q, want %q first", got, want)
			}
			if !regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`).MatchString(got[3]) || names[got[3]] {
				t.Errorf("trigger %q: not a name, or not the first of that name", got[3])
			}
			names[got[3]] = true
			want := fmt.Sprint([]string{
				"--project=p", "--location=nam5",
				"--destination-run-service=hibana-functions", "--destination-run-region=here", "--destination-run-path=/" + f.Name,
				"--event-filters=type=" + string(on), "--event-filters=database=(default)",
				"--event-filters-path-pattern=document=" + f.Document,
				"--event-data-content-type=application/protobuf", "--service-account=hibana-triggers@p.iam.gserviceaccount.com",
			})
			if flags := fmt.Sprint(got[4:]); flags != want {
				t.Errorf("%s, %s: %s, want %s", f.Name, on, flags, want)
			}
		}
	}
	if n != len(lines) {
		t.Errorf("%d commands, want %d", len(lines), n)
	}
}
