package timelines

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// goneOnPage is the number of entries without a tweet to show that a page skips. The tweet of such an entry is gone, or
// stands at a newer position. A page with more of these entries is shorter, and the next page begins after them.
const goneOnPage = 20

// passedOnPage is the number of positions that a page skips because earlier pages have shown their tweets. A skipped
// position costs only the read of its overflow document. A page with more of these positions is shorter, too.
const passedOnPage = 150

// Home returns one page of a reader's home timeline, newest first. from is the cursor of the page, and empty for the
// first page. If after is not empty, the page has only tweets newer than that position. next is empty at the end.
// newest is the newest position at which Home looked, also if it shows nothing there, and after if there is none. A
// client passes it as the next after. So Home looks once at a tweet that it does not show.
//
// Home does not return tweets that arrive late with a position older than after. A late function or a new follow can
// bring them.
//
// A tweet that followed users share stands at the position of the newest share. It stands at no other position on all
// pages that follow each other by next, see [Cursor].
//
// Home leaves out whom the reader mutes, tweets that a filter hides, and what members of the reader's exclusive lists
// write and share. Another user's share of a member's tweet stays. Users with a block between them and the reader
// do not follow each other, and tweets of one are not shown to the other as shares.
//
// Home also returns what the followed tags have: of each tag the newest [model.FollowedTagTweets] public tweets of the
// last [model.FollowedTagWindow], by authors who are not locked, and at most [model.FollowedTagTweetsOf] by one author.
// A tweet that is there by its author, too, comes once. Another process, and this one after its next look, may have
// newer tweets of a tag: such a tweet shows where its time is, so not on a page that asks for newer ones. Without an
// answer about a tag, a page has the tweets that the process knows.
//
// Home also returns the reader's own tweets like the tweets of a followed author. It does not return the reader's own
// shares.
//
// Cost: 2 reads, and none if after is not empty and nothing is newer. 1 read a followed author or tweet that is not
// cached, and the cost of [tagLists.Get]; for the process 1 read a changed head or tweet, at least 1. Beyond the heads
// 1 read for each author and month, and 2 more with posts for followers and shares.
func (r *Reader) Home(ctx context.Context, uid model.UserID, after model.Position, from Cursor,
	limit int) (items []Item, next Cursor, newest model.Position, err error) {
	defer errs.Wrap(&err, "timelines.Home(%q)", uid)
	before, shown := from.cut()
	if after != "" && before == "" {
		if quiet, err := r.quiet(ctx, uid, after); err != nil || quiet {
			return nil, "", after, err
		}
	}
	k := newPositionPage(before, shown)
	items, end, err := r.home(ctx, uid, k, after, before, limit)
	newest = cmp.Or(k.first, after)
	if err != nil || end == "" {
		return items, "", newest, err
	}
	return items, cursor(end, k.Memory(items, end)), newest, nil
}

// home is [Reader.Home] with the cursor already split. end is the position at which the page ended.
func (r *Reader) home(ctx context.Context, uid model.UserID, k *positionPage, after, before model.Position,
	limit int) (items []Item, end model.Position, err error) {
	if err := r.enqueueSweep(ctx); err != nil {
		return nil, "", err
	}
	reactions, err := r.reader(ctx, uid, k)
	if err != nil {
		return nil, "", err
	}
	k.beQuiet(uid, r.db.Now())
	if !k.whole() {
		limit = min(limit, model.MaxPartialPage)
	}
	m, err := r.mergeOf(ctx, uid, k, before, monthsMost)
	if err != nil {
		return nil, "", err
	}
	var asked, passed int   // how many positions were read, and how many skipped
	var last model.Position // the last of these positions
	for {
		// Home skips positions that show nothing, and fills the page up with the next ones.
		var some []mergedItem
		for len(items)+len(some) < limit && asked+len(some) < limit+goneOnPage && passed < passedOnPage &&
			k.Room(asked+len(items)+2*len(some)) {
			p, ok, err := m.Next(ctx)
			if err != nil {
				return nil, "", err
			}
			if !ok || after != "" && p.Position.Compare(after) <= 0 {
				break
			}
			if k.first == "" {
				k.first = p.Position
			}
			if last = p.Position; k.Passed(p) {
				passed++
				continue
			}
			some = append(some, p)
			k.Look(p)
		}
		if len(some) == 0 {
			break
		}
		asked += len(some)
		shown, err := r.positions.Show(ctx, uid, k, reactions, some)
		if err != nil {
			return nil, "", err
		}
		items = append(items, shown...)
	}
	stopped := asked >= limit+goneOnPage || passed >= passedOnPage || !k.Room(asked+len(items))
	switch {
	case len(items) < limit && stopped && last != "":
		return items, last, nil
	case len(items) < limit:
		return items, m.goesOn(after), nil
	}
	p, more, err := m.Next(ctx)
	for ; err == nil && more && passed < passedOnPage && k.Passed(p); p, more, err = m.Next(ctx) {
		passed++
	}
	if err != nil || more && (after == "" || p.Position.Compare(after) > 0) || m.goesOn(after) != "" {
		return items, items[limit-1].Position, err
	}
	return items, "", nil
}

// reader reads what a page needs of its reader: the graph, and the reactions of this month, which most tweets of a page
// are from.
//
// Cost: 2 reads, in one round trip; without a graph the cost of [viewers.Store.Complete].
func (r *Reader) reader(ctx context.Context, uid model.UserID, k *positionPage) (*model.ReactionMonth, error) {
	month := model.MonthOf(r.db.Now())
	var l db.Lookup
	graph := db.Find[model.ViewerGraph](&l, r.db.Viewer(uid))
	reactions := db.Find[model.ReactionMonth](&l, r.db.ReactionMonth(uid, month))
	if err := r.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	reactions.Doc.Month = month
	var err error
	if k.viewer, err = r.viewers.Complete(ctx, uid, &graph.Doc); err != nil {
		return nil, err
	}
	k.excluded = k.viewer.Excluded()
	r.graphs.Put(uid, k.viewer)
	viewers.Note(ctx, uid, k.viewer)
	return &reactions.Doc, nil
}

// mergeOf merges the posts and shares of the reader and of the followed users, and the tweets of followed tags, that
// are older than before, or all if before is empty. It opens the months of at most most authors, or of any number if
// most is 0.
//
// Cost: 1 read for each head that is not cached, and that of [Reader.tagListsOf].
func (r *Reader) mergeOf(ctx context.Context, uid model.UserID, k *positionPage, before model.Position,
	most int) (*merge, error) {
	hides := func(author model.UserID) bool { return k.excluded[author] && author != uid || k.quiet.Hides(author) }
	authors := append(slices.DeleteFunc(slices.Collect(maps.Keys(k.viewer.Follows)), hides), uid)
	var heads map[model.UserID]*head
	var lists map[string]*tagList
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) { heads, err = r.heads.Get(side, authors); return err })
	g.Go(func() (err error) { lists, err = r.tagListsOf(side, k); return err })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	oldest, _ := r.db.HomeWindow()
	all := make([]*stream, 0, len(heads)+len(lists))
	for author, h := range heads {
		all = append(all, newStream(author, author == uid, k.viewer.Follows[author], h, before, oldest))
		if author != uid && len(h.shares) > 0 {
			k.sharers[author] = h.shares
		}
	}
	all = append(all, tagStreams(lists, before, r.db.Now().Add(-model.FollowedTagWindow), hides)...)
	return r.newMerge(ctx, all, k, most)
}

// tagListsOf returns the lists of the tags that the reader of a page follows. A page that shows everything, of an
// audit, gets them as they are now.
//
// Cost: that of [tagLists.Get], or of [tagLists.Now].
func (r *Reader) tagListsOf(ctx context.Context, k *positionPage) (map[string]*tagList, error) {
	tags := slices.Sorted(maps.Keys(k.viewer.FollowedTags))
	if k.quiet == nil {
		return r.tags.Now(ctx, tags)
	}
	return r.tags.Get(ctx, tags), nil
}

// sweepHour remembers the last hour in which this process enqueued the day's sweep. The process enqueues the sweep
// every hour, because the event of a sweep may be lost.
type sweepHour struct {
	mu   sync.Mutex
	hour string
}

// enqueueSweep enqueues the sweep at the first home page of a day. So the sweep needs no scheduler.
//
// Cost: 1 write a day in the first process; 1 read an hour in every other process.
func (r *Reader) enqueueSweep(ctx context.Context) error {
	hour := r.db.Time().Format("2006-01-02 15")
	r.swept.mu.Lock()
	asked := r.swept.hour == hour
	r.swept.mu.Unlock()
	if asked {
		return nil
	}
	err := r.db.EnqueueSweep(ctx)
	if err == nil {
		r.swept.mu.Lock()
		r.swept.hour = hour
		r.swept.mu.Unlock()
	}
	return err
}
