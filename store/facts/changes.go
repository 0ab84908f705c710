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

// A home page shows twenty tweets, and hardly any of them changes from one view to the
// next. So a process keeps tweets for as long as it hears of every change: changedAt of a
// tweet tells when the tweet was written last, and one query finds all tweets that changed
// since the last query.

// FreshTweets reads tweets for a home page. Tweets that are gone are absent, up to
// [readcache.RemovedEvery] after they were deleted by another process.
//
// Cost: 1 read a tweet that is not cached. For the process, once in [readcache.Every] at
// most, 1 read a tweet that changed meanwhile, at least 1.
func (s *Store) FreshTweets(ctx context.Context, ids []model.TweetID) (_ map[model.TweetID]*model.Tweet, err error) {
	defer errs.Wrap(&err, "facts.FreshTweets(%d)", len(ids))
	return s.tweets.Get(ctx, ids)
}

// changedTweets reads tweets that changed since a time, the first that changed first.
//
// Cost: 1 read a tweet, at least 1.
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

// deletedTweets lists tweets that were deleted since a time, the first that was deleted
// first.
//
// Cost: 1 read a tweet, at least 1.
func (s *Store) deletedTweets(ctx context.Context, since time.Time) ([]model.TweetID, error) {
	snaps, err := s.db.Client.Collection(model.Tombstones).Where("deletedAt", ">", since).
		OrderBy("deletedAt", firestore.Asc).Limit(readcache.Limit).Documents(ctx).GetAll()
	ids := make([]model.TweetID, len(snaps))
	for i, snap := range snaps {
		ids[i] = model.TweetID(snap.Ref.ID)
	}
	return ids, err
}
