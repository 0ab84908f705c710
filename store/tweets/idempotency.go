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

// idempotency is the record of a request, for model.IdempotencyWindow. The commit of the tweet creates it.
type idempotency struct {
	TweetID  model.TweetID `firestore:"tweetId"`
	Hash     string        `firestore:"hash"`
	ExpireAt time.Time     `firestore:"expireAt"`
}

// requested finds the tweet of an earlier request with the same key. It also returns the record of that request, which
// may be missing or expired.
//
// Cost: 1 read if the request has a key.
func (s *Store) requested(ctx context.Context, uid model.UserID, r model.Request) (model.TweetID,
	*firestore.DocumentSnapshot, error) {
	if r.Key == "" {
		return "", nil, nil
	}
	rec, err := db.As[idempotency](s.db.Doc(model.Idempotency, model.IdempotencyKey(uid, r.Key)).Get(ctx))
	switch {
	case err != nil:
		return "", nil, err
	case !rec.Found || s.db.Now().After(rec.Doc.ExpireAt):
		return "", rec.Snap, nil
	case rec.Doc.Hash != r.Hash:
		return "", nil, errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return rec.Doc.TweetID, rec.Snap, nil
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
	}, firestore.LastUpdateTime(old.UpdateTime))
}
