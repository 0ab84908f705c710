package bounds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// sizeOf is the size of a document, as
// https://firebase.google.com/docs/firestore/storage-size defines it.
func sizeOf(snap *firestore.DocumentSnapshot) int {
	n := 16 + 32
	_, path, _ := strings.Cut(snap.Ref.Path, "/documents/")
	for part := range strings.SplitSeq(path, "/") {
		n += len(part) + 1
	}
	return n + sizeOfValue(snap.Data())
}

func sizeOfValue(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) + 1
	case []byte:
		return len(v)
	case bool, nil:
		return 1
	case int64, float64, time.Time:
		return 8
	case []any:
		n := 0
		for _, element := range v {
			n += sizeOfValue(element)
		}
		return n
	case map[string]any:
		n := 0
		for name, value := range v {
			n += len(name) + 1 + sizeOfValue(value)
		}
		return n
	}
	panic("a document holds a value of another type")
}

// exemptions are the fields of each collection whose single-field indexes are off.
type exemptions map[string]map[string]bool

func readExemptions(t *testing.T) exemptions {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.Root(), "firestore.indexes.json"))
	testenv.Must(t, err)
	var file struct {
		FieldOverrides []struct {
			CollectionGroup, FieldPath string
			Indexes                    []any
		}
	}
	testenv.Must(t, json.Unmarshal(data, &file))
	e := exemptions{}
	for _, o := range file.FieldOverrides {
		if len(o.Indexes) == 0 {
			if e[o.CollectionGroup] == nil {
				e[o.CollectionGroup] = map[string]bool{}
			}
			e[o.CollectionGroup][o.FieldPath] = true
		}
	}
	return e
}

// entries counts the entries of a document in single-field indexes: two for each value, for
// both orders, and one for each element of a list.
func (e exemptions) entries(snap *firestore.DocumentSnapshot) int {
	off := e[snap.Ref.Parent.ID]
	if off["*"] {
		return 0
	}
	n := 0
	for field, v := range snap.Data() {
		if !off[field] {
			n += entriesOf(v)
		}
	}
	return n
}

func entriesOf(v any) int {
	switch v := v.(type) {
	case []any:
		return 2 + len(v)
	case map[string]any:
		n := 2
		for _, value := range v {
			n += entriesOf(value)
		}
		return n
	}
	return 2
}
