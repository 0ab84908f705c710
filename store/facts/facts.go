// Package facts writes the source documents that users create: profiles, tweets, relationships, likes, shares and
// blocks. Each source document is written once and never computed. Functions derive everything else from the source
// documents.
//
// Package facts also reads source documents for pages, and two kinds of projections: tags, and the months of a user's
// reactions. The API writes these months in the commit of the reaction, so that they are right at once.
//
// Profiles, tweets, relationships and blocks are in one package. When a user likes a tweet or replies to it, one round
// trip reads all four.
package facts

import (
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/reactions"
)

// TweetBytes returns the tweets' part of all bytes of a process's caches: one half. A tweet takes between one and two
// kilobytes. Profiles get two sixteenths. Users with profiles get one sixteenth, and so do pages of the public
// timeline. The rest is for months of large authors, in package profiles.
func TweetBytes(all int) int { return all / 2 }

// Options configures the Store.
type Options struct {
	// the largest age of a cached tweet or profile; home pages cache tweets longer, see [Store.FreshTweets]
	CacheTTL   time.Duration
	CacheBytes int           // about how many bytes all caches of the process take
	Patience   time.Duration // how long a home page waits for changes
	Log        *slog.Logger  // for failures that no caller gets
	Limits     Limits
}

// Limits holds the limits of one user's writes. No limit may be 0.
type Limits struct {
	Follows   int // users whom one user may follow
	Followers int // followers whom one user may have
	Reactions int // likes that a month of reactions holds, and as many shares and bookmarks
}

// Store reads and writes source documents. Its methods may be called concurrently. Their errors are errors of package
// errs.
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

// New returns the Store of a database.
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
