package facts

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// renamedAt is the field of a profile that tells when the profile was last written with
	// a username, nickname or avatar, by the clock of the database. Most profiles do not
	// have it.
	renamedAt = "renamedAt"

	// renameReconciles is how long a process goes on to look for former names in its cache.
	// PropagateProfile should have rewritten all embedded authors by then.
	renameReconciles = 3 * readcache.RemovedEvery

	// renamesHeard is how many renamed authors one answer holds. More renames within
	// renameReconciles end the listening for a while, as too many changes do.
	renamesHeard = 1_000
)

// FreshTweets reads tweets for a home page. Tweets that are gone are absent; a tweet that
// another process deleted may stay for [readcache.RemovedEvery]. A former name of an author
// may stay as long after PropagateProfile has rewritten the embedded authors.
//
// A home page shows twenty tweets, and hardly any of them changes from one view to the
// next. So a process keeps tweets for as long as it hears of every change. The stamp of a
// tweet, changedAt, tells when the tweet changed last. So one query finds all tweets that
// changed since the last query.
//
// Cost: 1 read for each tweet that is not cached.
// Cost for the process, at most once in [readcache.Every]: 1 read for each tweet that
// changed meanwhile, at least 1.
// Cost for the process, at most once in [readcache.RemovedEvery]: 1 read for each tweet
// that was deleted meanwhile, at least 1, and 1 read for each author who was renamed in the
// last 20 minutes, at least 1.
func (s *Store) FreshTweets(ctx context.Context, ids []model.TweetID) (_ map[model.TweetID]*model.Tweet, err error) {
	defer errs.Wrap(&err, "facts.FreshTweets(%d)", len(ids))
	return s.tweets.Get(ctx, ids)
}

// tweetSource tells the cache of tweets what changed.
func (s *Store) tweetSource(failed func(error)) readcache.Source[model.TweetID, *model.Tweet] {
	return readcache.Source[model.TweetID, *model.Tweet]{
		Now:     s.db.Server.Now,
		Version: func(t *model.Tweet) readcache.Version { return readcache.Version{Updated: t.Version, Read: t.ReadAt} },
		Changed: s.changedTweets, Removed: s.deletedTweets, Outdated: s.renamedAuthors,
		Failed: failed,
	}
}

// decodeTweet decodes a tweet that was read, with its version.
func (s *Store) decodeTweet(snap *firestore.DocumentSnapshot) (*model.Tweet, error) {
	t := &model.Tweet{ID: model.TweetID(snap.Ref.ID), Version: snap.UpdateTime, ReadAt: s.db.Server.ReadAt(snap)}
	return t, snap.DataTo(t)
}

// readTweets loads tweets for the cache.
//
// Cost: 1 read for each tweet.
func (s *Store) readTweets(ctx context.Context, ids []model.TweetID) (map[model.TweetID]*model.Tweet, error) {
	refs := make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = s.db.Tweet(id)
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	tweets := make(map[model.TweetID]*model.Tweet, len(ids))
	for _, snap := range snaps {
		if !snap.Exists() {
			continue
		}
		t, err := s.decodeTweet(snap)
		if err != nil {
			return nil, err
		}
		tweets[t.ID] = t
	}
	return tweets, nil
}

// changedTweets reads the first [readcache.Limit] tweets that changed since a time. The
// index begins with a shard, so that no single range of the index takes every write. So the
// query names all shards.
//
// Cost: 1 read for each tweet, at least 1.
func (s *Store) changedTweets(ctx context.Context, since time.Time) (map[model.TweetID]*model.Tweet, error) {
	shards := make([]int, model.ChangeShards)
	for n := range shards {
		shards[n] = n
	}
	snaps, err := s.db.Client.Collection(model.Tweets).Where("changeShard", "in", shards).
		Where(db.ChangedAt, ">", since).OrderBy(db.ChangedAt, firestore.Asc).
		Limit(readcache.Limit).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	changed := make(map[model.TweetID]*model.Tweet, len(snaps))
	for _, snap := range snaps {
		t, err := s.decodeTweet(snap)
		if err != nil {
			return nil, err
		}
		changed[t.ID] = t
	}
	return changed, nil
}

// deletedTweets lists the first [readcache.Limit] tweets that were deleted since a time.
//
// Cost: 1 read for each tweet, at least 1.
func (s *Store) deletedTweets(ctx context.Context, since time.Time) ([]model.TweetID, error) {
	snaps, err := s.db.Client.Collection(model.Tombstones).Where(db.ChangedAt, ">", since).
		OrderBy(db.ChangedAt, firestore.Asc).Limit(readcache.Limit).Documents(ctx).GetAll()
	ids := make([]model.TweetID, len(snaps))
	for i, snap := range snaps {
		ids[i] = model.TweetID(snap.Ref.ID)
	}
	return ids, err
}

// renamedAuthors tells which tweets have a former name or avatar of an author who was
// renamed since a time, or within renameReconciles before. The embedded author in such a tweet is
// rewritten without a stamp, because one rename would be thousands of changes. all is true
// if there are too many renamed authors to tell.
//
// Cost: 1 read for each renamed author, at least 1.
func (s *Store) renamedAuthors(ctx context.Context, since time.Time) (former func(*model.Tweet) bool, all bool,
	err error) {
	snaps, err := s.db.Client.Collection(model.Users).Where(renamedAt, ">", since.Add(-renameReconciles)).
		OrderBy(renamedAt, firestore.Asc).Limit(renamesHeard).Select("username", "nickname", "avatar").Documents(ctx).GetAll()
	if err != nil || len(snaps) == 0 {
		return nil, false, err
	}
	renamed := make(map[model.UserID]model.Author, len(snaps))
	for _, snap := range snaps {
		var now model.Author
		if err := snap.DataTo(&now); err != nil {
			return nil, false, err
		}
		renamed[model.UserID(snap.Ref.ID)] = now
	}
	return func(t *model.Tweet) bool {
		now, ok := renamed[t.AuthorID]
		return ok && t.Author != now
	}, len(snaps) == renamesHeard, nil
}
