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
	"github.com/hibana-sns/hibana/store/internal/hooks"
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

	hooks *hooks.Teller
	send  SendWebhook
	// forgetDomains makes the process read the list of domains anew
	forgetDomains func()
	loopback      bool // webhooks may have addresses of the machine itself
}

// Options are what [New] needs besides other parts of the database.
type Options struct {
	Patience time.Duration // a query for account statuses may take askWithin, or this if it is longer
	Log      *slog.Logger  // gets acts, and failures that no caller receives
	// Send sends deliveries to webhooks. If nil, they wait. Loopback allows webhooks with addresses of the machine itself.
	Send     SendWebhook
	Loopback bool
	// ForgetDomains makes the process read the list of domains of the fediverse anew.
	ForgetDomains func()
}

// New returns the moderation of a database.
func New(d *db.DB, a *access.Store, u *users.Store, t *tweets.Store, m *messages.Store, h *hooks.Teller,
	o Options) *Store {
	s := &Store{db: d, access: a, users: u, tweets: t, messages: m, ids: model.NewTweetIDs(d.Now),
		Statuses: newStatuses(d, o.Log),
		acts:     cmp.Or(o.Log, slog.Default()),
		hooks:    h, send: o.Send, loopback: o.Loopback, forgetDomains: o.ForgetDomains}
	s.announced, s.instance, s.aiModels = newKnownAnnouncements(s), newKnownInstance(s), newKnownAIModels(s)
	s.blocks = newKnownBlocks(s)
	s.Statuses.within = max(s.Statuses.within, o.Patience)
	return s
}
