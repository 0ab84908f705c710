package tweets

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// idempotency is the record of a request, for model.IdempotencyWindow. The commit of the tweet, or of the held reply,
// creates it. It has the id of one of the two.
type idempotency struct {
	TweetID   model.TweetID `firestore:"tweetId"`
	HeldReply string        `firestore:"heldReply,omitempty"`
	Hash      string        `firestore:"hash"`
	ExpireAt  time.Time     `firestore:"expireAt"`
}

// heldReply is what the record has of the held reply.
func (i idempotency) heldReply() *model.HeldReply {
	at := i.ExpireAt.Add(-model.IdempotencyWindow)
	return &model.HeldReply{ID: i.HeldReply, CreatedAt: at, ExpireAt: at.Add(model.HeldReplyWindow)}
}

// requested finds the tweet or the held reply of an earlier request with the same key; the zero record if there is
// none. It also returns the document of that record, which may be missing or expired.
//
// Cost: 1 read if the request has a key.
func (s *Store) requested(ctx context.Context, uid model.UserID, r model.Request) (is idempotency,
	_ *firestore.DocumentSnapshot, _ error) {
	if r.Key == "" {
		return is, nil, nil
	}
	rec, err := db.As[idempotency](s.db.Doc(model.Idempotency, model.IdempotencyKey(uid, r.Key)).Get(ctx))
	switch {
	case err != nil:
		return is, nil, err
	case !rec.Found || s.db.Now().After(rec.Doc.ExpireAt):
		return is, rec.Snap, nil
	case rec.Doc.Hash != r.Hash:
		return is, nil, errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return rec.Doc, rec.Snap, nil
}

// remember adds the record of a request to a batch, and replaces an expired record. The batch fails if another process
// was first.
func remember(b *db.Batch, old *firestore.DocumentSnapshot, rec idempotency) {
	if !old.Exists() {
		b.Create(old.Ref, rec)
		return
	}
	b.Update(old.Ref, []firestore.Update{
		{Path: fields.TweetID, Value: rec.TweetID}, {Path: fields.Hash, Value: rec.Hash},
		{Path: fields.ExpireAt, Value: rec.ExpireAt},
		{Path: fields.HeldReply, Value: db.OrDelete(rec.HeldReply, rec.HeldReply == "")},
	}, firestore.LastUpdateTime(old.UpdateTime))
}
