package simulate

import (
	"maps"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
)

// cacheTTL is how long the API caches a month of an author, and an answer about a share.
const cacheTTL = 2 * time.Second

// today is how the API's instances kept tweets in the former layout: each queried which tweets changed, by the policy
// of package readcache. The real cache gives the same reads and takes ten times as long; a test compares both.
type today struct {
	instances []*instance
	changes   []change
}

type change struct {
	tweet int32
	at    time.Duration
}

// instance is one instance of the API.
type instance struct {
	*today
	tweets  *lru
	since   time.Duration // a tweet that was read since then is good until it changes
	heard   time.Duration // of the last query for changes
	removed time.Duration // of the last query for deletions
	paused  time.Duration // until when the instance queries no changes; since has no meaning then
	follows bool
	asked   map[question]time.Duration // until when an answer is cached
}

// question is an access check of a share.
type question struct {
	what byte
	a, b int32
}

func newToday(instances int) *today {
	t := &today{}
	for range instances {
		t.instances = append(t.instances,
			&instance{today: t, tweets: newLRU(int(tweetsIn(model.CacheBytes))), asked: map[question]time.Duration{}})
	}
	return t
}

// change notes a change of a tweet.
func (t *today) change(tweet int32, at time.Duration) {
	t.changes = append(t.changes, change{tweet, at})
}

// show returns what a page reads besides its documents: tweets, changes, and the access checks of its shares.
func (t *today) show(n int, c *crowd, reader int32, page []entry, at time.Duration) (reads float64) {
	i := t.instances[n]
	outlived := false
	for _, e := range page {
		if read, ok := i.tweets.get(e.tweet); ok && at-read > cacheTTL {
			outlived = true
		}
		if e.share {
			author := c.authors[e.tweet]
			reads += i.ask(at, question{'s', e.by, e.tweet}, question{'f', reader, e.by}, question{'h', reader, e.by},
				question{'b', reader, author}, question{'b', author, reader})
		}
	}
	if outlived {
		reads += i.hear(at)
	}
	for _, e := range page {
		read, ok := i.tweets.get(e.tweet)
		if !ok || at-read > cacheTTL && (!i.follows || read < i.since) {
			i.tweets.add(e.tweet, at)
			reads++
		}
	}
	return reads
}

// hear queries the changes since the last query if that is old, and returns its reads: one for each tweet.
func (i *instance) hear(at time.Duration) (reads float64) {
	if at < i.paused {
		return 0
	}
	if !i.follows || at-i.heard > readcache.Memory {
		i.follows, i.since, i.heard, i.removed = true, at, at, at
		return 0
	}
	if at-i.heard <= readcache.Every {
		return 0
	}
	found := map[int32]bool{}
	for n := len(i.changes) - 1; n >= 0 && len(found) < readcache.Limit; n-- {
		if i.changes[n].at <= i.heard-readcache.Overlap {
			break
		}
		found[i.changes[n].tweet] = true
	}
	reads = max(1, float64(len(found)))
	if len(found) >= readcache.Limit {
		i.follows, i.paused = false, at+readcache.ListenAgain
		return reads
	}
	for tweet := range found {
		i.tweets.add(tweet, at)
	}
	i.heard = at
	if at-i.removed >= readcache.RemovedEvery { // queries deleted tweets, and renamed authors
		i.removed = at
		reads += 2
	}
	return reads
}

// ask returns how many of some access checks are not in the cache.
func (i *instance) ask(at time.Duration, all ...question) (reads float64) {
	if len(i.asked) > 100_000 {
		maps.DeleteFunc(i.asked, func(_ question, until time.Duration) bool { return at >= until })
	}
	for _, q := range all {
		if at >= i.asked[q] {
			i.asked[q] = at + cacheTTL
			reads++
		}
	}
	return reads
}
