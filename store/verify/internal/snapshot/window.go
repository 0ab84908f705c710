package snapshot

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Window has an author's tweets within the window of home timelines.
type Window struct {
	Tweets  map[model.TweetID]bool      // tweets that exist; the value says whether the tweet is in no audience partition
	Deleted map[model.TweetID]time.Time // tweets that were deleted; the value is the time
	// Hidden has the tweets that may have been in no audience partition once. While such a tweet was hidden, the backfill
	// of a follow may have taken an older one.
	Hidden map[model.TweetID]bool
	Shares []model.Position // positions of the author's shares
}

// Window reads an author's tweets and shares within the window, at one moment.
//
// Cost: 1 read, 1 read a tweet and a share of the window, at least 1 share.
func (r *Reader) Window(ctx context.Context, author model.UserID) (_ *Window, err error) {
	defer errs.Wrap(&err, "snapshot.Window(%q)", author)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	w := &Window{Tweets: map[model.TweetID]bool{}, Deleted: map[model.TweetID]time.Time{},
		Hidden: map[model.TweetID]bool{}}
	oldest, _ := r.db.HomeWindow()
	first := model.NewTweetIDs(func() time.Time { return oldest }).Next(author)
	q := r.db.Client.Collection(model.Tweets).Where(fields.AuthorID, "==", author).
		Select(fields.IsViolative, fields.Visibility, fields.HiddenRevisions, model.ModeratedAt).
		OrderBy(firestore.DocumentID, firestore.Asc).StartAt(string(first[:len(first)-5]))
	err = each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
		id := model.TweetID(snap.Ref.ID)
		w.Tweets[id] = t.AudiencePartition() == model.NoAudiencePartition
		w.Hidden[id] = w.Tweets[id] || t.ModeratedAt != nil || t.HiddenRevisions > 0
		return nil
	})
	if err != nil {
		return nil, err
	}
	q = r.db.Client.Collection(model.Shares).Where(fields.UserID, "==", author).Where(fields.CreatedAt, ">=", oldest).
		OrderBy(fields.CreatedAt, firestore.Desc)
	err = each(ctx, m, q, func(_ *firestore.DocumentSnapshot, l *model.Share) error {
		if position := l.Position(); position != "" {
			w.Shares = append(w.Shares, position)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	q = r.db.Client.Collection(model.Tombstones).Where(fields.AuthorID, "==", author)
	return w, each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tombstone) error {
		w.Deleted[model.TweetID(snap.Ref.ID)] = t.DeletedAt
		return nil
	})
}
