package counters

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Sums are the sums of a document's shards, by counter. They have only the counters of [model.Counters], at most four.
type Sums map[string]int64

// sumShards adds up the shards of a document. rest are the shards that rest, see [Store.Resting].
//
// Cost: 1 read for each shard, at least 1.
func (s *Store) sumShards(ctx context.Context, parent *firestore.DocumentRef) (all Sums,
	rest []*firestore.DocumentSnapshot, err error) {
	snaps, err := s.db.All(ctx, parent.Collection(model.Shards).Query)
	if err != nil {
		return nil, nil, err
	}
	all = Sums{}
	for _, snap := range snaps {
		all.Add(parent.Parent.ID, snap.Data())
		if snap.ReadTime.Sub(snap.UpdateTime) > s.Resting {
			rest = append(rest, snap)
		}
	}
	return all, rest, nil
}

// Add adds one shard of a document of a collection. Fields that are no counters of the collection are skipped.
func (sums Sums) Add(collection string, shard map[string]any) {
	for _, field := range model.Counters[collection] {
		if n, ok := shard[field].(int64); ok {
			sums[field] += n
		}
	}
}

// Pending returns how far the sums are ahead of what roll-ups have moved. It leaves out counters without a difference.
func (sums Sums) Pending(rolled map[string]any) map[string]int64 {
	pending := map[string]int64{}
	for field, n := range sums {
		was, _ := rolled[field].(int64)
		if n != was {
			pending[field] = n - was
		}
	}
	return pending
}

// rolled is the path of the field with the part of a counter that roll-ups have moved.
func rolled(field string) firestore.FieldPath { return firestore.FieldPath{fields.Rolled, field} }
