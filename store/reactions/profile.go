package reactions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/profiles"
)

// ShareEntry is a tweet in the list of a user's tweets and shares.
type ShareEntry struct {
	Own      profiles.PreviewOf // a tweet by the user, unless Shared is set
	Shared   *model.Tweet       // a tweet that the user shares
	SharedAt time.Time

	shared   model.TweetID // the tweet of a share, which the page has yet to read
	author   model.UserID  // of that tweet
	textless bool          // the tweet by the user has yet to be read
	end      model.Cursor  // start of a page that continues after the entry
}

// unread returns the tweet that the page has to read for the entry, or an empty id.
func (e ShareEntry) unread() model.TweetID {
	if e.textless {
		return e.Own.ID
	}
	return e.shared
}

// ID returns the id of the tweet that the entry shows.
func (e ShareEntry) ID() model.TweetID {
	if e.Shared != nil {
		return e.Shared.ID
	}
	return e.Own.ID
}

// A page of a profile ends before it costs more than profileReads. The part with the user's own tweets ends once it has
// cost previewReads.
const (
	profileReads = 40
	previewReads = 10
)

// Profile returns a user's tweets and shares, newest first. A tweet has its own time, and a share the time of the
// share. Profile takes the page from the user's head. If the head does not reach to the end of the page, Profile merges
// the user's months with a query for the shares between the tweets of the page. If the user shares an own tweet, the
// tweet is listed only at its own time.
//
// As on a home timeline, a share shows only tweets that everybody may see. A viewer who hides the user's shares gets no
// shares, and a viewer who mutes the user gets all. A viewer gets no share of a tweet whose author the viewer mutes, or
// if one of the two blocks the other. On the viewer's own profile mutes hide nothing.
// A block by the author counts up to some seconds late. A page may have fewer entries than limit or none, even if it is
// not the last.
//
// Beyond the head a page has at most 18 shares, and 10 for a viewer with an account.
//
// Cost: 1 read; with shares or posts for followers 1 read more, and 1 read for each of these that is not cached. Beyond
// the head also [profiles.Reader.TweetsBy], at most 12 reads, 1 read, and about 2 reads a share. At most 39 reads.
func (s *Shares) Profile(ctx context.Context, v model.Viewer, uid model.UserID, from model.Cursor,
	limit int) (page model.Page[ShareEntry], err error) {
	defer errs.Wrap(&err, "reactions.Profile(%q)", uid)
	rights := &profileRights{s: s, viewer: v, uid: uid}
	if from.Count != belowHead {
		head, _, err := s.previews.Head(ctx, uid)
		if err != nil {
			return page, err
		}
		if page, ok, err := s.ofHead(ctx, rights, head, from, limit); err != nil || ok {
			return page, err
		}
	}
	if page, err = s.ofMonths(ctx, rights, from, limit); !page.Next.IsZero() {
		page.Next.Count = belowHead
	}
	return page, err
}

// belowHead is the count in the cursor of a page that begins below the user's head, as far as the last page knew.
const belowHead = 1

// ofMonths returns a page from the user's months and shares.
func (s *Shares) ofMonths(ctx context.Context, r *profileRights, from model.Cursor,
	limit int) (page model.Page[ShareEntry], err error) {
	own, err := s.previews.TweetsWithin(ctx, r.viewer, r.uid, tweetsAfter(from), limit, previewReads)
	if err != nil {
		return page, err
	}
	if own.Next != "" {
		page.Next = endOf(own.Next)
	}
	shared, err := s.sharedBetween(ctx, r.uid, from, page.Next, min(limit, mostShares(r.viewer, own.Reads)))
	if err != nil {
		return page, err
	}
	if !shared.Next.IsZero() { // tweets from before the last of these shares are for later pages
		page.Next = shared.Next
	}
	entries, err := s.shownTo(ctx, r, shared.Items)
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
	page.Items, err = s.read(ctx, r.uid, entries)
	return page, err
}

// mostShares returns the number of shares for which a page has reads left. A share costs two reads: the share and its
// tweet. Two more reads are the head and the sharer. For a viewer with an account a share costs a third read, a mute
// that does not hide it, and the page the viewer's graph, two queries that find no blocks, and two reads of what the
// viewer mutes of the sharer.
func mostShares(v model.Viewer, reads int) int {
	if v.Account() == "" {
		return max(1, (profileReads-2-reads)/2)
	}
	return max(1, (profileReads-7-reads)/3)
}

// endOf returns the cursor of a page that continues after a tweet, with earlier shares and older tweets.
func endOf(id model.TweetID) model.Cursor { return model.Cursor{At: id.Time(), ID: string(id)} }

// endOfShare returns the cursor of a page that continues after a user's share.
func endOfShare(uid model.UserID, id model.TweetID, at time.Time) model.Cursor {
	return model.Cursor{At: at, ID: model.ReactionKey(uid, id)}
}

// isShare reports whether a page continues after a share. The key of a share has an underscore.
func isShare(from model.Cursor) bool { return strings.Contains(from.ID, "_") }

// tweetsAfter returns the id before which the user's own tweets continue. A tweet with the same time as a share comes
// after the share.
func tweetsAfter(from model.Cursor) model.TweetID {
	if isShare(from) {
		return model.OldestAt(from.At.Add(time.Millisecond))
	}
	return model.TweetID(from.ID)
}

// sharedBetween returns shares from one position to another, or to the end if to is zero.
//
// Cost: 1 read for each, at least 1.
func (s *Shares) sharedBetween(ctx context.Context, uid model.UserID, from, to model.Cursor,
	limit int) (model.Page[model.Share], error) {
	q := s.db.Client.Collection(model.Shares).Where(fields.UserID, "==", uid)
	if !from.IsZero() && !isShare(from) {
		q, from = q.Where(fields.CreatedAt, "<", from.At), model.Cursor{}
	}
	if !to.IsZero() {
		q = q.Where(fields.CreatedAt, ">=", to.At)
	}
	return s.list(ctx, q, from, limit)
}

// shownTo returns the shares of a user that a viewer may find on a profile, as far as mutes and blocks decide.
//
// Cost: nothing without an account or shares; otherwise 1 read. Without the viewer's graph also 1 read, and the cost of
// [viewers.Store.QuietBy].
func (s *Shares) shownTo(ctx context.Context, r *profileRights, shares []model.Share) (shown []ShareEntry, err error) {
	viewer := r.viewer.Account()
	for _, l := range shares {
		if l.AuthorID == r.uid {
			continue
		}
		shown = append(shown, ShareEntry{shared: l.TweetID, author: l.AuthorID, SharedAt: l.CreatedAt,
			end: endOfShare(r.uid, l.TweetID, l.CreatedAt)})
	}
	if viewer == "" || len(shown) == 0 {
		return shown, nil
	}
	switch whole, err := r.whole(ctx); {
	case err != nil:
		return nil, err
	case whole:
		return slices.DeleteFunc(shown, func(e ShareEntry) bool { return !r.share(e.author) }), nil
	}
	others, quietBy := []model.UserID{r.uid}, s.viewers.QuietBy
	if viewer == r.uid {
		quietBy = s.viewers.BlocksBy
	} else if hidden, err := s.viewers.HidesShares(ctx, viewer, r.uid); err != nil || hidden {
		return nil, err
	}
	for _, e := range shown {
		others = append(others, e.author)
	}
	quiet, err := quietBy(ctx, viewer, r.graph, others)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(shown, func(e ShareEntry) bool { return quiet.HidesShareOf(r.uid, e.author) }), nil
}

// read adds the tweets to the shares and to the posts for followers of a page. It drops a share if the tweet is gone,
// or if not everybody may see the tweet. It drops a post that is gone, or that is for followers no longer.
//
// Cost: 1 read for each tweet that is not cached.
func (s *Shares) read(ctx context.Context, uid model.UserID, entries []ShareEntry) ([]ShareEntry, error) {
	var ids []model.TweetID
	for _, e := range entries {
		if id := e.unread(); id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return entries, nil
	}
	tweets, err := s.access.FreshTweets(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown := entries[:0]
	for _, e := range entries {
		id := e.unread()
		t := tweets[id]
		switch {
		case id == "":
		case t == nil || t.AudiencePartition() == model.NoAudiencePartition:
			continue
		case e.shared == "" && t.AuthorID == uid:
			e.Own.TweetPreview = t.Preview()
		case e.shared != "" && t.AudiencePartition() == model.OpenAudiencePartition:
			e.Shared = t
		default:
			continue
		}
		shown = append(shown, e)
	}
	return shown, nil
}
