package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
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
func (s *Store) Home(ctx context.Context, uid model.UserID, before model.TweetID, limit int) (items []Seen, next model.TweetID, err error) {
	defer errs.Wrap(&err, "store.Home(%q)", uid)
	oldest, months := s.window()
	if before != "" && before.Month() < months[0] { // the month that tells whether they are asleep is not on this page
		var reactions model.ReactionMonth
		if _, err := s.get(ctx, s.reactionMonth(uid, months[0]), &reactions); err != nil {
			return nil, "", err
		}
		if awake, err := s.awake(ctx, uid, reactions.SeenAt); err != nil || !awake {
			return s.asleep(ctx, uid, before, limit, err)
		}
		months = slices.DeleteFunc(months, func(m model.Month) bool { return m > before.Month() })
	}
	for i, m := range months {
		timeline, reactions, err := s.homeMonth(ctx, uid, m)
		if err != nil {
			return nil, "", err
		}
		if m == model.MonthOf(s.now()) {
			if awake, err := s.awake(ctx, uid, reactions.SeenAt); err != nil || !awake {
				return s.asleep(ctx, uid, before, limit, err)
			}
		}
		f, err := s.feed(ctx, timeline, uid, m, before, oldest)
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
			tweets, err := s.shownTweets(ctx, ids)
			if err != nil {
				return nil, "", err
			}
			for _, id := range ids {
				if t := tweets[id]; t != nil && !t.IsViolative {
					items = append(items, Seen{ID: id, Tweet: t, Liked: reactions.Tweets[id].Liked})
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
func (s *Store) awake(ctx context.Context, uid model.UserID, seen time.Time) (bool, error) {
	now := s.time()
	if now.Sub(seen) < noteEvery {
		return true, nil
	}
	if err := s.askSweep(ctx); err != nil {
		return false, err
	}
	b := s.batch()
	b.Update(s.home(uid), []firestore.Update{{Path: "seenAt", Value: now}})
	b.Set(s.reactionMonth(uid, model.MonthOf(now)), map[string]any{"userId": uid, "month": model.MonthOf(now), "seenAt": now}, firestore.MergeAll)
	_, err := b.Commit(ctx)
	if missing(err) {
		return false, nil
	}
	return err == nil, err
}

// asleep answers somebody whose timeline is not kept up, from the facts, and asks for it
// to be rebuilt: at most a write. It passes err on.
func (s *Store) asleep(ctx context.Context, uid model.UserID, before model.TweetID, limit int, err error) ([]Seen, model.TweetID, error) {
	if err != nil {
		return nil, "", err
	}
	_, err = s.doc(model.Wakes, string(uid)).Create(ctx, WakeWork{UserID: uid, ExpireAt: s.time().Add(24 * time.Hour)})
	if err != nil && !exists(err) {
		return nil, "", err
	}
	ids := map[model.TweetID]bool{}
	err = s.following(ctx, uid, func(ctx context.Context, rel model.Relationship) error {
		cards, oldest, err := s.windowCards(ctx, rel.FollowedID)
		visible, _ := shown(cards, rel.CreatedAt, oldest)
		for _, id := range visible {
			if before == "" || id.Compare(before) < 0 {
				ids[id] = true
			}
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	var items []Seen
	for list := model.Newest(ids, 0); len(list) > 0 && len(items) < limit; {
		n := min(limit-len(items), len(list))
		tweets, err := s.shownTweets(ctx, list[:n])
		if err != nil {
			return nil, "", err
		}
		liked, err := s.liked(ctx, uid, list[:n])
		if err != nil {
			return nil, "", err
		}
		for _, id := range list[:n] {
			if t := tweets[id]; t != nil && !t.IsViolative {
				items = append(items, Seen{ID: id, Tweet: t, Liked: liked[id]})
			}
		}
		if list = list[n:]; len(items) == limit && len(list) > 0 {
			return items, items[limit-1].ID, nil
		}
	}
	return items, "", nil
}

// following calls f for each relationship in which uid follows, one after the other: a
// read each.
func (s *Store) following(ctx context.Context, uid model.UserID, f func(context.Context, model.Relationship) error) error {
	for from := (Cursor{}); ; {
		p, err := s.relationships(ctx, "followerId", uid, from, 300)
		if err != nil {
			return err
		}
		for _, rel := range p.Items {
			if err := f(ctx, rel); err != nil {
				return err
			}
		}
		if from = p.Next; from.IsZero() {
			return nil
		}
	}
}

// followedAtOnce is how many of those whom somebody follows are worked on side by side.
const followedAtOnce = backfillsTogether

// withFollowed calls do with a follower and each whom they follow, side by side.
func (s *Store) withFollowed(ctx context.Context, follower model.UserID, do func(ctx context.Context, follower, author model.UserID) error) error {
	g, side := errgroup.WithContext(ctx)
	g.SetLimit(followedAtOnce)
	err := s.following(side, follower, func(_ context.Context, rel model.Relationship) error {
		g.Go(func() error { return do(side, follower, rel.FollowedID) })
		return nil
	})
	if failed := g.Wait(); failed != nil {
		return failed
	}
	return err
}

// WakeWork asks for somebody's home timeline to be rebuilt, in the document whose
// creation starts it: wakes/{uid}. It stays until that is done, and while it is there
// nobody puts them to sleep.
type WakeWork struct {
	UserID   model.UserID `firestore:"userId"`
	ExpireAt time.Time    `firestore:"expireAt"`
}

// Wake rebuilds the home timeline of somebody who was away, as if they had just begun to
// follow everybody whom they do: what LinkTimeline costs, for each.
func (s *Store) Wake(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Wake(%q)", uid)
	if err := s.withFollowed(ctx, uid, s.LinkTimeline); err != nil {
		return err
	}
	b := s.batch()
	b.Set(s.home(uid), model.Home{SeenAt: s.time()})
	b.Delete(s.doc(model.Wakes, string(uid)))
	_, err = b.Commit(ctx)
	return err
}

// SweepWork asks for those to be put to sleep who have not looked for long, in the
// document whose creation starts it: sweeps/{date}.
type SweepWork struct {
	ExpireAt time.Time `firestore:"expireAt"`
}

// sweepDay remembers on which day this process asked for a sweep.
type sweepDay struct {
	mu  sync.Mutex
	day string
}

// askSweep asks for a sweep, the first time on a day: nobody needs to run a schedule.
func (s *Store) askSweep(ctx context.Context) error {
	now := s.time()
	day := now.Format(time.DateOnly)
	s.swept.mu.Lock()
	asked := s.swept.day == day
	s.swept.day = day
	s.swept.mu.Unlock()
	if asked {
		return nil
	}
	_, err := s.doc(model.Sweeps, day).Create(ctx, SweepWork{ExpireAt: now.Add(48 * time.Hour)})
	if exists(err) {
		return nil
	}
	return err
}

// Sweep puts everybody to sleep who has not looked at their home timeline for
// model.SleepAfter: a read and a delete each, and 4 reads for each whom they follow, and a
// write, or less where several follow one author.
func (s *Store) Sweep(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "store.Sweep")
	for {
		q := s.fs.Collection(model.Homes).Where("seenAt", "<", s.time().Add(-model.SleepAfter)).Limit(100)
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err
		}
		g, side := errgroup.WithContext(ctx)
		for _, snap := range snaps {
			g.Go(func() error {
				_, err := snap.Ref.Delete(side, firestore.LastUpdateTime(snap.UpdateTime))
				if outdated(err) || missing(err) {
					return nil // they look at it now
				}
				if err != nil {
					return err
				}
				return s.withFollowed(side, model.UserID(snap.Ref.ID), func(ctx context.Context, follower, author model.UserID) error {
					_, err := s.sleepers.do(ctx, author, follower)
					return err
				})
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
}

// sleep marks followers on an author's pages, those who are still asleep. A mark that is
// missing, or on the wrong page while an author's pages are split, costs needless
// writes and nothing else.
func (s *Store) sleep(ctx context.Context, author model.UserID, followers []model.UserID) ([]struct{}, error) {
	l := s.layouts.get(author)
	var refs []*firestore.DocumentRef
	for _, f := range followers {
		refs = append(refs, s.home(f), s.doc(model.Wakes, string(f)), s.relationship(f, author))
	}
	err := s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			if snaps[3*i].Exists() || snaps[3*i+1].Exists() || !snaps[3*i+2].Exists() {
				continue
			}
			page := l.pagesOf(author, f)[0]
			if pages[page] == nil {
				pages[page] = map[string]any{}
			}
			pages[page][string(f)] = true
		}
		for page, asleep := range pages {
			if err := tx.Set(s.doc(model.FollowerPages, page), map[string]any{"asleep": asleep}, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	return make([]struct{}, len(followers)), err
}

func (s *Store) home(uid model.UserID) *firestore.DocumentRef { return s.doc(model.Homes, string(uid)) }
