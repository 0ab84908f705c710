package db

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
)

// Also is the update of a document in the commit of something else: both happen, or neither. The commit fails with
// [Outdated] if the document was written after At. A nil Also updates nothing.
type Also struct {
	Ref     *firestore.DocumentRef
	Updates []firestore.Update
	At      time.Time                           // of the last write of the document
	Done    func(context.Context) (bool, error) // whether the document says that the commit happened
}

// Batch adds the update to a batch.
func (a *Also) Batch(b *Batch) {
	if a != nil {
		b.Update(a.Ref, a.Updates, firestore.LastUpdateTime(a.At))
	}
}

// Transaction adds the update to a transaction.
func (a *Also) Transaction(tx *firestore.Transaction) error {
	if a == nil {
		return nil
	}
	return tx.Update(a.Ref, a.Updates, firestore.LastUpdateTime(a.At))
}

// Or returns the done of a commit for [DB.CommitOnce]: that of the update, if there is one.
func (a *Also) Or(done func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	if a != nil {
		return a.Done
	}
	return done
}
