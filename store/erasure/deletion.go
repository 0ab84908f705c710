// This file removes all documents of a user whose account is deleted. Package users removes the profile and leaves the
// work document; a Writer does the rest, in steps.
//
// The registry of package model says where documents of a user are, and rules.go has the special cases. Leave passes
// over these rules. It removes sources of truth first, so that their events correct the projections of others, such as
// counts. These events also write documents of the user anew. So Leave passes again until
// it finds nothing, and once more when no event of that time can come any more.

package erasure

import (
	"context"
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Options configure account deletions.
type Options struct {
	// Pause is how long Leave waits between two passes, for events.
	Pause time.Duration
	// After is how long after a pass that found nothing the last pass is: longer than an event is redelivered.
	After time.Duration
	// DeleteAccount deletes the sign-in account of a user. A missing account is no error. If nil, there are no accounts.
	DeleteAccount func(context.Context, model.UserID) error
	// Exports are the files of users' exports.
	Exports Files
	// Log receives failures that an operator has to repair.
	Log *slog.Logger
}

// Files are files of users.
type Files struct {
	// Reachable says whether this process has a bucket for files. Without one, List finds no files.
	Reachable bool
	// List lists at most limit of the files of a user.
	List func(ctx context.Context, uid model.UserID, limit int) ([]string, error)
	// Remove removes files of a user until over returns true. It returns how many it removed, and whether all are gone.
	Remove func(ctx context.Context, uid model.UserID, over func() bool) (n int64, gone bool, err error)
}

// Writer removes the documents of deleted accounts. Its methods may be called concurrently. Their errors are errors of
// package errs.
type Writer struct {
	db *db.DB
	Options
}

// NewWriter returns a writer of a database. Only packages below store have a [db.DB].
func NewWriter(d *db.DB, o Options) *Writer { return &Writer{db: d, Options: o} }
