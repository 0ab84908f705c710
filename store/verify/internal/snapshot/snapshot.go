// Package snapshot reads for a verification: the sources of truth and projections of one user, tweet or tag, at one
// moment of the database. Package snapshot compares nothing and writes nothing.
package snapshot

import "github.com/hibana-sns/hibana/store/internal/db"

// Reader reads snapshots of a database. Its methods may be called concurrently.
type Reader struct {
	db *db.DB
}

// New returns a reader of a database.
func New(d *db.DB) *Reader { return &Reader{d} }
