package timelines

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// Link makes everything that depends on whether follower follows author agree with the present relationship. This is
// the entry on the author's pages of followers, and the follower's home timeline. If the relationship exists, the
// timeline gets the author's tweets and shares since the follow. It also gets the newest tweets from before the follow.
// Otherwise the timeline hides the author.
//
// Link joins calls for one author within a second. It reads the pages and the author's tweets once for all followers,
// and writes the pages once. All callers but the first wait until the second is over.
//
// A new follower and a new tweet may cross each other, and the follower must still get the tweet. Each side writes its
// own mark first and then reads the other's mark. Link writes the page and then reads the previews. [Writer.FanOut]
// writes the preview and then reads the page. Firestore is strongly consistent, so at least one side sees the other.
//
// A share may be withdrawn while Link writes it, and a sharer's overflow documents have withdrawn shares. So the
// transaction that writes the timeline reads the shares. A share that is withdrawn later has an event that finds the
// follower on the page.
//
// Cost: in a window of two months, 6 reads and 3 writes for a follow, 2 reads and 3 writes for an unfollow. 1 read for
// each share since the follow.
func (w *Writer) Link(ctx context.Context, follower, author model.UserID) error {
	_, err := w.relink(ctx, follower, author, true)
	return err
}

// relink is [Writer.Link], and returns how many tweets and shares it had for the timeline. Without check, relink also
// writes withdrawn shares.
func (w *Writer) relink(ctx context.Context, follower, author model.UserID, check bool) (written int, err error) {
	defer errs.Wrap(&err, "timelines.Link(%q, %q)", follower, author)
	for {
		l, err := w.links.Do(ctx, author, follower)
		if err != nil || l.rel == nil {
			return 0, err
		}
		written, done, err := w.backfill(ctx, follower, l, check)
		if err != nil || done {
			return written, err
		}
		// The relationship changed meanwhile.
	}
}

// markDormant marks a follower as dormant on an author's pages, so that fan-outs stop pushing to the follower. Marks
// for one author within a second are written together.
//
// Cost: 4 reads, and at most 1 write.
func (w *Writer) markDormant(ctx context.Context, follower, author model.UserID) (err error) {
	defer errs.Wrap(&err, "timelines.MarkDormant(%q, %q)", follower, author)
	_, err = w.dormantFollowers.Do(ctx, author, follower)
	return err
}

// markAllDormant marks followers on an author's pages as dormant.
func (w *Writer) markAllDormant(ctx context.Context, author model.UserID,
	followers []model.UserID) ([]struct{}, error) {
	return make([]struct{}, len(followers)), w.pages.MarkDormant(ctx, author, followers)
}

// backfill writes an author's tweets and shares into the follower's timeline. If the author has very many, backfill
// does not write them. The follower pulls them like the tweets of a large author. written is their number. done is
// false if the relationship changed meanwhile. With check, backfill leaves out shares that do not exist.
func (w *Writer) backfill(ctx context.Context, follower model.UserID, l linked, check bool) (written int, done bool,
	err error) {
	var shares []model.Position
	ids, from := choose(l.previews, l.rel.CreatedAt, l.oldest)
	for _, position := range l.shares {
		if !position.Time().Before(l.rel.CreatedAt) {
			shares = append(shares, position)
		}
	}
	pulled, marks := maps.Clone(l.pulled), map[model.Month]bool{}
	if pulled == nil {
		pulled = map[string]followerpages.PullState{}
	}
	if len(ids) > backfillMost {
		for _, id := range ids {
			pulled[string(id.Month())] = followerpages.PullMarked
		}
		ids = nil
	}
	if len(shares) > backfillMost {
		for _, position := range shares {
			pulled[string(position.Month())], marks[position.Month()] = followerpages.PullMarked, true
		}
		shares = nil
	}
	if len(marks) > 0 {
		if err := w.previews.MarkShares(ctx, l.rel.FollowedID, slices.Collect(maps.Keys(marks))...); err != nil {
			return 0, false, err
		}
	}
	positions := make([]model.Position, 0, len(ids)+len(shares))
	for _, id := range ids {
		positions = append(positions, id.Position())
	}
	positions = append(positions, shares...)
	done, err = w.backfills.Do(ctx, follower, backfill{l.rel, positions, from, pulled, check})
	return len(positions), done, err
}

// backfillMost is the largest number of one author's tweets that are written into a timeline at once. The same limit
// holds for shares.
const backfillMost = 200

// linked is the result of the author's side of a link, for the follower's side. All followers of one run share the
// maps.
type linked struct {
	rel      *model.Relationship // nil if the user does not follow the author; then the rest is empty
	pulled   map[string]followerpages.PullState
	previews map[model.TweetID]model.TweetPreview
	oldest   time.Time        // when the window of previews begins
	shares   []model.Position // positions of the author's shares, perhaps also from before the follow
}

// linkAll does the author's side of the links of some followers.
func (w *Writer) linkAll(ctx context.Context, author model.UserID, fans []model.UserID) ([]linked, error) {
	all := make([]linked, len(fans))
	rels, first, err := w.pages.Link(ctx, author, fans, w.drop)
	if err != nil || len(rels) == 0 {
		return all, err
	}
	earliest := w.db.Time()
	for _, rel := range rels {
		if rel.CreatedAt.Before(earliest) {
			earliest = rel.CreatedAt
		}
	}
	previews, oldest, err := w.previews.Window(ctx, author, earliest)
	if err != nil {
		return nil, err
	}
	shares, err := w.previews.SharesSince(ctx, author, earliest)
	if err != nil {
		return nil, err
	}
	for i, f := range fans {
		if rel := rels[f]; rel != nil {
			all[i] = linked{rel, first.PulledMonths, previews, oldest, shares}
		}
	}
	return all, nil
}
