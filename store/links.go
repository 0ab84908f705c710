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
		done, err := s.backfill(ctx, l.rel, ids, from, l.pulled)
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

// backfill writes the tweets that a follower gets into their timeline, and hides the
// author's older than from; zero hides none. It is one transaction that reads the
// relationship, and does nothing and answers false unless that is still rel. 1 read, and
// a write for each month of the window.
func (s *Store) backfill(ctx context.Context, rel *model.Relationship, ids []model.TweetID, from time.Time, pulled map[string]pullState) (done bool, err error) {
	at := s.time()
	ctx, grown := watchSizes(ctx)
	err = s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var now model.Relationship
		held, err := decode(tx.Get(s.relationship(rel.FollowerID, rel.FollowedID)))(&now)
		if err != nil {
			return err
		}
		if done = held && now.CreatedAt.Equal(rel.CreatedAt); !done {
			return nil
		}
		_, months := s.window()
		for _, m := range months {
			merge := timelineMerge(rel.FollowerID, m)
			entries := map[string]any{}
			for _, id := range ids {
				if id.Month() == m {
					entries[string(id)] = model.Entry{AuthorID: rel.FollowedID, At: at}
				}
			}
			if len(entries) > 0 {
				merge["entries"], merge[sizeField] = entries, firestore.Increment(len(entries))
			}
			var mark any = firestore.Delete
			if !from.IsZero() {
				mark = from
			}
			merge["dropped"] = map[string]any{string(rel.FollowedID): mark}
			if pulled[string(m)] != "" {
				merge["pulled"] = map[string]any{string(rel.FollowedID): true}
			}
			if err := tx.Set(s.timeline(rel.FollowerID, m), merge, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	return done, s.askSpills(ctx, s.timelineBuckets, grown)
}
