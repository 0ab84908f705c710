package model_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

var update = flag.Bool("update", false, "write the tables of the registry into docs")

// TestRegistryDocs demands that the documents have the tables of the registry. With -update it
// writes them.
func TestRegistryDocs(t *testing.T) {
	t.Parallel()
	types := parseTypes(t)
	testenv.Generated(t, "model/README.md", "Data model", overview(), *update)
	testenv.Generated(t, "operate/rollout.md", "Rollout", shapes(), *update)
	for _, f := range model.Families {
		testenv.Generated(t, "model/"+f.Name+".md", f.Title, fields(t, types, &f), *update)
	}
}

// overview has the tables of all collections.
func overview() string {
	var b strings.Builder
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	head := func(title string, columns ...string) {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "## %s\n\n", title)
		row(columns...)
		row(slices.Repeat([]string{"---"}, len(columns))...)
	}
	family := func(c *model.Collection) string { return fmt.Sprintf("[%s](%s.md)", code(c.Path), c.Family) }
	head("Collections", "document", "is", "kind", "read by", "expires after", "rebuilt by")
	for _, c := range model.Registry {
		row(family(&c), c.What, string(c.Kind), string(c.Access), ttl(c.TTL), rebuilt(c.RebuiltBy))
	}
	head("Documents of a person", "document", "which", "found by", "in a pass of an account deletion",
		"section of an export")
	for _, c := range model.Registry {
		for _, o := range c.Owners {
			position, section := "not: "+c.NotErased, "not: "+c.NotExported
			if o.Erase > 0 {
				position = fmt.Sprint(o.Erase)
			} else if c.NotErased == "" {
				position = ""
			}
			if o.Export.Name != "" {
				section = code(o.Export.Name)
			} else if c.NotExported == "" {
				section = ""
			}
			row(family(&c), o.What, by(o.By), position, section)
		}
		if len(c.Owners) == 0 {
			row(family(&c), "", "", "not: "+c.NotErased, "not: "+c.NotExported)
		}
	}
	head("Bounds", "document", "bytes", "index entries", "what keeps it", "test")
	for _, c := range model.Registry {
		row(family(&c), thousands(c.Bound.Bytes), thousands(c.Bound.Entries), c.Bound.Why, code(c.Bound.Test))
	}
	return b.String()
}

// shapes lists the collections by how the shape of their documents may change.
func shapes() string {
	var b strings.Builder
	fmt.Fprintln(&b, "| kind | collections |\n|---|---|")
	for _, shape := range []model.Shape{model.ShapeRebuilt, model.ShapeShortLived, model.ShapeKept, model.ShapeLog} {
		var names []string
		for _, c := range model.Registry {
			if c.Shape() == shape {
				names = append(names, code(c.Name))
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", shape, strings.Join(names, ", "))
	}
	return b.String()
}

// fields has the tables of the fields of a family's documents, and of the parts of these.
func fields(t *testing.T, types map[string]*ast.StructType, f *model.Family) string {
	t.Helper()
	var b strings.Builder
	var parts []string // in the order in which they are named
	for i, c := range f.Collections {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### %s\n\n%s.\n", code(c.Path), strings.ToUpper(c.What[:1])+c.What[1:])
		for _, doc := range c.Docs {
			name := reflect.TypeOf(doc).Name()
			if types[name] == nil {
				t.Fatalf("there is no type %s", name)
			}
			fmt.Fprintf(&b, "\n| field of %s | type | meaning |\n|---|---|---|\n", code(name))
			parts = append(parts, writeFields(&b, types, name)...)
		}
	}
	for i := 0; i < len(parts); i++ {
		if slices.Contains(parts[:i], parts[i]) {
			continue
		}
		fmt.Fprintf(&b, "\n| field of %s | type | meaning |\n|---|---|---|\n", code(parts[i]))
		parts = append(parts, writeFields(&b, types, parts[i])...)
	}
	return b.String()
}

// writeFields writes a row for each field of a type, and returns which other types with fields
// these have.
func writeFields(b *strings.Builder, types map[string]*ast.StructType, name string) (parts []string) {
	for _, f := range types[name].Fields.List {
		if len(f.Names) == 0 { // the fields of another type
			parts = append(parts, writeFields(b, types, f.Type.(*ast.Ident).Name)...)
			continue
		}
		if f.Tag == nil {
			continue
		}
		tag, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("firestore"), ",")
		if tag == "-" || tag == "" {
			continue
		}
		meaning := strings.TrimSpace(strings.ReplaceAll(f.Doc.Text(), "\n", " "))
		if line := strings.TrimSpace(f.Comment.Text()); line != "" {
			meaning = strings.TrimSpace(meaning + " " + line)
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", code(tag), typeOf(f.Type), cell(meaning))
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && types[id.Name] != nil && hasTags(types[id.Name]) {
				parts = append(parts, id.Name)
			}
			return true
		})
	}
	return parts
}

// hasTags reports whether a type is a part of documents.
func hasTags(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		return f.Tag != nil &&
			strings.Contains(f.Tag.Value, "firestore:")
	})
}

// typeOf prints a type as the field has it in the database.
func typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeOf(e.X) + " or null"
	case *ast.ArrayType:
		if id, ok := e.Elt.(*ast.Ident); ok && id.Name == "byte" {
			return "bytes"
		}
		return "list of " + typeOf(e.Elt)
	case *ast.MapType:
		return "map " + typeOf(e.Key) + " → " + typeOf(e.Value)
	case *ast.SelectorExpr:
		return map[string]string{"Time": "time"}[e.Sel.Name]
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		panic(err) // a type that was parsed can be printed
	}
	switch name := b.String(); name {
	case "int64":
		return "int"
	case "float64":
		return "number"
	default:
		return name
	}
}

// parseTypes reads the types of the package with fields, by name.
func parseTypes(t *testing.T) map[string]*ast.StructType {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]*ast.StructType{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					types[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	return types
}

func code(s string) string { return "`" + strings.ReplaceAll(s, "|", `\|`) + "`" }

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// by says how documents of a person are found.
func by(b model.By) string {
	switch b {
	case model.ByKey:
		return "the id, which is the uid"
	case model.ByPrefix:
		return "the id, which begins with the uid"
	case model.ByParent:
		return "the user's document above"
	case model.ByCode:
		return "code"
	}
	return code(string(b))
}

func rebuilt(name string) string {
	if name == "verify" {
		return "`hibana verify --repair`"
	}
	return name
}

// ttl says when documents expire.
func ttl(t model.TTL) string {
	if t.After == 0 {
		return ""
	}
	text := fmt.Sprintf("%d days", t.After/(24*time.Hour))
	switch {
	case t.After == 24*time.Hour:
		text = "a day"
	case t.After%(24*time.Hour) > 0:
		text = fmt.Sprintf("%d hours", t.After/time.Hour)
	}
	if t.Of != "" {
		text += ": " + t.Of
	}
	return text
}

// thousands writes a number with commas.
func thousands(n int) string {
	if n < 1_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1_000), n%1_000)
}
