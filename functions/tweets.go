package functions

import (
	"context"
	"errors"
	"fmt"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// tweetChanged does what a new or deleted tweet causes. A new tweet is counted, added to its author's month and to home
// timelines, made searchable, and reported to the users whom it answers, quotes and mentions. The card of its link is
// asked for. A deleted tweet leaves
// the counts, previews, searches and home timelines, and its likes, shares, shards and notification events are removed.
// Other servers hear of both.
func (h *handlers) tweetChanged(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil {
		return err
	}
	t.ID = model.TweetID(e.DocumentID)
	count := func() error { return h.store.Counters.CountTweet(ctx, e.idempotencyRecord(), t, e.sign()) }
	if e.Type == Deleted {
		unflagged := *t // the event of a flag may come later, and then nothing knows the tags
		unflagged.IsViolative = false
		h.store.Trends.Tweet(ctx, t.ID, &unflagged, nil, e.changed())
		return all(count,
			func() error { return h.store.Previews.Update(ctx, t.ID, t, nil) },
			func() error { return h.store.Search.Update(ctx, t.ID, t, nil) },
			func() error { return h.withdrawTweet(ctx, t) },
			func() error { return h.withdrawPost(ctx, t.ID, t, nil) },
			func() error { return h.store.Counters.CleanUp(ctx, t.ID, t) },
			h.tells(func(out *delivery.Out) error { return out.Deleted(ctx, t, e.changed()) }),
		)
	}
	h.store.Trends.Tweet(ctx, t.ID, nil, t, e.changed())
	return all(count,
		func() error { return h.store.Timelines.Deliver(ctx, t) },
		func() error { return h.store.Search.Update(ctx, t.ID, nil, t) },
		func() error { return h.notifyTweet(ctx, t) },
		func() error { return h.store.Links.Want(ctx, t.Link()) },
		h.tells(func(out *delivery.Out) error { return out.Posted(ctx, t) }),
	)
}

// tweetEdited does what an edit causes. The edit's commit creates a revision with the versions before and after. The
// function counts gained and lost tags, updates previews, searches and trends, and moves the preview of a tweet to
// another audience partition. It notifies newly mentioned users and the users who shared the tweet.
func (h *handlers) tweetEdited(ctx context.Context, e *Event) error {
	r, err := document[model.Revision](e)
	if err != nil {
		return err
	}
	id, err := model.ParseTweetID(e.ParentID)
	if err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	before, after := r.Versions(id)
	if before == nil {
		return nil // the edit was handled when it updated its tweet
	}
	by, labels := model.TagDiff(before, after)
	return all(
		func() error {
			return h.store.Counters.CountTags(ctx, e.idempotencyRecord(), r.AuthorID, by, labels)
		},
		func() error { return h.updateTweet(ctx, e, id, before, after) },
		func() error { return h.notifyMentions(ctx, before, after) },
		func() error { return h.store.NotificationEvents.NotifyEdit(ctx, id, r) },
		func() error { return h.store.Links.Want(ctx, r.Change.Link) },
		h.tells(func(out *delivery.Out) error {
			return out.Edited(ctx, before, model.RevisionNumber(e.DocumentID))
		}),
	)
}

// quoteWithdrawn does what the withdrawal of a tweet from a quote causes. The quoted tweet loses a quote in its count,
// trends lose the usage, the previews of the quote say that it is withdrawn, and the notification of the quote leaves.
// The event of the quote's deletion counts no quote after that.
func (h *handlers) quoteWithdrawn(ctx context.Context, e *Event) error {
	w, err := document[model.QuoteWithdrawal](e)
	if err != nil {
		return err
	}
	id := model.TweetID(e.DocumentID)
	return all(
		func() error { return h.store.Counters.CountQuote(ctx, e.idempotencyRecord(), w.QuoteOf, -1) },
		func() error { return h.store.NotificationEvents.Withdraw(ctx, w.Quote(id).QuoteNotificationEvent()) },
		func() error {
			now, err := h.store.Tweets.TweetsNow(ctx, []model.TweetID{id})
			after := now[id]
			if err != nil || after == nil { // the event of the deletion does the rest
				return err
			}
			before := *after
			before.QuoteOf, before.QuoteOfAuthorID, before.WithdrawnQuote = w.QuoteOf, w.QuoteOfAuthorID, ""
			h.store.Trends.Tweet(ctx, id, &before, after, e.changed())
			return h.store.Previews.Update(ctx, id, &before, after)
		},
	)
}

// moderatorActed does what a moderator's act causes. A flag that was set or removed updates the previews, searches and
// trends of the tweet, and delivers a tweet that lost its flag. Other servers hear that a flagged tweet is gone, and
// which accounts are suspended. Other acts cause nothing.
func (h *handlers) moderatorActed(ctx context.Context, e *Event) error {
	act, err := document[model.Action](e)
	if err != nil {
		return err
	}
	switch act.Act {
	case model.ActFreeze, model.ActUnfreeze, model.ActSuspend, model.ActUnsuspend:
		return h.tells(func(out *delivery.Out) error { return out.StateChanged(ctx, act.UserID) })()
	case model.ActFlag, model.ActUnflag:
	default:
		return nil
	}
	t, err := h.store.Tweets.TweetsNow(ctx, []model.TweetID{act.TweetID})
	if err != nil {
		return err
	}
	if after := t[act.TweetID]; after != nil {
		before := *after
		before.IsViolative = act.Act == model.ActUnflag
		return all(
			func() error { return h.updateTweet(ctx, e, act.TweetID, &before, after) },
			h.tells(func(out *delivery.Out) error {
				if act.Act == model.ActUnflag || !after.IsViolative { // who deleted it takes it no more
					return nil
				}
				return out.Deleted(ctx, after, e.changed())
			}),
		)
	}
	// The deletion's event knows the flagged tweet, which has no preview. So the former previews go here.
	for _, audience := range []model.Audience{model.Public, model.Followers} {
		before := &model.Tweet{ID: act.TweetID, AuthorID: act.UserID, Visibility: audience}
		if err := h.updateTweet(ctx, e, act.TweetID, before, nil); err != nil {
			return err
		}
	}
	return nil
}

// updateTweet updates the previews, the search index and the trends after a tweet changed.
func (h *handlers) updateTweet(ctx context.Context, e *Event, id model.TweetID, before, after *model.Tweet) error {
	h.store.Trends.Tweet(ctx, id, before, after, e.changed())
	return all( // a tweet for fewer people must leave every partition, even if another part fails
		func() error { return h.store.Previews.Update(ctx, id, before, after) },
		func() error { return h.store.Search.Update(ctx, id, before, after) },
		func() error { return h.withdrawPost(ctx, id, before, after) },
	)
}

// all runs the parts of a function concurrently. Each part runs to its end even if another fails, and all errors are
// joined. Then the event comes again, and each part finds out what it has done already.
func all(parts ...func() error) error {
	failed := make([]error, len(parts))
	var g safely.Group
	for i, part := range parts {
		g.Go(func() error {
			failed[i] = safely.Do(part)
			return nil
		})
	}
	_ = g.Wait()
	return errors.Join(failed...)
}

// fetchLink fetches the page that a post links to, and writes its card. TweetChanged and TweetEdited create the work
// document, if there is no fresh card.
func (h *handlers) fetchLink(ctx context.Context, e *Event) error {
	if _, err := document[model.LinkFetch](e); err != nil {
		return err
	}
	return h.store.Links.Fetch(ctx, e.DocumentID)
}

// continueCleanUp removes the next part of the documents that depend on a deleted tweet.
func (h *handlers) continueCleanUp(ctx context.Context, e *Event) error {
	work, err := document[model.CleanUpWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Counters.ContinueCleanUp(ctx, *work)
}
