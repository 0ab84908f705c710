// Package facts writes what people do and say (profiles, tweets, relationships, likes,
// shares, blocks), each once and in one commit, and reads it for pages. A fact is never
// computed. Functions derive everything else from facts.
//
// Users, tweets, relationships and likes stand together because one round trip reads
// all four when somebody acts on a tweet.
package facts

import (
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// CacheSize is how many tweets, and how many profiles, a process keeps. A tweet takes
// about a kilobyte.
const CacheSize = 50_000

// Store reads and writes facts. Its methods may be called concurrently. Their errors
// are those of package errs.
type Store struct {
	db     *db.DB
	ids    *model.TweetIDs
	tweets *readcache.Fresh[model.TweetID, *model.Tweet]
	users  *readcache.Cache[model.UserID, *model.User]
	public *readcache.Cache[publicPage, model.Page[*model.Tweet]]
}

// New returns the facts of a database. A cached tweet or profile may be cacheTTL old.
func New(d *db.DB, cacheTTL time.Duration) *Store {
	s := &Store{db: d, ids: model.NewTweetIDs(d.Now)}
	s.tweets = readcache.NewFresh(readcache.New(d.Now, cacheTTL, CacheSize, s.TweetsNow),
		readcache.Source[model.TweetID, *model.Tweet]{Changed: s.changedTweets, Removed: s.deletedTweets})
	s.users = readcache.New(d.Now, cacheTTL, CacheSize, s.readUsers)
	s.public = readcache.New(d.Now, publicTTL, publicPages, s.readPublic)
	return s
}
