package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/reactions"
)

// ViewerState returns which of some tweets a viewer likes, shares and bookmarks. An empty viewer is signed out and has
// no reactions.
//
// Cost: 1 read a month of the tweets; a saturated month also 1 read a reaction, at least 1 for each 30 tweets.
func (s *Store) ViewerState(ctx context.Context, viewer model.UserID,
	ids []model.TweetID) (_ map[model.TweetID]model.ViewerState, err error) {
	defer errs.Wrap(&err, "facts.ViewerState(%q, %d)", viewer, len(ids))
	return s.reactions.Of(ctx, viewer, ids)
}

// ViewerStateIn is [Store.ViewerState] for tweets of one month whose reactions the caller has read.
//
// Cost: nothing; for a saturated month the cost of [Store.ViewerState].
func (s *Store) ViewerStateIn(ctx context.Context, viewer model.UserID, month *model.ReactionMonth,
	ids []model.TweetID) (_ map[model.TweetID]model.ViewerState, err error) {
	defer errs.Wrap(&err, "facts.ViewerStateIn(%q, %d)", viewer, len(ids))
	return s.reactions.In(ctx, viewer, month, ids)
}

// AddReaction creates a like, share or bookmark. It also adds the reaction to its month. An existing reaction stays as
// it is. A reaction may be withdrawn while the client sends the commit again. Then it stays withdrawn and AddReaction
// is errs.Unavailable, see [db.DB.CommitOnce].
//
// Cost: 2 writes; nothing if the reaction exists.
func (s *Store) AddReaction(ctx context.Context, l model.AnyReaction) (err error) {
	kind, uid, id := l.Kind(), l.Base().UserID, l.Base().TweetID
	defer errs.Wrap(&err, "facts.AddReaction(%s, %q, %q)", kind, uid, id)
	b := s.db.Batch()
	mark := s.db.Doc(kind.Collection(), model.ReactionKey(uid, id))
	b.Create(mark, l)
	s.reactions.Note(b, kind, uid, id)
	ctx, sizes := bucket.Watch(ctx)
	if _, err = s.db.CommitOnce(ctx, b, s.db.Made(mark)); db.AlreadyExists(err) {
		return nil
	}
	s.reactions.Learn(kind, uid, id, sizes)
	return err
}

// RemoveReaction deletes a like, share, bookmark or vote of a user. Without a reaction it changes nothing.
//
// Cost: 1 delete, and 1 write except for a vote; nothing without a reaction.
func (s *Store) RemoveReaction(ctx context.Context, kind model.ReactionKind, uid model.UserID,
	id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.RemoveReaction(%s, %q, %q)", kind, uid, id)
	b := s.db.Batch()
	mark := s.db.Doc(kind.Collection(), model.ReactionKey(uid, id))
	b.Delete(mark, firestore.Exists)
	reactions.Unnote(s.db, b, kind, uid, id)
	if _, err = s.db.CommitOnce(ctx, b, s.db.Gone(mark)); db.NotFound(err) {
		return nil
	}
	return err
}

// RemoveReactions deletes the likes, shares, bookmarks or votes of a tweet that is gone. It deletes up to 200 in a
// commit, until over returns true. done reports whether it deleted every reaction that existed at its start.
//
// Cost: 1 read, 1 delete and 1 write for each, at least 1 read. A vote costs no write.
func (s *Store) RemoveReactions(ctx context.Context, kind model.ReactionKind, id model.TweetID,
	over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "facts.RemoveReactions(%s, %q)", kind, id)
	q := s.db.Client.Collection(kind.Collection()).Where("tweetId", "==", id).Limit(db.MaxTogether)
	parts := db.Parts[*firestore.DocumentSnapshot]{Add: func(b *db.Batch, snap *firestore.DocumentSnapshot) error {
		var r model.Reaction
		if err := snap.DataTo(&r); err != nil {
			return err
		}
		b.Delete(snap.Ref)
		reactions.Unnote(s.db, b, kind, r.UserID, id)
		return nil
	}}
	for {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err == nil, err
		}
		if _, err := parts.Commit(ctx, s.db, snaps); err != nil || len(snaps) < db.MaxTogether || over() {
			return err == nil && len(snaps) < db.MaxTogether, err
		}
	}
}

// ReconcileReaction makes the month of a user's reactions agree with the user's present like, share or bookmark of a
// tweet.
//
// Cost: 1 read and 1 write.
func (s *Store) ReconcileReaction(ctx context.Context, kind model.ReactionKind, uid model.UserID,
	id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.ReconcileReaction(%s, %q, %q)", kind, uid, id)
	return s.reactions.Reconcile(ctx, kind, uid, id)
}
