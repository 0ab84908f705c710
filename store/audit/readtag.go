package audit

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// tagState is a tag and how many tweets have it, as it stood at one moment.
type tagState struct {
	Tag    *countedDoc[model.Tag]
	Tweets int64
}

// readTag reads a tag and counts its tweets, at one moment.
//
// Cost: 2 reads, and 1 read a shard and a tweet with the tag; each kind at least 1.
func (a *Auditor) readTag(ctx context.Context, name string) (_ *tagState, err error) {
	defer errs.Wrap(&err, "audit.readTag(%q)", name)
	m, err := a.moment(ctx)
	if err != nil {
		return nil, err
	}
	t := &tagState{}
	snap, err := m.get(ctx, a.db.Tag(name))
	if err != nil {
		return nil, err
	}
	if t.Tag, err = readCounted[model.Tag](ctx, m, snap); err != nil {
		return nil, err
	}
	q := a.db.Client.Collection(model.Tweets).OrderByPath(firestore.FieldPath{"tags", name}, firestore.Desc).Select()
	return t, each(ctx, m, q, func(*firestore.DocumentSnapshot, *struct{}) error {
		t.Tweets++
		return nil
	})
}
