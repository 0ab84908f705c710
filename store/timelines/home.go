package timelines

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// noteEvery is how often Home notes at most that a reader looks at the home timeline.
const noteEvery = 24 * time.Hour

// goneOnPage is how many entries that show nothing a page passes over: of tweets that are gone,
// and of tweets that are at a newer position. A page that has
// more of them is shorter, and the next page begins after them.
const goneOnPage = 20

// passedOnPage is how many positions of tweets that earlier pages have shown a page passes over. They
// cost nothing but the overflow documents that have them. A page that has more is shorter, too.
const passedOnPage = 150

// Home reads a page of a user's home timeline: the newest tweets, or those that the pages up to the
// cursor from have not shown, and newer than after if after is not empty,
// such as the position of the newest tweet that a client shows. next is empty at the end. What comes
// later at a position older than after is not there: tweets of somebody whom the reader followed
// since, and what a function put late. A tweet that
// followed users share stands at the position of the newest share, and at no other, on all pages
// that are read by the next of the page before: see [Cursor].
//
// Once a day Home notes that the reader looked. A reader who was away for
// model.SleepAfter is dormant. Home answers such a reader from relationships and authors'
// months, and Wake rebuilds the timeline meanwhile.
//
// The reader's own tweets are there too, as those of a followed author, but not what the reader
// shares. They are read from the reader's month of tweets, as it is at the moment of the page.
//
// Cost: 3 reads a month that the page touches, 1 read a tweet that is not cached, and 1
// read a large author whose month is not cached, 2 if the author shared something in it. So a page
// of 20 costs 23 reads when nothing is cached, and one of what came after a minute ago 3 if nothing
// came. A page that begins in an earlier month costs 3 reads more, and a month in which the reader
// wrote for followers 1. For shares on the page, less cached: 1 read a share, 2 a sharer, 2 an
// author of a shared tweet, 1 another month of these tweets. A page with tweets for followers costs
// 1 read more for each of their authors. A full month of the reader's reactions costs what
// [facts.Store.ViewerStateIn] costs. Once a day 2 writes note that the reader looked, and the first
// reader of a day costs 1 write more. A reader who is dormant costs at most 1 write, about 6 reads,
// 1 read a followed author, up to 200, and about 2 reads a tweet.
func (r *Reader) Home(ctx context.Context, uid model.UserID, after model.TweetID, from Cursor, limit int) (items []Item,
	next Cursor, err error) {
	defer errs.Wrap(&err, "timelines.Home(%q)", uid)
	before, shown := from.cut()
	k := newPositionPage(before, shown)
	items, end, err := r.home(ctx, uid, k, after, before, limit)
	if err != nil || end == "" {
		return items, "", err
	}
	return items, cursor(end, k.Memory(items, end)), nil
}

// home is [Reader.Home] with the cursor cut. It returns where the page ended.
func (r *Reader) home(ctx context.Context, uid model.UserID, k *positionPage, after, before model.TweetID,
	limit int) (items []Item, end model.TweetID, err error) {
	oldest, months := r.db.HomeWindow()
	// the month that tells whether the reader is dormant is not on this page
	if before != "" && before.Month() < months[0] {
		if _, active, err := r.look(ctx, uid, months[0]); err != nil || !active {
			return r.dormant(ctx, uid, k, after, before, limit, err)
		}
		months = slices.DeleteFunc(months, func(m model.Month) bool { return m > before.Month() })
	}
	if after != "" {
		months = slices.DeleteFunc(months, func(m model.Month) bool { return m < after.Month() && m != months[0] })
	}
	now := model.MonthOf(r.db.Now())
	var asked, passed int  // how many positions were looked up, and passed over
	var last model.TweetID // of them
	for i, m := range months {
		var read *month
		if m == now {
			var active bool
			if read, active, err = r.look(ctx, uid, m); err != nil || !active {
				return r.dormant(ctx, uid, k, after, before, limit, err)
			}
		} else if read, err = r.month(ctx, uid, m); err != nil {
			return nil, "", err
		}
		f, err := r.feed(ctx, read, uid, m, before, oldest, k)
		if err != nil {
			return nil, "", err
		}
		for {
			// Home skips entries that show nothing, and fills the page up with the next ones.
			var some []mergedItem
			for len(items)+len(some) < limit && asked+len(some) < limit+goneOnPage && passed < passedOnPage &&
				k.Room(asked+len(items)+2*len(some)) {
				p, ok, err := f.Next(ctx)
				if err != nil {
					return nil, "", err
				}
				if !ok || after != "" && p.ID.Compare(after) <= 0 {
					break
				}
				if last = p.ID; k.Passed(p) {
					passed++
					continue
				}
				some = append(some, p)
				k.Look(p)
			}
			if len(some) == 0 {
				break
			}
			asked += len(some)
			shown, err := r.positions.Show(ctx, uid, k, m, read.reactions, some)
			if err != nil {
				return nil, "", err
			}
			items = append(items, shown...)
		}
		if len(items) < limit && (asked >= limit+goneOnPage || passed >= passedOnPage || !k.Room(asked+len(items))) {
			return items, last, nil
		}
		if len(items) == limit {
			p, more, err := f.Next(ctx)
			for ; err == nil && more && passed < passedOnPage && k.Passed(p); p, more, err = f.Next(ctx) {
				passed++
			}
			if err != nil || more && (after == "" || p.ID.Compare(after) > 0) || i+1 < len(months) {
				return items, items[limit-1].Place, err
			}
		}
	}
	return items, "", nil
}

// look reads the current month and notes the look. It tells whether the reader is active.
//
// The note succeeds only if no process wrote the month of reactions since it was read.
// Wake's last commit writes it. So a look that is noted has read a timeline that is not half
// rebuilt.
//
// Cost: 3 reads, again for each time that another process was first. If the last note
// is old, 2 writes, and what enqueueSweep costs.
func (r *Reader) look(ctx context.Context, uid model.UserID, m model.Month) (*month, bool, error) {
	for {
		read, err := r.month(ctx, uid, m)
		if err != nil {
			return nil, false, err
		}
		noted, active, err := r.note(ctx, uid, m, read.noted, read.reactions.SeenAt)
		if err != nil || noted {
			return read, active, err
		}
	}
}

// note notes that a reader looks now, if the last note, seen, is old. It tells whether the
// reader is active. It answers false, and notes nothing, if a process wrote the month of
// reactions since it was read.
//
// Cost: nothing if the last note is new; otherwise 2 writes, and what enqueueSweep costs.
func (r *Reader) note(ctx context.Context, uid model.UserID, m model.Month, reactions *firestore.DocumentSnapshot,
	seen time.Time) (noted, active bool, err error) {
	now := r.db.Time()
	if now.Sub(seen) < noteEvery {
		return true, true, nil
	}
	if err := r.enqueueSweep(ctx); err != nil {
		return false, false, err
	}
	b := r.db.Batch()
	b.Update(r.db.Home(uid), []firestore.Update{{Path: "seenAt", Value: dormantDay(now)}})
	if reactions.Exists() {
		b.Update(reactions.Ref, []firestore.Update{{Path: "seenAt", Value: now}},
			firestore.LastUpdateTime(reactions.UpdateTime))
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

// enqueueSweep asks for a sweep when a reader looks for the first time on a day. So no
// schedule has to run.
//
// Cost: 1 write a day, in the process that asks first. 1 read an hour in every other.
func (r *Reader) enqueueSweep(ctx context.Context) error {
	hour := r.db.Time().Format("2006-01-02 15")
	r.swept.mu.Lock()
	asked := r.swept.hour == hour
	r.swept.mu.Unlock()
	if asked {
		return nil
	}
	err := r.db.EnqueueSweep(ctx)
	if err == nil {
		r.swept.mu.Lock()
		r.swept.hour = hour
		r.swept.mu.Unlock()
	}
	return err
}
