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
	at      time.Time // of the clock
	follows map[model.UserID][]model.Relationship
	tweets  map[model.UserID][]model.TweetID // newest first
}

// world reads them without the store.
func (e *env) world(ctx context.Context) (*world, error) {
	f := &world{at: e.clock.now(), follows: map[model.UserID][]model.Relationship{},
		tweets: map[model.UserID][]model.TweetID{}}
	err := e.each(ctx, model.Relationships, func(snap *firestore.DocumentSnapshot) error {
		var rel model.Relationship
		err := snap.DataTo(&rel)
		f.follows[rel.FollowerID] = append(f.follows[rel.FollowerID], rel)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = e.each(ctx, model.Tweets, func(snap *firestore.DocumentSnapshot) error {
		author, err := snap.DataAt("authorId")
		if err == nil {
			uid := model.UserID(author.(string))
			f.tweets[uid] = append(f.tweets[uid], model.TweetID(snap.Ref.ID))
		}
		return err
	})
	for _, ids := range f.tweets {
		slices.SortFunc(ids, func(a, b model.TweetID) int { return b.Compare(a) })
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

// timeline returns which tweets a user's home timeline must show, and which it may: the tweets of followed users since
// the follow, and the newest twenty from before. A tweet at the edge of the window is optional.
func (f *world) timeline(uid model.UserID) (must, may map[model.TweetID]bool) {
	must, may = map[model.TweetID]bool{}, map[model.TweetID]bool{}
	oldest := f.at.Add(-model.TimelineWindow)
	for _, rel := range f.follows[uid] {
		earlier := 0
		for _, id := range f.tweets[rel.FollowedID] {
			at := id.Time()
			if at.Before(rel.CreatedAt) {
				if earlier++; earlier > model.RecentTweets {
					break
				}
			}
			if at.After(oldest.Add(edge)) {
				must[id] = true
			}
			if at.After(oldest.Add(-edge)) {
				may[id] = true
			}
		}
	}
	return must, may
}

// home reads a user's home timeline to its end, or the first few of it, page after page.
func (e *env) home(ctx context.Context, uid model.UserID, pageSize, limit int) (ids []model.TweetID, err error) {
	for before := timelines.Cursor(""); ; {
		var items []timelines.Item
		var next timelines.Cursor
		err := testenv.Patiently(func() (err error) {
			items, next, _, err = e.Store.Timelines.Home(ctx, uid, "", before, pageSize)
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

// compare returns what is wrong with ids as the whole home timeline of a user.
func compare(uid model.UserID, ids []model.TweetID, now *world) error {
	must, may := now.timeline(uid)
	var all []error
	for _, id := range ids {
		if !may[id] {
			all = append(all, fmt.Errorf("home timeline of %s has %s, which should not be there", uid, id))
		}
		delete(must, id)
	}
	for id := range must {
		all = append(all, fmt.Errorf("home timeline of %s lacks %s", uid, id))
	}
	return errors.Join(all...)
}

// audit compares the home timelines of users with the world. Nothing else may go on.
func (e *env) audit(t *testing.T, users []model.UserID) {
	t.Helper()
	now, err := e.world(t.Context())
	testenv.Must(t, err)
	wrong := make([]error, len(users))
	inParallel(t, len(users), func(ctx context.Context, i int) error {
		ids, err := e.home(ctx, users[i], 100, 0)
		if err == nil {
			err = compare(users[i], ids, now)
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
