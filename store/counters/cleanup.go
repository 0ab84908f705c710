package counters

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// CleanUp removes the remains of a deleted tweet: its likes, shares, bookmarks, revisions and votes, and the shards of
// its counts. If one step is not enough, CleanUp leaves a work document, and [Store.ContinueCleanUp] goes on.
//
// was is the tweet as it was at its deletion, or nil if the caller does not know it. A tweet that was never edited has
// no revisions. A tweet without rolled-up counts has no shards, or has a pending roll-up that removes them. If the
// author's account is deleted, the account deletion removes likes, shares, bookmarks and revisions, those of many
// tweets at a time.
//
// A reply that was answered keeps its position in the thread, see checkPlace.
//
// Cost: 3 reads; 1 more for a tweet that was edited, for one that was ever hot, and for a reply that was answered.
func (s *Store) CleanUp(ctx context.Context, id model.TweetID, was *model.Tweet) (err error) {
	defer errs.Wrap(&err, "counters.CleanUp(%q)", id)
	if was != nil && was.ReplyTo != nil && was.ReplyCount > 0 {
		if err := s.checkPlace(ctx, id); err != nil {
			return err
		}
	}
	has := leftovers{was == nil || was.Revision > 0, was == nil || len(was.Rolled) > 0, was == nil || was.Poll != nil}
	if was == nil || !s.db.KnowsGone(was.AuthorID) {
		return s.cleanUpStep(ctx, s.db.FirstStep(s.cleanUp(id)), id, has)
	}
	if has.poll {
		if err := s.removeShards(ctx, model.Polls, string(id)); err != nil {
			return err
		}
	}
	if !has.shards {
		return nil
	}
	return s.removeShards(ctx, model.Tweets, string(id))
}

// leftovers says what a deleted tweet may have besides likes, shares and bookmarks.
type leftovers struct{ revisions, shards, poll bool }

// ContinueCleanUp does the next step of a removal.
//
// Cost: see [Store.CleanUp].
func (s *Store) ContinueCleanUp(ctx context.Context, work model.CleanUpWork) (err error) {
	defer errs.Wrap(&err, "counters.ContinueCleanUp(%q)", work.TweetID)
	step, current, err := s.db.Begin(ctx, s.cleanUp(work.TweetID), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	return s.cleanUpStep(ctx, step, work.TweetID, leftovers{true, true, true})
}

// cleanUp names the work document of a removal.
func (s *Store) cleanUp(id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.CleanUps, string(id))
}

// cleanUpStep removes the remains of a tweet until the step is over. Only a tweet that was edited has revisions, and
// only one that was hot has shards.
func (s *Store) cleanUpStep(ctx context.Context, step *db.Step, id model.TweetID, has leftovers) error {
	likes, shares, bookmarks, revisions, votes := false, false, false, !has.revisions, !has.poll // whether all are gone
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		likes, err = s.reactions.RemoveAll(side, model.ReactionLike, id, step.Over)
		return err
	})
	g.Go(func() (err error) {
		shares, err = s.reactions.RemoveAll(side, model.ReactionShare, id, step.Over)
		return err
	})
	g.Go(func() (err error) {
		bookmarks, err = s.reactions.RemoveAll(side, model.ReactionBookmark, id, step.Over)
		return err
	})
	if has.poll {
		g.Go(func() (err error) {
			votes, err = s.reactions.RemoveAll(side, model.ReactionVote, id, step.Over)
			return err
		})
		g.Go(func() error { return s.removeShards(side, model.Polls, string(id)) })
	}
	if has.revisions {
		g.Go(func() (err error) { revisions, err = s.RemoveRevisions(side, id, step.Over); return err })
	}
	if has.shards {
		g.Go(func() error { return s.removeShards(side, model.Tweets, string(id)) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if likes && shares && bookmarks && revisions && votes {
		return step.End(ctx, nil)
	}
	return step.Save(ctx, map[string]any{fields.TweetID: id}, nil)
}

// removeShards deletes the shards of a document that is gone. A tweet whose replies were counted in the shards keeps
// its position in the thread: the tweet itself may not have had the count yet.
//
// Cost: 1 read and 1 delete for each shard, at least 1 read. 1 write for such a tweet.
func (s *Store) removeShards(ctx context.Context, collection, id string) error {
	snaps, err := s.db.All(ctx, s.db.Doc(collection, id).Collection(model.Shards).Query)
	if err != nil || len(snaps) == 0 {
		return err
	}
	b := s.db.Batch()
	replies := false
	for _, snap := range snaps {
		b.Delete(snap.Ref)
		replies = replies || snap.Data()[model.ReplyCount] != nil
	}
	if collection == model.Tweets && replies {
		if err := s.keepPlace(ctx, model.TweetID(id)); err != nil {
			return err
		}
	}
	_, err = b.Commit(ctx)
	return err
}

// checkPlace makes a deleted reply that was answered keep its position in its thread. The deletion may have read the
// reply before the answer was counted, and then the tombstone has no answers.
//
// Cost: 1 read, and 1 write for such a tombstone.
func (s *Store) checkPlace(ctx context.Context, id model.TweetID) error {
	var stone model.Tombstone
	found, err := s.db.Get(ctx, s.db.Doc(model.Tombstones, string(id)), &stone)
	if err != nil || !found || stone.ReplyTo == "" || stone.RepliedAt != nil {
		return err
	}
	return s.keepPlace(ctx, id)
}

// keepPlace records that a deleted tweet had a reply that was not counted when the tweet was deleted. So the tweet
// keeps its position in its thread. A missing tombstone, or one of a tweet that answers nothing, has no position to
// keep.
//
// Cost: 1 write.
func (s *Store) keepPlace(ctx context.Context, id model.TweetID) error {
	_, err := s.db.Doc(model.Tombstones, string(id)).Update(ctx, []firestore.Update{{Path: fields.RepliedAt,
		Value: id.Time()}})
	if db.NotFound(err) {
		return nil
	}
	return err
}

// HasStrayShards reports whether a deleted document still has shards.
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
