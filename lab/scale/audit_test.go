package scale_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/timelines"
)

// world are all relationships and tweets at one time.
type world struct {
	at      time.Time   // of the clock
	idle    []time.Time // when no event was in flight
	follows map[model.UserID][]model.Relationship
	tweets  map[model.UserID][]written // newest first, those that are deleted too
}

type written struct {
	id      model.TweetID
	deleted time.Time // zero while it is there
}

// world reads them without the store.
func (e *env) world(ctx context.Context) (*world, error) {
	f := &world{at: e.clock.now(), idle: e.wasIdle, follows: map[model.UserID][]model.Relationship{},
		tweets: map[model.UserID][]written{}}
	err := e.each(ctx, model.Relationships, func(snap *firestore.DocumentSnapshot) error {
		var rel model.Relationship
		err := snap.DataTo(&rel)
		f.follows[rel.FollowerID] = append(f.follows[rel.FollowerID], rel)
		return err
	})
	if err != nil {
		return nil, err
	}
	// Tombstones first: a tweet that is deleted in between is then held to exist, and
	// not to be unknown.
	gone := map[model.TweetID]bool{}
	err = e.each(ctx, model.Tombstones, func(snap *firestore.DocumentSnapshot) error {
		var tomb model.Tombstone
		err := snap.DataTo(&tomb)
		id := model.TweetID(snap.Ref.ID)
		gone[id] = true
		f.tweets[tomb.AuthorID] = append(f.tweets[tomb.AuthorID], written{id, tomb.DeletedAt})
		return err
	})
	if err != nil {
		return nil, err
	}
	err = e.each(ctx, model.Tweets, func(snap *firestore.DocumentSnapshot) error {
		author, err := snap.DataAt("authorId")
		if id := model.TweetID(snap.Ref.ID); err == nil && !gone[id] {
			f.tweets[model.UserID(author.(string))] = append(f.tweets[model.UserID(author.(string))], written{id: id})
		}
		return err
	})
	for _, list := range f.tweets {
		slices.SortFunc(list, func(a, b written) int { return b.id.Compare(a.id) })
	}
	return f, err
}

func (e *env) each(ctx context.Context, collection string, do func(*firestore.DocumentSnapshot) error) error {
	snaps, err := e.raw.Collection(collection).Documents(ctx).GetAll()
	for _, snap := range snaps {
		if err := do(snap); err != nil {
			return fmt.Errorf("%s: %w", snap.Ref.Path, err)
		}
	}
	return err
}

// edge is how near to the end of the timeline's window a tweet may be shown or not,
// since time goes on.
const edge = time.Minute

// timeline returns which tweets a user's home timeline must show, and which it may. Of
// those from before a follow it shows the newest twenty that were there when it took
// effect. Some may have been deleted since, so that others moved up. And what happened
// just before the follow, while its event was in flight, may have been seen or not: a new
// tweet then comes on top of twenty, and one that was deleted takes the place of another.
// What was deleted after since may still be shown: the timeline was read some time after it.
func (f *world) timeline(uid model.UserID, since time.Time) (must, may map[model.TweetID]bool) {
	must, may = map[model.TweetID]bool{}, map[model.TweetID]bool{}
	oldest := f.at.Add(-model.TimelineWindow)
	for _, rel := range f.follows[uid] {
		atMost, atLeast := 0, 0 // so many of the newer ones were counted among the twenty
		for _, w := range f.tweets[rel.FollowedID] {
			at := w.id.Time()
			there := w.deleted.IsZero()
			shown, showable := there, there || w.deleted.After(since)
			if at.Before(rel.CreatedAt) {
				shown, showable = there && atMost < model.RecentTweets, showable && atLeast < model.RecentTweets
				if there || !f.reconciled(w.deleted, rel.CreatedAt) {
					atMost++
				}
				if there && f.reconciled(at, rel.CreatedAt) {
					atLeast++
				}
			}
			if shown && at.After(oldest.Add(edge)) {
				must[w.id] = true
			}
			if showable && at.After(oldest.Add(-edge)) {
				may[w.id] = true
			}
		}
	}
	return must, may
}

// reconciled reports whether the events of one time had all their effects before a later time.
func (f *world) reconciled(at, later time.Time) bool {
	return slices.ContainsFunc(f.idle, func(idle time.Time) bool { return at.Before(idle) && idle.Before(later) })
}

// home reads a user's home timeline to its end, or the first few of it, page after page.
func (e *env) home(ctx context.Context, uid model.UserID, pageSize, limit int) (ids []model.TweetID, err error) {
	for before := timelines.Cursor(""); ; {
		var items []timelines.Item
		var next timelines.Cursor
		err := testenv.Patiently(func() (err error) {
			items, next, err = e.Store.Timelines.Home(ctx, uid, "", before, pageSize)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if n := len(ids); n > 0 && item.ID.Compare(ids[n-1]) >= 0 {
				return nil, fmt.Errorf("home timeline of %s has %s after %s: twice, or out of order", uid, item.ID, ids[n-1])
			}
			ids = append(ids, item.ID)
		}
		if before = next; next == "" || limit > 0 && len(ids) >= limit {
			return ids, nil
		}
	}
}

// compare returns what is wrong with ids as a user's home timeline, or as the beginning of
// it if it was not read to the end: what must be there by older source documents, and what may be by
// newer ones.
func compare(uid model.UserID, ids []model.TweetID, toTheEnd bool, older, newer *world) error {
	must, _ := older.timeline(uid, older.at)
	_, may := newer.timeline(uid, older.at)
	var all []error
	for _, id := range ids {
		if !may[id] {
			all = append(all, fmt.Errorf("home timeline of %s has %s, which should not be there", uid, id))
		}
		delete(must, id)
	}
	for id := range must {
		if toTheEnd || len(ids) > 0 && id.Compare(ids[len(ids)-1]) > 0 {
			all = append(all, fmt.Errorf("home timeline of %s lacks %s", uid, id))
		}
	}
	return errors.Join(all...)
}

// audit compares the home timelines of users, who must be active, with the world. Nothing
// else may go on.
func (e *env) audit(t *testing.T, users []model.UserID) {
	t.Helper()
	now, err := e.world(t.Context())
	testenv.Must(t, err)
	active := map[model.UserID]bool{}
	testenv.Must(t, e.each(t.Context(), model.Homes, func(snap *firestore.DocumentSnapshot) error {
		active[model.UserID(snap.Ref.ID)] = true
		return nil
	}))
	wrong := make([]error, len(users))
	inParallel(t, len(users), func(ctx context.Context, i int) error {
		if !active[users[i]] {
			return fmt.Errorf("%s is dormant", users[i])
		}
		ids, err := e.home(ctx, users[i], 100, 0)
		if err == nil {
			err = compare(users[i], ids, true, now, now)
		}
		wrong[i] = err
		return nil
	})
	if err := errors.Join(wrong...); err != nil {
		t.Error(shorten(err))
	}
}

// shorten keeps a failure readable.
func shorten(err error) string {
	text := err.Error()
	if len(text) > 4000 {
		return text[:4000] + " …"
	}
	return text
}
