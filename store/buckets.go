package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// A bucket that grows spills: its older items move to overflow documents, which the
// bucket lists with the range of each. New items always go into the bucket itself, and
// so does one that comes late, though a page has its range; readers merge. Every write
// of an item counts the bucket's size up, and the answer to the commit tells the new
// size. So whoever makes a bucket too large knows without a read, and asks for the
// spill.
type bucket struct {
	collection string
	field      string // with the items
	limit      int
}

const sizeField = "size"

// SpillWork asks for a bucket to be spilt, in the document whose creation starts it:
// spills/{collection}_{bucket}.
type SpillWork struct {
	Collection string    `firestore:"collection"`
	Bucket     string    `firestore:"bucket"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

type sizesKey struct{}

// sizes collects, from the answers to commits, how large buckets have become.
type sizes struct {
	mu sync.Mutex
	of map[string]growth // by the bucket's document id
}

type growth struct{ size, by int64 }

// watchSizes returns a context whose commits are noted in the sizes.
func watchSizes(ctx context.Context) (context.Context, *sizes) {
	z := &sizes{of: map[string]growth{}}
	return context.WithValue(ctx, sizesKey{}, z), z
}

// noteSizes is told of every commit by the meter.
func noteSizes(ctx context.Context, req *pb.CommitRequest, resp *pb.CommitResponse) {
	z, ok := ctx.Value(sizesKey{}).(*sizes)
	if !ok {
		return
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	for i, w := range req.Writes {
		for j, t := range w.UpdateTransforms {
			if t.FieldPath == sizeField && i < len(resp.WriteResults) && j < len(resp.WriteResults[i].TransformResults) {
				name := w.GetUpdate().GetName()
				z.of[name[strings.LastIndexByte(name, '/')+1:]] = growth{
					size: resp.WriteResults[i].TransformResults[j].GetIntegerValue(), by: t.GetIncrement().GetIntegerValue(),
				}
			}
		}
	}
}

// askSpills leaves a work document for each bucket that passed its limit, and again
// for each tenth of it that it passes beyond: at most a write each.
func (s *Store) askSpills(ctx context.Context, b bucket, z *sizes) error {
	step := int64(max(b.limit/10, 1))
	steps := func(over int64) int64 { return (max(over, 0) + step - 1) / step }
	for id, g := range z.of {
		over := g.size - int64(b.limit)
		if steps(over) == steps(over-g.by) { // many items may come at once
			continue
		}
		_, err := s.doc(model.Spills, model.SpillKey(b.collection, id)).Create(ctx, SpillWork{
			Collection: b.collection, Bucket: id, ExpireAt: s.time().Add(24 * time.Hour),
		})
		if err != nil && !exists(err) {
			return err
		}
	}
	return nil
}

// Spill moves the older half of a bucket that is beyond its limit to overflow
// documents, in one commit: a read, and a write for each document. It removes the work
// document first, so that whoever finds the bucket too large again leaves another.
func (s *Store) Spill(ctx context.Context, w SpillWork) (err error) {
	defer errs.Wrap(&err, "store.Spill(%q, %q)", w.Collection, w.Bucket)
	if _, err := s.doc(model.Spills, model.SpillKey(w.Collection, w.Bucket)).Delete(ctx); err != nil {
		return err
	}
	b := s.timelineBuckets
	if w.Collection == s.monthBuckets.collection {
		b = s.monthBuckets
	}
	for {
		done, err := s.trySpill(ctx, b, s.doc(w.Collection, w.Bucket))
		if done || err != nil {
			return err
		}
		if err := pause(ctx, rand.N(50*time.Millisecond)); err != nil {
			return err
		}
	}
}

func (s *Store) trySpill(ctx context.Context, b bucket, ref *firestore.DocumentRef) (bool, error) {
	snap, err := ref.Get(ctx)
	if held, err := decode(snap, err)(nil); err != nil || !held {
		return true, err
	}
	data := snap.Data()
	raw, _ := data[b.field].(map[string]any)
	items := make(map[model.TweetID]any, len(raw))
	for id, item := range raw {
		items[model.TweetID(id)] = item
	}
	if len(items) <= b.limit {
		return true, nil
	}
	pages, _ := data["pages"].(map[string]any)
	old := model.Newest(items, 0)[b.limit/2:]
	updates := []firestore.Update{{Path: sizeField, Value: len(items) - len(old)}}
	for _, id := range old {
		updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{b.field, string(id)}, Value: firestore.Delete})
	}
	batch := s.batch()
	n := len(pages)
	for part := range slices.Chunk(old, b.limit) {
		n++
		moved := make(map[string]any, len(part))
		for _, id := range part {
			moved[string(id)] = items[id]
		}
		// Create: if another spill was first, this one fails whole.
		batch.Create(s.doc(b.collection, model.BucketPageKey(ref.ID, n)), map[string]any{
			"pageOf": data["userId"], b.field: moved, "expireAt": data["expireAt"],
		})
		updates = append(updates, firestore.Update{
			FieldPath: firestore.FieldPath{"pages", strconv.Itoa(n)},
			Value:     model.BucketPage{Newest: part[0], Oldest: part[len(part)-1], Size: len(part)},
		})
	}
	// A card may be edited while it is moved, so nothing may have changed. An entry
	// never changes, and a timeline may be written to too often to wait for.
	var unchanged []firestore.Precondition
	if b.collection == s.monthBuckets.collection {
		unchanged = append(unchanged, firestore.LastUpdateTime(snap.UpdateTime))
	}
	batch.Update(ref, updates, unchanged...)
	_, err = batch.Commit(ctx)
	if exists(err) || outdated(err) {
		return false, nil
	}
	return err == nil, err
}

// reader gives a bucket's items one by one, newest first, and reads an overflow page
// only when its range is reached: a read each.
type reader[V any] struct {
	s     *Store
	b     bucket
	id    string
	items map[model.TweetID]V
	pages map[string]model.BucketPage // not read yet
	ids   []model.TweetID             // of items, newest first, not given yet
}

// read starts at the newest item, or at the newest that is older than before.
func read[V any](s *Store, b bucket, id string, items map[model.TweetID]V, pages map[string]model.BucketPage, before model.TweetID) *reader[V] {
	r := &reader[V]{s: s, b: b, id: id, items: map[model.TweetID]V{}, pages: map[string]model.BucketPage{}}
	for n, p := range pages {
		if before == "" || p.Oldest.Compare(before) < 0 {
			r.pages[n] = p
		}
	}
	r.merge(items, before)
	return r
}

// merge adds items that are not there yet: the bucket itself is newer than its pages.
func (r *reader[V]) merge(items map[model.TweetID]V, before model.TweetID) {
	for id, v := range items {
		if _, ok := r.items[id]; !ok && (before == "" || id.Compare(before) < 0) {
			r.items[id] = v
			r.ids = append(r.ids, id)
		}
	}
	slices.SortFunc(r.ids, func(a, b model.TweetID) int { return b.Compare(a) })
}

// peek tells which item is next; ok is false at the end.
func (r *reader[V]) peek(ctx context.Context, before model.TweetID) (id model.TweetID, ok bool, err error) {
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
		delete(r.pages, page)
		n, err := strconv.Atoi(page)
		if err != nil {
			return "", false, fmt.Errorf("page %q of bucket %s: %w", page, r.id, err)
		}
		items, err := pageItems[V](ctx, r.s, r.b, model.BucketPageKey(r.id, n))
		if err != nil {
			return "", false, err
		}
		r.merge(items, before)
	}
	if len(r.ids) == 0 {
		return "", false, nil
	}
	return r.ids[0], true, nil
}

func (r *reader[V]) skip() { r.ids = r.ids[1:] }

// all reads what is left of a bucket.
func (r *reader[V]) all(ctx context.Context) (map[model.TweetID]V, error) {
	for n := range r.pages {
		i, err := strconv.Atoi(n)
		if err != nil {
			return nil, err
		}
		items, err := pageItems[V](ctx, r.s, r.b, model.BucketPageKey(r.id, i))
		if err != nil {
			return nil, err
		}
		r.merge(items, "")
	}
	clear(r.pages)
	return r.items, nil
}

// pageItems reads an overflow document of either kind of bucket.
func pageItems[V any](ctx context.Context, s *Store, b bucket, id string) (map[model.TweetID]V, error) {
	var page struct {
		Entries map[model.TweetID]V `firestore:"entries"`
		Tweets  map[model.TweetID]V `firestore:"tweets"`
	}
	_, err := s.get(ctx, s.doc(b.collection, id), &page)
	if b.field == "tweets" {
		return page.Tweets, err
	}
	return page.Entries, err
}
