package store

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// LinkTimeline makes all that hangs on one user's following another agree with whether
// they do now: the entry in the pages of followers, and the follower's home timeline,
// which gets what the author wrote since the follow and the newest tweets from before
// it, or hides the author. In a window of two months it costs 5 reads and 3 writes for
// one who follows, 2 reads and 3 writes for one who left. Of several who come and go
// within a second, the pages and the author's tweets are read, and the pages written, once
// for all; then all but the first wait until the second is over.
//
// A new follower and a new tweet that cross each other must meet. Each side writes its
// own mark first and then reads the other's: this one the page, then the cards; a
// fan-out the card, then the page. Firestore is strongly consistent, so at least one
// sees the other.
func (s *Store) LinkTimeline(ctx context.Context, follower, author model.UserID) (err error) {
	defer errs.Wrap(&err, "store.LinkTimeline(%q, %q)", follower, author)
	for {
		l, err := s.links.do(ctx, author, follower)
		if err != nil || l.rel == nil {
			return err
		}
		ids, from := shown(l.cards, l.rel.CreatedAt, l.oldest)
		done, err := s.backfills.do(ctx, follower, backfill{l.rel, ids, from, l.pulled})
		if err != nil || done {
			return err
		}
	}
}

// linked is what the follower's side needs to know when the author's is done. The maps are
// shared.
type linked struct {
	rel    *model.Relationship // nil if they do not follow; then the rest is empty
	pulled map[string]pullState
	cards  map[model.TweetID]model.Card
	oldest time.Time // when the window of cards begins
}

// linkAll does the author's side for some followers.
func (s *Store) linkAll(ctx context.Context, author model.UserID, followers []model.UserID) ([]linked, error) {
	all := make([]linked, len(followers))
	rels, first, err := s.link(ctx, author, followers)
	if err != nil || len(rels) == 0 {
		return all, err
	}
	cards, oldest, err := s.windowCards(ctx, author)
	if err != nil {
		return nil, err
	}
	for i, f := range followers {
		if rel := rels[f]; rel != nil {
			all[i] = linked{rel, first.PulledMonths, cards, oldest}
		}
	}
	return all, nil
}

// shown chooses what a follower sees of an author's cards: all since the follow, and of
// those before it the newest RecentTweets, none older than the window. If there were
// more, from is the time of the oldest chosen, before which the author's tweets stay
// hidden: some may be in the timeline from an earlier follow.
func shown[V any](cards map[model.TweetID]V, followed, oldest time.Time) (ids []model.TweetID, from time.Time) {
	before := 0
	for _, id := range model.Newest(cards, 0) {
		at := id.Time()
		if at.Before(oldest) {
			break
		}
		if at.Before(followed) {
			if before == model.RecentTweets {
				return ids, ids[len(ids)-1].Time()
			}
			before++
		}
		ids = append(ids, id)
	}
	return ids, time.Time{}
}

// backfill is what a follower gets of an author.
type backfill struct {
	rel    *model.Relationship
	ids    []model.TweetID
	from   time.Time // the author's older tweets are hidden; zero hides none
	pulled map[string]pullState
}

// backfillsTogether is how many authors' tweets are written into a timeline at once.
const backfillsTogether = 50

// writeBackfills writes what a follower gets of some authors into their timeline. It is one
// transaction that reads the relationships, leaves those out that are not what they were any
// more, and tells which it wrote. A read for each, and a write for each month of the window.
func (s *Store) writeBackfills(ctx context.Context, follower model.UserID, all []backfill) (done []bool, err error) {
	at := s.time()
	ctx, grown := watchSizes(ctx)
	refs := make([]*firestore.DocumentRef, len(all))
	for i, b := range all {
		refs[i] = s.relationship(follower, b.rel.FollowedID)
	}
	err = s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		done = make([]bool, len(all))
		var current []backfill
		for i, b := range all {
			var now model.Relationship
			held, err := decode(snaps[i], nil)(&now)
			if err != nil {
				return err
			}
			if done[i] = held && now.CreatedAt.Equal(b.rel.CreatedAt); done[i] {
				current = append(current, b)
			}
		}
		if len(current) == 0 {
			return nil
		}
		_, months := s.window()
		for _, m := range months {
			if err := tx.Set(s.timeline(follower, m), backfillMerge(follower, m, current, at), firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done, s.askSpills(ctx, s.timelineBuckets, grown)
}

func backfillMerge(follower model.UserID, m model.Month, all []backfill, at time.Time) map[string]any {
	entries, dropped, pulled := map[string]any{}, map[string]any{}, map[string]any{}
	for _, b := range all {
		author := b.rel.FollowedID
		for _, id := range b.ids {
			if id.Month() == m {
				entries[string(id)] = model.Entry{AuthorID: author, At: at}
			}
		}
		dropped[string(author)] = firestore.Delete
		if !b.from.IsZero() {
			dropped[string(author)] = b.from
		}
		if b.pulled[string(m)] != "" {
			pulled[string(author)] = true
		}
	}
	merge := timelineMerge(follower, m)
	merge["dropped"] = dropped
	if len(entries) > 0 {
		merge["entries"], merge[sizeField] = entries, firestore.Increment(len(entries))
	}
	if len(pulled) > 0 {
		merge["pulled"] = pulled
	}
	return merge
}
