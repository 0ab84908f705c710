// Package moderation holds what moderators and administrators do about accounts, profiles and tweets, and the reports
// of users to them. All of its documents are sources of truth.
//
// The audit log has every act of a moderator. The acts of this package write their entry in the same commit, so there
// is no entry without its act. Other acts come after their entry: see [Store.Log].
package moderation

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
)

// Store reads and writes what moderators do. Its methods may be called concurrently. Their errors are errors of package
// errs.
type Store struct {
	Statuses *Statuses // the account statuses that the process caches

	db       *db.DB
	access   *access.Store
	users    *users.Store
	tweets   *tweets.Store
	messages *messages.Store
	ids      *model.TweetIDs
	acts     *slog.Logger

	announced knownAnnouncements
	instance  knownInstance
	aiModels  knownAIModels
	blocks    knownBlocks
}

// New returns the moderation of a database. A query for account statuses may take askWithin, or patience if that is
// longer. Acts go to log, and so do failures that no caller receives.
func New(d *db.DB, a *access.Store, u *users.Store, t *tweets.Store, m *messages.Store, patience time.Duration,
	log *slog.Logger) *Store {
	s := &Store{db: d, access: a, users: u, tweets: t, messages: m, ids: model.NewTweetIDs(d.Now),
		Statuses: newStatuses(d, log),
		acts:     cmp.Or(log, slog.Default())}
	s.announced, s.instance, s.aiModels = newKnownAnnouncements(s), newKnownInstance(s), newKnownAIModels(s)
	s.blocks = newKnownBlocks(s)
	s.Statuses.within = max(s.Statuses.within, patience)
	return s
}
