// Package access decides who may see and do what. It reads tweets, users and relationships for that, through the caches
// of the process. When a user likes a tweet or replies to it, one round trip reads everything that decides.
//
// Package access writes nothing. A domain that writes a tweet or a profile makes the caches forget it.
package access

import (
	"context"
	"log/slog"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/digests"
	"github.com/hibana-sns/hibana/store/internal/viewerstate"
)

// Options configures the Store.
type Options struct {
	// the largest age of a cached tweet or profile; home pages cache tweets longer, see [Store.FreshTweets]
	CacheTTL time.Duration
	// about how many bytes the caches of tweets, of profiles, of listed profiles and of what is known of writers take
	TweetBytes, ProfileBytes, ListedBytes, MemberBytes int
	Patience                                           time.Duration   // how long a home page waits for changes
	Digests                                            *digests.Reader // nil if the process hears of no change digests
	Log                                                *slog.Logger    // for failures that no caller gets
}

// Store checks permissions, and caches what they need. Its methods may be called concurrently. Their errors are errors
// of package errs.
type Store struct {
	db          *db.DB
	viewerState *viewerstate.Store
	tweets      readcache.FreshValues[model.TweetID, *model.Tweet]
	users       readcache.Values[model.UserID, *model.User]
	listed      readcache.FreshValues[model.UserID, listedUser]
	members     readcache.Values[model.UserID, struct{}] // users who have profiles
	consents    readcache.Values[model.UserID, int64]    // the terms to which users consented
}

// New returns the Store of a database.
func New(d *db.DB, v *viewerstate.Store, o Options) *Store {
	s := &Store{db: d, viewerState: v}
	tweets := readcache.New(d.Now, o.CacheTTL, o.TweetBytes, readcache.Size, s.readTweets)
	source := s.tweetSource(func(err error) { o.Log.Warn("changed tweets could not be read", "error", err) })
	if o.Digests != nil {
		source.Listed = func(ctx context.Context, since time.Time) (readcache.Listed[model.TweetID], error) {
			return o.Digests.Tweets(ctx, since, o.CacheTTL)
		}
	}
	fresh := readcache.NewFresh(tweets, source)
	fresh.Patience = o.Patience
	users := readcache.New(d.Now, o.CacheTTL, o.ProfileBytes, readcache.Size, s.readUsers)
	listed := readcache.NewFresh(readcache.New(d.Now, listedHeard, o.ListedBytes, readcache.Size, s.readListed),
		s.listedSource(func(err error) { o.Log.Warn("edited profiles could not be read", "error", err) }))
	listed.Patience, listed.Trust, listed.Name = o.Patience, model.ListedTrust, "listed"
	members := readcache.New(d.Now, profileKnown, o.MemberBytes/2, func(struct{}) int { return 0 }, s.readMembers)
	consents := readcache.New(d.Now, consentKnown, o.MemberBytes/2, func(int64) int { return 0 }, s.readConsents)
	tweets.Name, users.Name, members.Name = "tweets", "users", "members"
	consents.Name = "consents"
	s.tweets, s.users, s.listed, s.members, s.consents = fresh, users, listed, members, consents
	return s
}
