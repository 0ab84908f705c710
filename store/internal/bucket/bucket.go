// Package bucket keeps documents with many items under 1 MiB.
//
// A bucket that grows overflows: its older items move to overflow documents, and the bucket lists each overflow
// document with its range of positions. A new item always goes into the bucket itself. So does a late item, even if an
// overflow document has its range; readers merge. Every write of an item increments the bucket's size, and the answer
// to the commit has the new size. So the process that makes a bucket too large learns of it without a read, and
// enqueues the overflow.
//
// In a bucket of mutable items the ranges of the overflow documents are disjoint. An overflow moves a late item to the
// overflow document of its range, and splits that document when it is full. So the bucket lists at most 3 overflow
// documents for each limit of items that ever left the bucket, and 1 more. In other buckets each overflow makes new
// ones.
package bucket

import (
	"context"
	"math/rand/v2"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SizeField is the field of a bucket that counts its items.
const SizeField = "size"

// Bucket is a collection of buckets. In each of them shares have a field of their own, model.SharesField.
type Bucket struct {
	db         *db.DB
	collection string
	field      string // the map field with the items that are not shares
	limit      int    // of items
	mutable    bool   // an item may change after it was put
}

// New returns the buckets of a collection whose items are in a map field. A bucket may hold limit items before it
// overflows. Mutable items change after they were put: an overflow moves them only if no process wrote the bucket
// meanwhile.
func New(d *db.DB, collection, field string, limit int, mutable bool) *Bucket {
	return &Bucket{d, collection, field, limit, mutable}
}

// fieldOf is the map field with an item.
func (b *Bucket) fieldOf(position model.Position) string {
	if position.IsShare() {
		return model.SharesField
	}
	return b.field
}

// fields are the map fields with items.
func (b *Bucket) fields() []string {
	if b.field == model.SharesField {
		return []string{b.field}
	}
	return []string{b.field, model.SharesField}
}

// Limit is how many items a bucket, or an overflow document, may hold before it overflows.
func (b *Bucket) Limit() int { return b.limit }

// Page names overflow document n of a bucket.
func (b *Bucket) Page(bucket, n string) *firestore.DocumentRef {
	return b.db.Doc(b.collection, model.BucketPageKey(bucket, n))
}

// AskOverflows leaves a work document for each bucket that passed its limit. It leaves another for each tenth of the
// limit beyond. A bucket that reaches its most items is overflowed at once, so that no bucket grows while overflows are
// late.
//
// Cost: at most what [db.DB.Ask] costs for each bucket.
func (b *Bucket) AskOverflows(ctx context.Context, z *Sizes) error {
	step := int64(max(b.limit/10, 1))
	steps := func(over int64) int64 { return (max(over, 0) + step - 1) / step }
	g, ctx := safely.WithContext(ctx)
	g.SetLimit(overflowsAtOnce)
	for c, size := range z.of {
		id, over := c.bucket, size.size-int64(b.limit)
		switch {
		case c.field != SizeField: // not a bucket of this collection
		case size.size > int64(b.most()):
			g.Go(func() error { return b.overflowNow(ctx, id) })
		case steps(over) > steps(over-size.by): // a commit of many items may jump over a step
			g.Go(func() error {
				_, err := b.db.Ask(ctx, b.db.Doc(model.Overflows, model.OverflowKey(b.collection, id)), model.OverflowWork{
					Collection: b.collection, Bucket: id, ExpireAt: b.db.WorkExpiry(),
				})
				return err
			})
		}
	}
	return g.Wait()
}

// most is how many items a bucket may hold before the process that wrote to it overflows it. Mutable items are large: a
// tenth beyond the limit brings them near 1 MiB.
func (b *Bucket) most() int {
	if !b.mutable {
		return 2 * b.limit
	}
	return b.limit + max(b.limit/10, 2)
}

// overflowsAtOnce is how many buckets one commit's answer overflows concurrently.
const overflowsAtOnce = 8

// Overflow moves the older items of a bucket that is beyond its limit to overflow documents, in one commit. The newest
// items stay, half a limit of them. Overflow deletes the work document first. So a process that finds the bucket too
// large again leaves another work document.
//
// Cost: 1 read, 1 delete, 1 write, and 1 write for each overflow document.
func (b *Bucket) Overflow(ctx context.Context, id string) error {
	if _, err := b.db.Doc(model.Overflows, model.OverflowKey(b.collection, id)).Delete(ctx); err != nil {
		return err
	}
	return b.overflowNow(ctx, id)
}

// overflowNow is Overflow without a work document.
func (b *Bucket) overflowNow(ctx context.Context, id string) error {
	for {
		done, err := b.tryOverflow(ctx, b.db.Doc(b.collection, id))
		if done || err != nil {
			return err
		}
		if err := db.Pause(ctx, rand.N(50*time.Millisecond)); err != nil {
			return err
		}
	}
}
