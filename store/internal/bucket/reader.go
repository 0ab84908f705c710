package bucket

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// Reader yields a bucket's items one by one, newest first. It reads an overflow document only when the items reach its
// range.
//
// Cost: 1 read for each overflow document.
type Reader[V any] struct {
	// Items are the items that the Reader has read, by position.
	Items map[model.Position]V

	// Reads is how many overflow documents the Reader has read.
	Reads int

	b      *Bucket
	id     string
	before model.Position
	at     time.Time                   // when the bucket was read
	pages  map[string]model.BucketPage // overflow documents that are not read yet
	left   []model.Position            // of Items that are not returned yet, newest first
}

// Read starts at the newest item of a bucket, or at the newest item that is older than before. The caller has read the
// bucket's own items and its list of overflow documents, at a time of the database. The Reader reads the overflow
// documents as they were then. Otherwise a concurrent split of an overflow document of mutable items would hide its
// older half. The zero time reads them as they are, for buckets that never split.
func Read[K model.TweetID | model.Position, V any](b *Bucket, id string, items map[K]V,
	pages map[string]model.BucketPage, before model.Position, at time.Time) *Reader[V] {
	r := &Reader[V]{b: b, id: id, before: before, at: at, Items: map[model.Position]V{},
		pages: map[string]model.BucketPage{}}
	for n, p := range pages {
		if before == "" || p.Oldest.Compare(before) < 0 {
			r.pages[n] = p
		}
	}
	merge(r, items)
	return r
}

// merge adds items that are not there yet. The bucket's own items come first, because the
// bucket is newer than its overflow documents.
func merge[K model.TweetID | model.Position, V any](r *Reader[V], items map[K]V) {
	for key, v := range items {
		position := model.Position(key)
		if _, ok := r.Items[position]; !ok && (r.before == "" || position.Compare(r.before) < 0) {
			r.Items[position] = v
			r.left = append(r.left, position)
		}
	}
	slices.SortFunc(r.left, func(a, b model.Position) int { return b.Compare(a) })
}

// Peek returns the position of the next item; ok is false at the end.
func (r *Reader[V]) Peek(ctx context.Context) (position model.Position, ok bool, err error) {
	for {
		var page string
		for n, p := range r.pages {
			if page == "" || p.Newest.Compare(r.pages[page].Newest) > 0 {
				page = n
			}
		}
		if page == "" || len(r.left) > 0 && r.left[0].Compare(r.pages[page].Newest) > 0 {
			break
		}
		if err := r.readPage(ctx, page); err != nil {
			return "", false, err
		}
	}
	if len(r.left) == 0 {
		return "", false, nil
	}
	return r.left[0], true, nil
}

// Skip advances past the next item, if it has the position.
func (r *Reader[V]) Skip(position model.Position) {
	if len(r.left) > 0 && r.left[0] == position {
		r.left = r.left[1:]
	}
}

// readPage merges an overflow document, of any kind of bucket.
func (r *Reader[V]) readPage(ctx context.Context, name string) error {
	var page struct {
		Tweets map[model.TweetID]V  `firestore:"tweets"`
		Shares map[model.Position]V `firestore:"shares"`
	}
	r.Reads++
	ref := r.b.Page(r.id, name)
	if !r.at.IsZero() {
		ref = ref.WithReadOptions(firestore.ReadTime(r.at))
	}
	if _, err := r.b.db.Get(ctx, ref, &page); err != nil {
		return err
	}
	delete(r.pages, name)
	merge(r, page.Tweets)
	merge(r, page.Shares)
	return nil
}
