package timelines

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// noteEvery is how often it is noted that somebody looks at their home timeline.
const noteEvery = 24 * time.Hour

// Home reads a page of a user's home timeline, newest first, of tweets older than
// before if that is not empty. A page of 20 costs 22 reads, fewer by each tweet that
// is cached (see shownTweets), and two more for each further month that it touches; and a
// read for the month of each large author who is followed, unless cached. Once a day 2
// writes note that the user looked. next is empty at the end.
//
// Somebody who was away for model.SleepAfter is answered from the facts (a read for
// each whom they follow, and for each of their months) while their timeline is rebuilt.
func (r *Reader) Home(ctx context.Context, uid model.UserID, before model.TweetID, limit int) (items []facts.Seen, next model.TweetID, err error) {
	defer errs.Wrap(&err, "timelines.Home(%q)", uid)
	oldest, months := r.db.HomeWindow()
	if before != "" && before.Month() < months[0] { // the month that tells whether they are asleep is not on this page
		var reactions model.ReactionMonth
		if _, err := r.db.Get(ctx, r.db.ReactionMonth(uid, months[0]), &reactions); err != nil {
			return nil, "", err
		}
		if awake, err := r.awake(ctx, uid, reactions.SeenAt); err != nil || !awake {
			return r.asleep(ctx, uid, before, limit, err)
		}
		months = slices.DeleteFunc(months, func(m model.Month) bool { return m > before.Month() })
	}
	for i, m := range months {
		timeline, reactions, err := r.homeMonth(ctx, uid, m)
		if err != nil {
			return nil, "", err
		}
		if m == model.MonthOf(r.db.Now()) {
			if awake, err := r.awake(ctx, uid, reactions.SeenAt); err != nil || !awake {
				return r.asleep(ctx, uid, before, limit, err)
			}
		}
		f, err := r.feed(ctx, timeline, uid, m, before, oldest)
		if err != nil {
			return nil, "", err
		}
		for {
			// Entries of tweets that were deleted a moment ago are skipped, and the
			// page is filled up with the next.
			var ids []model.TweetID
			for len(items)+len(ids) < limit {
				id, ok, err := f.next(ctx)
				if err != nil {
					return nil, "", err
				}
				if !ok {
					break
				}
				ids = append(ids, id)
			}
			if len(ids) == 0 {
				break
			}
			tweets, err := r.facts.FreshTweets(ctx, ids)
			if err != nil {
				return nil, "", err
			}
			for _, id := range ids {
				if t := tweets[id]; t != nil && !t.IsViolative {
					items = append(items, facts.Seen{ID: id, Tweet: t, Liked: reactions.Tweets[id].Liked})
				}
			}
		}
		if len(items) == limit {
			if _, more, err := f.next(ctx); err != nil || more || i+1 < len(months) {
				return items, items[limit-1].ID, err
			}
		}
	}
	return items, "", nil
}

// awake tells whether a user's home timeline is kept up, and notes, if the last note is
// old, that they look at it: 2 writes.
func (r *Reader) awake(ctx context.Context, uid model.UserID, seen time.Time) (bool, error) {
	now := r.db.Time()
	if now.Sub(seen) < noteEvery {
		return true, nil
	}
	if err := r.askSweep(ctx); err != nil {
		return false, err
	}
	b := r.db.Batch()
	b.Update(r.db.Home(uid), []firestore.Update{{Path: "seenAt", Value: now}})
	b.Set(r.db.ReactionMonth(uid, model.MonthOf(now)), map[string]any{"userId": uid, "month": model.MonthOf(now), "seenAt": now}, firestore.MergeAll)
	_, err := b.Commit(ctx)
	if db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// sweepDay remembers on which day this process asked for a sweep.
type sweepDay struct {
	mu  sync.Mutex
	day string
}

// askSweep asks for a sweep, the first time on a day: nobody needs to run a schedule.
func (r *Reader) askSweep(ctx context.Context) error {
	now := r.db.Time()
	day := now.Format(time.DateOnly)
	r.swept.mu.Lock()
	asked := r.swept.day == day
	r.swept.day = day
	r.swept.mu.Unlock()
	if asked {
		return nil
	}
	_, err := r.db.Doc(model.Sweeps, day).Create(ctx, model.SweepWork{ExpireAt: now.Add(48 * time.Hour)})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}
