package snapshot

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// slack is how close to the end of the window a tweet or share may be missing or not. It may leave the window during
// the verification.
const slack = time.Minute

// Window has what followers may see of an author within the window of home timelines.
type Window struct {
	Tweets map[model.TweetID]bool // the tweets in an audience partition
	Shares []model.Position       // of the author's shares
}

// Window reads an author's tweets and shares within the window, at one moment.
//
// Cost: 1 read, 1 read a tweet and a share of the window, at least 1 of each.
func (r *Reader) Window(ctx context.Context, author model.UserID) (_ *Window, err error) {
	defer errs.Wrap(&err, "snapshot.Window(%q)", author)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	w := &Window{Tweets: map[model.TweetID]bool{}}
	oldest, _ := r.db.HomeWindow()
	oldest = oldest.Add(-slack)
	first := model.NewTweetIDs(func() time.Time { return oldest }).Next(author)
	q := r.db.Client.Collection(model.Tweets).Where(fields.AuthorID, "==", author).
		Select(fields.IsViolative, fields.Visibility).OrderBy(firestore.DocumentID, firestore.Asc).
		StartAt(string(first[:len(first)-5]))
	err = each(ctx, m, q, func(snap *firestore.DocumentSnapshot, t *model.Tweet) error {
		if t.AudiencePartition() != model.NoAudiencePartition {
			w.Tweets[model.TweetID(snap.Ref.ID)] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	q = r.db.Client.Collection(model.Shares).Where(fields.UserID, "==", author).Where(fields.CreatedAt, ">=", oldest).
		OrderBy(fields.CreatedAt, firestore.Desc)
	return w, each(ctx, m, q, func(_ *firestore.DocumentSnapshot, l *model.Share) error {
		if position := l.Position(); position != "" {
			w.Shares = append(w.Shares, position)
		}
		return nil
	})
}
