package functions

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A new follower and a new tweet that cross each other must meet somewhere. Each
// side writes its own mark first and then reads the other's: fanOutTweet writes the
// card, then reads the pages of followers; linkTimeline writes the page, then reads
// the cards. Firestore is strongly consistent, so at least one sees the other.

// fanOutTweet puts a new tweet into its author's month and recent tweets, and into
// the home timelines of the followers. The card is written as the event has it; the
// tweet itself is read last, so that one which was deleted or edited meanwhile is
// mended, whatever was written for it.
func (h *handlers) fanOutTweet(ctx context.Context, c *Change) error {
	t, err := document[model.Tweet](c)
	if err != nil {
		return err
	}
	t.ID = model.TweetID(c.ID)
	if err := h.store.PutCard(ctx, t); err != nil {
		return err
	}
	followers, pages, err := h.store.FirstFollowers(ctx, t.AuthorID)
	if err != nil {
		return err
	}
	if pages > 0 {
		err = h.store.StartFanOut(ctx, t.ID, t.AuthorID, pages)
	} else {
		err = h.store.Deliver(ctx, t.ID, t.AuthorID, followers)
	}
	if err != nil {
		return err
	}
	held, err := h.store.Settle(ctx, t)
	if err != nil || held {
		return err
	}
	return h.store.Withdraw(ctx, t.ID, followers)
}

// continueFanOut serves one page of the followers of an author who has many.
func (h *handlers) continueFanOut(ctx context.Context, c *Change) error {
	work, err := document[store.FanOutWork](c)
	if err != nil {
		return err
	}
	followers, err := h.store.FollowersOnPage(ctx, work.AuthorID, work.Page)
	if err != nil {
		return err
	}
	if err := h.store.Deliver(ctx, work.TweetID, work.AuthorID, followers); err != nil {
		return err
	}
	held, err := h.store.Holds(ctx, work.TweetID)
	if err != nil {
		return err
	}
	if !held {
		if err := h.store.Withdraw(ctx, work.TweetID, followers); err != nil {
			return err
		}
	}
	return h.store.EndFanOut(ctx, work.TweetID, work.Page)
}

// linkTimeline makes the pages of followers agree with a relationship. A new
// follower then gets what the author wrote since the follow and the newest tweets
// from before it; for one who left, the author is hidden.
func (h *handlers) linkTimeline(ctx context.Context, c *Change) error {
	said, err := document[model.Relationship](c)
	if err != nil {
		return err
	}
	for {
		rel, err := h.store.Link(ctx, said.FollowerID, said.FollowedID)
		if err != nil || rel == nil {
			return err
		}
		cards, oldest, err := h.store.WindowCards(ctx, rel.FollowedID)
		if err != nil {
			return err
		}
		ids, from := backfill(cards, rel.CreatedAt, oldest)
		done, err := h.store.Backfill(ctx, rel, ids, from)
		if err != nil || done {
			return err
		}
	}
}

// backfill chooses what a follower gets of an author's cards: all since the follow,
// and of those before it the newest RecentTweets, none older than the window. If
// there were more, from is the time of the oldest chosen, before which the author's
// tweets stay hidden: some may be in the timeline from an earlier follow.
func backfill(cards map[model.TweetID]model.Card, followed, oldest time.Time) (ids []model.TweetID, from time.Time) {
	before := 0
	for _, id := range model.Newest(cards, 0) {
		at := id.Time()
		if at.Before(oldest) {
			break
		}
		if at.Before(followed) {
			if before == model.RecentTweets {
				return ids, ids[len(ids)-1].Time()
			}
			before++
		}
		ids = append(ids, id)
	}
	return ids, time.Time{}
}
