package db

import (
	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// ChangedAt is the field of a tweet that tells when the tweet was written last: its stamp.
const ChangedAt = "changedAt"

// Stamped adds the stamp to the updates of a tweet, because every write of a tweet must
// set [ChangedAt]. Updates of other documents stay as they are.
func (d *DB) Stamped(ref *firestore.DocumentRef, updates []firestore.Update) []firestore.Update {
	if ref.Parent.ID != model.Tweets {
		return updates
	}
	return append(updates, firestore.Update{Path: ChangedAt, Value: d.Time()})
}
