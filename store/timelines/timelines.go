// Package timelines reads home timelines, and makes authors' months and heads agree with their posts and shares.
//
// A home timeline is stored nowhere. A page merges the heads of the followed authors, which have the newest posts and
// shares of each. A process keeps heads in memory for as long as it hears of their changes. So a post costs the same
// however many users follow its author, and a follow shows at once. Pages further down read the authors' months.
//
// A Reader serves home pages. Functions and audits use a Writer.
package timelines

import (
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/digests"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/profiles"
)

// Item is a tweet on a home page.
type Item = PositionItem

// Options configures the timelines.
type Options struct {
	CacheTTL time.Duration // the largest age of a source document that decides whether a share is shown, and of a head
	// about how many bytes all caches of the process take; heads get 3/16, and graphs, answers and tags 1/32 each
	CacheBytes int
	Patience   time.Duration   // how long a page waits for changes of heads
	Digests    *digests.Reader // nil if the process hears of no change digests
	Log        *slog.Logger    // for failures that no caller gets
}

// Reader reads home timelines. Its methods may be called concurrently. Their errors are errors of package errs.
type Reader struct {
	db        *db.DB
	access    *access.Store
	previews  *profiles.Reader
	viewers   *viewers.Store
	heads     readcache.FreshValues[model.UserID, *head]
	graphs    *readcache.Cache[model.UserID, *model.ViewerGraph] // for [Reader.quiet] alone
	positions *positions
	tags      *tagLists
	swept     sweepHour
}

// Writer makes authors' months and heads agree with posts and shares.
type Writer struct {
	*Reader
	previews *profiles.Writer
}

// NewWriter returns a writer of a database, and its Reader. Only packages below store have a [db.DB].
func NewWriter(d *db.DB, a *access.Store, c *profiles.Writer, v *viewers.Store, o Options) *Writer {
	r := &Reader{db: d, access: a, previews: c.Reader, viewers: v}
	r.heads, r.graphs = r.newHeads(o), r.newGraphs(o.CacheBytes/32)
	r.tags = newTagLists(d, a, o.CacheTTL, o.CacheBytes/32, o.Log)
	r.positions = newPositions(d, a, v, o.CacheTTL, o.CacheBytes/32)
	return &Writer{Reader: r, previews: c}
}
