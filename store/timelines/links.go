package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Link makes all that hangs on one user's following another agree with whether
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
func (w *Writer) Link(ctx context.Context, follower, author model.UserID) (err error) {
	defer errs.Wrap(&err, "timelines.Link(%q, %q)", follower, author)
	for {
		l, err := w.links.Do(ctx, author, follower)
		if err != nil || l.rel == nil {
			return err
		}
		ids, from := choose(l.cards, l.rel.CreatedAt, l.oldest)
		done, err := w.backfills.Do(ctx, follower, backfill{l.rel, ids, from, l.pulled})
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
func (w *Writer) linkAll(ctx context.Context, author model.UserID, followers []model.UserID) ([]linked, error) {
	all := make([]linked, len(followers))
	rels, first, err := w.link(ctx, author, followers)
	if err != nil || len(rels) == 0 {
		return all, err
	}
	cards, oldest, err := w.cards.Window(ctx, author)
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
