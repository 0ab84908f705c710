package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

// dormantFollowerAuthors is the largest number of authors on a dormant follower's first page. A reader may follow more
// authors. Then the page has the authors who wrote last when the reader became dormant, until the timeline is rebuilt.
const dormantFollowerAuthors = 200

// dormantFollowerItems is the largest number of items on a dormant follower's page.
const dormantFollowerItems = 20

// dormant returns a page for a reader whose home timeline is not kept up. It builds the page from the newest tweets of
// the reader and of up to dormantFollowerAuthors followed authors. It also enqueues [Rebuilder.Rebuild], and the
// rebuilt timeline brings the shares. If the caller passes an err, dormant returns that err unchanged.
//
// A user without a profile gets an empty page, and dormant writes nothing.
//
// Cost: 2 reads a followed author, up to 200, 2 reads a tweet, and at most 1 write.
func (r *Reader) dormant(ctx context.Context, uid model.UserID, k *positionPage, after, before model.Position,
	limit int, err error) ([]Item, model.Position, error) {
	if err != nil {
		return nil, "", err
	}
	// A user without a profile can follow nobody, and must not trigger a rebuild.
	if profiles, err := r.access.Users(ctx, []model.UserID{uid}); err != nil || profiles[uid] == nil {
		return nil, "", err
	}
	limit = min(limit, dormantFollowerItems)
	work := model.RebuildWork{UserID: uid, ExpireAt: r.db.WorkExpiry()}
	if _, err := r.db.Ask(ctx, r.db.Doc(model.Rebuilds, string(uid)), work); err != nil {
		return nil, "", err
	}
	page, err := r.dormantFollowerPage(ctx, uid, after, before)
	if err != nil {
		return nil, "", err
	}
	var items []Item
	asked, last := 0, before // how many tweets were read, and the last of them
	for more := true; more; {
		ids, err := page.take(ctx, limit-len(items))
		if err != nil {
			return nil, "", err
		}
		tweets, err := r.access.FreshTweets(ctx, ids)
		if err != nil {
			return nil, "", err
		}
		marks, err := r.access.ViewerState(ctx, uid, ids)
		if err != nil {
			return nil, "", err
		}
		shown, err := visibility.InPartitions(ctx, r.db, uid, nil, ids, tweets)
		if err != nil {
			return nil, "", err
		}
		for _, id := range shown {
			if k.Passed(mergedItem{Position: id.Position()}) {
				continue
			}
			items = append(items, Item{Seen: access.Seen{ID: id, Tweet: tweets[id], ViewerState: marks[id]},
				Position: id.Position()})
		}
		if more = len(ids) > 0 && len(items) < limit; len(ids) > 0 {
			asked, last = asked+len(ids), ids[len(ids)-1].Position()
		}
		if more && asked >= limit+goneOnPage {
			return items, last, nil
		}
	}
	if len(items) < limit {
		return items, "", nil
	}
	next, err := page.take(ctx, 1)
	if err != nil || len(next) == 0 {
		return items, "", err
	}
	return items, items[limit-1].Position, nil
}

// dormantFollowerPage returns the tweets of a dormant follower's page one by one, newest first.
type dormantFollowerPage struct {
	*Reader
	uid     model.UserID
	after   model.Position // the page ends before this position; empty for none
	before  model.Position // the page begins after this position; empty for the first page
	oldest  time.Time      // when the window begins
	authors map[model.UserID]*dormantFollowerAuthor
}

// dormantFollowerAuthor holds a page's data about one author's tweets.
type dormantFollowerAuthor struct {
	ids   []model.TweetID // newest first
	given int             // how many of ids were returned
	all   bool            // ids has all tweets in the window, not only the newest
	asked bool            // rel was read
	rel   *model.Relationship
}

// dormantFollowerPage starts a page.
func (r *Reader) dormantFollowerPage(ctx context.Context, uid model.UserID, after,
	before model.Position) (*dormantFollowerPage, error) {
	followed, err := followedDormant(ctx, r.db, r.graph, uid, dormantFollowerAuthors)
	if err != nil {
		return nil, err
	}
	heads, err := r.previews.Heads(ctx, append(followed, uid))
	if err != nil {
		return nil, err
	}
	p := &dormantFollowerPage{Reader: r, uid: uid, after: after, before: before,
		authors: map[model.UserID]*dormantFollowerAuthor{}}
	p.oldest, _ = r.db.HomeWindow()
	for author, head := range heads {
		// The page does not use [model.Head.Ends], which would cost two reads for each author who has just begun to write.
		// The rebuilt timeline soon brings tweets that the head does not have yet.
		a := &dormantFollowerAuthor{ids: head.Posts(), all: head.Reaches(p.oldest)}
		a.pass(before)
		p.authors[author] = a
	}
	return p, nil
}

// pass skips the tweets that are not older than before. If before is empty, pass skips nothing.
func (a *dormantFollowerAuthor) pass(before model.Position) {
	for a.given < len(a.ids) && before != "" && a.ids[a.given].Position().Compare(before) >= 0 {
		a.given++
	}
}

// take returns up to n tweets that the reader sees. Of each author it takes all tweets since the follow, and the newest
// RecentTweets from before the follow. Some of the tweets may be gone.
func (p *dormantFollowerPage) take(ctx context.Context, n int) (ids []model.TweetID, err error) {
	for len(ids) < n {
		if err := p.readOn(ctx); err != nil {
			return nil, err
		}
		var author model.UserID
		var newest model.TweetID
		for uid, a := range p.authors {
			if a.given < len(a.ids) && (newest == "" || a.ids[a.given].Compare(newest) > 0) {
				author, newest = uid, a.ids[a.given]
			}
		}
		if newest == "" || newest.Time().Before(p.oldest) || p.after != "" && newest.Position().Compare(p.after) <= 0 {
			return ids, nil
		}
		a := p.authors[author]
		shown, err := p.shows(ctx, author, a)
		if err != nil {
			return nil, err
		}
		if a.given++; shown {
			ids = append(ids, newest)
		}
	}
	return ids, nil
}

// monthsAtOnce is the number of authors whose months a dormant follower's page reads side by side. A page far down
// needs the months of nearly every author.
const monthsAtOnce = 16

// readOn reads all tweets of each author whose newest tweets the page has used up.
//
// Cost: the cost of readAll for each of these authors.
func (p *dormantFollowerPage) readOn(ctx context.Context) error {
	g, ctx := safely.WithContext(ctx)
	g.SetLimit(monthsAtOnce)
	for uid, a := range p.authors {
		if a.given == len(a.ids) && !a.all {
			g.Go(func() error { return p.readAll(ctx, uid, a) })
		}
	}
	return g.Wait()
}

// readAll reads all tweets of an author in the window.
//
// Cost: the cost of [profiles.Reader.Window].
func (p *dormantFollowerPage) readAll(ctx context.Context, author model.UserID, a *dormantFollowerAuthor) error {
	all, _, err := p.previews.Window(ctx, author, p.oldest)
	if err != nil {
		return err
	}
	last := p.before
	if a.given > 0 {
		last = a.ids[a.given-1].Position()
	}
	a.ids, a.given, a.all = model.Newest(all, 0), 0, true
	a.pass(last)
	a.pass(p.before)
	return nil
}

// shows reports whether the reader sees the author's next tweet. An author whom the reader no longer follows has no
// tweets on the page.
//
// Cost: 1 read for the author's first tweet.
func (p *dormantFollowerPage) shows(ctx context.Context, author model.UserID, a *dormantFollowerAuthor) (bool, error) {
	if author == p.uid {
		return true, nil
	}
	if !a.asked {
		rel, err := p.graph.Relationship(ctx, p.uid, author)
		if err != nil && errs.KindOf(err) != errs.NotFound {
			return false, err
		}
		a.asked, a.rel = true, rel
	}
	if a.rel == nil {
		a.given, a.all = len(a.ids)-1, true
		return false, nil
	}
	if !a.ids[a.given].Time().Before(a.rel.CreatedAt) {
		return true, nil
	}
	since := 0
	for since < a.given && !a.ids[since].Time().Before(a.rel.CreatedAt) {
		since++
	}
	return a.given-since < model.RecentTweets, nil
}
