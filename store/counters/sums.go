package counters

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// Sums are what the shards of a document hold, by field. Counters may be nested in maps.
type Sums map[string]any

// sumShards adds up the shards of a document.
//
// Cost: 1 read for each shard, at least 1.
func sumShards(ctx context.Context, parent *firestore.DocumentRef) (Sums, error) {
	snaps, err := parent.Collection(model.Shards).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	sums := Sums{}
	for _, snap := range snaps {
		sums.Add(snap.Data())
	}
	return sums, nil
}

// Add adds the fields of one shard.
func (sums Sums) Add(shard map[string]any) {
	for name, v := range shard {
		switch v := v.(type) {
		case int64:
			n, _ := sums[name].(int64)
			sums[name] = n + v
		case map[string]any:
			nested, ok := sums[name].(map[string]any)
			if !ok {
				nested = map[string]any{}
				sums[name] = nested
			}
			Sums(nested).Add(v)
		}
	}
}

// Pending returns by how much the sums are ahead of what roll-ups have moved. It leaves out
// fields where nothing is pending. A field is named as "likeCount" or "tagsUsed.go".
func (sums Sums) Pending(rolled map[string]any) map[string]int64 {
	pending := map[string]int64{}
	for _, m := range sums.ahead(nil, rolled) {
		pending[strings.Join(m.field, ".")] = m.by
	}
	return pending
}

// ahead returns what is pending as moves, with a prefix before each field.
func (sums Sums) ahead(prefix firestore.FieldPath, rolled map[string]any) (list []move) {
	for name, v := range sums {
		field := append(prefix[:len(prefix):len(prefix)], name)
		switch v := v.(type) {
		case int64:
			was, _ := rolled[name].(int64)
			if v != was {
				list = append(list, move{field: field, by: v - was})
			}
		case map[string]any:
			was, _ := rolled[name].(map[string]any)
			list = append(list, Sums(v).ahead(field, was)...)
		}
	}
	return list
}

// labelField of a shard of a tag is the tag as its author typed it. A roll-up makes the
// tag's document of it if there is none yet.
const labelField = "content"

// shardMerge returns moves as a merge into a shard. A merge creates a shard that is not
// there.
func shardMerge(list []move) map[string]any {
	merge := map[string]any{}
	for _, mv := range list {
		m := merge
		for _, name := range mv.field[:len(mv.field)-1] {
			if m[name] == nil {
				m[name] = map[string]any{}
			}
			m = m[name].(map[string]any)
		}
		m[mv.field[len(mv.field)-1]] = firestore.Increment(mv.by)
		if mv.label != "" {
			merge[labelField] = mv.label
		}
	}
	return merge
}
