package reactions

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewerstate"
)

// Store reads and writes likes, and writes the months of all reactions. Its methods may be called concurrently. Their
// errors are errors of package errs.
type Store struct {
	db     *db.DB
	access *access.Store
	months *viewerstate.Store
}

// New returns the reactions of a database.
func New(d *db.DB, a *access.Store, v *viewerstate.Store) *Store { return &Store{d, a, v} }

// Add creates a like, share or bookmark. It also adds the reaction to its month. An existing reaction stays as it is. A
// reaction may be withdrawn while the client sends the commit again. Then it stays withdrawn and Add is
// errs.Unavailable, see [db.DB.CommitOnce].
//
// Cost: 2 writes; nothing if the reaction exists.
func (s *Store) Add(ctx context.Context, r model.AnyReaction) error {
	_, err := s.add(ctx, r, nil)
	return err
}

// add is Add with an update in its commit, and returns whether it created the reaction.
func (s *Store) add(ctx context.Context, r model.AnyReaction, also *db.Also) (made bool, err error) {
	kind, uid, id := r.Kind(), r.Base().UserID, r.Base().TweetID
	defer errs.Wrap(&err, "reactions.Add(%s, %q, %q)", kind, uid, id)
	b := s.db.Batch()
	ref := s.db.Doc(kind.Collection(), model.ReactionKey(uid, id))
	b.Create(ref, r)
	s.months.Note(b, kind, uid, id)
	also.Batch(b)
	ctx, sizes := bucket.Watch(ctx)
	if _, err = s.db.CommitOnce(ctx, b, also.Or(s.db.Made(ref))); db.AlreadyExists(err) {
		return false, nil
	}
	s.months.Learn(kind, uid, id, sizes)
	return err == nil, err
}

// Remove deletes a like, share, bookmark or vote of a user. Without a reaction it changes nothing.
//
// Cost: 1 delete, and 1 write except for a vote; nothing without a reaction.
func (s *Store) Remove(ctx context.Context, kind model.ReactionKind, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Remove(%s, %q, %q)", kind, uid, id)
	b := s.db.Batch()
	ref := s.db.Doc(kind.Collection(), model.ReactionKey(uid, id))
	b.Delete(ref, firestore.Exists)
	viewerstate.Unnote(s.db, b, kind, uid, id)
	if _, err = s.db.CommitOnce(ctx, b, s.db.Gone(ref)); db.NotFound(err) {
		return nil
	}
	return err
}

// RemoveAll deletes the likes, shares, bookmarks or votes of a tweet that is gone. It deletes up to 200 in a
// commit, until over returns true. done reports whether it deleted every reaction that existed at its start.
//
// Cost: 1 read, 1 delete and 1 write for each, at least 1 read. A vote costs no write.
func (s *Store) RemoveAll(ctx context.Context, kind model.ReactionKind, id model.TweetID, over func() bool) (done bool,
	err error) {
	defer errs.Wrap(&err, "reactions.RemoveAll(%s, %q)", kind, id)
	q := s.db.Client.Collection(kind.Collection()).Where(fields.TweetID, "==", id).Limit(db.MaxTogether)
	parts := db.Parts[*firestore.DocumentSnapshot]{Add: func(b *db.Batch, snap *firestore.DocumentSnapshot) error {
		var r model.Reaction
		if err := snap.DataTo(&r); err != nil {
			return err
		}
		b.Delete(snap.Ref)
		viewerstate.Unnote(s.db, b, kind, r.UserID, id)
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

// Reconcile makes the month of a user's reactions agree with the user's present like, share or bookmark of a tweet.
//
// Cost: 1 read and 1 write.
func (s *Store) Reconcile(ctx context.Context, kind model.ReactionKind, uid model.UserID,
	id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Reconcile(%s, %q, %q)", kind, uid, id)
	return s.months.Reconcile(ctx, kind, uid, id)
}
