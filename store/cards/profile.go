package cards

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// CardOf is a card with the id of its tweet.
type CardOf struct {
	ID model.TweetID
	model.Card
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
// A first page that lacks violative tweets costs 1 read, and what another page costs.
//
// For an author who has written for followers, a viewer with an account costs 1 read more,
// but not the author. Who gets these tweets costs 1 read more for each month with such tweets,
// and the first page 1 read more; a page has at most model.MaxJoinedPage tweets then.
func (r *Reader) TweetsBy(ctx context.Context, v model.Viewer, author model.UserID, before model.TweetID, limit int) (items []CardOf, next model.TweetID, err error) {
	defer errs.Wrap(&err, "cards.TweetsBy(%q)", author)
	s := sight{r: r, viewer: v, author: author}
	if before == "" && limit <= model.RecentTweets {
		var recent model.UserRecent
		if _, err := r.db.Get(ctx, r.db.UserRecent(author), &recent); err != nil {
			return nil, "", err
		}
		followers, err := s.of(ctx, recent.Followers)
		if err != nil {
			return nil, "", err
		}
		if !followers {
			for _, id := range model.Newest(recent.Tweets, 0) {
				if !recent.Tweets[id].IsViolative && r.filter.takes(recent.Tweets[id]) {
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
	}
	q := r.db.Client.Collection(model.TweetMonths).Where("userId", "==", author).OrderBy("month", firestore.Desc)
	if before != "" {
		q = q.StartAt(before.Month())
	}
	months, looked, last := 0, 0, before
	for q = q.Limit(1); ; {
		if r.filter != (Filter{}) && months == filterMonths {
			return items, last, nil
		}
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return items, "", err
		}
		var month model.TweetMonth
		if err := snaps[0].DataTo(&month); err != nil {
			return nil, "", err
		}
		followers, err := s.of(ctx, month.Followers)
		if err != nil {
			return nil, "", err
		}
		if followers { // each month costs twice as much
			limit = max(len(items), min(limit, model.MaxJoinedPage)) // the page has items of other months already
		}
		tweets, err := r.monthCards(ctx, &month, followers, before)
		if err != nil {
			return nil, "", err
		}
		for first := true; ; first = false {
			c, ok, err := tweets.next(ctx)
			if err != nil {
				return nil, "", err
			}
			if !ok {
				break
			}
			if first { // a month without tweets would leave no place to go on from
				months++
			}
			if len(items) == limit && !c.IsViolative {
				return items, items[limit-1].ID, nil
			}
			if r.filter != (Filter{}) && looked == filterTweets {
				return items, last, nil
			}
			looked, last = looked+1, c.ID
			if c.IsViolative || !r.filter.takes(c.Card) {
				continue
			}
			items = append(items, c)
		}
		if len(items) == limit {
			return items, items[limit-1].ID, nil
		}
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
func (f Filter) takes(c model.Card) bool {
	return (!f.Roots || c.ReplyTo == nil) && (!f.Media || c.HasMedia) && (f.Tag == "" || slices.Contains(c.Tags, f.Tag))
}

// A page of a filtered list looks at so many months, or at so many tweets, and then ends, with fewer tweets than
// asked for or none.
const (
	filterMonths = 12
	filterTweets = 1_200
)

// Only returns a reader whose TweetsBy lists those tweets alone that a filter takes. A page may then have fewer tweets than
// its limit, or none, and not be the last.
//
// Cost of a page: as for all tweets, with at most filterMonths months, and the overflow documents of filterTweets tweets: 35
// reads if these are full.
func (r *Reader) Only(f Filter) *Reader {
	some := *r
	some.filter = f
	return &some
}

// sight is whether a viewer sees an author's tweets for followers. It is asked when it
// matters, and once.
type sight struct {
	r           *Reader
	viewer      model.Viewer
	author      model.UserID
	asked, sees bool
}

// of tells whether the viewer sees tweets for followers, if there are any.
//
// Cost: 1 read the first time, for a viewer whose following decides.
func (s *sight) of(ctx context.Context, any bool) (bool, error) {
	if !any {
		return false, nil
	}
	if !s.asked {
		t := &model.Tweet{AuthorID: s.author, Visibility: model.Followers}
		s.asked, s.sees = true, model.Visible(s.viewer, t, model.Ties{})
		if model.FollowDecides(s.viewer, t) {
			var err error
			if s.sees, err = s.r.db.Get(ctx, s.r.db.Relationship(s.viewer.ID, s.author), nil); err != nil {
				return false, err
			}
		}
	}
	return s.sees, nil
}
