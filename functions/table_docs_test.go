package functions_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
)

var update = flag.Bool("update", false, "write the table of functions into docs")

// TestTableDocs demands that the documents have a row for each function, with what the comment of
// its handler says. With -update it writes them.
func TestTableDocs(t *testing.T) {
	t.Parallel()
	comments, files := handlers(t)
	var b strings.Builder
	fmt.Fprintln(&b, "| function | of documents | when | file | does |\n|---|---|---|---|---|")
	for _, f := range functions.Table {
		handler := strings.ToLower(f.Name[:1]) + f.Name[1:]
		does, ok := strings.CutPrefix(comments[handler], handler+" ")
		if !ok {
			t.Errorf("the handler of %s has no comment that begins with its name", f.Name)
		}
		var when []string
		for _, on := range f.On {
			when = append(when, string(on)[strings.LastIndex(string(on), ".")+1:])
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | [%s](../../functions/%s) | %s |\n", f.Name, f.Document, strings.Join(when, ", "),
			files[handler], files[handler], does)
	}
	testenv.Generated(t, "model/functions.md", "Functions", b.String(), *update)
}

// handlers returns the comment of each method of handlers, in one line, and the file of each.
func handlers(t *testing.T) (comments, files map[string]string) {
	t.Helper()
	comments, files = map[string]string{}, map[string]string{}
	names, err := filepath.Glob("*.go")
	testenv.Must(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		testenv.Must(t, err)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				text, _, _ := strings.Cut(f.Doc.Text(), "\n\n") // without what it costs
				comments[f.Name.Name], files[f.Name.Name] = strings.ReplaceAll(strings.TrimSpace(text), "\n", " "), name
			}
		}
	}
	return comments, files
}
