package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Link makes everything that depends on whether follower follows author agree with the
// relationship as it is now: the entry on the author's pages of followers, and the
// follower's home timeline. If the relationship is there, the timeline gets what the
// author wrote since the follow, and the newest tweets from before the follow. If not,
// the timeline hides the author.
//
// Links of one author within a second are made together: Link reads the pages and the
// author's tweets once for all followers, and writes the pages once. All callers but the
// first wait until the second is over.
//
// A new follower and a new tweet that cross each other must meet. Each side writes its
// own mark first and then reads the other's: Link the page and then the cards,
// [Writer.FanOut] the card and then the page. Firestore is strongly consistent, so at
// least one side sees the other.
//
// Cost in a window of two months: 5 reads and 3 writes for a new follower.
// Cost in a window of two months: 2 reads and 3 writes for a user who left.
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
		// The relationship changed meanwhile.
	}
}

// linked is what the author's side of a link hands to the follower's side. All followers
// of one run share the maps.
type linked struct {
	rel    *model.Relationship // nil if the user does not follow the author; then the rest is empty
	pulled map[string]pullState
	cards  map[model.TweetID]model.Card
	oldest time.Time // when the window of cards begins
}

// linkAll does the author's side of the links of some followers.
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
