// This file decides at which of its positions a home page shows a tweet.
//
// A home timeline may have a tweet at several positions: at its own time, and wherever followed users shared it. The
// pages of a walk show the tweet only at the newest of these positions. Pages come newest first, so this is the first
// position that shows the tweet. A page token carries the tweets that were shown at such positions to the next page,
// see [PositionMemory].
//
// At the moment of the page, the reader's document of the graph decides whether a share is shown: follows, mutes and
// blocks. A withdrawn share leaves its sharer's head, and the month, but not the month's overflow documents. So the
// page reads a share from a month. A reader with too many mutes and blocks for one document has only the follows there.
// Then the page reads the source documents.

package timelines

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

// positions decides for all pages of a process.
type positions struct {
	db      *db.DB
	access  *access.Store
	viewers *viewers.Store
	answers readcache.Values[question, answer]
}

// newPositions returns positions with a cache of answers. The cache keeps an answer for ttl, and takes at most so many
// bytes.
func newPositions(d *db.DB, a *access.Store, v *viewers.Store, ttl time.Duration, bytes int) *positions {
	r := &positions{db: d, access: a, viewers: v}
	answers := readcache.New(d.Now, ttl, bytes, readcache.Size, r.readAnswers)
	answers.Name = "timelines"
	r.answers = answers
	return r
}

// PositionItem is a tweet on a home page.
type PositionItem struct {
	access.Seen
	Position model.Position // in the timeline: the tweet's own, or that of a share
	SharedBy model.UserID   // the user whose share gives the position; empty for the tweet's own position
	Sharers  int            // about how many followed users share the tweet, including SharedBy and muted ones

	Filtered []model.FilterHit // the reader's filters that warn of the tweet
	ViaTag   string            // the key of the followed tag by which alone the tweet comes; empty for others
}

// positionPage holds a page's data about shares, by tweet.
type positionPage struct {
	below  model.Position // end of the previous page; empty for the first page
	before PositionMemory // tweets that earlier pages have shown at positions of shares
	passed map[[printSize]byte]bool
	shares map[model.TweetID][]mergedItem
	newest map[model.TweetID]mergedItem     // the newest share that the reader sees, of each tweet read so far
	all    map[model.TweetID][]model.UserID // the sharers of a tweet in the documents read so far
	shown  map[model.TweetID]bool           // tweets on the page
	looked map[model.TweetID]bool           // tweets whose shares count in cost
	kept   map[mergedItem]bool              // shares in heads, which withdrawals reach
	viewer *model.ViewerGraph
	// whom the reader's exclusive lists leave out of home
	excluded map[model.UserID]bool
	first    model.Position        // the newest position at which the page looked
	quiet    *model.Quiet          // what the reader does not see; nil for a page that shows everything
	known    *model.ViewerGraph    // what quiet knows
	asked    map[model.UserID]bool // users whose mutes were read, without a whole graph
	hits     map[model.TweetID][]model.FilterHit
	// the shares in the heads of followed users, by sharer and tweet
	sharers map[model.UserID]map[model.TweetID]model.Position
	found   map[model.TweetID]bool // tweets whose shares were found in sharers
	cost    int                    // the most reads that the page's shares alone may take
	// number of checks of shares that lie behind an invisible share, at positions of other pages
	more int
}

// A page ends once its shares and tweets may have cost pageReads, even if it has fewer tweets than requested. Beyond
// these, heads and overflow documents, a page reads at most three months, of posts, for followers and of shares, for
// each time that it opens months of an author: see monthsTogether and monthsMost.
//
// A shared tweet costs sharedReads more than another tweet. If the reader may not see the newest share, the page checks
// the shares at its own positions, and at most moreQuestions others. Each of these checks costs moreReads.
const (
	pageReads = 105
	// the share, two reads of what is muted of the sharer, two blocks, the sharer, another month of likes
	sharedReads   = 7
	moreReads     = 3 // the first three of these
	moreQuestions = 7
	// the same for a page that knows the reader's graph: the share, the sharer, another month of likes
	sharedReadsInGraph = 3
	moreReadsInGraph   = 1
	// what a tweet that comes by a tag costs more, without the reader's graph: two blocks
	taggedReads = 2
)

// whole reports whether the page knows the reader's graph.
func (k *positionPage) whole() bool { return k.viewer.Whole }

// follows reports whether the reader follows a user.
func (k *positionPage) follows(uid model.UserID) bool { return !k.viewer.Follows[uid].IsZero() }

// owes reports whether a tweet is in the head or month of an author of the page, or will be there in a moment.
func (k *positionPage) owes(uid model.UserID, t *model.Tweet) bool {
	return t.AuthorID == uid || k.follows(t.AuthorID) && !t.ID.Time().Before(k.viewer.Follows[t.AuthorID])
}

// further is the most reads for one more share of a tweet.
func (k *positionPage) further() int {
	if k.whole() {
		return moreReadsInGraph
	}
	return moreReads
}

// find adds the shares of a tweet in the heads of the followed users.
func (k *positionPage) find(id model.TweetID) {
	if k.found[id] {
		return
	}
	k.found[id] = true
	for sharer, shares := range k.sharers {
		if position, ok := shares[id]; ok && !position.Time().Before(k.viewer.Follows[sharer]) {
			s := mergedItem{Position: position, Author: sharer}
			k.kept[s] = true
			k.add(s)
		}
	}
}

// settled reports whether a share exists, as far as the process has heard. Otherwise the page reads the share.
func (k *positionPage) settled(s mergedItem) bool { return k.kept[s] }

// Room reports whether a page may read one position more. tweets is the number of reads that tweets and likes may have
// cost.
// Without the reader's whole graph, each tweet also has an author whose mute is read.
func (k *positionPage) Room(tweets int) bool {
	if !k.whole() {
		tweets += tweets / 2
	}
	return tweets+k.cost < pageReads
}

// Look adds the checks of a position to the page's cost. A page checks the newest share of a tweet. If the reader may
// not see that share, it also checks the shares at its own positions.
func (k *positionPage) Look(i mergedItem) {
	id := i.Position.Tweet()
	k.find(id)
	switch {
	case !k.looked[id] && (i.Position.IsShare() || len(k.shares[id]) > 0):
		k.looked[id] = true
		if k.cost += sharedReads; k.whole() {
			k.cost += sharedReadsInGraph - sharedReads
		}
	case i.Position.IsShare():
		k.cost += k.further()
	case i.tagged && !k.whole():
		k.cost += taggedReads
	}
}

// newPositionPage starts a page below a position, or the first page. before holds the tweets that earlier pages have
// shown. Shares at positions above below do not count: before has their tweets, and a share made since then was on no
// earlier page.
func newPositionPage(below model.Position, before PositionMemory) *positionPage {
	return &positionPage{below: below, before: before, passed: before.prints(), shares: map[model.TweetID][]mergedItem{},
		newest: map[model.TweetID]mergedItem{}, all: map[model.TweetID][]model.UserID{}, shown: map[model.TweetID]bool{},
		looked: map[model.TweetID]bool{}, kept: map[mergedItem]bool{}, found: map[model.TweetID]bool{},
		sharers: map[model.UserID]map[model.TweetID]model.Position{}, asked: map[model.UserID]bool{},
		hits: map[model.TweetID][]model.FilterHit{}}
}

// Passed reports whether this page or an earlier one has shown the tweet of a position. The page then skips the
// position.
func (k *positionPage) Passed(i mergedItem) bool {
	return k.shown[i.Position.Tweet()] || k.passed[printOf(i.Position.Tweet())]
}

// Memory returns the memory for the next page. items and end are the items and the last position of this page.
func (k *positionPage) Memory(items []PositionItem, end model.Position) PositionMemory {
	return k.before.with(items, end)
}

// NoteMonth adds the shares of a month of one user, whom the reader follows since a time. It adds the shares below a
// position: the user's head has the newer ones, and a newer one that is not in the head yet is at no position of the
// page. On a nil page, NoteMonth does nothing.
func (k *positionPage) NoteMonth(by model.UserID, since time.Time, below model.Position,
	shares map[model.Position]model.UserID) {
	if k == nil {
		return
	}
	for position := range shares {
		if position.Compare(below) < 0 && !position.Time().Before(since) {
			k.add(mergedItem{Position: position, Author: by})
		}
	}
}

// add adds one share.
func (k *positionPage) add(i mergedItem) {
	i.settled = false
	tweet := i.Position.Tweet()
	if !slices.Contains(k.all[tweet], i.Author) {
		k.all[tweet] = append(k.all[tweet], i.Author)
	}
	if k.below != "" && i.Position.Compare(k.below) >= 0 {
		return
	}
	if newest, ok := k.newest[tweet]; ok && newest.Position == i.Position || slices.Contains(k.shares[tweet], i) {
		return
	}
	k.shares[tweet] = append(k.shares[tweet], i)
}

// Show chooses which items a page shows: each tweet at its newest position, if the reader sees it.
//
// Cost: a tweet's reads, a share's reads in reconcile, and 1 read for each other month of shared tweets.
func (r *positions) Show(ctx context.Context, uid model.UserID, k *positionPage, reactions *model.ReactionMonth,
	positions []mergedItem) (items []PositionItem, err error) {
	var ids []model.TweetID
	for _, p := range positions {
		if p.Position.IsShare() {
			k.add(p)
		}
		if id := p.Position.Tweet(); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	tweets, err := r.access.FreshTweets(ctx, ids)
	if err != nil {
		return nil, err
	}
	var authors []model.UserID
	for _, id := range ids {
		if t := tweets[id]; t != nil {
			authors = append(authors, t.AuthorID)
		}
	}
	if err := r.mutes(ctx, uid, k, authors); err != nil {
		return nil, err
	}
	if err := r.reconcile(ctx, uid, k, positions, ids, tweets); err != nil {
		return nil, err
	}
	chosen := map[model.TweetID]mergedItem{}
	ids = nil
	for _, p := range positions {
		id := p.Position.Tweet()
		newest, shared := k.newest[id]
		if k.shown[id] || p.Position.IsShare() && newest.Position != p.Position || !p.Position.IsShare() && shared {
			continue
		}
		k.shown[id], chosen[id] = true, p
		ids = append(ids, id)
	}
	blocked, err := r.blockedByTag(ctx, uid, k, chosen, tweets)
	if err != nil {
		return nil, err
	}
	shown := slices.DeleteFunc(visibility.InPartitions(uid, k.follows, ids, tweets), func(id model.TweetID) bool {
		t := tweets[id]
		return chosen[id].tagged && (k.viewer.ViaTag(t) == "" || blocked[t.AuthorID]) || k.hides(t)
	})
	marks, err := r.marks(ctx, uid, reactions, shown)
	if err != nil {
		return nil, err
	}
	for _, id := range shown {
		item := PositionItem{Seen: access.Seen{ID: id, Tweet: tweets[id], ViewerState: marks[id]},
			Position: chosen[id].Position, Filtered: k.hits[id]}
		if chosen[id].tagged && !k.owes(uid, tweets[id]) {
			item.ViaTag = k.viewer.ViaTag(tweets[id])
		}
		if item.Position.IsShare() {
			item.SharedBy, item.Sharers = chosen[id].Author, len(k.all[id])
		}
		items = append(items, item)
	}
	return items, nil
}

// blockedByTag returns which authors of tweets that come by tags have a block with the reader, if the page does not
// know the reader's graph: these authors are not followed.
//
// Cost: nothing with a whole graph; otherwise 2 reads for each author, less cached.
func (r *positions) blockedByTag(ctx context.Context, uid model.UserID, k *positionPage,
	chosen map[model.TweetID]mergedItem, tweets map[model.TweetID]*model.Tweet) (map[model.UserID]bool, error) {
	if k.whole() {
		return nil, nil
	}
	var ask []question
	for id, item := range chosen {
		if t := tweets[id]; item.tagged && t != nil && t.AuthorID != uid {
			ask = append(ask, question{blocks, uid, t.AuthorID, ""}, question{blocks, t.AuthorID, uid, ""})
		}
	}
	slices.SortFunc(ask, question.compare)
	told, err := r.answers.All(ctx, slices.Compact(ask))
	if err != nil {
		return nil, err
	}
	blocked := map[model.UserID]bool{}
	for q, a := range told {
		if a.found && q.a == uid {
			blocked[q.b] = true
		} else if a.found {
			blocked[q.a] = true
		}
	}
	return blocked, nil
}

// marks returns which of some tweets the reader likes, shares and bookmarks. reactions has the reader's reactions of
// one month.
func (r *positions) marks(ctx context.Context, uid model.UserID, reactions *model.ReactionMonth,
	ids []model.TweetID) (map[model.TweetID]model.ViewerState, error) {
	var here, elsewhere []model.TweetID
	for _, id := range ids {
		if id.Month() == reactions.Month {
			here = append(here, id)
		} else {
			elsewhere = append(elsewhere, id)
		}
	}
	marks, err := r.access.ViewerStateIn(ctx, uid, reactions, here)
	if err != nil || len(elsewhere) == 0 {
		return marks, err
	}
	others, err := r.access.ViewerState(ctx, uid, elsewhere)
	maps.Copy(marks, others)
	return marks, err
}

// reconcile finds the newest share of each of some tweets that the reader sees. It drops the newer shares that the
// reader does not see. Only tweets that everybody may see are shown as a share.
//
// Cost: nothing for a share in a head; 1 read for another share that is not cached. Without the reader's whole graph 4
// reads more for a shared tweet that is not cached, and moreReads for each further share that is checked.
func (r *positions) reconcile(ctx context.Context, uid model.UserID, k *positionPage, positions []mergedItem,
	ids []model.TweetID, tweets map[model.TweetID]*model.Tweet) error {
	for most := 1; ; most *= 2 { // most tweets have a share that is shown
		next := map[model.TweetID][]mergedItem{}
		var ask []question
		var sharers []model.UserID
		for _, id := range ids {
			t := tweets[id]
			if _, ok := k.newest[id]; ok || t == nil || t.AudiencePartition() != model.OpenAudiencePartition ||
				len(k.shares[id]) == 0 {
				continue
			}
			slices.SortFunc(k.shares[id], func(a, b mergedItem) int { return b.Position.Compare(a.Position) })
			some := k.take(id, most, positions)
			if len(some) == 0 {
				continue
			}
			next[id] = some
			if !k.whole() {
				ask = append(ask, question{blocks, uid, t.AuthorID, ""}, question{blocks, t.AuthorID, uid, ""})
			}
			for _, s := range some {
				sharers = append(sharers, s.Author)
				if !k.whole() {
					ask = append(ask, question{hides, uid, s.Author, ""})
				}
				if !k.settled(s) {
					ask = append(ask, question{shares, s.Author, "", id})
				}
			}
		}
		if len(next) == 0 {
			return nil
		}
		if err := r.mutes(ctx, uid, k, sharers); err != nil {
			return err
		}
		slices.SortFunc(ask, question.compare)
		told, err := r.answers.All(ctx, slices.Compact(ask))
		if err != nil {
			return err
		}
		for id, some := range next {
			author := tweets[id].AuthorID
			blocked := told[question{blocks, uid, author, ""}].found || told[question{blocks, author, uid, ""}].found
			if k.whole() {
				blocked = k.viewer.BlockWith(author)
			}
			blocked = blocked || k.quiet.Hides(author)
			if blocked { // the reader sees no other share of the tweet either
				delete(k.shares, id)
			}
			for _, s := range some {
				if k.shows(uid, s, told, blocked) {
					k.newest[id] = s
					break
				}
			}
		}
	}
}

// shows reports whether the reader sees a share, by the reader's graph or by answers.
func (k *positionPage) shows(uid model.UserID, s mergedItem, told map[question]answer, blocked bool) bool {
	since, hidden := k.viewer.Follows[s.Author], told[question{hides, uid, s.Author, ""}].found
	if k.whole() {
		hidden = k.viewer.Mutes[s.Author]
	}
	hidden = hidden || k.quiet.HidesShares(s.Author)
	there := k.settled(s) || told[question{shares, s.Author, "", s.Position.Tweet()}].position == s.Position
	return model.ShowsShare(s.Position, since, there, hidden, blocked)
}

// take removes up to most of the newest shares of a tweet from the list and returns them, for the caller to check. If
// most is above 1, each share counts toward moreQuestions, unless the page has the share's own position. No other page
// shows the tweet there.
func (k *positionPage) take(id model.TweetID, most int, positions []mergedItem) (some []mergedItem) {
	k.shares[id] = slices.DeleteFunc(slices.Clone(k.shares[id]), func(s mergedItem) bool {
		if len(some) == most {
			return false
		}
		if most > 1 && !k.settled(s) {
			if !slices.ContainsFunc(positions, func(p mergedItem) bool { return p.Position == s.Position }) {
				if k.more == moreQuestions {
					return false
				}
				k.more++
				k.cost += k.further()
			} // Look counted the shares at the page's own positions
		}
		some = append(some, s)
		return true
	})
	return some
}

// question names a source document to read.
type question struct {
	kind  questionKind
	a, b  model.UserID
	tweet model.TweetID
}

type questionKind int

const (
	blocks questionKind = iota // whether a blocks b
	hides                      // whether a mutes the shares of b
	shares                     // whether a shares the tweet
)

// compare orders questions, so that each document is read once.
func (q question) compare(o question) int {
	for _, pair := range [][2]string{{string(q.a), string(o.a)}, {string(q.b), string(o.b)},
		{string(q.tweet), string(o.tweet)}} {
		if pair[0] != pair[1] {
			if pair[0] < pair[1] {
				return -1
			}
			return 1
		}
	}
	return int(q.kind) - int(o.kind)
}

// answer is a source document, if it exists.
type answer struct {
	found    bool
	position model.Position // of a share
}

// readAnswers reads source documents for the cache, which also remembers missing ones.
//
// Cost: 1 read a document.
func (r *positions) readAnswers(ctx context.Context, ask []question) (map[question]answer, error) {
	refs := make([]*firestore.DocumentRef, len(ask))
	for i, q := range ask {
		switch q.kind {
		case blocks:
			refs[i] = r.db.Block(q.a, q.b)
		case hides:
			refs[i] = r.db.MutedSharer(q.a, q.b)
		default:
			refs[i] = r.db.Share(q.a, q.tweet)
		}
	}
	snaps, err := r.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	told := make(map[question]answer, len(ask))
	for i, snap := range snaps {
		q, a := ask[i], answer{found: snap.Exists()}
		switch {
		case !a.found:
		case q.kind == shares:
			var share model.Share
			err = snap.DataTo(&share)
			a.position = share.Position()
		}
		if err != nil {
			return nil, err
		}
		told[q] = a
	}
	return told, nil
}
