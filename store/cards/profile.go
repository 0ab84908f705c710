package cards

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// CardOf is a card with the id of its tweet.
type CardOf struct {
	ID model.TweetID
	model.Card
}

// TweetsBy lists an author's tweets, newest first. If before is not empty, TweetsBy lists
// tweets that are older than before. next is empty at the end. Violative tweets are left
// out.
//
// Cost: 1 read for the first page, up to model.RecentTweets.
// Other pages cost 1 read a month with tweets that the page touches, and 1 read an
// overflow document. The last page costs 1 read more to see that there are no more
// tweets.
// A first page that lacks violative tweets costs 1 read, and what another page costs.
func (r *Reader) TweetsBy(ctx context.Context, author model.UserID, before model.TweetID, limit int) (items []CardOf, next model.TweetID, err error) {
	defer errs.Wrap(&err, "cards.TweetsBy(%q)", author)
	if before == "" && limit <= model.RecentTweets {
		var recent model.UserRecent
		if _, err := r.db.Get(ctx, r.db.UserRecent(author), &recent); err != nil {
			return nil, "", err
		}
		for _, id := range model.Newest(recent.Tweets, 0) {
			if !recent.Tweets[id].IsViolative {
				items = append(items, CardOf{ID: id, Card: recent.Tweets[id]})
			}
		}
		switch all := len(recent.Tweets) < model.RecentTweets; {
		case len(items) > limit, len(items) == limit && !all:
			return items[:limit], items[limit-1].ID, nil
		case all:
			return items, "", nil
		}
		items = nil // some of the newest tweets are not shown, so the page needs more from the months
	}
	q := r.db.Client.Collection(model.TweetMonths).Where("userId", "==", author).OrderBy("month", firestore.Desc)
	if before != "" {
		q = q.StartAt(before.Month())
	}
	for q = q.Limit(1); ; {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return items, "", err
		}
		var month model.TweetMonth
		if err := snaps[0].DataTo(&month); err != nil {
			return nil, "", err
		}
		tweets := bucket.Read(r.buckets, snaps[0].Ref.ID, month.Tweets, month.Pages, before)
		for {
			id, ok, err := tweets.Next(ctx)
			if err != nil {
				return nil, "", err
			}
			if !ok {
				break
			}
			if tweets.Items[id].IsViolative {
				continue
			}
			if len(items) == limit {
				return items, items[limit-1].ID, nil
			}
			items = append(items, CardOf{ID: id, Card: tweets.Items[id]})
		}
		if len(items) == limit {
			return items, items[limit-1].ID, nil
		}
		q = q.StartAfter(month.Month)
	}
}
