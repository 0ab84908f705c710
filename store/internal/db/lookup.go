package db

import (
	"context"

	"cloud.google.com/go/firestore"
)

// Lookup is a list of documents that one round trip reads, each into a variable of its own type. The zero Lookup is
// empty. [Find] adds a document, and [DB.Read] reads all.
type Lookup struct {
	refs  []*firestore.DocumentRef
	takes []func(*firestore.DocumentSnapshot) error
}

// Found is a document of a [Lookup] after [DB.Read].
type Found[T any] struct {
	Snap  *firestore.DocumentSnapshot // also of a document that does not exist
	Found bool                        // the document exists
	Doc   T                           // the zero value of T without a document
}

// Find adds a document to a lookup. A Found[struct{}] only says whether the document exists: nothing is decoded.
func Find[T any](l *Lookup, ref *firestore.DocumentRef) *Found[T] {
	f := &Found[T]{}
	l.refs = append(l.refs, ref)
	l.takes = append(l.takes, func(snap *firestore.DocumentSnapshot) error {
		f.Snap, f.Found = snap, snap.Exists()
		if _, only := any(&f.Doc).(*struct{}); only || !f.Found {
			return nil
		}
		return snap.DataTo(&f.Doc)
	})
	return f
}

// Read reads the documents of a lookup. An empty lookup reads nothing.
//
// Cost: 1 read for each document, whether it exists or not.
func (d *DB) Read(ctx context.Context, l *Lookup) error {
	if len(l.refs) == 0 {
		return nil
	}
	snaps, err := d.Client.GetAll(ctx, l.refs)
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

// as decodes a document that was read, and tells whether it exists. Without a document the result is the
// zero value of T.
func as[T any](snap *firestore.DocumentSnapshot) (_ *T, found bool, err error) {
	doc := new(T)
	if !snap.Exists() {
		return doc, false, nil
	}
	return doc, true, snap.DataTo(doc)
}
