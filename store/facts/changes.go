package facts

import (
	"context"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// A home page shows twenty tweets, of which hardly any changes from one view to the next. So
// what is cached of them is kept for as long as this process hears of every change: a
// tweet tells when it was written last, and one query finds all that changed since the
// last time, for a read each.
const (
	// ChangesEvery is how often is asked at most, and so how old the counts on a home page
	// may be, unless the cache's time is longer.
	ChangesEvery = 5 * time.Second

	// ChangesOverlap is how much of the past each query repeats: a change is stamped before
	// it is committed, maybe by a clock that is behind.
	ChangesOverlap = 2 * time.Second

	// ChangesLimit is how many changes, or deletions, are heard at once. If there are more,
	// listening costs more than it saves, and stops for ChangesPause.
	ChangesLimit = 200
	ChangesPause = time.Minute

	// ChangesLast is for how long what was heard is relied on: it bounds the harm of a change
	// whose commit took longer than the overlap.
	ChangesLast = 24 * time.Hour

	// ChangesMemory is how long a process that shows nobody's home page may go without
	// listening. Then it reads anew.
	ChangesMemory = 10 * time.Minute

	// DeletionsEvery is how often deletions are asked for. Until then a deleted tweet is
	// missing because it was taken out of the timeline, or was deleted by this process.
	DeletionsEvery = 5 * time.Minute
)

// changes is how far a process has heard of changed tweets.
type changes struct {
	mu        sync.Mutex
	since     time.Time // what was read since then is as it was
	until     time.Time // at this time
	deletions time.Time // up to this time it is known what was deleted
	resume    time.Time // no listening before
}

// FreshTweets reads tweets for a home page. Those that were cached, and did not change
// since, cost nothing but their part in hearing so: a read for each tweet, whichever, that
// changed since that was asked last, at least 1, and at most once in ChangesEvery. Others
// cost a read each.
func (s *Store) FreshTweets(ctx context.Context, ids []model.TweetID) (map[model.TweetID]*model.Tweet, error) {
	oldest := s.db.Now().Add(-s.tweets.TTL)
	if s.tweets.Older(ids, oldest) {
		since, err := s.hearChanges(ctx)
		if err != nil {
			return nil, err
		}
		if yesterday := s.db.Now().Add(-ChangesLast); since.Before(yesterday) {
			since = yesterday
		}
		if since.Before(oldest) {
			oldest = since
		}
	}
	return s.tweets.Since(ctx, ids, oldest)
}

// hearChanges brings cached tweets up to date, and tells from when on that is true of what
// was read.
func (s *Store) hearChanges(ctx context.Context) (since time.Time, err error) {
	defer errs.Wrap(&err, "facts.hearChanges")
	c := &s.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.db.Time()
	switch {
	case now.Before(c.resume):
		return now, nil
	case now.Sub(c.until) > ChangesMemory:
		c.since, c.until, c.deletions = now, now, now
		return c.since, nil
	case now.Sub(c.until) <= max(ChangesEvery, s.tweets.TTL):
		return c.since, nil
	}
	shards := make([]int, model.PublicShards)
	for n := range shards {
		shards[n] = n
	}
	snaps, err := s.db.Client.Collection(model.Tweets).Where("publicShard", "in", shards).
		Where(db.ChangedAt, ">", c.until.Add(-ChangesOverlap)).OrderBy(db.ChangedAt, firestore.Asc).
		Limit(ChangesLimit).Documents(ctx).GetAll()
	if err != nil {
		return now, err
	}
	deleted := 0
	if now.Sub(c.deletions) >= DeletionsEvery {
		if deleted, err = s.hearDeletions(ctx, c.deletions.Add(-ChangesOverlap)); err != nil {
			return now, err
		}
		c.deletions = now
	}
	if len(snaps) == ChangesLimit || deleted == ChangesLimit {
		c.until, c.resume = time.Time{}, now.Add(ChangesPause)
		return now, nil
	}
	for _, snap := range snaps {
		if _, err := s.keepTweet(snap); err != nil {
			return now, err
		}
	}
	c.until = now
	return c.since, nil
}

// hearDeletions forgets tweets that were deleted since some time, at most ChangesLimit, and
// tells how many: a read each, at least 1.
func (s *Store) hearDeletions(ctx context.Context, since time.Time) (int, error) {
	snaps, err := s.db.Client.Collection(model.Tombstones).Where("deletedAt", ">", since).
		OrderBy("deletedAt", firestore.Asc).Limit(ChangesLimit).Documents(ctx).GetAll()
	for _, snap := range snaps {
		s.tweets.Forget(model.TweetID(snap.Ref.ID))
	}
	return len(snaps), err
}
