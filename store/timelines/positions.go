// This file decides at which of its positions a home page shows a tweet.
//
// A home timeline may have a tweet at several positions: at its own time, and wherever followed
// users shared it. The pages of a walk show the tweet at the newest of these alone. They come newest
// first, so this is the first position that shows it, and a page token carries to the next page what was
// shown at such positions, see [Memory]. Whether a share
// is shown, the facts say, at the moment of the page. So whatever stays in a document of a share
// that was taken back, of a user who was left, or of an author who was blocked does no harm.

package timelines

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

// Reader decides for all pages of a process.
type positions struct {
	db      *db.DB
	facts   *facts.Store
	answers *readcache.Cache[question, answer]
}

// New returns a Reader that remembers a fact for ttl, in at most so many bytes.
func newPositions(d *db.DB, f *facts.Store, ttl time.Duration, bytes int) *positions {
	r := &positions{db: d, facts: f}
	r.answers = readcache.New(d.Now, ttl, bytes, readcache.Size, r.readAnswers)
	r.answers.Name = "timelines"
	return r
}

// PositionItem is a tweet on a home page.
type PositionItem struct {
	facts.Seen
	Place    model.TweetID // where the timeline has it: the tweet's id, or the position of a share
	SharedBy model.UserID  // whose share brings the tweet to its position; empty if it is there by itself
	Sharers  int           // about how many followed users share the tweet, SharedBy among them
}

// Page is what a page knows of shares, by tweet.
type positionPage struct {
	below  model.TweetID  // where the page before ended; empty for the first page
	before PositionMemory // what pages before have shown at positions of shares
	passed map[[printSize]byte]bool
	shares map[model.TweetID][]mergedItem
	newest map[model.TweetID]mergedItem     // the newest share that the reader sees, of tweets that were looked at
	all    map[model.TweetID][]model.UserID // who shares a tweet, as far as documents say
	shown  map[model.TweetID]bool           // tweets that are on the page
	looked map[model.TweetID]bool           // tweets whose shares are in cost
	cost   int                              // reads that the page may take for shares alone
	// questions about shares behind those that the reader does not see, at positions of other pages
	more int
}

// A page ends when it may have cost pageReads, with fewer tweets than asked for: a tweet that is
// shared costs sharedReads more than another. Behind the newest share of a tweet, if the reader does
// not see that one, a page looks at the shares at whose positions it stands, and at moreQuestions
// others. Each costs moreReads.
const (
	pageReads = 105
	// the share, the relationship, whether the sharer is hidden, two blocks, the sharer, another month of likes
	sharedReads   = 7
	moreReads     = 3 // the first three of these
	moreQuestions = 7
)

// Room tells whether a page may look at one position more. tweets is what the page may have cost
// for tweets and likes.
func (k *positionPage) Room(tweets int) bool { return tweets+k.cost < pageReads }

// Look notes that the page looks at a position. The newest share of a tweet is asked about, and those
// at whose positions the page stands too, if the reader does not see that one.
func (k *positionPage) Look(i mergedItem) {
	switch id := i.ID.Tweet(); {
	case !k.looked[id] && (i.ID.IsShare() || len(k.shares[id]) > 0):
		k.looked[id] = true
		k.cost += sharedReads
	case i.ID.IsShare():
		k.cost += moreReads
	}
}

// NewPage begins a page below a position, or the first page. before is what the pages before have
// shown. Shares at newer positions do not count: what they brought is in before, and whoever shared since
// these pages were read brought nothing to them.
func newPositionPage(below model.TweetID, before PositionMemory) *positionPage {
	return &positionPage{below: below, before: before, passed: before.prints(), shares: map[model.TweetID][]mergedItem{},
		newest: map[model.TweetID]mergedItem{}, all: map[model.TweetID][]model.UserID{}, shown: map[model.TweetID]bool{},
		looked: map[model.TweetID]bool{}}
}

// Passed tells whether this page or one before has shown the tweet of a position, which is then passed over.
func (k *positionPage) Passed(i mergedItem) bool {
	return k.shown[i.ID.Tweet()] || k.passed[printOf(i.ID.Tweet())]
}

// Memory is for the page after this one, which has shown some items and ended at a position.
func (k *positionPage) Memory(items []PositionItem, end model.TweetID) PositionMemory {
	return k.before.with(items, end)
}

// Note notes the shares of a document, as far as a month of the timeline shows them. A nil Page
// notes nothing.
func (k *positionPage) Note(t *model.Timeline, shares map[model.TweetID]model.UserID) {
	if k == nil {
		return
	}
	for position, by := range shares {
		if t.Shows(position, by) {
			k.add(mergedItem{ID: position, Author: by})
		}
	}
}

// NoteOf is Note for a month of what one user shares.
func (k *positionPage) NoteOf(t *model.Timeline, by model.UserID, shares map[model.TweetID]model.UserID) {
	if k == nil {
		return
	}
	for position := range shares {
		if t.Shows(position, by) {
			k.add(mergedItem{ID: position, Author: by})
		}
	}
}

// add notes one share.
func (k *positionPage) add(i mergedItem) {
	i.Pushed = false
	tweet := i.ID.Tweet()
	if !slices.Contains(k.all[tweet], i.Author) {
		k.all[tweet] = append(k.all[tweet], i.Author)
	}
	if k.below != "" && i.ID.Compare(k.below) >= 0 {
		return
	}
	if newest, ok := k.newest[tweet]; ok && newest.ID == i.ID || slices.Contains(k.shares[tweet], i) {
		return
	}
	k.shares[tweet] = append(k.shares[tweet], i)
}

// Show picks what a page shows of some items of a month: each tweet at its newest position, if the
// reader sees it.
//
// Cost: what [facts.Store.FreshTweets], [Reader.settle], [visibility.InPartitions] and
// [facts.Store.ViewerStateIn] cost. 1 read for each other month of tweets that are shared.
func (r *positions) Show(ctx context.Context, uid model.UserID, k *positionPage, m model.Month,
	reactions *model.ReactionMonth, positions []mergedItem) (items []PositionItem, err error) {
	var ids []model.TweetID
	for _, p := range positions {
		if p.ID.IsShare() {
			k.add(p)
		}
		if id := p.ID.Tweet(); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	tweets, err := r.facts.FreshTweets(ctx, ids)
	if err != nil {
		return nil, err
	}
	if err := r.reconcile(ctx, uid, k, positions, ids, tweets); err != nil {
		return nil, err
	}
	chosen := map[model.TweetID]mergedItem{}
	ids = nil
	for _, p := range positions {
		id := p.ID.Tweet()
		newest, shared := k.newest[id]
		if k.shown[id] || p.ID.IsShare() && newest.ID != p.ID || !p.ID.IsShare() && shared {
			continue
		}
		k.shown[id], chosen[id] = true, p
		ids = append(ids, id)
	}
	shown, err := visibility.InPartitions(ctx, r.db, uid, ids, tweets)
	if err != nil {
		return nil, err
	}
	marks, err := r.marks(ctx, uid, m, reactions, shown)
	if err != nil {
		return nil, err
	}
	for _, id := range shown {
		item := PositionItem{Seen: facts.Seen{ID: id, Tweet: tweets[id], ViewerState: marks[id]}, Place: chosen[id].ID}
		if item.Place.IsShare() {
			item.SharedBy, item.Sharers = chosen[id].Author, len(k.all[id])
		}
		items = append(items, item)
	}
	return items, nil
}

// marks tells which of some tweets the reader likes, shares and keeps. The reactions of one month were read.
func (r *positions) marks(ctx context.Context, uid model.UserID, m model.Month, reactions *model.ReactionMonth,
	ids []model.TweetID) (map[model.TweetID]model.ViewerState, error) {
	var here, elsewhere []model.TweetID
	for _, id := range ids {
		if id.Month() == m {
			here = append(here, id)
		} else {
			elsewhere = append(elsewhere, id)
		}
	}
	marks, err := r.facts.ViewerStateIn(ctx, uid, reactions, here)
	if err != nil || len(elsewhere) == 0 {
		return marks, err
	}
	others, err := r.facts.ViewerState(ctx, uid, elsewhere)
	maps.Copy(marks, others)
	return marks, err
}

// reconcile finds the newest share of each of some tweets that the reader sees, and forgets the
// shares that are newer and that the reader does not see. Only what everybody may see is shown
// as a share.
//
// Cost: for each tweet that is shared 5 reads, less cached: the share, the relationship to the
// sharer, whether the reader hides the sharer, and the blocks between the reader and the author.
// moreReads for each share behind one that the reader does not see, as far as the page looks at such.
func (r *positions) reconcile(ctx context.Context, uid model.UserID, k *positionPage, positions []mergedItem,
	ids []model.TweetID, tweets map[model.TweetID]*model.Tweet) error {
	for most := 1; ; most *= 2 { // most tweets have a share that is shown
		next := map[model.TweetID][]mergedItem{}
		var ask []question
		for _, id := range ids {
			t := tweets[id]
			if _, ok := k.newest[id]; ok || t == nil || t.AudiencePartition() != model.OpenAudiencePartition ||
				len(k.shares[id]) == 0 {
				continue
			}
			slices.SortFunc(k.shares[id], func(a, b mergedItem) int { return b.ID.Compare(a.ID) })
			some := k.take(id, most, positions)
			if len(some) == 0 {
				continue
			}
			next[id] = some
			ask = append(ask, question{blocks, uid, t.AuthorID, ""}, question{blocks, t.AuthorID, uid, ""})
			for _, s := range some {
				ask = append(ask, question{follows, uid, s.Author, ""}, question{hides, uid, s.Author, ""},
					question{shares, s.Author, "", id})
			}
		}
		if len(ask) == 0 {
			return nil
		}
		slices.SortFunc(ask, question.compare)
		told, err := r.answers.All(ctx, slices.Compact(ask))
		if err != nil {
			return err
		}
		for id, some := range next {
			author := tweets[id].AuthorID
			blocked := told[question{blocks, uid, author, ""}].found || told[question{blocks, author, uid, ""}].found
			if blocked { // no other share of the tweet is seen either
				delete(k.shares, id)
			}
			for _, s := range some {
				if model.ShowsShare(s.ID, told[question{follows, uid, s.Author, ""}].rel,
					told[question{shares, s.Author, "", id}].share, told[question{hides, uid, s.Author, ""}].found, blocked) {
					k.newest[id] = s
					break
				}
			}
		}
	}
}

// take takes the newest shares of a tweet, at most so many, to ask about them. Beyond one of them
// counts as a question, unless the page stands at its position: no other page shows the tweet there.
func (k *positionPage) take(id model.TweetID, most int, positions []mergedItem) (some []mergedItem) {
	k.shares[id] = slices.DeleteFunc(slices.Clone(k.shares[id]), func(s mergedItem) bool {
		if len(some) == most {
			return false
		}
		if most > 1 {
			if !slices.ContainsFunc(positions, func(p mergedItem) bool { return p.ID == s.ID }) {
				if k.more == moreQuestions {
					return false
				}
				k.more++
				k.cost += moreReads
			} // Look has counted the others
		}
		some = append(some, s)
		return true
	})
	return some
}

// question asks for a fact.
type question struct {
	kind  questionKind
	a, b  model.UserID
	tweet model.TweetID
}

type questionKind int

const (
	follows questionKind = iota // whether a follows b
	blocks                      // whether a blocks b
	hides                       // whether a hides what b shares
	shares                      // whether a shares the tweet
)

// compare orders questions, so that each is asked once.
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

// answer is a fact, if it is there.
type answer struct {
	found bool
	rel   *model.Relationship
	share *model.Like
}

// readAnswers reads facts for the cache, which remembers that one is not there, too.
//
// Cost: 1 read a fact.
func (r *positions) readAnswers(ctx context.Context, ask []question) (map[question]answer, error) {
	refs := make([]*firestore.DocumentRef, len(ask))
	for i, q := range ask {
		switch q.kind {
		case follows:
			refs[i] = r.db.Relationship(q.a, q.b)
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
	for i, q := range ask {
		a := answer{found: snaps[i].Exists()}
		switch {
		case !a.found:
		case q.kind == follows:
			a.rel = &model.Relationship{}
			_, err = db.Decode(snaps[i], nil)(a.rel)
		case q.kind == shares:
			a.share = &model.Like{}
			_, err = db.Decode(snaps[i], nil)(a.share)
		}
		if err != nil {
			return nil, err
		}
		told[q] = a
	}
	return told, nil
}
