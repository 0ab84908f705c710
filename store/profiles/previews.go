// Package profiles stores the previews of an author's tweets for lists.
//
// A preview is a tweet without counts, in its author's month and in the author's head. A head has a user's newest posts
// and shares. Deliver writes a new tweet's preview with Put, and corrects later changes with Reconcile. Update makes
// the previews of an edited or deleted tweet agree with the present tweet. A growing month overflows to overflow
// documents. The package also stores the embedded author of each tweet, and months of users' shares.
//
// Previews are in two audience partitions, see [model.AudiencePartition]. Previews that everybody may see are in
// documents that everybody may read. Previews for followers are in other documents.
//
// A Reader serves pages. Functions and audits use a Writer.
package profiles

import (
	"time"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/digests"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// Options configures the previews.
type Options struct {
	CacheTTL time.Duration // the largest age of a cached month, and of a profile in the caches of the API
	// about how many bytes all caches of the process take; months of previews and of shares get 1/32 each
	CacheBytes int
	Every      time.Duration // between two writes of an author's month, or of a head
	PerBucket  int           // previews of a month before it overflows

	SharesPerBucket int // shares of a month before it overflows
	Digests         *digests.Writer
}

// Reader reads previews. Its methods may be called concurrently. Their errors are errors of package errs.
type Reader struct {
	db      *db.DB
	buckets map[model.AudiencePartition]*bucket.Bucket
	months  readcache.Values[authorMonth, *model.TweetMonth]
	filter  Filter // the tweets that TweetsBy returns

	shared      *bucket.Bucket // months of users' shares
	shareMonths readcache.Values[shareMonth, *model.ShareMonth]
}

// Writer makes previews agree with tweets.
type Writer struct {
	*Reader
	Subscribers Subscribers // set before the first use
	cacheTTL    time.Duration
	puts        groupcommit.Queue[authorMonth, previewWrite, bool]  // previews to be put or reconciled, by month
	shares      groupcommit.Queue[shareMonth, shareWrite, struct{}] // shares that enter or leave a month
	sharing     lru.Cache[shareMonth, struct{}]                     // months whose readers know of the shares
	heads       groupcommit.Queue[model.UserID, headChange, headResult]
	digests     *digests.Writer
}

func newReader(d *db.DB, o Options) *Reader {
	r := &Reader{db: d, buckets: map[model.AudiencePartition]*bucket.Bucket{}}
	for _, audiencePartition := range []model.AudiencePartition{model.OpenAudiencePartition,
		model.FollowersAudiencePartition} {
		r.buckets[audiencePartition] = bucket.New(d, audiencePartition.Months(), fields.Tweets, o.PerBucket, true)
	}
	months := readcache.New(d.Now, o.CacheTTL, o.CacheBytes/32, readcache.Size, r.readMonths)
	r.shared = bucket.New(d, model.ShareMonths, model.SharesField, o.SharesPerBucket, false)
	shareMonths := readcache.New(d.Now, o.CacheTTL, o.CacheBytes/32, readcache.Size, r.readShareMonths)
	months.Name, shareMonths.Name = "tweetMonths", "shareMonths"
	r.months, r.shareMonths = months, shareMonths
	return r
}

// sharingMonths is how many months with shares a process remembers.
const sharingMonths = 10_000

// NewWriter returns a writer of the previews of a database, and its Reader. Only packages below store have a [db.DB].
func NewWriter(d *db.DB, o Options) *Writer {
	w := &Writer{Reader: newReader(d, o), cacheTTL: o.CacheTTL, sharing: lru.New[shareMonth, struct{}](sharingMonths)}
	puts := groupcommit.New(o.Every, previewsTogether, w.writePreviews)
	puts.Weigh = previewWrite.weight
	w.puts = puts
	w.shares = groupcommit.New(o.Every, sharesTogether, w.writeShares)
	w.heads, w.digests = groupcommit.New(o.Every, groupcommit.RunSize, w.writeHead), o.Digests
	return w
}
