package profiles

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// PreviewOf is a preview with the id of its tweet.
type PreviewOf struct {
	ID model.TweetID
	model.TweetPreview
}

// TweetsBy lists an author's tweets for a viewer, newest first. If before is not empty,
// TweetsBy lists tweets that are older than before. next is empty at the end. Violative
// tweets are left out, and so are tweets for the mentioned alone. Tweets for followers are for
// the author, followers of the author, and who sees everything.
//
// Cost: 1 read for the first page, up to model.RecentTweets.
// Other pages cost 1 read a month with tweets that the page touches, and 1 read an
// overflow document. The last page costs 1 read more to see that there are no more
// tweets.
// A first page that lacks violative tweets costs 1 read, and what another page costs. So does one
// that is not full while all tweets of the author are new, or if there are none, see
// [model.UserRecent.Whole].
//
// For an author who has written for followers, a viewer with an account costs 1 read more,
// but not the author. Who gets these tweets costs 1 read more for each month with such tweets,
// and the first page 1 read more; a page has at most model.MaxJoinedPage tweets then.
func (r *Reader) TweetsBy(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID,
	limit int) (items []PreviewOf, next model.TweetID, err error) {
	defer errs.Wrap(&err, "profiles.TweetsBy(%q)", author)
	p, err := r.list(ctx, v, author, before, limit, 0)
	return p.Items, p.Next, err
}

// Page is a page of an author's tweets.
type Page struct {
	Items []PreviewOf
	Next  model.TweetID // where the next page begins, which need not be a tweet; empty at the end
	Reads int           // what the page cost
}

// TweetsWithin is [Reader.TweetsBy] for a page that shows more than these tweets. The page ends
// when it has cost so many reads, with fewer tweets than limit, or none.
//
// Cost: as TweetsBy, at most reads, and 2 more; and 1 for each overflow document whose tweets were all deleted.
func (r *Reader) TweetsWithin(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID, limit,
	reads int) (_ Page, err error) {
	defer errs.Wrap(&err, "profiles.TweetsWithin(%q)", author)
	return r.list(ctx, v, author, before, limit, reads)
}

// list reads a page that ends when it has cost so many reads; 0 is for any number.
func (r *Reader) list(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID, limit,
	reads int) (p Page, err error) {
	s := visibility{r: r, viewer: v, author: author}
	if before == "" && limit <= model.RecentTweets {
		var recent model.UserRecent
		if _, err := r.db.Get(ctx, r.db.UserRecent(author), &recent); err != nil {
			return p, err
		}
		followers, err := s.of(ctx, recent.Followers)
		if err != nil {
			return p, err
		}
		p.Reads = 1 + s.reads
		if !followers {
			for _, id := range model.Newest(recent.Tweets, 0) {
				if !recent.Tweets[id].IsViolative && r.filter.takes(recent.Tweets[id]) {
					p.Items = append(p.Items, PreviewOf{ID: id, TweetPreview: recent.Tweets[id]})
				}
			}
			switch all := recent.Whole(r.db.Now()); {
			case len(p.Items) > limit, len(p.Items) == limit && !all:
				p.Items = p.Items[:limit]
				p.Next = p.Items[limit-1].ID
				return p, nil
			case all:
				return p, nil
			}
			p.Items = nil // some of the newest tweets are not shown, or on their way, so the page needs more from the months
		}
	}
	spent := func(open monthPreviews) bool { return reads > 0 && p.Reads+open.reads() >= reads }
	q := r.db.Client.Collection(model.TweetMonths).Where("userId", "==", author).OrderBy("month", firestore.Desc)
	if before != "" {
		q = q.StartAt(before.Month())
	}
	months, looked := 0, 0
	p.Next = before // up to where the page has looked
	for q = q.Limit(1); ; {
		if r.filter != (Filter{}) && months == filterMonths || months > 0 && spent(nil) {
			return p, nil
		}
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return Page{}, err
		}
		if p.Reads++; len(snaps) == 0 {
			p.Next = ""
			return p, nil
		}
		var month model.TweetMonth
		if err := snaps[0].DataTo(&month); err != nil {
			return Page{}, err
		}
		month.ReadAt = snaps[0].ReadTime
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
		tweets, err := r.monthPreviews(ctx, &month, followers, before)
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

// Filter says which tweets of an author a list has. The zero Filter takes all.
type Filter struct {
	Roots bool   // no replies
	Media bool   // tweets with an image
	Tag   string // tweets with the tag; empty for all
}

// takes tells whether the list has a tweet.
func (f Filter) takes(c model.TweetPreview) bool {
	return (!f.Roots || c.ReplyTo == nil) && (!f.Media || c.HasMedia) && (f.Tag == "" || slices.Contains(c.Tags, f.Tag))
}

// A page of a filtered list looks at so many months, or at so many tweets, and then ends, with fewer tweets than
// asked for or none.
const (
	filterMonths = 12
	filterTweets = 1_200
)

// Only returns a reader whose TweetsBy lists those tweets alone that a filter takes. A page may
// then have fewer tweets than its limit, or none, and not be the last.
//
// Cost of a page: as for all tweets, with at most filterMonths months, and the overflow documents
// of filterTweets tweets: 35 reads if these are full.
func (r *Reader) Only(f Filter) *Reader {
	some := *r
	some.filter = f
	return &some
}

// visibility is whether a viewer sees an author's tweets for followers. It is asked when it
// matters, and once.
type visibility struct {
	r           *Reader
	viewer      model.Viewer
	author      model.UserID
	asked, sees bool
	reads       int // what it cost
}

// of tells whether the viewer sees tweets for followers, if there are any.
//
// Cost: 1 read the first time, for a viewer whose following decides.
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
