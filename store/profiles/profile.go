package profiles

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// PreviewOf is a preview with the id of its tweet.
type PreviewOf struct {
	ID model.TweetID
	model.TweetPreview
}

// TweetsBy returns an author's tweets for a viewer, newest first. If before is not empty, all of them are older than
// before. next is empty at the end. TweetsBy leaves out violative tweets and tweets for the mentioned alone. Only the
// author, the author's followers and viewers who see everything get tweets for followers. A page with tweets for
// followers has at most model.MaxJoinedPage tweets.
//
// Cost: 1 read for a full first page; otherwise 1 read a month and overflow document, twice for followers.
func (r *Reader) TweetsBy(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID,
	limit int) (items []PreviewOf, next model.TweetID, err error) {
	defer errs.Wrap(&err, "profiles.TweetsBy(%q)", author)
	p, err := r.list(ctx, v, author, before, limit, 0)
	return p.Items, p.Next, err
}

// Page is a page of an author's tweets.
type Page struct {
	Items []PreviewOf
	Next  model.TweetID // start of the next page, which need not be a tweet; empty at the end
	Reads int           // cost of the page
}

// TweetsWithin is [Reader.TweetsBy] for a page that also shows other items. It reads no head. The page ends once its
// cost reaches reads. It may then have fewer tweets than limit or none.
//
// Cost: as TweetsBy, at most reads and 2 more; 1 for each overflow document with only deleted tweets.
func (r *Reader) TweetsWithin(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID, limit,
	reads int) (_ Page, err error) {
	defer errs.Wrap(&err, "profiles.TweetsWithin(%q)", author)
	return r.list(ctx, v, author, before, limit, reads)
}

// list reads a page that ends once it has cost that many reads; 0 means no limit.
func (r *Reader) list(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID, limit,
	reads int) (p Page, err error) {
	s := visibility{r: r, viewer: v, author: author}
	if reads == 0 && before == "" && limit <= model.HeadItems {
		h, _, err := r.Head(ctx, author)
		if err != nil {
			return p, err
		}
		followers, err := s.of(ctx, len(h.ForFollowers) > 0)
		if err != nil {
			return p, err
		}
		p.Reads = 1 + s.reads
		if !followers { // the head has no previews for followers
			for _, id := range model.Newest(h.Tweets, 0) {
				if !h.Tweets[id].IsViolative && r.filter.takes(h.Tweets[id]) {
					p.Items = append(p.Items, PreviewOf{ID: id, TweetPreview: h.Tweets[id]})
				}
			}
			switch all := h.Ends(r.db.Now()); {
			case len(p.Items) > limit, len(p.Items) == limit && !all:
				p.Items = p.Items[:limit]
				p.Next = p.Items[limit-1].ID
				return p, nil
			case all:
				return p, nil
			}
			p.Items = nil // some newest tweets are hidden or not written yet, so the page needs the months
		}
	}
	spent := func(open monthPreviews) bool { return reads > 0 && p.Reads+open.reads() >= reads }
	q := r.db.Client.Collection(model.TweetMonths).Where(fields.UserID, "==", author).OrderBy(fields.Month, firestore.Desc)
	if before != "" {
		q = q.StartAt(before.Month())
	}
	months, looked := 0, 0
	p.Next = before // the end of what the page has read
	for {
		if r.filter != (Filter{}) && months == filterMonths || months > 0 && spent(nil) {
			return p, nil
		}
		found, err := db.First[model.TweetMonth](ctx, q)
		if err != nil {
			return Page{}, err
		}
		if p.Reads++; !found.Found {
			p.Next = ""
			return p, nil
		}
		month := &found.Doc
		month.ReadAt = found.Snap.ReadTime
		asked := s.reads
		followers, err := s.of(ctx, month.Followers)
		if err != nil {
			return Page{}, err
		}
		p.Reads += s.reads - asked
		if followers { // each month costs twice as much
			p.Reads++
			limit = max(len(p.Items), min(limit, model.MaxJoinedPage)) // the page has items of other months already
		}
		tweets, err := r.monthPreviews(ctx, month, followers, before.Position())
		if err != nil {
			return Page{}, err
		}
		for {
			if looked > 0 && spent(tweets) {
				p.Reads += tweets.reads()
				return p, nil
			}
			c, ok, err := tweets.next(ctx)
			if err != nil {
				return Page{}, err
			}
			if !ok {
				break
			}
			full := len(p.Items) == limit && !c.IsViolative
			if full {
				p.Next = p.Items[limit-1].ID
			}
			if full || r.filter != (Filter{}) && looked == filterTweets {
				p.Reads += tweets.reads()
				return p, nil
			}
			looked, p.Next = looked+1, c.ID
			if c.IsViolative || !r.filter.takes(c.TweetPreview) {
				continue
			}
			p.Items = append(p.Items, c)
		}
		p.Reads += tweets.reads()
		if len(p.Items) == limit {
			p.Next = p.Items[limit-1].ID
			return p, nil
		}
		months, p.Next = months+1, month.Month.Oldest()
		q = q.StartAfter(month.Month)
	}
}

// Filter selects the tweets of a list. The zero Filter selects all.
type Filter struct {
	Roots bool   // no replies
	Media bool   // tweets with an image
	Tag   string // tweets with the tag; empty for all
}

// takes reports whether the filter selects a tweet.
func (f Filter) takes(c model.TweetPreview) bool {
	return (!f.Roots || c.ReplyTo == nil) && (!f.Media || c.HasMedia) && (f.Tag == "" || slices.Contains(c.Tags, f.Tag))
}

// A page of a filtered list reads at most filterMonths months and filterTweets tweets. Then it ends and may have fewer
// tweets than requested or none.
const (
	filterMonths = 12
	filterTweets = 1_200
)

// Only returns a Reader whose TweetsBy returns only the tweets that a filter selects. A page may then have fewer tweets
// than its limit or none, even if it is not the last.
//
// Cost: a page costs at most filterMonths months and the overflow documents of filterTweets tweets: 35 reads.
func (r *Reader) Only(f Filter) *Reader {
	some := *r
	some.filter = f
	return &some
}

// visibility says whether a viewer sees an author's tweets for followers. It reads the answer when the page first needs
// it.
type visibility struct {
	r           *Reader
	viewer      model.Viewer
	author      model.UserID
	asked, sees bool
	reads       int // reads made so far
}

// of reports whether the viewer sees tweets for followers. If any is false, there are no such tweets and of reads
// nothing.
//
// Cost: 1 read the first time, if the answer depends on whether the viewer follows the author.
func (s *visibility) of(ctx context.Context, some bool) (bool, error) {
	if !some {
		return false, nil
	}
	if !s.asked {
		t := &model.Tweet{AuthorID: s.author, Visibility: model.Followers}
		s.asked, s.sees = true, model.Visible(s.viewer, t, model.ViewerRelationship{})
		if model.FollowDecides(s.viewer, t) {
			var err error
			s.reads++
			if s.sees, err = s.r.db.Get(ctx, s.r.db.Relationship(s.viewer.ID, s.author), nil); err != nil {
				return false, err
			}
		}
	}
	return s.sees, nil
}
