// Package facts writes what users do and say: profiles, tweets, relationships, likes,
// shares and blocks. Each fact is written once, in one commit, and never computed.
// Functions derive everything else from facts.
//
// Package facts also reads facts for pages, and two kinds of derived documents: tags, and
// the months of a user's reactions. The API writes those months in the commit of the like,
// so that they are right at once.
//
// Profiles, tweets, relationships and blocks stand together, because one round trip reads
// all four when a user likes a tweet or replies to a tweet.
package facts

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// CacheSize is how many tweets a process keeps, and how many profiles. A tweet takes about
// a kilobyte.
const CacheSize = 50_000

// Limits of what one user may write. No limit may be 0.
type Limits struct {
	Follows   int // users whom one user may follow
	Followers int // followers whom one user may have
	Reactions int // likes that a month of reactions holds
}

// Store reads and writes facts. Its methods may be called concurrently. Their errors
// are those of package errs.
type Store struct {
	db     *db.DB
	limits Limits
	ids    *model.TweetIDs
	full   *lru.Cache[string, struct{}] // months of reactions that are full
	tweets *readcache.Fresh[model.TweetID, *model.Tweet]
	users  *readcache.Cache[model.UserID, *model.User]
	public *readcache.Cache[publicPage, model.Page[*model.Tweet]]
}

// New returns the facts of a database. A cached tweet or profile may be cacheTTL old. Home
// pages keep tweets longer, see [Store.FreshTweets].
func New(d *db.DB, cacheTTL time.Duration, limits Limits) *Store {
	s := &Store{db: d, limits: limits, ids: model.NewTweetIDs(d.Now)}
	s.full, _ = lru.New[string, struct{}](fullMonths) // fails only for a size below 1
	s.tweets = readcache.NewFresh(readcache.New(d.Now, cacheTTL, CacheSize, s.TweetsNow),
		readcache.Source[model.TweetID, *model.Tweet]{Changed: s.changedTweets, Removed: s.deletedTweets})
	s.users = readcache.New(d.Now, cacheTTL, CacheSize, s.readUsers)
	s.public = readcache.New(d.Now, publicTTL, publicPages, s.readPublic)
	return s
}
