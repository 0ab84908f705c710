package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// laptop are the trees that do not ship: a panic there may end the process, with its stack on the
// terminal.
var laptop = []string{"./cmd/hibana/...", "./dev/...", "./lab/...", "./tests/..."}

// Nothing that ships starts a goroutine beside package safely: a panic in it would end the process
// with all requests and events in flight, and the event that did it would come again.
func TestGoroutines(t *testing.T) {
	t.Parallel()
	safely := full("./internal/safely")
	groups := 0
	for _, p := range list(t) {
		if matches(laptop, p.ImportPath) || p.ImportPath == safely {
			continue
		}
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, found := range bare(t, name, nil) {
				t.Errorf("%s: a panic in it ends the process; use package safely", found)
			}
		}
		for _, imported := range p.Imports {
			if imported == safely {
				groups++
			}
		}
	}
	if groups < 20 {
		t.Errorf("%d packages use package safely: the test looks at the wrong place", groups)
	}
}

func TestBare(t *testing.T) {
	t.Parallel()
	const source = `package p
import ("context"; "sync"; "time"; "golang.org/x/sync/errgroup")
func f(ctx context.Context) {
	go f(ctx)
	go func() {}()
	var w sync.WaitGroup
	w.Wait()
	time.AfterFunc(0, func() {})
	context.AfterFunc(ctx, func() {})
	var g errgroup.Group
	g.Go(func() error { return nil })
}`
	if got, want := len(bare(t, "p.go", source)), 6; got != want {
		t.Errorf("%d places found, want %d: %v", got, want, bare(t, "p.go", source))
	}
}

// bare returns where a file starts goroutines by itself. A source that is not nil stands for the file's.
func bare(t *testing.T, name string, source any) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(n ast.Node, what string) { found = append(found, set.Position(n.Pos()).String()+": "+what) }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			add(n, "a go statement")
		case *ast.ImportSpec:
			if strings.HasSuffix(n.Path.Value, `/errgroup"`) {
				add(n, "an errgroup")
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && (x.Name == "sync" && n.Sel.Name == "WaitGroup" || n.Sel.Name == "AfterFunc" &&
				(x.Name == "time" || x.Name == "context")) {
				add(n, x.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}
