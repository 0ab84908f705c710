package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// asleep answers a reader whose home timeline is not kept up. It makes the page from the
// reader's relationships and the authors' months, and asks Wake to rebuild the timeline.
// An err that the caller hands in comes back as it is.
//
// Cost: at most 1 write. 1 read an author whom the reader follows, at least 1, and what
// [cards.Reader.Window] costs for each.
// The tweets of the page cost what [facts.Store.FreshTweets] and [facts.Store.Liked]
// cost.
func (r *Reader) asleep(ctx context.Context, uid model.UserID, before model.TweetID, limit int, err error) ([]facts.Seen, model.TweetID, error) {
	if err != nil {
		return nil, "", err
	}
	_, err = r.db.Doc(model.Wakes, string(uid)).Create(ctx, model.WakeWork{UserID: uid, ExpireAt: r.db.Time().Add(24 * time.Hour)})
	if err != nil && !db.AlreadyExists(err) {
		return nil, "", err
	}
	ids := map[model.TweetID]bool{}
	err = r.following(ctx, uid, func(ctx context.Context, rel model.Relationship) error {
		cards, oldest, err := r.cards.Window(ctx, rel.FollowedID)
		visible, _ := choose(cards, rel.CreatedAt, oldest)
		for _, id := range visible {
			if before == "" || id.Compare(before) < 0 {
				ids[id] = true
			}
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	var items []facts.Seen
	for list := model.Newest(ids, 0); len(list) > 0 && len(items) < limit; {
		n := min(limit-len(items), len(list))
		tweets, err := r.facts.FreshTweets(ctx, list[:n])
		if err != nil {
			return nil, "", err
		}
		liked, err := r.facts.Liked(ctx, uid, list[:n])
		if err != nil {
			return nil, "", err
		}
		for _, id := range list[:n] {
			if t := tweets[id]; t != nil && !t.IsViolative {
				items = append(items, facts.Seen{ID: id, Tweet: t, Liked: liked[id]})
			}
		}
		if list = list[n:]; len(items) == limit && len(list) > 0 {
			return items, items[limit-1].ID, nil
		}
	}
	return items, "", nil
}

// following calls f for each relationship in which uid is the follower, one after the
// other.
//
// Cost: 1 read a relationship, at least 1.
func (r *Reader) following(ctx context.Context, uid model.UserID, f func(context.Context, model.Relationship) error) error {
	for from := (model.Cursor{}); ; {
		p, err := r.facts.Following(ctx, uid, from, 300)
		if err != nil {
			return err
		}
		for _, rel := range p.Items {
			if err := f(ctx, rel); err != nil {
				return err
			}
		}
		if from = p.Next; from.IsZero() {
			return nil
		}
	}
}
