package reactions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/profiles"
)

// ShareEntry is a tweet in the list of what a user writes and shares.
type ShareEntry struct {
	Own      profiles.PreviewOf // a tweet by the user, unless Shared is there
	Shared   *model.Tweet       // a tweet that the user shares
	SharedAt time.Time

	share *model.Like
	end   model.Cursor // where a page begins that goes on after the entry
}

// ID is the tweet that the entry shows.
func (e ShareEntry) ID() model.TweetID {
	if e.Shared != nil {
		return e.Shared.ID
	}
	return e.Own.ID
}

// A page of a profile ends when it may cost more than profileReads, and so does the part of it that the
// user wrote when that has cost previewReads.
const (
	profileReads = 40
	previewReads = 10
)

// Profile lists what a user writes and shares, newest first: a tweet at its own time, and a share at
// its time. It merges the user's months with a query for the shares that lie between the tweets of the
// page. A tweet that the user wrote and shares stands at its own time alone.
//
// As on a home timeline, a share shows what everybody may see. A viewer who hides what the user
// shares finds none, and none of tweets whose author blocks the viewer, or whom the viewer blocks.
// A page may have fewer entries than limit, or none, and not be the last.
//
// Cost: what [profiles.Reader.TweetsBy] costs, at most 12 reads, and 1 read.
// With n shares on the page, 1 read less, 1 read for each, and 1 for each tweet that is not cached; a viewer with an
// account 2 more for all, and at most 2 for each author instead of the author's tweets if one of
// the two blocks the other. So a page costs 39 reads at most, and has 19 shares at most; 12 for a
// viewer with an account.
func (s *Shares) Profile(ctx context.Context, v model.Viewer, uid model.UserID, from model.Cursor,
	limit int) (page model.Page[ShareEntry], err error) {
	defer errs.Wrap(&err, "reactions.Profile(%q)", uid)
	own, err := s.previews.TweetsWithin(ctx, v, uid, tweetsAfter(from), limit, previewReads)
	if err != nil {
		return page, err
	}
	if own.Next != "" {
		page.Next = endOf(own.Next)
	}
	shared, err := s.sharedBetween(ctx, uid, from, page.Next, min(limit, mostShares(v, own.Reads)))
	if err != nil {
		return page, err
	}
	if !shared.Next.IsZero() { // what the user wrote before the last of these shares is for later pages
		page.Next = shared.Next
	}
	entries, err := s.shownTo(ctx, v, uid, shared.Items)
	if err != nil {
		return page, err
	}
	for _, c := range own.Items {
		if shared.Next.IsZero() || c.ID.Time().After(shared.Next.At) {
			entries = append(entries, ShareEntry{Own: c, end: endOf(c.ID)})
		}
	}
	slices.SortStableFunc(entries, func(a, b ShareEntry) int { return b.end.At.Compare(a.end.At) }) // shares first
	if len(entries) > limit {
		entries = entries[:limit]
		page.Next = entries[limit-1].end
	}
	page.Items, err = s.read(ctx, entries)
	return page, err
}

// mostShares is how many shares a page has room for, beside what it has cost. A share costs a read
// and its tweet's, or those of two blocks. Besides there are the sharer, and for a viewer with an
// account whether the sharer is hidden, and a query for blocks that finds none.
func mostShares(v model.Viewer, reads int) int {
	if v.Account() == "" {
		return max(1, (profileReads-1-reads)/2)
	}
	return max(1, (profileReads-3-reads)/3)
}

// endOf is where a page begins that goes on after a tweet: shares from before it, and older tweets.
func endOf(id model.TweetID) model.Cursor { return model.Cursor{At: id.Time(), ID: string(id)} }

// isShare tells whether a page goes on after a share, whose key has an underscore.
func isShare(from model.Cursor) bool { return strings.Contains(from.ID, "_") }

// tweetsAfter is where the user's tweets go on. At the time of a share its tweets come after the share.
func tweetsAfter(from model.Cursor) model.TweetID {
	if isShare(from) {
		return model.OldestAt(from.At.Add(time.Millisecond))
	}
	return model.TweetID(from.ID)
}

// sharedBetween lists shares from a place on, as far as another, or to the end if that is zero.
//
// Cost: 1 read for each, at least 1.
func (s *Shares) sharedBetween(ctx context.Context, uid model.UserID, from, to model.Cursor,
	limit int) (model.Page[model.Like], error) {
	q := s.db.Client.Collection(model.Shares).Where("userId", "==", uid)
	if !from.IsZero() && !isShare(from) {
		q, from = q.Where("createdAt", "<", from.At), model.Cursor{}
	}
	if !to.IsZero() {
		q = q.Where("createdAt", ">=", to.At)
	}
	return s.list(ctx, q, from, limit)
}

// shownTo picks the shares of a user that a viewer may find on a profile, as far as people decide.
//
// Cost: nothing for a viewer without an account, or without shares of others' tweets. 1 read for whether the viewer
// hides the sharer, unless they are one; 1 for each block between the viewer and an author, at least 1.
func (s *Shares) shownTo(ctx context.Context, v model.Viewer, uid model.UserID,
	shares []model.Like) (shown []ShareEntry, err error) {
	viewer, keys := v.Account(), []string{}
	for _, l := range shares {
		if l.AuthorID == uid {
			continue
		}
		shown = append(shown, ShareEntry{share: &l, SharedAt: l.CreatedAt, end: model.Cursor{At: l.CreatedAt,
			ID: model.ReactionKey(uid, l.TweetID)}})
		if between := blocksBetween(viewer, l.AuthorID); l.AuthorID != viewer && !slices.Contains(keys, between[0]) {
			keys = append(keys, between[:]...)
		}
	}
	if viewer == "" || len(shown) == 0 {
		return shown, nil
	}
	var blocks map[string]bool
	var hidden bool
	g, ctx := safely.WithContext(ctx)
	g.Go(func() (err error) {
		blocks, err = s.db.There(ctx, model.Blocks, keys)
		return err
	})
	if viewer != uid {
		g.Go(func() (err error) {
			hidden, err = s.db.Get(ctx, s.db.MutedSharer(viewer, uid), nil)
			return err
		})
	}
	if err := g.Wait(); err != nil || hidden {
		return nil, err
	}
	return slices.DeleteFunc(shown, func(e ShareEntry) bool {
		between := blocksBetween(viewer, e.share.AuthorID)
		return blocks[between[0]] || blocks[between[1]]
	}), nil
}

// blocksBetween are the keys of the blocks between two users.
func blocksBetween(a, b model.UserID) [2]string {
	return [2]string{model.BlockKey(a, b), model.BlockKey(b, a)}
}

// read adds the tweets to the shares of a page. A share of a tweet that is gone is left out, and so is one of a tweet
// that not everybody may see.
//
// Cost: 1 read for each tweet that is not cached.
func (s *Shares) read(ctx context.Context, entries []ShareEntry) ([]ShareEntry, error) {
	var ids []model.TweetID
	for _, e := range entries {
		if e.share != nil {
			ids = append(ids, e.share.TweetID)
		}
	}
	if len(ids) == 0 {
		return entries, nil
	}
	tweets, err := s.facts.FreshTweets(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown := entries[:0]
	for _, e := range entries {
		if e.share != nil {
			if e.Shared = tweets[e.share.TweetID]; e.Shared == nil ||
				e.Shared.AudiencePartition() != model.OpenAudiencePartition {
				continue
			}
		}
		shown = append(shown, e)
	}
	return shown, nil
}
