package db

import (
	"context"

	"cloud.google.com/go/firestore"
)

// queriesAtOnce is how many queries of All a process runs at once.
const queriesAtOnce = 8

// All runs a query of background work, such as a roll-up or a flush, and returns all that it finds. At most
// queriesAtOnce of them run in a process at once, and others wait. So a crowd of events does not send more queries than
// a slow database can answer in time: then all of them would be late, and come again. The emulator looks at all
// documents for each query.
//
// Cost: 1 read for each document, at least 1.
func (d *DB) All(ctx context.Context, q firestore.Query) ([]*firestore.DocumentSnapshot, error) {
	select {
	case d.queries <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-d.queries }()
	return q.Documents(ctx).GetAll()
}
