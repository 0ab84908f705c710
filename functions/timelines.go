package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

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
	audience, err := h.store.Audience(ctx, t.AuthorID, t.ID.Month())
	if err != nil {
		return err
	}
	if audience.Pull {
		err = h.pull(ctx, t, audience)
	} else {
		err = h.push(ctx, t, audience)
	}
	if err != nil {
		return err
	}
	held, err := h.store.Settle(ctx, t)
	if err != nil || held {
		return err
	}
	return h.store.Withdraw(ctx, t.ID, t.AuthorID, 0, audience.Followers)
}

// push delivers a tweet to its audience, or leaves that to one work document a page.
func (h *handlers) push(ctx context.Context, t *model.Tweet, a store.Audience) error {
	if a.Pages > 0 {
		return h.store.StartFanOut(ctx, t.ID, t.AuthorID, a.Pages, model.FanOutPush)
	}
	return h.store.Deliver(ctx, t.ID, t.AuthorID, 0, a.Followers)
}

// pull sees that the audience of a large author knows, once a month, that the tweets
// are to be taken from the author's own month.
func (h *handlers) pull(ctx context.Context, t *model.Tweet, a store.Audience) error {
	if a.Pulled {
		return nil
	}
	month := t.ID.Month()
	if err := h.store.BeginPull(ctx, t.AuthorID, month); err != nil {
		return err
	}
	a, err := h.store.Audience(ctx, t.AuthorID, month)
	if err != nil {
		return err
	}
	if a.Pages > 0 {
		err = h.store.StartFanOut(ctx, t.ID, t.AuthorID, a.Pages, model.FanOutPull)
	} else {
		err = h.store.Pull(ctx, t.AuthorID, month, a.Followers)
	}
	if err != nil {
		return err
	}
	return h.store.EndPull(ctx, t.AuthorID, month)
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
	switch work.Kind {
	case model.FanOutPush:
		err = h.pushPage(ctx, work, followers)
	case model.FanOutPull:
		err = h.store.Pull(ctx, work.AuthorID, work.TweetID.Month(), followers)
	case model.FanOutWithdraw:
		err = h.store.Withdraw(ctx, work.TweetID, work.AuthorID, work.Page, followers)
	default:
		err = fmt.Errorf("%w: a fan-out of kind %q", errPoison, work.Kind)
	}
	if err != nil {
		return err
	}
	return h.store.EndFanOut(ctx, *work)
}

func (h *handlers) pushPage(ctx context.Context, work *store.FanOutWork, followers []model.UserID) error {
	if err := h.store.Deliver(ctx, work.TweetID, work.AuthorID, work.Page, followers); err != nil {
		return err
	}
	held, err := h.store.Holds(ctx, work.TweetID)
	if err != nil || held {
		return err
	}
	return h.store.Withdraw(ctx, work.TweetID, work.AuthorID, work.Page, followers)
}

// linkTimeline makes the pages of followers and the follower's home timeline agree
// with a relationship.
func (h *handlers) linkTimeline(ctx context.Context, c *Change) error {
	rel, err := document[model.Relationship](c)
	if err != nil {
		return err
	}
	return h.store.LinkTimeline(ctx, rel.FollowerID, rel.FollowedID)
}

// spill moves the older half of a bucket that grew to overflow documents.
func (h *handlers) spill(ctx context.Context, c *Change) error {
	work, err := document[store.SpillWork](c)
	if err != nil {
		return err
	}
	return h.store.Spill(ctx, *work)
}

// wake rebuilds the home timeline of somebody who was away for long.
func (h *handlers) wake(ctx context.Context, c *Change) error {
	return h.store.Wake(ctx, model.UserID(c.ID))
}

// sweep stops pushing to those who were away for long.
func (h *handlers) sweep(ctx context.Context, _ *Change) error {
	return h.store.Sweep(ctx)
}
