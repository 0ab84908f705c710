package db

import (
	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// ChangedAt is the field of a tweet or head with the time of its last change.
const ChangedAt = "changedAt"

// Stamped adds changedAt to the updates of a tweet or head. Every write of these documents must set [ChangedAt], except
// a write of the embedded author and of a migration. Updates of other documents stay as they are.
//
// changedAt is the database's own time of the write, not that of the process. So it is at most a moment earlier than
// its commit, whatever the clock of the process shows, and however often the client sends the commit.
func (d *DB) Stamped(ref *firestore.DocumentRef, updates []firestore.Update) []firestore.Update {
	if ref.Parent.ID != model.Tweets && ref.Parent.ID != model.Heads {
		return updates
	}
	return append(updates, firestore.Update{Path: ChangedAt, Value: firestore.ServerTimestamp})
}

// OrDelete is the value of a field, or the deletion of the field.
func OrDelete(value any, none bool) any {
	if none {
		return firestore.Delete
	}
	return value
}
