// This file has the Reader and the Writer of home timelines.
//
// A home timeline has a document for each month, with an entry for each tweet and each share. FanOut pushes a new tweet
// into the home timelines of the author's followers. It finds the followers on the author's pages of followers. The
// tweets of an author with very many followers are not pushed: readers pull them from the author's own month. A reader
// without a visit for a long time is dormant. Fan-outs do not push to a dormant reader, and a [Rebuilder] rebuilds the
// timeline when the reader comes back.
//
// Every method of a Writer makes documents agree with the present relationships and tweets. So each method may run
// late, repeatedly, or concurrently with itself.
//
// A Reader serves home pages. Functions and audits use a Writer.

package timelines

import (
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// Item is a tweet on a home page.
type Item = PositionItem

// Options configures the timelines.
type Options struct {
	Every            time.Duration // between two commits to an author's page of followers, or to a reader's timeline
	FollowersPerPage int           // on an author's single page before it is split
	PullAbove        int           // followers of an author whose tweets readers pull
	PerBucket        int           // entries and shares of a month before it overflows
	CacheTTL         time.Duration // the largest age of a source document that decides whether a share is shown
	CacheBytes       int           // about how many bytes all caches of the process take; these documents get 1/32
}

// Reader reads home timelines. Its methods may be called concurrently. Their errors are errors of package errs.
type Reader struct {
	db        *db.DB
	access    *access.Store
	graph     *graph.Store
	previews  *profiles.Reader
	buckets   *bucket.Bucket
	swept     sweepHour
	positions *positions
	viewers   *viewers.Store
}

// Writer makes home timelines and pages of followers agree with relationships and tweets.
type Writer struct {
	*Reader
	previews *profiles.Writer
	pages    *followerpages.Pages
	links    groupcommit.Queue[model.UserID, model.UserID, linked] // followers to be linked, by author
	// followers to be marked as dormant, by author
	dormantFollowers groupcommit.Queue[model.UserID, model.UserID, struct{}]
	backfills        groupcommit.Queue[model.UserID, backfill, bool] // backfills, by follower
	deliveries       groupcommit.Queue[audiencePart, delivery, struct{}]
	pullAbove        int
}

// NewWriter returns a writer of the home timelines of a database, and its Reader. Only packages below store have a
// [db.DB].
func NewWriter(d *db.DB, a *access.Store, g *graph.Store, c *profiles.Writer, v *viewers.Store,
	o Options) *Writer {
	r := &Reader{db: d, access: a, graph: g, previews: c.Reader, viewers: v,
		buckets: bucket.New(d, model.Timelines, "entries", o.PerBucket, false)}
	r.positions = newPositions(d, a, o.CacheTTL, o.CacheBytes/32)
	w := &Writer{Reader: r, previews: c, pages: followerpages.New(d, o.FollowersPerPage), pullAbove: o.PullAbove}
	w.links = groupcommit.New(o.Every, groupcommit.RunSize, w.linkAll)
	w.dormantFollowers = groupcommit.New(o.Every, groupcommit.RunSize, w.markAllDormant)
	backfills := groupcommit.New(o.Every, backfillsTogether, w.writeBackfills)
	backfills.Weigh = backfill.weight
	w.backfills = backfills
	w.deliveries = groupcommit.New(o.Every, deliveriesTogether, w.deliverAll)
	return w
}
