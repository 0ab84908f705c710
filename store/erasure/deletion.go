// This file removes everything of a user who leaves. Package facts takes the profile
// away and leaves the work document; a Writer does the rest, in steps.
//
// The registry of package model says where documents of a person are, and places.go what is
// special about some. Leave passes over these places. What it removes are facts first, so that
// their events make the documents of others right: counts, pages of followers, home timelines.
// These events also write documents of the user anew. So Leave passes again until it finds nothing,
// and once more when no event of that time can come any more.

package erasure

import (
	"context"
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Options of account deletions.
type Options struct {
	// Pause is how long Leave waits between two passes, for events.
	Pause time.Duration
	// After is how long after a pass that found nothing the last pass is: longer than an event
	// is delivered again.
	After time.Duration
	// DeleteAccount deletes the account with which a user signed in. An account that is gone
	// is no error. If nil, there are no accounts.
	DeleteAccount func(context.Context, model.UserID) error
	// Exports are the files of users' exports.
	Exports Files
	// Log is for what an operator has to mend.
	Log *slog.Logger
}

// Files are files of users.
type Files struct {
	// Reachable tells whether this process has a place for files. If not, there seem to be none.
	Reachable bool
	// List lists at most some of the files of a user.
	List func(ctx context.Context, uid model.UserID, limit int) ([]string, error)
	// Remove removes files of a user until over answers true. It returns how many it removed,
	// and whether all are gone.
	Remove func(ctx context.Context, uid model.UserID, over func() bool) (n int64, gone bool, err error)
}

// Writer removes what users leave behind. Its methods may be called concurrently. Their
// errors are those of package errs.
type Writer struct {
	db *db.DB
	Options
}

// NewWriter returns a writer of a database. Only packages below store have a [db.DB].
func NewWriter(d *db.DB, o Options) *Writer { return &Writer{db: d, Options: o} }
