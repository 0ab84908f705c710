// This file stores shares. A share is a source document. Functions count it and notify the author of the tweet, and
// everybody may list it. A quote is a tweet of its own that names another tweet; this package lists the quotes of a
// tweet. A profile lists its user's tweets and shares together.

package reactions

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/profiles"
)

// Shares stores shares. Its methods may be called concurrently. Their errors are errors of package errs.
type Shares struct {
	db        *db.DB
	access    *access.Store
	reactions *Store
	previews  *profiles.Reader
	ids       *model.TweetIDs // of shares
	viewers   *viewers.Store
}

// NewShares returns the shares of a database. Only packages below store have a [db.DB].
func NewShares(d *db.DB, a *access.Store, r *Store, c *profiles.Reader, v *viewers.Store) *Shares {
	return &Shares{d, a, r, c, model.NewTweetIDs(d.Now), v}
}

// Share records that uid shares a tweet. Sharing again changes nothing. A user without a profile is errs.Forbidden, and
// so is a tweet whose author blocks the user. A deleted tweet is errs.Gone, and an unknown or hidden tweet
// errs.NotFound.
//
// Cost: 3 reads and 2 writes; 1 read and 2 writes for the user's own tweet; no write if the share exists.
func (s *Shares) Share(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Share(%q, %q)", uid, id)
	e, err := s.access.CheckReaction(ctx, uid, id, model.NotificationShare, false)
	if err != nil {
		return err
	}
	if err := model.MayShare(uid, e.Tweet, e.ViewerRelationships); err != nil {
		return err
	}
	share := s.ids.Next(uid)
	return s.reactions.Add(ctx, model.Share{UserID: uid, TweetID: id, AuthorID: e.Tweet.AuthorID,
		CreatedAt: share.Time(), ShareID: share, Language: e.Tweet.TrendLanguage(), AllowedAt: e.AllowedAt})
}

// Unshare removes a share. Without a share, Unshare changes nothing.
//
// Cost: 1 write and 1 delete; nothing without a share.
func (s *Shares) Unshare(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Unshare(%q, %q)", uid, id)
	return s.reactions.Remove(ctx, model.ReactionShare, uid, id)
}

// Of returns the shares of a tweet, newest first. The tweet may be gone, or hidden by now.
//
// Cost: 1 read for each share, at least 1.
func (s *Shares) Of(ctx context.Context, id model.TweetID, from model.Cursor, limit int) (_ model.Page[model.Share],
	err error) {
	defer errs.Wrap(&err, "reactions.Of(%q)", id)
	return s.list(ctx, s.db.Client.Collection(model.Shares).Where(fields.TweetID, "==", id), from, limit)
}

// By returns the shares of a user, newest first. Some of the tweets may be gone, or hidden by now.
//
// Cost: 1 read for each share, at least 1.
func (s *Shares) By(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Share],
	err error) {
	defer errs.Wrap(&err, "reactions.By(%q)", uid)
	return s.list(ctx, s.db.Client.Collection(model.Shares).Where(fields.UserID, "==", uid), from, limit)
}

// Quotes returns the tweets that quote a tweet, newest first. The quoted tweet may be gone, or hidden by now. The
// viewer may not be allowed to see each of the quotes.
//
// Cost: 1 read for each quote, at least 1.
func (s *Shares) Quotes(ctx context.Context, id model.TweetID, from model.Cursor,
	limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "reactions.Quotes(%q)", id)
	q := s.db.Client.Collection(model.Tweets).Where(fields.QuoteOf, "==", id)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := s.access.KeepTweet(snap)
			return t, model.Cursor{At: t.CreatedAt, ID: snap.Ref.ID}, err
		})
}

func (s *Shares) list(ctx context.Context, q firestore.Query, from model.Cursor, limit int) (model.Page[model.Share],
	error) {
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (l model.Share, at model.Cursor, err error) {
			err = snap.DataTo(&l)
			return l, model.Cursor{At: l.CreatedAt, ID: snap.Ref.ID}, err
		})
}
