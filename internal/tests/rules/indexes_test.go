package rules

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// expiring names the collection of each document type that has an expireAt.
var expiring = map[string]string{
	"model.Budget":        model.Budgets,
	"model.DeadLetter":    model.DeadLetters,
	"model.Report":        model.Reports,
	"model.Notice":        model.Notices,
	"model.Trending":      model.Trends,
	"model.Notification":  model.Notifications,
	"model.Actor":         model.Actors,
	"model.Timeline":      model.Timelines,
	"model.DrainWork":     model.Drains,
	"model.FanOutWork":    model.FanOuts,
	"model.RollUpWork":    model.RollUps,
	"model.TakenRollUp":   model.TakenRollUps,
	"model.SpillWork":     model.Spills,
	"model.SweepWork":     model.Sweeps,
	"model.MigrationWork": model.Migrations,
	"model.WakeWork":      model.Wakes,
	"model.SleepWork":     model.Sleeps,
	"model.SpreadWork":    model.Spreads,
	"model.CleanUpWork":   model.CleanUps,
	"model.LeaveWork":     model.Leavings,
	"model.ExportWork":    model.Exports,
	"model.StockWork":     model.StockRuns,
	"model.Cart":          model.Carts,
	"shop.restock":        model.Idempotency,
	"model.ShareMonth":    model.ShareMonths,
	"model.Username":      model.Usernames,
	"model.Tombstone":     model.Tombstones,
	"facts.idempotency":   model.Idempotency,
	"counters.processed":  model.ProcessedEvents,
}

// TestExpiry holds the TTL policies in firestore.indexes.json to the documents
// that expire.
func TestExpiry(t *testing.T) {
	t.Parallel()
	var declared []string
	for _, dir := range []string{"model", "store/facts", "store/counters", "store/cards", "store/timelines", "store/notices", "store/leavings", "store/exports", "store/deadletters", "store/budgets", "store/moderation", "store/shop", "store/orders", "store/audit"} {
		for name, s := range structs(t, dir) {
			for _, f := range s.Fields.List {
				if f.Tag == nil {
					continue
				}
				tag, err := strconv.Unquote(f.Tag.Value)
				if err != nil {
					t.Fatal(err)
				}
				field, _, _ := strings.Cut(reflect.StructTag(tag).Get("firestore"), ",")
				if field != "expireAt" {
					continue
				}
				name := path.Base(dir) + "." + name
				if expiring[name] == "" {
					t.Errorf("%s has an expireAt: name its collection in the variable expiring", name)
				}
				declared = append(declared, name)
			}
		}
	}
	var got []string
	var want []string
	for name, collection := range expiring {
		if !slices.Contains(declared, name) {
			t.Errorf("there is no %s with an expireAt", name)
		}
		want = append(want, collection)
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
	want = slices.Compact(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("collections with a TTL policy (-want +got):\n%s", diff)
	}
}

// TestIndexes reads firestore.indexes.json as the meter does, and looks for
// misspelt collections.
func TestIndexes(t *testing.T) {
	t.Parallel()
	if _, err := meter.ParseIndexes(readRoot(t, "firestore.indexes.json")); err != nil {
		t.Error(err)
	}
	known := collections(t)
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

// TestEveryCollection demands that access.txt says who may read each collection
// of package model.
func TestEveryCollection(t *testing.T) {
	t.Parallel()
	lines := readAccess(t)
	for _, name := range collections(t) {
		if !slices.ContainsFunc(lines, func(l line) bool { return path.Base(l.collection()) == name }) {
			t.Errorf("access.txt does not mention %s", name)
		}
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

// collections lists the values of the first group of constants in
// model/collections.go.
func collections(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, decl := range parse(t, "model/collections.go").Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			for _, value := range spec.(*ast.ValueSpec).Values {
				name, err := strconv.Unquote(value.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, name)
			}
		}
		break
	}
	if !slices.Contains(names, model.Users) {
		t.Fatalf("the first constants of model/collections.go are %q, which are not collections", names)
	}
	return names
}

// structs yields the struct types that a package outside its tests declares, by name.
func structs(t *testing.T, dir string) map[string]*ast.StructType {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testenv.Root(), dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*ast.StructType{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		ast.Inspect(parse(t, fmt.Sprintf("%s/%s", dir, filepath.Base(file))), func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					found[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	return found
}

func parse(t *testing.T, name string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, readRoot(t, name), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
