package db

import (
	"context"
	"slices"
	"strings"
	"sync"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// Get decodes one document into to, and returns whether the document exists. A nil to decodes nothing.
//
// Cost: 1 read.
func (d *DB) Get(ctx context.Context, ref *firestore.DocumentRef, to any) (found bool, err error) {
	return decode(ref.Get(ctx))(to)
}

// GetIn is [DB.Get] in a transaction.
func GetIn(tx *firestore.Transaction, ref *firestore.DocumentRef, to any) (found bool, err error) {
	return decode(tx.Get(ref))(to)
}

func decode(snap *firestore.DocumentSnapshot, err error) func(to any) (found bool, err error) {
	return func(to any) (bool, error) {
		if NotFound(err) {
			return false, nil
		}
		if err != nil || to == nil {
			return err == nil, err
		}
		return true, snap.DataTo(to)
	}
}

// asked is how many documents one query requests by their keys.
const asked = 30

// There returns which documents of a collection exist. A query for keys is billed only for documents that exist. The
// queries run concurrently.
//
// Cost: of each 30 keys, 1 read for each document that is there, at least 1.
func (d *DB) There(ctx context.Context, collection string, keys []string) (map[string]bool, error) {
	there := make(map[string]bool, len(keys))
	err := d.thereWith(ctx, collection, keys, []string{}, func(snap *firestore.DocumentSnapshot) error {
		there[snap.Ref.ID] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	return there, nil
}

// ReadThere is [DB.There] with the documents. It suits keys of which most have no document; [ReadAll] reads in one
// round trip.
//
// Cost: that of [DB.There].
func ReadThere[V any](ctx context.Context, d *DB, collection string, keys []string) (map[string]*V, error) {
	there := make(map[string]*V, len(keys))
	err := d.thereWith(ctx, collection, keys, nil, func(snap *firestore.DocumentSnapshot) error {
		v := new(V)
		there[snap.Ref.ID] = v
		return snap.DataTo(v)
	})
	if err != nil {
		return nil, err
	}
	return there, nil
}

// thereWith queries documents by their keys, with some of their fields, or all for nil. It calls found with one
// document at a time.
func (d *DB) thereWith(ctx context.Context, collection string, keys, fields []string,
	found func(*firestore.DocumentSnapshot) error) error {
	var mu sync.Mutex
	g, ctx := safely.WithContext(ctx)
	for some := range slices.Chunk(keys, asked) {
		g.Go(func() error {
			refs := make([]*firestore.DocumentRef, len(some))
			for i, key := range some {
				refs[i] = d.Doc(collection, key)
			}
			var snaps []*firestore.DocumentSnapshot
			var err error
			if len(refs) == 1 { // a query costs as much, and in the emulator it scans every document
				snaps, err = d.Client.GetAll(ctx, refs)
			} else {
				q := d.Client.Collection(collection).Where(firestore.DocumentID, "in", refs)
				if fields != nil {
					q = q.Select(fields...)
				}
				snaps, err = q.Documents(ctx).GetAll()
			}
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, snap := range snaps {
				if !snap.Exists() {
					continue
				}
				if err := found(snap); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// ReadAll decodes documents of a collection by their ids, in one round trip. Ids of
// documents that do not exist are absent from the result. ReadAll calls name with each
// document and its id.
//
// Cost: 1 read for each id.
func ReadAll[K ~string, V any](ctx context.Context, d *DB, collection string, ids []K, name func(K, *V)) (map[K]*V,
	error) {
	refs := make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = d.Doc(collection, string(id))
	}
	snaps, err := d.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	all := make(map[K]*V, len(ids))
	for i, snap := range snaps {
		if !snap.Exists() {
			continue
		}
		v := new(V) // a Found would keep the snapshot for as long as a cache keeps the document
		if err := snap.DataTo(v); err != nil {
			return nil, err
		}
		name(ids[i], v)
		all[ids[i]] = v
	}
	return all, nil
}

// Page runs a query after a cursor. The query is ordered by field, and documents of equal fields by their ids. The
// result's Next is zero if the query found fewer documents than limit. So a full last page has a Next, with an empty
// page after it.
//
// Cost: 1 read for each document, at least 1.
func Page[T any](ctx context.Context, q firestore.Query, field firestore.FieldPath, dir firestore.Direction,
	from model.Cursor, limit int,
	decode func(*firestore.DocumentSnapshot) (T, model.Cursor, error)) (model.Page[T], error) {
	q = q.OrderByPath(field, dir).OrderBy(firestore.DocumentID, dir).Limit(limit)
	if !from.IsZero() {
		if from.At.IsZero() {
			q = q.StartAfter(from.Count, from.ID)
		} else {
			q = q.StartAfter(from.At, from.ID)
		}
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return model.Page[T]{}, err
	}
	p := model.Page[T]{Items: make([]T, 0, len(snaps))}
	var last model.Cursor
	for _, snap := range snaps {
		item, at, err := decode(snap)
		if err != nil {
			return model.Page[T]{}, err
		}
		p.Items, last = append(p.Items, item), at
	}
	if len(snaps) == limit {
		p.Next = last
	}
	return p, nil
}

// Path returns the path of a document below the database, such as "tweets/3f…".
func Path(ref *firestore.DocumentRef) string {
	_, p, _ := strings.Cut(ref.Path, "/documents/")
	return p
}

// Count returns how many documents a query finds.
//
// Cost: 1 read for each 1,000 documents, at least 1.
func Count(ctx context.Context, q firestore.Query) (int64, error) {
	result, err := q.NewAggregationQuery().WithCount("n").Get(ctx)
	if err != nil {
		return 0, err
	}
	n, _ := result["n"].(*pb.Value)
	return n.GetIntegerValue(), nil
}
