package store

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// FanOutWork asks for one page of followers to be served, in the document whose
// creation starts it: fanouts/{tweetId}_{page}_{kind}.
type FanOutWork struct {
	Kind     model.FanOutKind `firestore:"kind"`
	TweetID  model.TweetID    `firestore:"tweetId"`
	AuthorID model.UserID     `firestore:"authorId"`
	Page     int              `firestore:"page"`
	ExpireAt time.Time        `firestore:"expireAt"`
}

// StartFanOut leaves a work document for each hashed page of followers: a write
// each. Starting again what is still at work changes nothing.
func (s *Store) StartFanOut(ctx context.Context, id model.TweetID, author model.UserID, pages int, kind model.FanOutKind) (err error) {
	defer errs.Wrap(&err, "store.StartFanOut(%q, %d)", id, pages)
	b := s.batch()
	for n := range pages {
		b.Set(s.doc(model.FanOuts, model.FanOutKey(id, n, kind)), FanOutWork{
			Kind: kind, TweetID: id, AuthorID: author, Page: n, ExpireAt: s.time().Add(24 * time.Hour),
		})
	}
	_, err = b.Commit(ctx)
	return err
}

// EndFanOut removes a work document: 1 delete.
func (s *Store) EndFanOut(ctx context.Context, w FanOutWork) (err error) {
	defer errs.Wrap(&err, "store.EndFanOut(%q, %d)", w.TweetID, w.Page)
	_, err = s.doc(model.FanOuts, model.FanOutKey(w.TweetID, w.Page, w.Kind)).Delete(ctx)
	return err
}
