// This file lists the tweets that mention a user, and a user's tweets for the mentioned alone.

package tweets

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Mentions reads mentions. Its methods may be called concurrently. Their errors are errors of package errs.
type Mentions struct {
	db     *db.DB
	access *access.Store
}

// NewMentions returns the mentions of a database.
func NewMentions(d *db.DB, a *access.Store) *Mentions { return &Mentions{db: d, access: a} }

// Of returns the tweets of every audience that mention a user, newest mention first. The query needs no composite
// index, because the field mentions.{uid} of a tweet holds the time of the mention. Flagged tweets are included, but
// the user may not see them.
//
// Cost: 1 read for each tweet, at least 1.
func (r *Mentions) Of(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[*model.Tweet],
	err error) {
	defer errs.Wrap(&err, "tweets.Of(%q)", uid)
	by := firestore.FieldPath{fields.Mentions, string(uid)}
	return db.Page(ctx, r.db.Client.Collection(model.Tweets).Query, by, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := r.access.KeepTweet(snap)
			return t, model.Cursor{At: t.Mentions[string(uid)], ID: snap.Ref.ID}, err
		})
}

// WrittenFor returns an author's tweets for the mentioned alone, newest first. No months have these tweets, so this
// query is their only list. Flagged tweets are included.
//
// Cost: 1 read for each tweet, at least 1.
func (r *Mentions) WrittenFor(ctx context.Context, author model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "tweets.WrittenFor(%q)", author)
	q := r.db.Client.Collection(model.Tweets).Where(fields.AuthorID, "==", author).
		Where(fields.Visibility, "==", model.Mentioned)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := r.access.KeepTweet(snap)
			return t, model.Cursor{At: t.CreatedAt, ID: snap.Ref.ID}, err
		})
}
