package timelines

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// noteEvery is the shortest time between two writes of a reader's last visit.
const noteEvery = 24 * time.Hour

// goneOnPage is the number of entries without a tweet to show that a page skips. The tweet of such an entry is gone, or
// stands at a newer position. A page with more of these entries is shorter, and the next page begins after them.
const goneOnPage = 20

// passedOnPage is the number of positions that a page skips because earlier pages have shown their tweets. A skipped
// position costs only the read of its overflow document. A page with more of these positions is shorter, too.
const passedOnPage = 150

// Home returns one page of a reader's home timeline, newest first. from is the cursor of the page, and empty for the
// first page. If after is not empty, the page has only tweets newer than that position. A client passes the newest
// position that it shows. next is empty at the end.
//
// Home does not return tweets that arrive late with a position older than after. A late function or a new follow can
// bring them.
//
// A tweet that followed users share stands at the position of the newest share. It stands at no other position on all
// pages that follow each other by next, see [Cursor].
//
// Home also returns the reader's own tweets like the tweets of a followed author. It does not return the reader's own
// shares. It reads them from the reader's month of tweets at the moment of the page.
//
// Once a day Home records the visit. A reader without a visit for model.SleepAfter is dormant. Home builds a dormant
// reader's page from relationships and authors' months, and enqueues [Rebuilder.Rebuild].
//
// Cost: 3 reads a month, 1 read a tweet or large author's month that is not cached, and 2 writes a day; 1 read more for
// a page with shares.
func (r *Reader) Home(ctx context.Context, uid model.UserID, after model.Position, from Cursor,
	limit int) (items []Item, next Cursor, err error) {
	defer errs.Wrap(&err, "timelines.Home(%q)", uid)
	before, shown := from.cut()
	k := newPositionPage(before, shown)
	items, end, err := r.home(ctx, uid, k, after, before, limit)
	if err != nil || end == "" {
		return items, "", err
	}
	return items, cursor(end, k.Memory(items, end)), nil
}

// home is [Reader.Home] with the cursor already split. end is the position at which the page ended.
func (r *Reader) home(ctx context.Context, uid model.UserID, k *positionPage, after, before model.Position,
	limit int) (items []Item, end model.Position, err error) {
	oldest, months := r.db.HomeWindow()
	// The page does not read the month that says whether the reader is dormant, so this call reads it.
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
	var asked, passed int   // how many positions were read, and how many skipped
	var last model.Position // the last of these positions
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
				if !ok || after != "" && p.Position.Compare(after) <= 0 {
					break
				}
				if last = p.Position; k.Passed(p) {
					passed++
					continue
				}
				if k.viewer == nil && k.Shared(p) {
					if k.viewer, err = r.viewers.Read(ctx, uid); err != nil {
						return nil, "", err
					}
					k.cost++
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
			if err != nil || more && (after == "" || p.Position.Compare(after) > 0) || i+1 < len(months) {
				return items, items[limit-1].Position, err
			}
		}
	}
	return items, "", nil
}

// look reads the current month and records the visit. The bool reports whether the reader is active.
//
// The write of the visit succeeds only if no process wrote the month of reactions since the read. The last commit of
// [Rebuilder.Rebuild] writes that month. So a recorded visit never belongs to a timeline that is half rebuilt.
//
// Cost: 3 reads a try; once a day 2 writes and the cost of enqueueSweep.
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

// note records a reader's visit if the last record is old. seen is the time of the last record. active reports whether
// the reader is active. If a process wrote the month of reactions since it was read, noted is false and nothing is
// written.
//
// Cost: nothing if the last record is new; otherwise 2 writes, and the cost of enqueueSweep.
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
	b.Update(r.db.Home(uid), []firestore.Update{{Path: fields.SeenAt, Value: dormantDay(now)}})
	if reactions.Exists() {
		b.Update(reactions.Ref, []firestore.Update{{Path: fields.SeenAt, Value: now}},
			firestore.LastUpdateTime(reactions.UpdateTime))
	} else {
		b.Create(reactions.Ref, map[string]any{fields.UserID: uid, fields.Month: m, fields.SeenAt: now})
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

// sweepHour remembers the last hour in which this process enqueued the day's dormancy sweep. The process enqueues the
// sweep every hour, because the event of a sweep may be lost.
type sweepHour struct {
	mu   sync.Mutex
	hour string
}

// enqueueSweep enqueues the dormancy sweep at the first visit of a day. So the sweep needs no scheduler.
//
// Cost: 1 write a day in the first process; 1 read an hour in every other process.
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
