package fields_test

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
)

// TestNames demands that a document has each field of this package: a constant has the name of a tag.
func TestNames(t *testing.T) {
	// of work documents and overflow documents; no type has them
	tags := map[string]bool{"askedAt": true, "asks": true, "pageOf": true}
	each(t, []string{"..", "../../store"}, func(_ *token.FileSet, n ast.Node) {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil {
			_, rest, _ := strings.Cut(f.Tag.Value, `firestore:"`)
			name, _, _ := strings.Cut(rest, `"`)
			name, _, _ = strings.Cut(name, ",")
			tags[name] = true
		}
	})
	found := 0
	each(t, []string{"."}, func(at *token.FileSet, n ast.Node) {
		if c, ok := n.(*ast.ValueSpec); ok {
			found++
			if name := unquoted(t, c.Values[0]); !tags[name] {
				t.Errorf("%s: no document has a field %q", at.Position(c.Pos()), name)
			}
		}
	})
	if found < 100 || len(tags) < 200 {
		t.Fatalf("%d constants and %d tags were found", found, len(tags))
	}
}

// TestNoLiterals demands that package store names fields by constants. A literal with a typing error would compile, and
// write another field.
func TestNoLiterals(t *testing.T) {
	calls := 0
	each(t, []string{"../../store"}, func(at *token.FileSet, n ast.Node) {
		for _, name := range names(n) {
			calls++
			if lit, ok := name.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				t.Errorf("%s: the field %s is a literal; use package fields", at.Position(lit.Pos()), lit.Value)
			}
		}
	})
	if calls < 200 {
		t.Fatalf("%d names of fields were found", calls)
	}
}

// names returns the expressions of a node that name fields of documents: in queries, updates and field paths.
func names(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		switch {
		case !ok || len(n.Args) == 0:
		case f.Sel.Name == "Where" || f.Sel.Name == "OrderBy":
			return n.Args[:1]
		case f.Sel.Name == "Select":
			return n.Args
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Path" {
			return []ast.Expr{n.Value}
		}
	case *ast.CompositeLit:
		if typ, ok := n.Type.(*ast.SelectorExpr); ok && typ.Sel.Name == "FieldPath" && len(n.Elts) > 0 {
			return n.Elts[:1]
		}
	}
	return nil
}

// each calls visit for each node of the Go files below some directories, without tests.
func each(t *testing.T, dirs []string, visit func(*token.FileSet, ast.Node)) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			at := token.NewFileSet()
			file, err := parser.ParseFile(at, path, nil, 0)
			if err != nil {
				return err
			}
			for n := range ast.Preorder(file) {
				visit(at, n)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unquoted(t *testing.T, e ast.Expr) string {
	t.Helper()
	s, err := strconv.Unquote(slices.Collect(ast.Preorder(e))[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
