// This file lists the tweets that mention a user, and those that a user wrote for the
// mentioned alone.

package tweets

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Mentions reads mentions. Its methods may be called concurrently. Their errors are those of
// package errs.
type Mentions struct {
	db    *db.DB
	facts *facts.Store
}

// NewMentions returns the mentions of a database.
func NewMentions(d *db.DB, f *facts.Store) *Mentions { return &Mentions{db: d, facts: f} }

// Of lists the tweets that mention a user, newest mention first, whatever their audience. The
// query needs no composite index, because the field mentions.{uid} of a tweet holds the time
// of the mention. A flagged tweet is among them: the user may not see it.
//
// Cost: 1 read for each tweet, at least 1.
func (r *Mentions) Of(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[*model.Tweet],
	err error) {
	defer errs.Wrap(&err, "tweets.Of(%q)", uid)
	by := firestore.FieldPath{"mentions", string(uid)}
	return db.Page(ctx, r.db.Client.Collection(model.Tweets).Query, by, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := r.facts.KeepTweet(snap)
			return t, model.Cursor{At: t.Mentions[string(uid)], ID: snap.Ref.ID}, err
		})
}

// WrittenFor lists the tweets that an author wrote for the mentioned, newest first. No months
// have them, so that this query is their only list. A flagged tweet is among them.
//
// Cost: 1 read for each tweet, at least 1.
func (r *Mentions) WrittenFor(ctx context.Context, author model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "tweets.WrittenFor(%q)", author)
	q := r.db.Client.Collection(model.Tweets).Where("authorId", "==", author).Where("visibility", "==", model.Mentioned)
	return db.Page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := r.facts.KeepTweet(snap)
			return t, model.Cursor{At: t.CreatedAt, ID: snap.Ref.ID}, err
		})
}
