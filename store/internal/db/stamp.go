package db

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
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

// Changed reads the first tweets or heads that changed since a time, at most most. The index begins with a shard, so
// that no single range of the index takes every write. So the query names all shards.
//
// Cost: 1 read for each document, at least 1.
func (d *DB) Changed(ctx context.Context, collection string, since time.Time,
	most int) ([]*firestore.DocumentSnapshot, error) {
	shards := make([]int, model.ChangeShards)
	for n := range shards {
		shards[n] = n
	}
	return d.Client.Collection(collection).Where(fields.ChangeShard, "in", shards).Where(ChangedAt, ">", since).
		OrderBy(ChangedAt, firestore.Asc).Limit(most).Documents(ctx).GetAll()
}

// OrDelete is the value of a field, or the deletion of the field.
func OrDelete(value any, none bool) any {
	if none {
		return firestore.Delete
	}
	return value
}
