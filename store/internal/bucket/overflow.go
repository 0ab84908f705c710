package bucket

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// pagesTogether is how many existing overflow documents one commit of an overflow rewrites. A commit has at most 10
// MiB, and such a document nearly 1 MiB.
const pagesTogether = 4

// overflow is one try to bring a bucket within its limit.
type overflow struct {
	*Bucket
	ref     *firestore.DocumentRef
	read    *firestore.DocumentSnapshot // the bucket's own document
	items   map[model.Position]any      // of the bucket itself
	pages   map[string]model.BucketPage
	batch   *db.Batch
	updates []firestore.Update // of the bucket itself
	last    int                // the highest number of an overflow document
	moved   int                // how many items leave the bucket
}

// tryOverflow returns whether the bucket is within its limit now. It returns false if another process was first, or if
// some late items are left.
func (b *Bucket) tryOverflow(ctx context.Context, ref *firestore.DocumentRef) (bool, error) {
	root, err := db.As[struct {
		Pages map[string]model.BucketPage `firestore:"pages"`
		Size  int                         `firestore:"size"`
	}](ref.Get(ctx))
	if err != nil || !root.Found {
		return true, err
	}
	s := &overflow{Bucket: b, ref: ref, read: root.Snap, items: b.itemsOf(root.Snap), pages: root.Doc.Pages,
		batch: b.db.Batch()}
	if len(s.items) <= b.limit {
		return s.correctSize(ctx, root.Doc.Size)
	}
	for n := range s.pages {
		if n, err := strconv.Atoi(n); err == nil {
			s.last = max(s.last, n)
		}
	}
	old := model.Newest(s.items, 0)[b.limit/2:]
	all := true
	if b.mutable {
		var late map[string][]model.Position
		late, old = s.assign(old)
		if all, err = s.join(ctx, late); err != nil {
			return false, err
		}
	}
	for _, part := range chunks(old, b.limit) {
		s.create(part, s.items)
		s.leave(part)
	}
	return s.commit(ctx, all)
}

// itemsOf returns the items in a bucket's own document, or in an overflow document.
func (b *Bucket) itemsOf(snap *firestore.DocumentSnapshot) map[model.Position]any {
	data, items := snap.Data(), map[model.Position]any{}
	for _, field := range b.fields() {
		raw, _ := data[field].(map[string]any)
		for position, item := range raw {
			items[model.Position(position)] = item
		}
	}
	return items
}

// correctSize corrects the size of a bucket whose size is beyond its limit, though it has fewer items: an item that
// came twice counted twice, and a removed item still counts.
//
// Cost: 1 write if the size is beyond the limit.
func (s *overflow) correctSize(ctx context.Context, size int) (bool, error) {
	if size <= s.limit {
		return true, nil
	}
	_, err := s.ref.Update(ctx, []firestore.Update{{Path: SizeField, Value: len(s.items)}},
		firestore.LastUpdateTime(s.read.UpdateTime))
	if db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// assign chooses overflow documents for items that leave the bucket. An item goes to the
// overflow document that has its range, or else to the next newer one, whose range then
// reaches down to the item. newer are items that are newer than all overflow documents. They
// join the newest if it has room.
func (s *overflow) assign(old []model.Position) (late map[string][]model.Position, newer []model.Position) {
	names := slices.SortedFunc(maps.Keys(s.pages),
		func(a, b string) int { return s.pages[a].Newest.Compare(s.pages[b].Newest) })
	late = map[string][]model.Position{}
	for _, position := range old {
		i := slices.IndexFunc(names, func(n string) bool { return s.pages[n].Newest.Compare(position) >= 0 })
		if i < 0 {
			newer = append(newer, position)
			continue
		}
		late[names[i]] = append(late[names[i]], position)
	}
	if len(names) > 0 && len(newer) > 0 {
		if n := names[len(names)-1]; s.pages[n].Size+len(late[n])+len(newer) <= s.limit {
			late[n], newer = append(late[n], newer...), nil
		}
	}
	return late, newer
}

// join adds items to existing overflow documents. An overflow document with too many items is split. Some overflow
// documents may have to wait for another attempt: then all is false.
//
// Cost: 1 read for each overflow document.
func (s *overflow) join(ctx context.Context, late map[string][]model.Position) (all bool, err error) {
	names := slices.SortedFunc(maps.Keys(late), func(a, b string) int { return cmp.Compare(len(late[b]), len(late[a])) })
	all = len(names) <= pagesTogether
	names = names[:min(len(names), pagesTogether)]
	var l db.Lookup
	pages := make([]*db.Found[struct{}], len(names))
	for i, n := range names {
		pages[i] = db.Find[struct{}](&l, s.page(n))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return false, err
	}
	for i, n := range names {
		page, items := pages[i].Snap, map[model.Position]any{}
		if page.Exists() {
			items = s.itemsOf(page)
		}
		for _, position := range late[n] {
			items[position] = s.items[position] // the bucket is newer than its overflow documents
		}
		parts := chunks(model.Newest(items, 0), s.limit)
		if page.Exists() {
			s.batch.Update(page.Ref, []firestore.Update{
				{Path: s.field, Value: some(parts[0], items, func(model.Position) bool { return true })}},
				firestore.LastUpdateTime(page.UpdateTime))
		} else {
			s.batch.Create(page.Ref, s.document(parts[0], items))
		}
		s.list(n, parts[0])
		for _, part := range parts[1:] {
			s.create(part, items)
		}
		s.leave(late[n])
	}
	return all, nil
}

// create makes a new overflow document of some items. If another overflow was first, Create fails, and with it the
// whole commit.
func (s *overflow) create(positions []model.Position, items map[model.Position]any) {
	s.last++
	n := strconv.Itoa(s.last)
	s.batch.Create(s.page(n), s.document(positions, items))
	s.list(n, positions)
}

// page names an overflow document.
func (s *overflow) page(n string) *firestore.DocumentRef { return s.Page(s.ref.ID, n) }

// document is an overflow document of some items.
func (s *overflow) document(positions []model.Position, items map[model.Position]any) map[string]any {
	data := s.read.Data()
	page := map[string]any{fields.PageOf: data[fields.UserID], fields.ExpireAt: data[fields.ExpireAt]}
	for _, field := range s.fields() {
		in := func(position model.Position) bool { return s.fieldOf(position) == field }
		if part := some(positions, items, in); len(part) > 0 {
			page[field] = part
		}
	}
	return page
}

// list lists an overflow document of some items, newest first, in the bucket.
func (s *overflow) list(n string, positions []model.Position) {
	s.updates = append(s.updates, firestore.Update{
		FieldPath: firestore.FieldPath{fields.Pages, n}, Value: model.BucketPage{Newest: positions[0],
			Oldest: positions[len(positions)-1], Size: len(positions)},
	})
}

// leave takes items out of the bucket itself.
func (s *overflow) leave(positions []model.Position) {
	s.moved += len(positions)
	for _, position := range positions {
		s.updates = append(s.updates, firestore.Update{FieldPath: firestore.FieldPath{s.fieldOf(position), string(position)},
			Value: firestore.Delete})
	}
}

// commit writes the moves of the overflow. It returns false if another process was first, or if the overflow is not
// complete.
func (s *overflow) commit(ctx context.Context, all bool) (bool, error) {
	// A change of an item would be lost while the item moves. So a bucket of mutable items must be unchanged. Other
	// buckets may be written too often for that condition.
	var unchanged []firestore.Precondition
	if s.mutable {
		unchanged = append(unchanged, firestore.LastUpdateTime(s.read.UpdateTime))
	}
	s.batch.Update(s.ref, append(s.updates, firestore.Update{Path: SizeField, Value: len(s.items) - s.moved}),
		unchanged...)
	_, err := s.batch.Commit(ctx)
	if db.AlreadyExists(err) || db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil && all, err
}

// some are the values at the given positions in a field.
func some(positions []model.Position, items map[model.Position]any, has func(model.Position) bool) map[string]any {
	part := make(map[string]any, len(positions))
	for _, position := range positions {
		if has(position) {
			part[string(position)] = items[position]
		}
	}
	return part
}

// chunks cuts positions into as few parts of at most limit as possible. The parts are about equally long, so that each
// of several has at least half a limit.
func chunks(positions []model.Position, limit int) (parts [][]model.Position) {
	for n := (len(positions) + limit - 1) / limit; n > 0; n-- {
		first := (len(positions) + n - 1) / n
		parts, positions = append(parts, positions[:first]), positions[first:]
	}
	return parts
}
