package rules

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// TestExpiry holds the TTL policies in firestore.indexes.json to the registry.
func TestExpiry(t *testing.T) {
	t.Parallel()
	var got, want []string
	for _, c := range model.Registry {
		if c.TTL.After > 0 {
			want = append(want, c.Name)
		}
	}
	for _, o := range readIndexes(t).FieldOverrides {
		if !o.TTL {
			continue
		}
		if o.FieldPath != "expireAt" {
			t.Errorf("the TTL field of %s is %s, want expireAt", o.CollectionGroup, o.FieldPath)
		}
		if len(o.Indexes) > 0 {
			t.Errorf("%s.expireAt is indexed: a value that only grows limits the collection to 500 writes/s", o.CollectionGroup)
		}
		got = append(got, o.CollectionGroup)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("collections with a TTL policy (-want +got):\n%s", diff)
	}
}

// elsewhere names the collection of each document type outside package model that has an expireAt.
var elsewhere = map[string]string{
	"ahead":       model.ChangeDigests,
	"restock":     model.Idempotency,
	"idempotency": model.Idempotency,
	"processed":   model.ProcessedEvents,
}

// TestExpiringTypes demands that every type with an expireAt is a document of a row of the
// registry: the tests of package model hold it to the TTL of its row.
func TestExpiringTypes(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range model.Registry {
		for _, doc := range c.Docs {
			known[reflect.TypeOf(doc).Name()] = true
		}
	}
	for name, collection := range elsewhere {
		known[name] = model.Row(collection).TTL.After > 0
	}
	testenv.Must(t, filepath.WalkDir(testenv.Root(), func(file string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		ast.Inspect(source, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && hasExpiry(s) && !known[spec.Name.Name] {
				t.Errorf("%s: %s has an expireAt, and is a document of no row of the registry", file, spec.Name.Name)
			}
			return true
		})
		return err
	}))
}

// hasExpiry reports whether a type has a field expireAt in the database.
func hasExpiry(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		if f.Tag == nil {
			return false
		}
		name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("firestore"), ",")
		return name == "expireAt"
	})
}

// TestIndexes reads firestore.indexes.json as the meter does, and looks for
// misspelled collections.
func TestIndexes(t *testing.T) {
	t.Parallel()
	if _, err := meter.ParseIndexes(readRoot(t, "firestore.indexes.json")); err != nil {
		t.Error(err)
	}
	known := model.CollectionNames()
	file := readIndexes(t)
	for _, i := range slices.Concat(file.Indexes, file.FieldOverrides) {
		if !slices.Contains(known, i.CollectionGroup) {
			t.Errorf("firestore.indexes.json: %q is no collection of package model", i.CollectionGroup)
		}
	}
}

// TestCounters demands that no counter is indexed but those that a query needs: each write of
// an indexed counter also writes its index.
func TestCounters(t *testing.T) {
	t.Parallel()
	queried := []string{model.Tags + "." + model.TweetCount}
	off := map[string]bool{}
	for _, o := range readIndexes(t).FieldOverrides {
		if len(o.Indexes) == 0 {
			off[o.CollectionGroup+"."+o.FieldPath] = true
		}
	}
	for collection, counters := range model.Counters {
		for _, field := range append([]string{"rolled", "rolledAt"}, counters...) {
			name := collection + "." + field
			if indexed := !off[name] && !off[collection+".*"]; indexed != slices.Contains(queried, name) {
				t.Errorf("%s is indexed: %v, want %v", name, indexed, !indexed)
			}
		}
	}
}

// TestFirebaseJSON looks whether the Firebase CLI would deploy these rules and
// indexes.
func TestFirebaseJSON(t *testing.T) {
	t.Parallel()
	var file struct {
		Firestore struct{ Rules, Indexes string }
	}
	if err := json.Unmarshal(readRoot(t, "firebase.json"), &file); err != nil {
		t.Fatal(err)
	}
	if got, want := file.Firestore.Rules, "firestore.rules"; got != want {
		t.Errorf("firestore.rules in firebase.json = %q, want %q", got, want)
	}
	if got, want := file.Firestore.Indexes, "firestore.indexes.json"; got != want {
		t.Errorf("firestore.indexes in firebase.json = %q, want %q", got, want)
	}
}

type indexFile struct {
	Indexes, FieldOverrides []struct {
		CollectionGroup, FieldPath string
		TTL                        bool
		Indexes                    []any
	}
}

func readIndexes(t *testing.T) (file indexFile) {
	t.Helper()
	if err := json.Unmarshal(readRoot(t, "firestore.indexes.json"), &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func readRoot(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
