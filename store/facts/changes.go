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

// FreshTweets reads tweets for a home page. Tweets that are gone are absent; a tweet that
// another process deleted may stay for [readcache.RemovedEvery].
//
// A home page shows twenty tweets, and hardly any of them changes from one view to the
// next. So a process keeps tweets for as long as it hears of every change. The stamp of a
// tweet, changedAt, tells when the tweet was written last. So one query finds all tweets
// that changed since the last query.
//
// Cost: 1 read for each tweet that is not cached.
// Cost for the process, at most once in [readcache.Every]: 1 read for each tweet that
// changed meanwhile, at least 1.
// Cost for the process, at most once in [readcache.RemovedEvery]: 1 read for each tweet
// that was deleted meanwhile, at least 1.
func (s *Store) FreshTweets(ctx context.Context, ids []model.TweetID) (_ map[model.TweetID]*model.Tweet, err error) {
	defer errs.Wrap(&err, "facts.FreshTweets(%d)", len(ids))
	return s.tweets.Get(ctx, ids)
}

// changedTweets reads the first [readcache.Limit] tweets that changed since a time. The
// index begins with the shard of the public timeline, so that no single range of the index
// takes every write. So the query names all shards.
//
// Cost: 1 read for each tweet, at least 1.
func (s *Store) changedTweets(ctx context.Context, since time.Time) (map[model.TweetID]*model.Tweet, error) {
	shards := make([]int, model.PublicShards)
	for n := range shards {
		shards[n] = n
	}
	snaps, err := s.db.Client.Collection(model.Tweets).Where("publicShard", "in", shards).
		Where(db.ChangedAt, ">", since).OrderBy(db.ChangedAt, firestore.Asc).
		Limit(readcache.Limit).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	changed := make(map[model.TweetID]*model.Tweet, len(snaps))
	for _, snap := range snaps {
		t := &model.Tweet{ID: model.TweetID(snap.Ref.ID)}
		if err := snap.DataTo(t); err != nil {
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
	snaps, err := s.db.Client.Collection(model.Tombstones).Where("deletedAt", ">", since).
		OrderBy("deletedAt", firestore.Asc).Limit(readcache.Limit).Documents(ctx).GetAll()
	ids := make([]model.TweetID, len(snaps))
	for i, snap := range snaps {
		ids[i] = model.TweetID(snap.Ref.ID)
	}
	return ids, err
}
