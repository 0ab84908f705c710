// Package facts writes the source documents that users create: profiles, tweets, relationships, likes, shares and
// blocks. Each source document is written once and never computed. Functions derive everything else from the source
// documents.
package facts

import (
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewerstate"
)

// Options configures the Store.
type Options struct {
	CacheTTL    time.Duration // the largest age of a cached profile
	PublicBytes int           // about how many bytes the cached pages of the public timeline take
	Log         *slog.Logger  // for failures that no caller gets
}

// Store reads and writes source documents. Its methods may be called concurrently. Their errors are errors of package
// errs.
type Store struct {
	*access.Store
	db     *db.DB
	o      Options
	ids    *model.TweetIDs
	months *viewerstate.Store
	public *readcache.Cache[publicPage, *publicRead]
}

// New returns the Store of a database.
func New(d *db.DB, a *access.Store, v *viewerstate.Store, o Options) *Store {
	s := &Store{Store: a, db: d, o: o, ids: model.NewTweetIDs(d.Now), months: v}
	s.public = readcache.New(d.Now, publicTTL, o.PublicBytes, readcache.Size, s.readPublic)
	s.public.Stale, s.public.Name = publicStale, "public"
	return s
}
