package timelines

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// asleep answers a reader whose home timeline is not kept up. It makes the page from the
// tweets of the authors whom the reader follows, and asks Wake to rebuild the timeline. An
// err that the caller hands in comes back as it is.
//
// Cost: at most 1 write, and what followed costs. 1 read for 30 authors, about 1 read a
// tweet of the page, 1 read an author on the page, and what [facts.Store.Liked] costs. A
// tweet from before its author was followed costs 1 read more.
func (r *Reader) asleep(ctx context.Context, uid model.UserID, before model.TweetID, limit int, err error) ([]facts.Seen, model.TweetID, error) {
	if err != nil {
		return nil, "", err
	}
	work := model.WakeWork{UserID: uid, ExpireAt: r.db.WorkExpiry()}
	if _, err := r.db.Ask(ctx, r.db.Doc(model.Wakes, string(uid)), work); err != nil {
		return nil, "", err
	}
	authors, err := r.followed(ctx, uid)
	if err != nil {
		return nil, "", err
	}
	page := sleeperPage{reader: r, uid: uid, before: before, tweets: r.facts.TweetsOf(authors, before), rels: map[model.UserID]*model.Relationship{}}
	page.oldest, _ = r.db.HomeWindow()
	var items []facts.Seen
	var last model.TweetID // of those that were looked at
	for looked := 0; len(items) < limit; {
		if looked >= looksPerItem*limit {
			return items, last, r.like(ctx, uid, items)
		}
		tweets, visible, err := page.next(ctx, limit-len(items))
		if err != nil {
			return nil, "", err
		}
		if len(tweets) == 0 {
			return items, "", r.like(ctx, uid, items)
		}
		looked, last = looked+len(tweets), tweets[len(tweets)-1].ID
		for _, t := range visible {
			items = append(items, facts.Seen{ID: t.ID, Tweet: t})
		}
	}
	more, err := page.take(ctx, 1)
	if err != nil || more == nil || more.ID.Time().Before(page.oldest) {
		last = ""
	}
	if err == nil {
		err = r.like(ctx, uid, items)
	}
	return items, last, err
}

// looksPerItem bounds a page: it ends early if so many tweets for each place were not to be
// shown, as those of authors whom the reader has left.
const looksPerItem = 10

// sleeperPage is a home page while it is made from the authors' tweets.
type sleeperPage struct {
	reader *Reader
	uid    model.UserID
	before model.TweetID // the page begins after this tweet; empty for the first page
	tweets *facts.Newest
	same   []*model.Tweet                       // of one moment, in the order of a timeline, not taken yet
	ahead  *model.Tweet                         // the first of the moment before
	oldest time.Time                            // when the window begins
	rels   map[model.UserID]*model.Relationship // by author; nil for one whom the reader has left
}

// take takes the next tweet in the order of a home timeline; nil at the end. The database
// orders tweets of one moment by their ids as texts, and a timeline does not.
func (p *sleeperPage) take(ctx context.Context, needed int) (t *model.Tweet, err error) {
	for {
		if len(p.same) > 0 {
			t, p.same = p.same[0], p.same[1:]
			if p.before == "" || t.ID.Compare(p.before) < 0 {
				return t, nil
			}
			continue
		}
		if t, p.ahead = p.ahead, nil; t == nil {
			if t, err = p.tweets.Next(ctx, needed); t == nil || err != nil {
				return nil, err
			}
		}
		for p.same = []*model.Tweet{t}; ; p.same = append(p.same, p.ahead) {
			if p.ahead, err = p.tweets.Next(ctx, needed); err != nil {
				return nil, err
			}
			if p.ahead == nil || !p.ahead.CreatedAt.Equal(t.CreatedAt) {
				break
			}
		}
		slices.SortFunc(p.same, func(a, b *model.Tweet) int { return b.ID.Compare(a.ID) })
	}
}

// next takes up to n tweets, and tells which of them the reader sees: all since the follow,
// and the newest RecentTweets from before it.
func (p *sleeperPage) next(ctx context.Context, n int) (tweets, visible []*model.Tweet, err error) {
	var unknown []model.UserID
	for len(tweets) < n {
		t, err := p.take(ctx, n-len(tweets))
		if err != nil {
			return nil, nil, err
		}
		if t == nil || t.ID.Time().Before(p.oldest) {
			break
		}
		tweets = append(tweets, t)
		if _, known := p.rels[t.AuthorID]; !known {
			p.rels[t.AuthorID] = nil
			unknown = append(unknown, t.AuthorID)
		}
	}
	if len(unknown) > 0 {
		rels, err := p.reader.facts.Follows(ctx, p.uid, unknown)
		if err != nil {
			return nil, nil, err
		}
		for author, rel := range rels {
			p.rels[author] = rel
		}
	}
	for _, t := range tweets {
		rel := p.rels[t.AuthorID]
		if rel == nil || t.IsViolative {
			continue
		}
		if at := t.ID.Time(); at.Before(rel.CreatedAt) {
			newer, err := p.reader.facts.TweetsBetween(ctx, t.AuthorID, at, rel.CreatedAt)
			if err != nil {
				return nil, nil, err
			}
			if newer >= model.RecentTweets {
				continue
			}
		}
		visible = append(visible, t)
	}
	return tweets, visible, nil
}

// like notes which tweets of a page the reader likes.
//
// Cost: what [facts.Store.Liked] costs.
func (r *Reader) like(ctx context.Context, uid model.UserID, items []facts.Seen) error {
	ids := make([]model.TweetID, len(items))
	for i, item := range items {
		ids[i] = item.ID
	}
	liked, err := r.facts.Liked(ctx, uid, ids)
	for i, id := range ids {
		items[i].Liked = liked[id]
	}
	return err
}

// clocksApart is how far the clocks of two processes may be apart.
const clocksApart = time.Minute

// followed lists the authors whom a sleeper follows. Sleep left the list, so followed reads
// only the relationships that came since. The list may have authors whom the reader has
// left. Without the list, followed reads every relationship.
//
// Cost: 1 read, 1 read for up to 5,000 authors, and 1 read a relationship that came since,
// at least 1.
// Without the list: 1 read, and 1 read a relationship, at least 1.
func (r *Reader) followed(ctx context.Context, uid model.UserID) ([]model.UserID, error) {
	var s model.Sleeper
	if _, err := r.db.Get(ctx, r.db.Doc(model.Sleepers, string(uid)), &s); err != nil {
		return nil, err
	}
	refs := make([]*firestore.DocumentRef, s.Pages)
	for n := range refs {
		refs[n] = r.db.Doc(model.Sleepers, model.SleeperPageKey(uid, n))
	}
	var authors []model.UserID
	seen := map[model.UserID]bool{}
	add := func(author model.UserID) {
		if !seen[author] {
			seen[author] = true
			authors = append(authors, author)
		}
	}
	since := time.Unix(0, 0)
	if len(refs) > 0 {
		snaps, err := r.db.Client.GetAll(ctx, refs)
		if err != nil {
			return nil, err
		}
		since = s.Since.Add(-clocksApart)
		for _, snap := range snaps {
			var page model.SleeperPage
			if _, err := db.Decode(snap, nil)(&page); err != nil {
				return nil, err
			}
			for _, author := range page.Authors {
				add(author)
			}
		}
	}
	for from := (model.Cursor{}); ; {
		p, err := r.facts.FollowedSince(ctx, uid, since, from, 1_000)
		if err != nil {
			return nil, err
		}
		for _, rel := range p.Items {
			add(rel.FollowedID)
		}
		if from = p.Next; from.IsZero() {
			return authors, nil
		}
	}
}
