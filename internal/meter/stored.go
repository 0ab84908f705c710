package meter

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// Stored is the storage of a document in the database, according to
// https://firebase.google.com/docs/firestore/storage-size. Where the documentation is ambiguous, Stored counts more: a
// map and a list have entries of their own in ascending and descending indexes.
type Stored struct {
	Bytes      int // of the document
	Entries    int // in indexes
	EntryBytes int // of all entries
}

// maxIndexed is the number of bytes of a value that an index stores.
const maxIndexed = 1500

// Stored returns the storage of a document with the indexes of the set.
func (s *IndexSet) Stored(doc *pb.Document) Stored {
	_, path, _ := strings.Cut(doc.GetName(), "/documents/")
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return Stored{}
	}
	w := &stored{group: parts[len(parts)-2], name: nameBytes(parts), parent: nameBytes(parts[:len(parts)-2]),
		overrides: map[string][]singleField{}}
	for _, o := range s.overrides {
		if o.CollectionGroup == w.group {
			w.overrides[o.FieldPath] = o.Indexes
		}
	}
	base, ok := w.overrides["*"]
	if !ok {
		base = automatic
	}
	w.Bytes = w.name + 32
	for name, v := range doc.GetFields() {
		w.Bytes += len(name) + 1 + valueBytes(v)
		w.field(name, v, base)
	}
	for _, c := range s.composites {
		if c.CollectionGroup == w.group {
			w.composite(c, doc)
		}
	}
	return w.Stored
}

// stored adds up the storage of one document.
type stored struct {
	Stored
	group        string
	name, parent int // bytes of the names of the document and its parent
	overrides    map[string][]singleField
}

// field adds the entries of a field, and of the fields below it.
func (w *stored) field(path string, v *pb.Value, inherited []singleField) {
	indexes, ok := w.overrides[path]
	if !ok {
		indexes = inherited
	}
	list := v.GetArrayValue().GetValues()
	for _, index := range indexes {
		switch {
		case index.ArrayConfig == "":
			w.entry(index.QueryScope, len(path)+1+valueBytes(v))
		default:
			for _, element := range list {
				w.entry(index.QueryScope, len(path)+1+valueBytes(element))
			}
		}
	}
	for name, below := range v.GetMapValue().GetFields() {
		w.field(path+"."+name, below, indexes)
	}
}

// composite adds the entry of a composite index, if the document has all of its fields.
func (w *stored) composite(c composite, doc *pb.Document) {
	n := 0
	for _, f := range c.Fields {
		if f.FieldPath == docName {
			continue
		}
		v := &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: doc.GetFields()}}}
		for name := range strings.SplitSeq(f.FieldPath, ".") {
			if v = v.GetMapValue().GetFields()[name]; v == nil {
				return
			}
		}
		n += valueBytes(v)
	}
	w.entry(c.QueryScope, n)
}

// entry adds an index entry with the given bytes of fields and values.
func (w *stored) entry(scope string, bytes int) {
	w.Entries++
	w.EntryBytes += w.name + min(bytes, maxIndexed) + 32
	if scope == collection {
		w.EntryBytes += w.parent
	}
}

// nameBytes returns the size of the name of a document.
func nameBytes(parts []string) int {
	n := 16
	for _, part := range parts {
		n += len(part) + 1
	}
	return n
}

// valueBytes returns the size of a value.
func valueBytes(v *pb.Value) (n int) {
	switch v := v.GetValueType().(type) {
	case *pb.Value_StringValue:
		return len(v.StringValue) + 1
	case *pb.Value_BytesValue:
		return len(v.BytesValue)
	case *pb.Value_ReferenceValue:
		_, path, _ := strings.Cut(v.ReferenceValue, "/documents/")
		return nameBytes(strings.Split(path, "/"))
	case *pb.Value_IntegerValue, *pb.Value_DoubleValue, *pb.Value_TimestampValue:
		return 8
	case *pb.Value_GeoPointValue:
		return 16
	case *pb.Value_ArrayValue:
		for _, element := range v.ArrayValue.GetValues() {
			n += valueBytes(element)
		}
		return n
	case *pb.Value_MapValue:
		for name, below := range v.MapValue.GetFields() {
			n += len(name) + 1 + valueBytes(below)
		}
		return n
	}
	return 1 // a bool, or null
}
