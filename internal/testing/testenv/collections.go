package testenv

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"
)

// Collections lists the names of all collections: the first constants of
// model/collections.go.
func Collections(t testing.TB) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(Root(), "model/collections.go"), nil, 0)
	Must(t, err)
	for _, decl := range file.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
			for _, spec := range group.Specs {
				name, err := strconv.Unquote(spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
				Must(t, err)
				names = append(names, name)
			}
			break // the second group has counters
		}
	}
	if len(names) < 40 {
		t.Fatalf("the collections are %q", names)
	}
	return names
}
