package deadletters

import "github.com/hibana-sns/hibana/store/internal/db"

// Store keeps dead letters. Its methods may be called concurrently. Their errors are
// those of package errs.
type Store struct {
	db *db.DB
}

// New returns the dead letters of a database.
func New(d *db.DB) *Store { return &Store{db: d} }
