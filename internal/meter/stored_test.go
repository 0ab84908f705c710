package meter

import (
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

func text(s string) *pb.Value { return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: s}} }

func TestStored(t *testing.T) {
	t.Parallel()
	set, err := ParseIndexes([]byte(`{
		"indexes": [{"collectionGroup": "notes", "queryScope": "COLLECTION",
			"fields": [{"fieldPath": "by", "order": "ASCENDING"}, {"fieldPath": "map.in", "order": "DESCENDING"}]}],
		"fieldOverrides": [
			{"collectionGroup": "notes", "fieldPath": "off", "indexes": []},
			{"collectionGroup": "notes", "fieldPath": "off.but",
				"indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]},
			{"collectionGroup": "bare", "fieldPath": "*", "indexes": []}
		]}`))
	if err != nil {
		t.Fatal(err)
	}
	list := &pb.Value{ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{Values: []*pb.Value{text("a"), text("b"),
		text("c")}}}}
	nest := func(name string, v *pb.Value) *pb.Value {
		return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: map[string]*pb.Value{name: v}}}}
	}
	// The name "notes/n" has 24 bytes, and that of its parent 16. An entry of the automatic indexes of
	// "by" has both, the field's 3, the value's 4 and 32.
	const by, name = 24 + 16 + 3 + 4 + 32, "projects/p/databases/(default)/documents/notes/n"
	tests := []struct {
		what   string
		name   string
		fields map[string]*pb.Value
		want   Stored
	}{
		{"nothing", name, nil, Stored{Bytes: 24 + 32}},
		{"a text", name, map[string]*pb.Value{"by": text("ann")}, Stored{24 + 32 + 3 + 4, 2, 2 * by}},
		{"no index", name, map[string]*pb.Value{"off": nest("x", text("ann"))}, Stored{24 + 32 + 4 + 2 + 4, 0, 0}},
		{"an index below none", name, map[string]*pb.Value{"off": nest("but", text("ann"))}, Stored{24 + 32 + 4 + 4 + 4, 1,
			24 + 8 + 4 + 32}},
		{"a list", name, map[string]*pb.Value{"l": list}, Stored{24 + 32 + 2 + 6, 5, 5*(24+16+32) + 2*(2+6) + 3*(2+2)}},
		{"a composite", name, map[string]*pb.Value{"by": text("ann"), "map": nest("in", text("x"))},
			Stored{24 + 32 + 7 + 4 + 3 + 2, 7, 2*by + 2*(24+16+4+5+32) + 2*(24+16+7+2+32) + (24 + 16 + 4 + 2 + 32)}},
		{"a long text", name, map[string]*pb.Value{"by": text(strings.Repeat("x", 9999))}, Stored{24 + 32 + 3 + 10_000, 2,
			2 * (24 + 16 + 1500 + 32)}},
		{"a collection without indexes", strings.Replace(name, "notes", "bare", 1), map[string]*pb.Value{"by": text("ann")},
			Stored{23 + 32 + 3 + 4, 0, 0}},
	}
	for _, test := range tests {
		if got := set.Stored(&pb.Document{Name: test.name, Fields: test.fields}); got != test.want {
			t.Errorf("%s takes %+v, want %+v", test.what, got, test.want)
		}
	}
}
