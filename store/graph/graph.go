// Package graph stores who follows, asks to follow and blocks whom, and a user's lists of people. Each document is a
// source document that the API writes.
package graph

import (
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Store reads and writes relationships and blocks. Its methods may be called concurrently. Their errors are errors of
// package errs.
type Store struct {
	db     *db.DB
	access *access.Store
	limits Limits

	viewers *viewers.Store
}

// New returns the relationships and blocks of a database.
func New(d *db.DB, a *access.Store, v *viewers.Store, l Limits) *Store { return &Store{d, a, l, v} }
