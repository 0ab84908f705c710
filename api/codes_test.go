package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
)

// ofCommands are codes that commands alone meet.
var ofCommands = []string{"buried_again", "dead_letter_not_found", "effect_forgotten", "job_runs", "job_lost",
	"migration_not_found", "invalid_rate", "notifications_busy", "old_writer"}

// Every code that the source gives to a failure has a meaning in the OpenAPI document, and
// every code of the document is given.
func TestCodes(t *testing.T) {
	t.Parallel()
	given := map[string]bool{}
	for k := range errs.Kinds {
		given[errs.Kind(k).String()] = true
	}
	err := filepath.WalkDir(testenv.Root(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (strings.HasPrefix(name, ".") && len(name) > 1 ||
			slices.Contains([]string{"local", "tests", "testing", "node_modules", "testdata"}, name)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if name := called(n); (name == "New" && calledIn(n) == "errs" || name == "newProblem") && len(n.Args) > 1 {
					note(given, n.Args[1])
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					note(given, n.Value)
				}
			}
			return true
		})
		return nil
	})
	testenv.Must(t, err)
	for code := range given {
		if api.Codes[code] == "" && !slices.Contains(ofCommands, code) {
			t.Errorf("the code %s has no meaning in codes.go", code)
		}
	}
	given["media_damaged"] = true // a constant of package media
	for code := range api.Codes {
		if !given[code] {
			t.Errorf("nothing gives the code %s", code)
		}
	}
	if len(given) < 60 {
		t.Errorf("only %d codes were found", len(given))
	}
}

func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// calledIn is the package of a function that is called.
func calledIn(c *ast.CallExpr) string {
	if f, ok := c.Fun.(*ast.SelectorExpr); ok {
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name
		}
	}
	return ""
}

// note adds a code that stands in the source as it is.
func note(codes map[string]bool, e ast.Expr) {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if code, err := strconv.Unquote(lit.Value); err == nil && code != "" && !strings.ContainsAny(code, " .") {
			codes[code] = true
		}
	}
}
