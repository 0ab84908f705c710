package waking

import (
	"context"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/sleepers"
)

// followedAtOnce is how many authors whom a reader follows are worked on side by side, and
// after how many a step looks at its time.
const followedAtOnce = 100

// withFollowed calls do for a follower with each author whom the follower follows, side by
// side, in the order of the relationships from a place on. When over answers true,
// withFollowed ends and returns the place where it stopped; at the end of the list the
// place is zero. It calls seen with the authors, some at a time.
//
// Cost: 1 read an author, at least 1.
func (w *Writer) withFollowed(ctx context.Context, follower model.UserID, from model.Cursor, over func() bool,
	do func(ctx context.Context, follower, author model.UserID) error, seen func(ctx context.Context, authors []model.UserID) error) (next model.Cursor, err error) {
	for {
		p, err := w.facts.Following(ctx, follower, from, followedAtOnce)
		if err != nil {
			return from, err
		}
		g, side := errgroup.WithContext(ctx)
		var authors []model.UserID
		for _, rel := range p.Items {
			authors = append(authors, rel.FollowedID)
			g.Go(func() error { return do(side, follower, rel.FollowedID) })
		}
		g.Go(func() error { return seen(side, authors) })
		if err := g.Wait(); err != nil {
			return from, err
		}
		if from = p.Next; from.IsZero() || over() {
			return from, nil
		}
	}
}

// Wake rebuilds the home timeline of a reader who was away: it calls [timelines.Writer.Link] for
// each author whom the reader follows. Wake works in steps: the work document notes the
// last author. The reader counts as awake only when all links are made.
//
// Cost: 1 read an author, and what Link costs for each. 1 read and 1 write a step. At the
// end 2 reads, 2 writes, and 2 deletes or more.
func (w *Writer) Wake(ctx context.Context, work model.WakeWork) (err error) {
	defer errs.Wrap(&err, "waking.Wake(%q)", work.UserID)
	step, current, err := w.db.Begin(ctx, w.db.Doc(model.Wakes, string(work.UserID)), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	next, err := w.withFollowed(ctx, work.UserID, work.After, step.Over, w.timelines.Link, func(context.Context, []model.UserID) error { return nil })
	if err != nil {
		return err
	}
	if !next.IsZero() {
		return step.Save(ctx, map[string]any{"after": next}, nil)
	}
	list, err := sleepers.Refs(ctx, w.db, work.UserID)
	if err != nil {
		return err
	}
	return step.End(ctx, func(b *db.Batch) {
		now := w.db.Time()
		b.Set(w.db.Home(work.UserID), model.Home{SeenAt: sleepers.DayOf(now)})
		// A look that read the timeline before this commit is not noted after it.
		b.Set(w.db.ReactionMonth(work.UserID, model.MonthOf(now)),
			map[string]any{"userId": work.UserID, "month": model.MonthOf(now), "seenAt": now}, firestore.MergeAll)
		for _, ref := range list {
			b.Delete(ref)
		}
	})
}
