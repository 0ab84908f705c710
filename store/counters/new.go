// Package counters keeps counts: of followers, tweets, uses of tags, likes, shares and
// replies. A count that moves seldom is incremented in its document. A count that moves
// more than once a second is hot: its increments go to shards, and a roll-up moves them
// into the document about once a second.
package counters

import (
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
	"github.com/hibana-sns/hibana/store/internal/heat"
)

// Store keeps counts. Its methods may be called concurrently. Their errors are those of
// package errs.
type Store struct {
	db      *db.DB
	log     *slog.Logger
	facts   *facts.Store
	heat    *heat.Heat
	every   time.Duration // between two roll-ups of a document
	rollUps *groupcommit.Group[rollUp, struct{}, struct{}]
}

// New returns the counters of a database. Increments of a hot counter wait in its shards
// for every.
func New(d *db.DB, f *facts.Store, h *heat.Heat, every time.Duration, log *slog.Logger) *Store {
	s := &Store{db: d, log: log, facts: f, heat: h, every: every}
	s.rollUps = groupcommit.New(min(askEvery, every), 0, s.askRollUp)
	return s
}
