package access

import (
	"context"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

// Seen is an entry of a page under one id. If Tweet and Tombstone are nil, the tweet is unknown or the viewer may not
// see it. A home page leaves these ids out.
type Seen struct {
	ID        model.TweetID
	Tweet     *model.Tweet
	Tombstone *model.Tombstone
	Loaded    bool // the tweet was read for this call alone
	model.ViewerState
}

// Answered reads the parents of some replies through the cache, as far as the viewer may see them. A parent that is
// gone is absent.
//
// Cost: 1 read a tweet that is not cached, and 1 read an author of tweets for followers.
func (s *Store) Answered(ctx context.Context, v model.Viewer, by []*model.Tweet) (_ map[model.TweetID]*model.Tweet,
	err error) {
	defer errs.Wrap(&err, "access.Answered(%d)", len(by))
	var ids []model.TweetID
	for _, t := range by {
		if t.ReplyTo != nil {
			ids = append(ids, *t.ReplyTo)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.tweets.All(ctx, ids)
	if err != nil {
		return nil, err
	}
	visible, _, err := visibility.Of(ctx, s.db, v, slices.Collect(maps.Values(found)))
	for id := range found {
		if !visible[id] {
			delete(found, id)
		}
	}
	return found, err
}

// Batch reads tweets by id through the cache, in the order of ids. A tweet that the viewer may not see gives the same
// result as an unknown tweet. Both cost the same, cached or not.
//
// Cost: 1 read an uncached tweet, 2 a tweet that is gone, unknown or hidden, and the cost of ViewerState.
func (s *Store) Batch(ctx context.Context, ids []model.TweetID, viewer model.Viewer) (_ []Seen, err error) {
	return s.BatchFor(ctx, ids, viewer, nil)
}

// Hides returns which of some tweets, which a viewer may see, the viewer does not want to see.
type Hides func(ctx context.Context, tweets []*model.Tweet) (func(*model.Tweet) bool, error)

// BatchFor is [Store.Batch] for a caller who leaves tweets out: it reads no viewer state of those. A nil hides leaves
// nothing out.
//
// Cost: that of [Store.Batch] and of hides.
func (s *Store) BatchFor(ctx context.Context, ids []model.TweetID, viewer model.Viewer, hides Hides) (_ []Seen,
	err error) {
	defer errs.Wrap(&err, "access.Batch(%d)", len(ids))
	l, err := s.look(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	tombs, err := s.tombstones(ctx, viewer, slices.DeleteFunc(l.hidden, func(id model.TweetID) bool { return l.paid[id] }))
	if err != nil {
		return nil, err
	}
	hidden := func(*model.Tweet) bool { return false }
	if hides != nil {
		if hidden, err = hides(ctx, slices.Collect(maps.Values(l.seen))); err != nil {
			return nil, err
		}
	}
	var found []model.TweetID // a missing tweet can have no viewer state
	for _, id := range ids {
		if l.seen[id] != nil && !hidden(l.seen[id]) {
			found = append(found, id)
		}
	}
	viewerState, err := s.ViewerState(ctx, viewer.Account(), found)
	if err != nil {
		return nil, err
	}
	seen := make([]Seen, len(ids))
	for i, id := range ids {
		seen[i] = Seen{ID: id, Tweet: l.seen[id], Tombstone: tombs[id], Loaded: slices.Contains(l.loaded, id),
			ViewerState: viewerState[id]}
	}
	return seen, nil
}

// RequireTweet returns an error unless a tweet exists and the viewer may see it. A deleted tweet is errs.Gone, and an
// unknown or hidden tweet errs.NotFound. A cached tweet may have been deleted or hidden a moment ago.
//
// Cost: 1 read if not cached, and 1 more if for followers; 2 reads if gone, unknown or hidden, cached or not.
func (s *Store) RequireTweet(ctx context.Context, id model.TweetID, viewer model.Viewer) (err error) {
	defer errs.Wrap(&err, "access.RequireTweet(%q)", id)
	l, err := s.look(ctx, viewer, []model.TweetID{id})
	switch {
	case err != nil || len(l.hidden) == 0:
		return err
	case l.paid[id]:
		return model.NoTweet(id)
	}
	return s.Gone(ctx, viewer, id)
}

// RequireParent is [Store.RequireTweet] for a list of replies. Replies outlive a deleted tweet, so RequireParent
// returns no error for a tweet that is gone.
//
// Cost: 1 read if not cached, and 1 more if for followers; 2 reads if gone, unknown or hidden, cached or not.
func (s *Store) RequireParent(ctx context.Context, id model.TweetID, viewer model.Viewer) (err error) {
	err = s.RequireTweet(ctx, id, viewer)
	if errs.KindOf(err) == errs.Gone {
		return nil
	}
	return err
}

// Cached reads a tweet through the cache, without a check of visibility. A deleted tweet is errs.Gone, and an unknown
// tweet errs.NotFound.
//
// Cost: 1 read if the tweet is not cached, and 1 more if the tweet is gone.
func (s *Store) Cached(ctx context.Context, id model.TweetID) (_ *model.Tweet, err error) {
	defer errs.Wrap(&err, "access.Cached(%q)", id)
	t, found, err := s.FindCached(ctx, id)
	if err == nil && !found {
		err = s.Gone(ctx, model.Viewer{Role: model.Moderator}, id)
	}
	return t, err
}

// FindCached reads a tweet through the cache, without a check of visibility, and returns whether it is there.
//
// Cost: 1 read if the tweet is not cached.
func (s *Store) FindCached(ctx context.Context, id model.TweetID) (_ *model.Tweet, found bool, err error) {
	return s.tweets.One(ctx, id)
}

// TweetExists reports whether a tweet exists now.
//
// Cost: 1 read.
func (s *Store) TweetExists(ctx context.Context, id model.TweetID) (found bool, err error) {
	defer errs.Wrap(&err, "access.TweetExists(%q)", id)
	return s.db.Get(ctx, s.db.Tweet(id), nil)
}

// ForgetTweet removes a tweet from the cache after a write.
func (s *Store) ForgetTweet(id model.TweetID) { s.tweets.Forget(id) }

// KeepTweet decodes a tweet that a query found, and caches the tweet: its replies and likes are often read next.
func (s *Store) KeepTweet(snap *firestore.DocumentSnapshot) (*model.Tweet, error) {
	t, err := s.decodeTweet(snap)
	if err == nil {
		s.tweets.Put(t.ID, t)
	}
	return t, err
}

// TweetsNow reads tweets past the cache. Tweets that are gone are absent.
//
// Cost: 1 read for each tweet.
func (s *Store) TweetsNow(ctx context.Context, ids []model.TweetID) (_ map[model.TweetID]*model.Tweet, err error) {
	defer errs.Wrap(&err, "access.TweetsNow(%d)", len(ids))
	return db.ReadAll(ctx, s.db, model.Tweets, ids, func(id model.TweetID, t *model.Tweet) { t.ID = id })
}
