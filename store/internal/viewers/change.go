package viewers

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Change changes a document of a user and its copy in the user's graph in a transaction, which runs once. copied is
// [Choice], [Filters] or [FollowedTags]. to changes the document, and returns whether something changed. A missing
// document is empty.
//
// Cost: 1 read, and 2 writes with a change.
func Change[T any](ctx context.Context, d *db.DB, uid model.UserID, ref *firestore.DocumentRef,
	copied func(*T) (map[string]any, firestore.SetOption), to func(*T) (bool, error)) (is *T, err error) {
	err = d.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is = new(T)
		if _, err := db.GetIn(tx, ref, is); err != nil {
			return err
		}
		changed, err := to(is)
		if err != nil || !changed {
			return err
		}
		if err := tx.Set(ref, is); err != nil {
			return err
		}
		merge, option := copied(is)
		return tx.Set(d.Viewer(uid), merge, option)
	}, func(ctx context.Context) (bool, error) {
		is = new(T)
		if _, err := d.Get(ctx, ref, is); err != nil {
			return false, err
		}
		changed, err := to(is)
		return !changed, err
	})
	return is, err
}
