package snapshot

import (
	"context"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// moment is a time in the history of the database. All reads of a snapshot at one moment are consistent, and lock
// nothing.
type moment struct {
	r  *Reader
	at time.Time
}

// moment is the present, by the database's clock.
//
// Cost: 1 read.
func (r *Reader) moment(ctx context.Context) (moment, error) {
	snap, err := r.db.Doc(model.Usernames, "me").Get(ctx)
	if err != nil && !db.NotFound(err) {
		return moment{}, err
	}
	return moment{r, snap.ReadTime}, nil
}

// get reads a document as it was at the moment. A missing document is no error.
//
// Cost: 1 read.
func (m moment) get(ctx context.Context, ref *firestore.DocumentRef) (*firestore.DocumentSnapshot, error) {
	snap, err := ref.WithReadOptions(firestore.ReadTime(m.at)).Get(ctx)
	if db.NotFound(err) {
		err = nil
	}
	return snap, err
}

// each decodes the documents that a query finds, one at a time.
//
// Cost: 1 read a document, at least 1.
func each[T any](ctx context.Context, m moment, q firestore.Query, do func(snap *firestore.DocumentSnapshot,
	v *T) error) error {
	for snap, err := range documents(ctx, *q.WithReadOptions(firestore.ReadTime(m.at))) {
		if err != nil {
			return err
		}
		v := new(T)
		if err := snap.DataTo(v); err != nil {
			return fmt.Errorf("%s: %w", snap.Ref.Path, err)
		}
		if err := do(snap, v); err != nil {
			return err
		}
	}
	return nil
}

// list decodes all documents that a query finds.
//
// Cost: 1 read a document, at least 1.
func list[T any](ctx context.Context, m moment, q firestore.Query, to *[]T) error {
	return each(ctx, m, q, func(_ *firestore.DocumentSnapshot, v *T) error {
		*to = append(*to, *v)
		return nil
	})
}

// Counted is a document with counts that triggers keep, and the shards of its counts.
type Counted[T any] struct {
	Path    string
	Doc     T
	Missing bool // there is no document; a tag or tag usage may have shards before a document

	// Pending is how far the shards are ahead of the document, by counter. A counter without pending increments is absent.
	Pending map[string]int64

	// Version changes with every write to the document and its shards.
	Version string

	// Updated is the time of the last write of the document itself.
	Updated time.Time
}

// readCounted decodes a document, and reads its shards.
//
// Cost: 1 read a shard, at least 1.
func readCounted[T any](ctx context.Context, m moment, snap *firestore.DocumentSnapshot) (*Counted[T], error) {
	is, err := db.As[T](snap, nil)
	c := &Counted[T]{Path: db.Path(snap.Ref), Doc: is.Doc, Missing: !is.Found, Updated: snap.UpdateTime}
	var p struct {
		Rolled map[string]any `firestore:"rolled"`
	}
	if is.Found && err == nil {
		err = snap.DataTo(&p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	newest, sums := snap.UpdateTime, counters.Sums{}
	it := snap.Ref.Collection(model.Shards).Query
	err = each(ctx, m, it, func(shard *firestore.DocumentSnapshot, data *map[string]any) error {
		sums.Add(snap.Ref.Parent.ID, *data)
		if shard.UpdateTime.After(newest) {
			newest = shard.UpdateTime
		}
		return nil
	})
	c.Pending = sums.Pending(p.Rolled)
	c.Version = snap.UpdateTime.UTC().Format(time.RFC3339Nano) + " " + newest.UTC().Format(time.RFC3339Nano)
	return c, err
}

// buckets is the query for a user's documents in a collection whose keys begin with a user, by their ids.
func (r *Reader) buckets(collection string, uid model.UserID) firestore.Query {
	prefix := model.MonthKey(uid, "")
	return r.db.Client.Collection(collection).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(prefix).EndBefore(prefix[:len(prefix)-1] + "`") // the character after the underscore
}
