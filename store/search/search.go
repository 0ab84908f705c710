// Package search finds people by the beginning of their names, and tweets by their words.
package search

import (
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Reader finds people and tweets. Its methods may be called concurrently. Their errors are
// those of package errs.
type Reader struct {
	db *db.DB
}

// New returns the search of a database.
func New(d *db.DB) *Reader { return &Reader{db: d} }
