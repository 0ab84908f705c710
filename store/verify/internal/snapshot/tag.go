package snapshot

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Tag is a tag with the number of its tweets, at one moment.
type Tag struct {
	Tag    *Counted[model.Tag]
	Tweets int64
}

// Tag reads a tag and counts its tweets, at one moment.
//
// Cost: 2 reads, and 1 read a shard and a tweet with the tag; each kind at least 1.
func (r *Reader) Tag(ctx context.Context, name string) (_ *Tag, err error) {
	defer errs.Wrap(&err, "snapshot.Tag(%q)", name)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tag{}
	snap, err := m.get(ctx, r.db.Tag(name))
	if err != nil {
		return nil, err
	}
	if t.Tag, err = readCounted[model.Tag](ctx, m, snap); err != nil {
		return nil, err
	}
	q := r.db.Client.Collection(model.Tweets).OrderByPath(firestore.FieldPath{fields.Tags, name}, firestore.Desc).Select()
	return t, each(ctx, m, q, func(*firestore.DocumentSnapshot, *struct{}) error {
		t.Tweets++
		return nil
	})
}
