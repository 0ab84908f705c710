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

// noteEvery is how often Home notes at most that a reader looks at the home timeline.
const noteEvery = 24 * time.Hour

// Home reads a page of a user's home timeline: the newest tweets, or the newest that are
// older than before if before is not empty. next is empty at the end.
//
// Once a day Home notes that the reader looked. A reader who was away for
// model.SleepAfter is asleep. Home answers such a reader from relationships and authors'
// months, and Wake rebuilds the timeline meanwhile.
//
// Cost: 2 reads a month that the page touches, 1 read a tweet that is not cached, and 1
// read a large author whose month is not cached. So a page of 20 costs 22 reads when
// nothing is cached. A page that begins in an earlier month costs 1 read more.
// A full month of the reader's reactions costs what [facts.Store.LikedIn] costs.
// A look after model.SleepAfter, and the first look of a month, cost 1 read more.
// Once a day 2 writes note that the reader looked, and the first reader of a day costs 1
// write more.
// A reader who is asleep costs at most 1 write, about 6 reads, 1 read a followed author, up to
// 200, and about 2 reads a tweet.
func (r *Reader) Home(ctx context.Context, uid model.UserID, before model.TweetID, limit int) (items []facts.Seen, next model.TweetID, err error) {
	defer errs.Wrap(&err, "timelines.Home(%q)", uid)
	oldest, months := r.db.HomeWindow()
	if before != "" && before.Month() < months[0] { // the month that tells whether the reader is asleep is not on this page
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
			if r.db.Now().Sub(reactions.SeenAt) >= model.SleepAfter {
				// The reader may have been asleep, and Wake may have ended between the reading of
				// the month and the note of the look. Then the month was read half rebuilt.
				timeline = &model.Timeline{}
				if _, err := r.db.Get(ctx, r.db.Timeline(uid, m), timeline); err != nil {
					return nil, "", err
				}
			}
		}
		f, err := r.feed(ctx, timeline, uid, m, before, oldest)
		if err != nil {
			return nil, "", err
		}
		for {
			// Home skips entries of tweets that were deleted a moment ago, and fills the
			// page up with the next entries.
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
			liked, err := r.facts.LikedIn(ctx, uid, reactions, ids)
			if err != nil {
				return nil, "", err
			}
			for _, id := range ids {
				if t := tweets[id]; t != nil && !t.IsViolative {
					items = append(items, facts.Seen{ID: id, Tweet: t, Liked: liked[id]})
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

// awake tells whether a user's home timeline is kept up. If the last note, seen, is old,
// awake notes that the user looks now.
//
// Cost: nothing if the last note is new; otherwise 2 writes, and what askSweep costs.
func (r *Reader) awake(ctx context.Context, uid model.UserID, seen time.Time) (bool, error) {
	now := r.db.Time()
	if now.Sub(seen) < noteEvery {
		return true, nil
	}
	if err := r.askSweep(ctx); err != nil {
		return false, err
	}
	b := r.db.Batch()
	b.Update(r.db.Home(uid), []firestore.Update{{Path: "seenAt", Value: dayOf(now)}})
	b.Set(r.db.ReactionMonth(uid, model.MonthOf(now)), map[string]any{"userId": uid, "month": model.MonthOf(now), "seenAt": now}, firestore.MergeAll)
	_, err := b.Commit(ctx)
	if db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// sweepHour remembers the last hour in which this process asked for the day's sweep. It asks
// each hour, because the event of a sweep may be lost.
type sweepHour struct {
	mu   sync.Mutex
	hour string
}

// askSweep asks for a sweep when a reader looks for the first time on a day. So no
// schedule has to run.
//
// Cost: 1 write a day, in the process that asks first. 1 read an hour in every other.
func (r *Reader) askSweep(ctx context.Context) error {
	now := r.db.Time()
	hour := now.Format("2006-01-02 15")
	r.swept.mu.Lock()
	asked := r.swept.hour == hour
	r.swept.mu.Unlock()
	if asked {
		return nil
	}
	_, err := r.db.Ask(ctx, r.db.Doc(model.Sweeps, now.Format(time.DateOnly)), model.SweepWork{ExpireAt: r.db.WorkExpiry()})
	if err == nil {
		r.swept.mu.Lock()
		r.swept.hour = hour
		r.swept.mu.Unlock()
	}
	return err
}
