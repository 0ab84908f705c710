// Package facts writes what users do and say: profiles, tweets, relationships, likes,
// shares and blocks. Each fact is written once, in one commit, and never computed.
// Functions derive everything else from facts.
//
// Package facts also reads facts for pages, and two kinds of projections: tags, and
// the months of a user's reactions. The API writes those months in the commit of the like,
// share or bookmark, so that they are right at once.
//
// Profiles, tweets, relationships and blocks stand together, because one round trip reads
// all four when a user likes a tweet or replies to a tweet.
package facts

import (
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/reactions"
)

// TweetBytes is the part of all bytes of a process's caches that tweets get: a half. Profiles get two sixteenths, and
// users who have profiles and pages of the public timeline one each. The rest is for months of
// large authors, in package previews.
func TweetBytes(all int) int { return all / 2 }

// Options of the facts.
type Options struct {
	// how old a cached tweet or profile may be; home pages keep tweets longer, see [Store.FreshTweets]
	CacheTTL   time.Duration
	CacheBytes int           // about how many bytes all caches of the process take
	Patience   time.Duration // how long a home page waits for what changed
	Log        *slog.Logger  // for failures that no caller hears of
	Limits     Limits
}

// Limits of what one user may write. No limit may be 0.
type Limits struct {
	Follows   int // users whom one user may follow
	Followers int // followers whom one user may have
	Reactions int // likes that a month of reactions holds, and as many shares and bookmarks
}

// Store reads and writes facts. Its methods may be called concurrently. Their errors
// are those of package errs.
type Store struct {
	db        *db.DB
	o         Options
	ids       *model.TweetIDs
	reactions *reactions.Store
	tweets    *readcache.Fresh[model.TweetID, *model.Tweet]
	users     *readcache.Cache[model.UserID, *model.User]
	members   *readcache.Cache[model.UserID, struct{}] // users who have profiles
	public    *readcache.Cache[publicPage, *publicRead]
}

// New returns the facts of a database.
func New(d *db.DB, o Options) *Store {
	s := &Store{db: d, o: o, ids: model.NewTweetIDs(d.Now), reactions: reactions.New(d, o.Limits.Reactions)}
	tweets := readcache.New(d.Now, o.CacheTTL, TweetBytes(o.CacheBytes), readcache.Size, s.readTweets)
	s.tweets = readcache.NewFresh(tweets, s.tweetSource(func(err error) {
		o.Log.Warn("changes of tweets were not heard", "error", err)
	}))
	s.tweets.Patience = o.Patience
	s.users = readcache.New(d.Now, o.CacheTTL, o.CacheBytes/8, readcache.Size, s.readUsers)
	s.members = readcache.New(d.Now, profileKnown, o.CacheBytes/16, func(struct{}) int { return 0 }, s.readMembers)
	s.public = readcache.New(d.Now, publicTTL, o.CacheBytes/16, readcache.Size, s.readPublic)
	s.public.Stale = publicStale
	s.tweets.Name, s.users.Name, s.members.Name, s.public.Name = "tweets", "users", "members", "public"
	return s
}
