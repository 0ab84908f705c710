package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

// TestRegistry demands that every collection has a row, and that each row says everything.
func TestRegistry(t *testing.T) {
	t.Parallel()
	names := model.CollectionNames()
	for _, name := range collectionConstants(t) {
		if !slices.Contains(names, name) {
			t.Errorf("%s has no row in the registry", name)
		}
	}
	segment := regexp.MustCompile(`^(\{[a-z|]+\}|[A-Za-z]+)(_\{[a-z|]+\})*$`)
	for i, c := range model.Registry {
		parts := strings.Split(c.Path, "/")
		if len(parts)%2 != 0 || parts[len(parts)-2] != c.Name ||
			slices.ContainsFunc(parts, func(p string) bool { return !segment.MatchString(p) }) {
			t.Errorf("%s: %q is no path of a document", c.Name, c.Path)
		}
		if slices.Index(names, c.Name) != i {
			t.Errorf("%s has two rows", c.Name)
		}
		if !slices.Contains([]model.Kind{model.KindSource, model.KindProjection, model.KindWork, model.KindLog}, c.Kind) {
			t.Errorf("%s is of the kind %q", c.Name, c.Kind)
		}
		if !slices.Contains([]model.Access{model.AccessNobody, model.AccessOwner, model.AccessViewers,
			model.AccessMembers}, c.Access) {
			t.Errorf("%s may be read by %q", c.Name, c.Access)
		}
		if c.What == "" || c.Bound.Why == "" || c.Bound.Test == "" {
			t.Errorf("%s: what %q, bound %+v", c.Name, c.What, c.Bound)
		}
		if (c.RebuiltBy != "") != (c.Kind == model.KindProjection) && c.Shape() != model.ShapeShortLived {
			t.Errorf("%s is a %s, and rebuilt by %q", c.Name, c.Kind, c.RebuiltBy)
		}
		erased := slices.ContainsFunc(c.Owners, func(o model.Owner) bool { return o.Erase > 0 })
		if erased == (c.NotErased != "") {
			t.Errorf("%s is erased %t, and left alone because %q; want one of the two", c.Name, erased, c.NotErased)
		}
		exported := slices.ContainsFunc(c.Owners, func(o model.Owner) bool { return o.Export.Name != "" })
		if exported == (c.NotExported != "") {
			t.Errorf("%s is in an export %t, and left out because %q; want one of the two", c.Name, exported, c.NotExported)
		}
		for _, o := range c.Owners {
			if field := o.By.Field(); field != "" && !hasField(c.Docs, field) {
				t.Errorf("%s has no field %s, by which documents of a person are found", c.Name, field)
			}
		}
		for _, doc := range c.Docs {
			if !strings.HasSuffix(reflect.TypeOf(doc).PkgPath(), "/model") {
				t.Errorf("%s has a document of type %T", c.Name, doc)
			}
		}
		if len(c.Docs) > 0 && hasField(c.Docs, "expireAt") != (c.TTL.After > 0) {
			t.Errorf("%s expires after %v, and has a field expireAt: %t", c.Name, c.TTL.After, hasField(c.Docs, "expireAt"))
		}
	}
}

// TestOrders demands that no two places of a pass, and no two sections, are at the same place.
func TestOrders(t *testing.T) {
	t.Parallel()
	positions := map[int]string{}
	for _, o := range model.Erased() {
		if other := positions[o.Erase]; other != "" {
			t.Errorf("%s and %s are both at %d of a pass", o.Name, other, o.Erase)
		}
		positions[o.Erase] = o.Name
	}
	last := 0
	for _, s := range model.ExportedSections() {
		if s.Order <= last || s.Text == "" {
			t.Errorf("the section %s is at %d of an export, behind %d, and has %q", s.Name, s.Order, last, s.Text)
		}
		last = s.Order
	}
}

// hasField reports whether a document has a field, by its name in the database.
func hasField(docs []any, name string) bool {
	return slices.ContainsFunc(docs, func(doc any) bool {
		return slices.ContainsFunc(reflect.VisibleFields(reflect.TypeOf(doc)), func(f reflect.StructField) bool {
			tag, _, _ := strings.Cut(f.Tag.Get("firestore"), ",")
			return tag == name
		})
	})
}

// collectionConstants are the values of the first group of constants in collections.go.
func collectionConstants(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "collections.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
			for _, spec := range group.Specs {
				name, err := strconv.Unquote(spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, name)
			}
			break // the second group has counters
		}
	}
	if !slices.Contains(names, model.Users) {
		t.Fatalf("the first constants of collections.go are %q, which are no collections", names)
	}
	return names
}
