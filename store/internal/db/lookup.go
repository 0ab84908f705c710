package db

import (
	"context"

	"cloud.google.com/go/firestore"
)

// Lookup is a list of documents that one round trip reads, each into a variable of its own type. The zero Lookup is
// empty. [Find] adds a document, and [DB.Read] or [Lookup.ReadIn] reads all.
type Lookup struct {
	refs  []*firestore.DocumentRef
	takes []func(*firestore.DocumentSnapshot) error
}

// Found is a document that was read: of a [Lookup], or of [As].
type Found[T any] struct {
	Snap  *firestore.DocumentSnapshot // also of a document that does not exist
	Found bool                        // the document exists
	Doc   T                           // fields that the document lacks stay as they were before the read
}

// Find adds a document to a lookup. A Found[struct{}] only says whether the document exists: nothing is decoded.
func Find[T any](l *Lookup, ref *firestore.DocumentRef) *Found[T] {
	f := &Found[T]{}
	l.refs, l.takes = append(l.refs, ref), append(l.takes, f.take)
	return f
}

// take decodes the document.
func (f *Found[T]) take(snap *firestore.DocumentSnapshot) error {
	f.Snap, f.Found = snap, snap.Exists()
	if _, only := any(&f.Doc).(*struct{}); only || !f.Found {
		return nil
	}
	return snap.DataTo(&f.Doc)
}

// Read reads the documents of a lookup. An empty lookup reads nothing.
//
// Cost: 1 read for each document, whether it exists or not.
func (d *DB) Read(ctx context.Context, l *Lookup) error {
	return l.read(func(refs []*firestore.DocumentRef) ([]*firestore.DocumentSnapshot, error) {
		return d.Client.GetAll(ctx, refs)
	})
}

// ReadIn is [DB.Read] in a transaction. A transaction may run again, and each run needs its own lookup.
func (l *Lookup) ReadIn(tx *firestore.Transaction) error { return l.read(tx.GetAll) }

func (l *Lookup) read(all func([]*firestore.DocumentRef) ([]*firestore.DocumentSnapshot, error)) error {
	if len(l.refs) == 0 {
		return nil
	}
	snaps, err := all(l.refs)
	if err != nil {
		return err
	}
	for i, snap := range snaps {
		if err := l.takes[i](snap); err != nil {
			return err
		}
	}
	return nil
}

// As decodes the result of a Get of a document or transaction, as in As[model.User](ref.Get(ctx)). A missing document
// is no error. The result is not nil, even with an error.
func As[T any](snap *firestore.DocumentSnapshot, err error) (*Found[T], error) {
	f := &Found[T]{Snap: snap}
	if NotFound(err) && snap != nil { // without one, the database itself is not found
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return f, f.take(snap)
}

// First decodes the first document that a query finds. Without one there is no Snap either.
//
// Cost: 1 read.
func First[T any](ctx context.Context, q firestore.Query) (*Found[T], error) {
	snaps, err := q.Limit(1).Documents(ctx).GetAll()
	if err != nil || len(snaps) == 0 {
		return &Found[T]{}, err
	}
	return As[T](snaps[0], nil)
}
