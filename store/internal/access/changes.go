package access

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// renameReconciles is how long a process searches its cache for the former names of a renamed author. PropagateProfile
	// should have rewritten all embedded authors by then.
	renameReconciles = 3 * readcache.RemovedEvery

	// renamesHeard is the largest number of renamed authors in one answer. More renames within renameReconciles stop the
	// cache from following changes for a while, as too many changes do.
	renamesHeard = 1_000
)

// FreshTweets reads tweets for a home page. A tweet that is gone is absent. A tweet that another process deleted may
// stay for [readcache.RemovedEvery]. An author's former name may stay as long after PropagateProfile has rewritten the
// embedded authors.
//
// A home page shows twenty tweets, and few of them change between two views. So a process caches tweets for as long as
// it learns of every change. A tweet's changedAt is the time of its last change. One query on changedAt returns all
// tweets that changed since the last query.
//
// Cost: 1 read a tweet that is not cached, and for the process 1 read a changed tweet, at least 1.
func (s *Store) FreshTweets(ctx context.Context, ids []model.TweetID) (_ map[model.TweetID]*model.Tweet, err error) {
	defer errs.Wrap(&err, "access.FreshTweets(%d)", len(ids))
	return s.tweets.Get(ctx, ids)
}

// tweetSource returns the source of changes for the cache of tweets.
func (s *Store) tweetSource(failed func(error)) readcache.Source[model.TweetID, *model.Tweet] {
	return readcache.Source[model.TweetID, *model.Tweet]{
		Now:     s.db.Server.Now,
		Version: func(t *model.Tweet) readcache.Version { return readcache.Version{Updated: t.Version, Read: t.ReadAt} },
		Changed: s.changedTweets, Removed: s.deletedTweets, Outdated: s.renamedAuthors,
		Failed: failed,
	}
}

// decodeTweet decodes a tweet from a snapshot, with its version.
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
	return decoded[model.TweetID](snaps, s.decodeTweet)
}

// decoded decodes the documents that exist, by their ids.
func decoded[K ~string, V any](snaps []*firestore.DocumentSnapshot,
	decode func(*firestore.DocumentSnapshot) (V, error)) (map[K]V, error) {
	found := make(map[K]V, len(snaps))
	for _, snap := range snaps {
		if !snap.Exists() {
			continue
		}
		v, err := decode(snap)
		if err != nil {
			return nil, err
		}
		found[K(snap.Ref.ID)] = v
	}
	return found, nil
}

// changedTweets reads the first [readcache.Limit] tweets that changed since a time.
//
// Cost: 1 read for each tweet, at least 1.
func (s *Store) changedTweets(ctx context.Context, since time.Time) (map[model.TweetID]*model.Tweet, error) {
	snaps, err := s.db.Changed(ctx, model.Tweets, since, readcache.Limit)
	if err != nil {
		return nil, err
	}
	return decoded[model.TweetID](snaps, s.decodeTweet)
}

// deletedTweets returns the first [readcache.Limit] tweets that were deleted since a time.
//
// Cost: 1 read for each tweet, at least 1.
func (s *Store) deletedTweets(ctx context.Context, since time.Time) ([]model.TweetID, error) {
	return later[model.TweetID](ctx, s.db, model.Tombstones, db.ChangedAt, since)
}

// later returns the ids of the first [readcache.Limit] documents of a collection whose field is later than a time.
//
// Cost: 1 read for each document, at least 1.
func later[K ~string](ctx context.Context, d *db.DB, collection, field string, since time.Time) ([]K, error) {
	snaps, err := d.Client.Collection(collection).Where(field, ">", since).OrderBy(field, firestore.Asc).
		Limit(readcache.Limit).Select().Documents(ctx).GetAll()
	ids := make([]K, len(snaps))
	for i, snap := range snaps {
		ids[i] = K(snap.Ref.ID)
	}
	return ids, err
}

// renamedAuthors finds the authors who were renamed since a time, or within renameReconciles before that time. former
// reports whether a tweet still has the former name or avatar of one of these authors. A rename rewrites embedded
// authors without a new changedAt, because one rename would be thousands of changes. all is true if there are too many
// renamed authors to return.
//
// Cost: 1 read for each renamed author, at least 1.
func (s *Store) renamedAuthors(ctx context.Context, since time.Time) (former func(*model.Tweet) bool, all bool,
	err error) {
	snaps, err := s.db.Client.Collection(model.Users).Where(model.RenamedAt, ">", since.Add(-renameReconciles)).
		OrderBy(model.RenamedAt, firestore.Asc).Limit(renamesHeard).Select(fields.Username, fields.Nickname, fields.Avatar).
		Documents(ctx).GetAll()
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
