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
	// Items are the items that the Reader has read, by tweet.
	Items map[model.TweetID]V

	// Reads is how many overflow documents the Reader has read.
	Reads int

	b      *Bucket
	id     string
	before model.TweetID
	at     time.Time                   // when the bucket was read
	pages  map[string]model.BucketPage // overflow documents that are not read yet
	ids    []model.TweetID             // of Items that are not returned yet, newest first
}

// Read starts at the newest item of a bucket, or at the newest item that is older than before. The caller has read the
// bucket's own items and its list of overflow documents, at a time of the database. The Reader reads the overflow
// documents as they were then. Otherwise a concurrent split of an overflow document of mutable items would hide its
// older half. The zero time reads them as they are, for buckets that never split.
func Read[V any](b *Bucket, id string, items map[model.TweetID]V, pages map[string]model.BucketPage,
	before model.TweetID, at time.Time) *Reader[V] {
	r := &Reader[V]{b: b, id: id, before: before, at: at, Items: map[model.TweetID]V{},
		pages: map[string]model.BucketPage{}}
	for n, p := range pages {
		if before == "" || p.Oldest.Compare(before) < 0 {
			r.pages[n] = p
		}
	}
	r.merge(items)
	return r
}

// merge adds items that are not there yet. The bucket's own items come first, because the
// bucket is newer than its overflow documents.
func (r *Reader[V]) merge(items map[model.TweetID]V) {
	for id, v := range items {
		if _, ok := r.Items[id]; !ok && (r.before == "" || id.Compare(r.before) < 0) {
			r.Items[id] = v
			r.ids = append(r.ids, id)
		}
	}
	slices.SortFunc(r.ids, func(a, b model.TweetID) int { return b.Compare(a) })
}

// Peek returns the next item; ok is false at the end.
func (r *Reader[V]) Peek(ctx context.Context) (id model.TweetID, ok bool, err error) {
	for {
		var page string
		for n, p := range r.pages {
			if page == "" || p.Newest.Compare(r.pages[page].Newest) > 0 {
				page = n
			}
		}
		if page == "" || len(r.ids) > 0 && r.ids[0].Compare(r.pages[page].Newest) > 0 {
			break
		}
		if err := r.readPage(ctx, page); err != nil {
			return "", false, err
		}
	}
	if len(r.ids) == 0 {
		return "", false, nil
	}
	return r.ids[0], true, nil
}

// Next returns the next item and advances; ok is false at the end.
func (r *Reader[V]) Next(ctx context.Context) (id model.TweetID, ok bool, err error) {
	id, ok, err = r.Peek(ctx)
	r.Skip(id)
	return id, ok, err
}

// Skip advances past the next item, if the next item is id.
func (r *Reader[V]) Skip(id model.TweetID) {
	if len(r.ids) > 0 && r.ids[0] == id {
		r.ids = r.ids[1:]
	}
}

// readPage merges an overflow document, of any kind of bucket.
func (r *Reader[V]) readPage(ctx context.Context, name string) error {
	var page struct {
		Entries map[model.TweetID]V `firestore:"entries"`
		Tweets  map[model.TweetID]V `firestore:"tweets"`
		Shares  map[model.TweetID]V `firestore:"shares"`
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
	r.merge(page.Entries)
	r.merge(page.Tweets)
	r.merge(page.Shares)
	return nil
}
