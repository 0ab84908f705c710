package snapshot

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Window is what an author wrote within the window of home timelines.
type Window struct {
	Tweets  map[model.TweetID]bool      // tweets that exist; the value tells whether the tweet is violative
	Deleted map[model.TweetID]time.Time // tweets that were deleted; the value tells when
	// Moderated has the tweets that were flagged once. While such a tweet was hidden, a
	// follow may have brought an older one in its place.
	Moderated map[model.TweetID]bool
}

// Window reads what an author wrote within the window, at one moment.
//
// Cost: 1 read, 1 read a tweet of the window, and 1 read a tweet that the author ever
// deleted.
func (r *Reader) Window(ctx context.Context, author model.UserID) (_ *Window, err error) {
	defer errs.Wrap(&err, "snapshot.Window(%q)", author)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	w := &Window{Tweets: map[model.TweetID]bool{}, Deleted: map[model.TweetID]time.Time{}, Moderated: map[model.TweetID]bool{}}
	oldest, _ := r.db.HomeWindow()
	first := model.NewTweetIDs(func() time.Time { return oldest }).Next(author)
	q := r.db.Client.Collection(model.Tweets).Where("authorId", "==", author).Select("isViolative", model.ModeratedAt).
		OrderBy(firestore.DocumentID, firestore.Asc).StartAt(string(first[:len(first)-5]))
	err = each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
		w.Tweets[model.TweetID(snap.Ref.ID)] = t.IsViolative
		if t.IsViolative || t.ModeratedAt != nil {
			w.Moderated[model.TweetID(snap.Ref.ID)] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	q = r.db.Client.Collection(model.Tombstones).Where("authorId", "==", author)
	return w, each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tombstone) error {
		w.Deleted[model.TweetID(snap.Ref.ID)] = t.DeletedAt
		return nil
	})
}
