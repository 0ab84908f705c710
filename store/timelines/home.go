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
	"github.com/hibana-sns/hibana/store/internal/sight"
	"github.com/hibana-sns/hibana/store/internal/sleepers"
)

// noteEvery is how often Home notes at most that a reader looks at the home timeline.
const noteEvery = 24 * time.Hour

// goneOnPage is how many entries of tweets that are gone a page passes over. A page that has
// more of them is shorter, and the next page begins after them.
const goneOnPage = 20

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
// A page with tweets for followers costs 1 read more for each of their authors.
// A full month of the reader's reactions costs what [facts.Store.LikedIn] costs.
// Once a day 2 writes note that the reader looked, and the first reader of a day costs 1
// write more.
// A reader who is asleep costs at most 1 write, about 6 reads, 1 read a followed author, up to
// 200, and about 2 reads a tweet.
func (r *Reader) Home(ctx context.Context, uid model.UserID, before model.TweetID, limit int) (items []facts.Seen, next model.TweetID, err error) {
	defer errs.Wrap(&err, "timelines.Home(%q)", uid)
	oldest, months := r.db.HomeWindow()
	if before != "" && before.Month() < months[0] { // the month that tells whether the reader is asleep is not on this page
		if _, _, awake, err := r.look(ctx, uid, months[0], r.reactions); err != nil || !awake {
			return r.asleep(ctx, uid, before, limit, err)
		}
		months = slices.DeleteFunc(months, func(m model.Month) bool { return m > before.Month() })
	}
	now := model.MonthOf(r.db.Now())
	var asked int          // how many entries were looked up
	var last model.TweetID // of them
	for i, m := range months {
		var timeline *model.Timeline
		var reactions *model.ReactionMonth
		if m == now {
			var awake bool
			if timeline, reactions, awake, err = r.look(ctx, uid, m, r.homeMonth); err != nil || !awake {
				return r.asleep(ctx, uid, before, limit, err)
			}
		} else if timeline, reactions, _, err = r.homeMonth(ctx, uid, m); err != nil {
			return nil, "", err
		}
		f, err := r.feed(ctx, timeline, uid, m, before, oldest)
		if err != nil {
			return nil, "", err
		}
		for {
			// Home skips entries of tweets that were deleted a moment ago, and fills the
			// page up with the next entries.
			var ids []model.TweetID
			for len(items)+len(ids) < limit && asked+len(ids) < limit+goneOnPage {
				id, ok, err := f.Next(ctx)
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
			asked, last = asked+len(ids), ids[len(ids)-1]
			tweets, err := r.facts.FreshTweets(ctx, ids)
			if err != nil {
				return nil, "", err
			}
			shown, err := sight.OnShelves(ctx, r.db, uid, ids, tweets)
			if err != nil {
				return nil, "", err
			}
			liked, err := r.facts.LikedIn(ctx, uid, reactions, shown)
			if err != nil {
				return nil, "", err
			}
			for _, id := range shown {
				items = append(items, facts.Seen{ID: id, Tweet: tweets[id], Liked: liked[id]})
			}
		}
		if len(items) < limit && asked >= limit+goneOnPage {
			return items, last, nil
		}
		if len(items) == limit {
			if _, more, err := f.Next(ctx); err != nil || more || i+1 < len(months) {
				return items, items[limit-1].ID, err
			}
		}
	}
	return items, "", nil
}

// monthReader reads a month of a home timeline and of its reader's reactions, or the latter
// alone. It also returns the reactions as they were read.
type monthReader func(ctx context.Context, uid model.UserID, m model.Month) (*model.Timeline, *model.ReactionMonth, *firestore.DocumentSnapshot, error)

// look reads the current month and notes the look. It tells whether the reader is awake.
//
// The note succeeds only if no process wrote the month of reactions since it was read.
// Wake's last commit writes it. So a look that is noted has read a timeline that is not half
// rebuilt.
//
// Cost: what read costs, again for each time that another process was first. If the last note
// is old, 2 writes, and what askSweep costs.
func (r *Reader) look(ctx context.Context, uid model.UserID, m model.Month, read monthReader) (*model.Timeline, *model.ReactionMonth, bool, error) {
	for {
		timeline, reactions, snap, err := read(ctx, uid, m)
		if err != nil {
			return nil, nil, false, err
		}
		noted, awake, err := r.note(ctx, uid, m, snap, reactions.SeenAt)
		if err != nil || noted {
			return timeline, reactions, awake, err
		}
	}
}

// reactions reads a month of a reader's reactions.
//
// Cost: 1 read.
func (r *Reader) reactions(ctx context.Context, uid model.UserID, m model.Month) (*model.Timeline, *model.ReactionMonth, *firestore.DocumentSnapshot, error) {
	snaps, err := r.db.Client.GetAll(ctx, []*firestore.DocumentRef{r.db.ReactionMonth(uid, m)})
	if err != nil {
		return nil, nil, nil, err
	}
	reactions := &model.ReactionMonth{}
	_, err = db.Decode(snaps[0], nil)(reactions)
	return nil, reactions, snaps[0], err
}

// note notes that a reader looks now, if the last note, seen, is old. It tells whether the
// reader is awake. It answers false, and notes nothing, if a process wrote the month of
// reactions since it was read.
//
// Cost: nothing if the last note is new; otherwise 2 writes, and what askSweep costs.
func (r *Reader) note(ctx context.Context, uid model.UserID, m model.Month, reactions *firestore.DocumentSnapshot, seen time.Time) (noted, awake bool, err error) {
	now := r.db.Time()
	if now.Sub(seen) < noteEvery {
		return true, true, nil
	}
	if err := r.askSweep(ctx); err != nil {
		return false, false, err
	}
	b := r.db.Batch()
	b.Update(r.db.Home(uid), []firestore.Update{{Path: "seenAt", Value: sleepers.DayOf(now)}})
	if reactions.Exists() {
		b.Update(reactions.Ref, []firestore.Update{{Path: "seenAt", Value: now}}, firestore.LastUpdateTime(reactions.UpdateTime))
	} else {
		b.Create(reactions.Ref, map[string]any{"userId": uid, "month": m, "seenAt": now})
	}
	_, err = b.Commit(ctx)
	switch {
	case db.NotFound(err):
		return true, false, nil
	case db.Outdated(err), db.AlreadyExists(err):
		return false, false, nil
	}
	return err == nil, err == nil, err
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
