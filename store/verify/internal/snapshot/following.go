package snapshot

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Following returns the users whom a user follows, and the times at which the follows began.
//
// Cost: 1 read, and 1 read a relationship, at least 1.
func (r *Reader) Following(ctx context.Context, uid model.UserID) (_ map[model.UserID]time.Time, err error) {
	defer errs.Wrap(&err, "snapshot.Following(%q)", uid)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	following := map[model.UserID]time.Time{}
	q := r.db.Client.Collection(model.Relationships).Where(fields.FollowerID, "==", uid)
	return following, each(ctx, m, q, func(_ *firestore.DocumentSnapshot, rel *model.Relationship) error {
		following[rel.FollowedID] = rel.CreatedAt
		return nil
	})
}
