package timelines

import (
	"context"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// followedAtOnce is the largest number of followed authors that a rebuild processes side by side.
const followedAtOnce = 100

// Each author may bring hundreds of tweets, and a timeline takes 2,000 a second.
const (
	linkedAtFirst          = 10
	linkedWeight           = 3_000 // about how much the authors linked at once may bring together
	rebuildingAuthorWeight = 20    // the weight of an author without tweets
)

// withFollowed calls do for some followed authors of a follower, side by side. It takes the authors in the order of the
// relationships, beginning at from. It returns the authors and the position of the next one; at the end of the list the
// position is zero.
//
// Cost: 1 read an author, at least 1.
func (w *Rebuilder) withFollowed(ctx context.Context, follower model.UserID, from model.Cursor, limit int,
	do func(ctx context.Context, follower, author model.UserID) error) (authors []model.UserID, next model.Cursor,
	err error) {
	p, err := w.graph.FollowedSince(ctx, follower, time.Unix(0, 0), from, limit)
	if err != nil {
		return nil, from, err
	}
	g, side := safely.WithContext(ctx)
	for _, rel := range p.Items {
		authors = append(authors, rel.FollowedID)
		g.Go(func() error { return do(side, follower, rel.FollowedID) })
	}
	return authors, p.Next, g.Wait()
}

// Rebuild rebuilds the home timeline of a reader who was away: it calls [Writer.Link] for each followed author. Rebuild
// works in steps, and the work document holds the last author. The reader counts as active only after all links.
//
// Rebuild links few authors at a time first. Later it chooses the number by how much the last authors brought. A step
// that is late begins with few authors again, because it may have tried too many before.
//
// Cost: 1 read an author and the cost of Link for each; 1 read and 1 write a step.
func (w *Rebuilder) Rebuild(ctx context.Context, work model.RebuildWork) (err error) {
	defer errs.Wrap(&err, "timelines.Rebuild(%q)", work.UserID)
	step, current, err := w.db.Begin(ctx, w.db.Doc(model.Rebuilds, string(work.UserID)), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	next, together := work.After, max(work.Together, linkedAtFirst)
	if step.Late {
		together = linkedAtFirst
	}
	for {
		begun, brought := time.Now(), atomic.Int64{}
		authors, after, err := w.withFollowed(ctx, work.UserID, next, together, func(ctx context.Context, follower,
			author model.UserID) error {
			written, err := w.timelines.relink(ctx, follower, author, false)
			brought.Add(int64(written))
			return err
		})
		if err != nil {
			return err
		}
		if next = after; next.IsZero() {
			break
		}
		together = min(max(linkedWeight/(rebuildingAuthorWeight+int(brought.Load())/len(authors)), linkedAtFirst),
			followedAtOnce)
		if step.Left() < time.Since(begun)*time.Duration(together)/time.Duration(len(authors)) {
			return step.Save(ctx, map[string]any{fields.After: next, fields.Together: together}, nil)
		}
	}
	list, err := dormantRefs(ctx, w.db, work.UserID)
	if err != nil {
		return err
	}
	return step.End(ctx, func(b *db.Batch) {
		now := w.db.Time()
		b.Set(w.db.Home(work.UserID), model.Home{SeenAt: dormantDay(now)})
		// While the reader was dormant, withdrawals missed the timeline.
		b.Set(w.db.Viewer(work.UserID), viewers.Settled(now), firestore.MergeAll)
		// This commit changes the month. So a visit that read the timeline before the commit is not recorded after it.
		b.Set(w.db.ReactionMonth(work.UserID, model.MonthOf(now)),
			map[string]any{fields.UserID: work.UserID, fields.Month: model.MonthOf(now), fields.SeenAt: now}, firestore.MergeAll)
		for _, ref := range list {
			b.Delete(ref)
		}
	})
}
