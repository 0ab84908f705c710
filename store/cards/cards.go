// Package cards keeps what lists show of an author: a card for each tweet in the author's
// months and among the author's newest tweets, and the copy of the author in each tweet.
// A Reader serves pages. A Writer belongs to functions and audit.
package cards

import (
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// Options of the cards.
type Options struct {
	CacheTTL  time.Duration // how old a cached month, tweet or profile may be
	Every     time.Duration // between two writes of a month, or of the newest tweets, of one author
	PerBucket int           // cards of a month before it spills
}

// Reader reads cards. Its methods may be called concurrently. Their errors are those of
// package errs.
type Reader struct {
	db      *db.DB
	buckets *bucket.Bucket
	months  *readcache.Cache[string, *model.TweetMonth]
}

// Writer makes cards agree with tweets.
type Writer struct {
	*Reader
	cacheTTL time.Duration
	puts     *groupcommit.Group[authorMonth, cardWrite, bool]
	recents  *groupcommit.Group[model.UserID, *model.Tweet, bool] // by author
}

// NewReader returns the cards of a database.
func NewReader(d *db.DB, o Options) *Reader {
	r := &Reader{db: d, buckets: bucket.New(d, model.TweetMonths, "tweets", o.PerBucket, true)}
	r.months = readcache.New(d.Now, o.CacheTTL, monthsCached, r.readMonths)
	return r
}

// NewWriter returns a writer of the cards that r reads.
func NewWriter(r *Reader, o Options) *Writer {
	w := &Writer{Reader: r, cacheTTL: o.CacheTTL}
	w.puts = groupcommit.New(o.Every, cardsTogether, w.writeCards)
	w.puts.Weigh = cardWrite.weight
	w.recents = groupcommit.New(o.Every, groupcommit.RunSize, w.writeRecents)
	return w
}
