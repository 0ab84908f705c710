package meter

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The values in firestore.indexes.json.
const (
	ascending       = "ASCENDING"
	descending      = "DESCENDING"
	contains        = "CONTAINS"
	collection      = "COLLECTION"
	collectionGroup = "COLLECTION_GROUP"
)

// docName is the field path of the name of a document. Every index ends with it.
const docName = "__name__"

// IndexSet is the content of firestore.indexes.json: composite indexes, and exceptions from the automatic single-field
// indexes of Firestore.
type IndexSet struct {
	composites []composite
	overrides  []override
}

// composite is an entry of "indexes".
type composite struct {
	CollectionGroup string  `json:"collectionGroup"`
	QueryScope      string  `json:"queryScope"`
	Fields          []field `json:"fields"`
}

// field is one field of an index, or an order or filter that needs an index.
type field struct {
	FieldPath   string `json:"fieldPath"`
	Order       string `json:"order,omitempty"`
	ArrayConfig string `json:"arrayConfig,omitempty"`
}

// override is an entry of "fieldOverrides". Its indexes replace the automatic indexes of
// the field and of the fields below.
type override struct {
	CollectionGroup string        `json:"collectionGroup"`
	FieldPath       string        `json:"fieldPath"`
	TTL             bool          `json:"ttl,omitempty"`
	Indexes         []singleField `json:"indexes"`
}

type singleField struct {
	Order       string `json:"order,omitempty"`
	ArrayConfig string `json:"arrayConfig,omitempty"`
	QueryScope  string `json:"queryScope"`
}

// automatic are the indexes of a field without an override.
var automatic = []singleField{
	{Order: ascending, QueryScope: collection},
	{Order: descending, QueryScope: collection},
	{ArrayConfig: contains, QueryScope: collection},
}

// ParseIndexes reads firestore.indexes.json in the format that the Firebase CLI deploys. It refuses files that the CLI
// or Firestore would refuse: a missing collection group, an unknown order or scope, an override without "indexes", or a
// composite index of one field other than __name__. It does not support vector indexes.
func ParseIndexes(data []byte) (*IndexSet, error) {
	var file struct {
		Indexes        []composite `json:"indexes"`
		FieldOverrides []override  `json:"fieldOverrides"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("meter: index definitions: %w", err)
	}
	for i := range file.Indexes {
		if err := file.Indexes[i].normalize(); err != nil {
			return nil, fmt.Errorf("meter: index %d of %q: %w", i, file.Indexes[i].CollectionGroup, err)
		}
	}
	for _, o := range file.FieldOverrides {
		if err := o.normalize(); err != nil {
			return nil, fmt.Errorf("meter: override of %q in %q: %w", o.FieldPath, o.CollectionGroup, err)
		}
	}
	return &IndexSet{composites: file.Indexes, overrides: file.FieldOverrides}, nil
}

// normalize checks the index and makes the __name__ at its end explicit.
func (c *composite) normalize() error {
	if c.CollectionGroup == "" {
		return fmt.Errorf("no collectionGroup")
	}
	if err := normalizeScope(&c.QueryScope); err != nil {
		return err
	}
	for _, f := range c.Fields {
		if f.FieldPath == "" {
			return fmt.Errorf("a field without fieldPath")
		}
		if err := checkMode(f.Order, f.ArrayConfig); err != nil {
			return fmt.Errorf("field %s: %w", f.FieldPath, err)
		}
	}
	if len(c.Fields) == 0 {
		return fmt.Errorf("no fields")
	}
	last := c.Fields[len(c.Fields)-1]
	if last.FieldPath != docName {
		if len(c.Fields) == 1 {
			return fmt.Errorf("a composite index needs more than the field %s", last.FieldPath)
		}
		c.Fields = append(c.Fields, impliedName(last))
	}
	return nil
}

func (o *override) normalize() error {
	if o.CollectionGroup == "" || o.FieldPath == "" {
		return fmt.Errorf("collectionGroup and fieldPath are both needed")
	}
	if o.Indexes == nil {
		return fmt.Errorf(`no "indexes"; an empty list switches indexing off`)
	}
	for i := range o.Indexes {
		s := &o.Indexes[i]
		if err := normalizeScope(&s.QueryScope); err != nil {
			return err
		}
		if err := checkMode(s.Order, s.ArrayConfig); err != nil {
			return err
		}
	}
	return nil
}

func normalizeScope(scope *string) error {
	switch *scope {
	case "":
		*scope = collection
	case collection, collectionGroup:
	default:
		return fmt.Errorf("unknown queryScope %q", *scope)
	}
	return nil
}

func checkMode(order, array string) error {
	switch (singleField{Order: order, ArrayConfig: array}) {
	case singleField{Order: ascending}, singleField{Order: descending}, singleField{ArrayConfig: contains}:
		return nil
	}
	return fmt.Errorf("needs the order %s or %s, or the arrayConfig %s", ascending, descending, contains)
}

// impliedName is the __name__ that follows the last named field of an index or an order.
// The direction is that of the last field, or ascending if the last field has none.
func impliedName(last field) field {
	if last.Order == "" {
		return field{FieldPath: docName, Order: ascending}
	}
	return field{FieldPath: docName, Order: last.Order}
}

// single returns the single-field indexes of a field. The nearest override decides: on
// the field itself, on a map around the field, or on "*". Without an override the field
// has the automatic indexes.
func (s *IndexSet) single(group, path string) (indexes []singleField, ttl bool) {
	for p := path; ; p = parent(p) {
		for _, o := range s.overrides {
			if o.CollectionGroup == group && o.FieldPath == p {
				return o.Indexes, o.TTL && p == path
			}
		}
		if p == "*" {
			return automatic, false
		}
	}
}

// parent returns the path of the map that holds a field, and "*" for a field of the
// document. A dot inside a quoted name yields half a name, which no override can have.
func parent(path string) string {
	if i := strings.LastIndexByte(path, '.'); i > 0 {
		return path[:i]
	}
	return "*"
}

// definition returns, as text for people, the entry of firestore.indexes.json that would
// serve the query.
func (s *IndexSet) definition(q conjunction) string {
	fields := slices.Concat(q.equal, q.order)
	name := fields[len(fields)-1]
	if named := fields[:len(fields)-1]; len(named) > 0 && name == impliedName(named[len(named)-1]) {
		fields = named
	}
	if only := fields[0]; len(fields) == 1 && only.FieldPath != docName {
		indexes, ttl := s.single(q.group, only.FieldPath)
		return "fieldOverrides: " + toJSON(override{
			CollectionGroup: q.group, FieldPath: only.FieldPath, TTL: ttl,
			Indexes: append(slices.Clone(indexes), singleField{Order: only.Order, ArrayConfig: only.ArrayConfig,
				QueryScope: q.scope}),
		})
	}
	return "indexes: " + toJSON(composite{CollectionGroup: q.group, QueryScope: q.scope, Fields: fields})
}

func toJSON(v any) string {
	var b strings.Builder
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		panic(err) // only strings and bools
	}
	return strings.TrimSpace(b.String())
}
