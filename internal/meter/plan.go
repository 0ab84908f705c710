package meter

import (
	"fmt"
	"slices"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// How Firestore serves a query, from https://firebase.google.com/docs/firestore/query-data/index-overview:
//
//   - An OR is several queries, and each query needs an index. An "in" is an OR of
//     equalities.
//   - An index serves a query if the entries for the equalities lie together and in
//     the wanted order. Such an index has fields of equalities first, in any order and
//     direction, and then exactly the order of the query, down to __name__.
//   - Several such indexes serve a query together if they cover the equalities. So the
//     automatic indexes suffice for equalities without an order.
//   - An index is read forwards only. The opposite order needs another index.
//   - A query of a collection group needs indexes with the scope of a group. A query of
//     one collection needs indexes with the scope of a collection.
//
// Where the documentation is ambiguous, a query counts as not served: a needless index costs little, and a missing
// index is an outage.

// conjunction is a query without OR, in a form that compares with indexes.
type conjunction struct {
	group, scope string
	equal        []field // filters by equality (ascending) and on arrays (contains)
	order        []field // complete, to __name__; has the fields of ranges
}

// problem describes a part of a query that no index serves, with the definition of an
// index that would. A query that is served has the problem "". aggregated are the summed
// fields.
func (s *IndexSet) problem(q *pb.StructuredQuery, aggregated ...string) string {
	for _, c := range conjunctions(q, aggregated) {
		if !s.serves(c) {
			return fmt.Sprintf("no index serves the query %v; add to %s", c, s.definition(c))
		}
	}
	return ""
}

// serves reports whether the indexes serve the query, alone or together.
func (s *IndexSet) serves(q conjunction) bool {
	if len(q.equal) == 0 && len(q.order) == 1 && q.order[0].Order == ascending {
		return true // in key order, as documents are stored
	}
	covered := make([]bool, len(q.equal))
	served := false
	for _, fields := range s.candidates(q) {
		if cover, ok := q.fits(fields); ok {
			served = true
			for _, i := range cover {
				covered[i] = true
			}
		}
	}
	return served && !slices.Contains(covered, false)
}

// candidates returns the fields of each index in the scope of the query: the composite
// indexes, and the single-field indexes that the query could use.
func (s *IndexSet) candidates(q conjunction) [][]field {
	var all [][]field
	for _, c := range s.composites {
		if c.CollectionGroup == q.group && c.QueryScope == q.scope {
			all = append(all, c.Fields)
		}
	}
	for _, f := range slices.Concat(q.equal, q.order[:1]) {
		indexes, _ := s.single(q.group, f.FieldPath)
		if f.FieldPath != docName && slices.Contains(indexes, singleField{f.Order, f.ArrayConfig, q.scope}) {
			all = append(all, []field{f, impliedName(f)})
		}
	}
	return all
}

// fits reports whether an index has only equalities of the query before the order of the query. cover lists the
// equalities in the index.
func (q conjunction) fits(index []field) (cover []int, ok bool) {
	prefix := len(index) - len(q.order)
	if prefix < 0 || !slices.Equal(index[prefix:], q.order) {
		return nil, false
	}
	for _, f := range index[:prefix] {
		i := slices.IndexFunc(q.equal, func(e field) bool {
			return e.FieldPath == f.FieldPath && e.ArrayConfig == f.ArrayConfig
		})
		if i < 0 {
			return nil, false
		}
		cover = append(cover, i)
	}
	return cover, true
}

// String describes the query without values, because values may be private.
func (q conjunction) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)", q.group, q.scope)
	for i, f := range q.equal {
		b.WriteString([]string{" where ", " and "}[min(i, 1)] + f.FieldPath)
		if f.ArrayConfig != "" {
			b.WriteString(" contains …")
		} else {
			b.WriteString(" == …")
		}
	}
	for i, f := range q.order {
		b.WriteString([]string{" order by ", ", "}[min(i, 1)] + f.FieldPath + " " + f.Order)
	}
	return b.String()
}

// conjunctions splits a query into queries without OR.
func conjunctions(q *pb.StructuredQuery, aggregated []string) []conjunction {
	var c conjunction
	c.scope = collection
	for _, from := range q.From { // at most one
		c.group = from.CollectionId
		if from.AllDescendants {
			c.scope = collectionGroup
		}
	}
	disjuncts := disjunction(q.Where)
	order := fullOrder(q.OrderBy, slices.Concat(disjuncts...), aggregated)

	var all []conjunction
	for _, filters := range disjuncts {
		c.equal, c.order = nil, nil
		for _, f := range filters {
			// An equality on __name__ selects one key in any index, as a range does.
			if f.kind != inequality && f.path != docName && !slices.Contains(c.equal, f.field()) {
				c.equal = append(c.equal, f.field())
			}
		}
		for _, f := range order {
			// A field that is equal for all results does not order them.
			if !slices.Contains(c.equal, field{FieldPath: f.FieldPath, Order: ascending}) {
				c.order = append(c.order, f)
			}
		}
		all = append(all, c)
	}
	return all
}

// fullOrder completes the order of a query as Firestore does. The missing fields of
// inequalities follow by name, then __name__, all in the direction of the last explicit
// field. An index must have the aggregated fields as well.
func fullOrder(explicit []*pb.StructuredQuery_Order, filters []filter, aggregated []string) []field {
	var order []field
	has := func(path string) bool {
		return slices.ContainsFunc(order, func(f field) bool { return f.FieldPath == path })
	}
	direction := ascending
	for _, o := range explicit {
		direction = ascending
		if o.Direction == pb.StructuredQuery_DESCENDING {
			direction = descending
		}
		if path := o.Field.GetFieldPath(); !has(path) {
			order = append(order, field{FieldPath: path, Order: direction})
		}
		if has(docName) {
			return order // nothing after the key changes the order
		}
	}
	var paths []string
	for _, f := range filters {
		if f.kind == inequality && f.path != docName {
			paths = append(paths, f.path)
		}
	}
	slices.Sort(paths)
	for _, path := range append(paths, aggregated...) {
		if !has(path) {
			order = append(order, field{FieldPath: path, Order: direction})
		}
	}
	return append(order, field{FieldPath: docName, Order: direction})
}

// filter is a condition on one field.
type filter struct {
	path string
	kind filterKind
}

type filterKind int

const (
	equality filterKind = iota
	membership
	inequality
)

func (f filter) field() field {
	if f.kind == membership {
		return field{FieldPath: f.path, ArrayConfig: contains}
	}
	return field{FieldPath: f.path, Order: ascending}
}

// disjunction returns the filter as an OR of ANDs.
func disjunction(f *pb.StructuredQuery_Filter) [][]filter {
	switch f := f.GetFilterType().(type) {
	case *pb.StructuredQuery_Filter_CompositeFilter:
		if f.CompositeFilter.Op == pb.StructuredQuery_CompositeFilter_OR {
			var either [][]filter
			for _, part := range f.CompositeFilter.Filters {
				either = append(either, disjunction(part)...)
			}
			return either
		}
		all := [][]filter{nil}
		for _, part := range f.CompositeFilter.Filters {
			var next [][]filter
			for _, left := range all {
				for _, right := range disjunction(part) {
					next = append(next, slices.Concat(left, right))
				}
			}
			all = next
		}
		return all
	case *pb.StructuredQuery_Filter_FieldFilter:
		kind := inequality
		switch f.FieldFilter.Op {
		case pb.StructuredQuery_FieldFilter_EQUAL, pb.StructuredQuery_FieldFilter_IN:
			kind = equality
		case pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS, pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS_ANY:
			kind = membership
		}
		return [][]filter{{{f.FieldFilter.Field.GetFieldPath(), kind}}}
	case *pb.StructuredQuery_Filter_UnaryFilter:
		kind := inequality
		switch f.UnaryFilter.Op {
		case pb.StructuredQuery_UnaryFilter_IS_NULL, pb.StructuredQuery_UnaryFilter_IS_NAN:
			kind = equality
		}
		return [][]filter{{{f.UnaryFilter.GetField().GetFieldPath(), kind}}}
	}
	return [][]filter{nil}
}
