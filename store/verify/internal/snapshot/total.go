package snapshot

import (
	"context"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Total reads the total of a collection, and counts the collection, at one moment.
//
// Cost: 2 reads, 1 read a shard, at least 1, and 1 read for each 1,000 documents.
func (r *Reader) Total(ctx context.Context, collection string) (_ *Counted[model.Total], n int64, err error) {
	defer errs.Wrap(&err, "snapshot.Total(%q)", collection)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, 0, err
	}
	snap, err := m.get(ctx, r.db.Doc(model.Totals, collection))
	if err != nil {
		return nil, 0, err
	}
	t, err := readCounted[model.Total](ctx, m, snap)
	if err != nil {
		return nil, 0, err
	}
	all := r.db.Client.Collection(collection).Query
	result, err := all.WithReadOptions(firestore.ReadTime(m.at)).NewAggregationQuery().WithCount("n").Get(ctx)
	if err != nil {
		return nil, 0, err
	}
	count, _ := result["n"].(*pb.Value)
	return t, count.GetIntegerValue(), nil
}
