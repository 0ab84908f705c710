package counters

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// CleanUp removes what was counted of a deleted tweet: its likes, its shares, and the
// shards of its counts.
//
// Cost: 3 reads; 1 read, 1 delete and 1 write for each like; 1 read and 1 delete for each
// share; 1 delete for each shard, and 1 read for each shard but the first.
func (s *Store) CleanUp(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "counters.CleanUp(%q)", id)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.facts.RemoveLikes(ctx, id) })
	g.Go(func() error { return s.facts.RemoveShares(ctx, id) })
	g.Go(func() error { return s.removeShards(ctx, model.Tweets, string(id)) })
	return g.Wait()
}

// removeShards deletes the shards of a document that is gone.
//
// Cost: 1 read and 1 delete for each shard, at least 1 read.
func (s *Store) removeShards(ctx context.Context, collection, id string) error {
	snaps, err := s.db.Doc(collection, id).Collection(model.Shards).Documents(ctx).GetAll()
	if err != nil || len(snaps) == 0 {
		return err
	}
	b := s.db.Batch()
	for _, snap := range snaps {
		b.Delete(snap.Ref)
	}
	_, err = b.Commit(ctx)
	return err
}

// HasStrayShards tells whether a document is gone that still has shards.
//
// Cost: 2 reads; 1 read if the document is there.
func (s *Store) HasStrayShards(ctx context.Context, collection, id string) (_ bool, err error) {
	defer errs.Wrap(&err, "counters.HasStrayShards(%q, %q)", collection, id)
	parent := s.db.Doc(collection, id)
	if found, err := s.db.Get(ctx, parent, nil); err != nil || found {
		return false, err
	}
	snaps, err := parent.Collection(model.Shards).Limit(1).Documents(ctx).GetAll()
	return len(snaps) > 0, err
}

// RemoveStrayShards deletes the shards of a document that is gone. It does nothing if the
// document is there.
//
// Cost: what [Store.HasStrayShards] costs, and 1 read and 1 delete for each shard.
func (s *Store) RemoveStrayShards(ctx context.Context, collection, id string) (err error) {
	defer errs.Wrap(&err, "counters.RemoveStrayShards(%q, %q)", collection, id)
	if stray, err := s.HasStrayShards(ctx, collection, id); err != nil || !stray {
		return err
	}
	return s.removeShards(ctx, collection, id)
}
