package cost

import (
	"context"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
)

// homePage is how many tweets a home page shows.
const homePage = 20

// homeReads drives the API's cache of tweets through a day of so many users, and returns
// the mean of a home page's reads. With more users, a user more often sees a tweet that
// another user has just seen, and there are more changes to hear of.
//
// No emulator on one machine holds as many users as make a difference. So the database is
// a list in memory here, and only the cache is the real one. The crowd and its day are
// the same as in the measured run. A page is the newest tweets of the authors whom its
// reader follows. It costs 2 reads, of the timeline and the reactions, and what the cache
// then reads. The figure is that of a single instance of the API, since each instance has
// a cache of its own.
func homeReads(users int, seed uint64, ttl time.Duration) (float64, error) {
	c, d := newCrowd(users, seed), newTweetLog(ttl)
	tweets := make([][]int, users) // by when they were written
	post := func(user int, at time.Duration) {
		tweets[user] = append(tweets[user], d.write(at))
	}
	for _, op := range c.earlier() {
		post(op.user, -24*time.Hour)
	}
	pages, reads := 0, 0
	var shown []int
	for _, op := range c.today() {
		switch op.name {
		case postTweet:
			post(op.user, op.at)
		case likeTweet:
			theirs := tweets[c.other(op.user)]
			d.change(theirs[len(theirs)-1-c.recent.draw(c.rand)], op.at)
		case homeView:
			shown = shown[:0]
			for _, author := range c.follows[op.user] {
				theirs := tweets[author]
				shown = append(shown, theirs[max(0, len(theirs)-homePage):]...)
			}
			slices.Sort(shown)
			read, err := d.show(shown[max(0, len(shown)-homePage):], op.at)
			if err != nil {
				return 0, err
			}
			pages, reads = pages+1, reads+2+read
		}
	}
	return float64(reads) / float64(pages), nil
}

// tweetLog is a database of tweets behind the API's cache. It only knows when each tweet
// was written, and counts what the cache reads. What the cache keeps of a tweet is when the
// tweet was read.
type tweetLog struct {
	cache   *readcache.Fresh[int, time.Time]
	now     time.Time
	written int
	changes []change // in their order
	reads   int
}

type change struct {
	tweet int
	at    time.Time
}

func newTweetLog(ttl time.Duration) *tweetLog {
	d := &tweetLog{}
	now := func() time.Time { return d.now }
	weigh := func(time.Time) int { return tweetBytes }
	d.cache = readcache.NewFresh(readcache.New(now, ttl, facts.TweetBytes(model.CacheBytes), weigh, d.read),
		readcache.Source[int, time.Time]{
			Now:     now,
			Version: func(read time.Time) readcache.Version { return readcache.Version{Read: read} },
			Changed: d.changed, Removed: d.removed, Outdated: d.outdated,
			Failed: func(err error) { panic(err) }, // none fails
		})
	d.cache.Patience = time.Minute
	return d
}

// tweetBytes is about how many bytes the API's cache needs for a tweet of the day.
const tweetBytes = 1_000

// at is a time of the crowd's day.
func at(since time.Duration) time.Time { return time.Unix(0, 0).Add(24 * time.Hour).Add(since) }

// write adds a tweet.
func (d *tweetLog) write(when time.Duration) (tweet int) {
	d.written++
	d.change(d.written-1, when)
	return d.written - 1
}

// change notes that a tweet was written or liked.
func (d *tweetLog) change(tweet int, when time.Duration) {
	d.changes = append(d.changes, change{tweet, at(when)})
}

// show returns how many tweets the cache reads for a page.
func (d *tweetLog) show(tweets []int, when time.Duration) (reads int, err error) {
	d.now = at(when)
	before := d.reads
	_, err = d.cache.Get(context.Background(), tweets)
	return d.reads - before, err
}

// read answers as a lookup does: 1 read a tweet.
func (d *tweetLog) read(_ context.Context, tweets []int) (map[int]time.Time, error) {
	d.reads += len(tweets)
	all := make(map[int]time.Time, len(tweets))
	for _, tweet := range tweets {
		all[tweet] = d.now
	}
	return all, nil
}

// changed answers as a query does: 1 read a tweet that changed, at least 1.
func (d *tweetLog) changed(_ context.Context, since time.Time) (map[int]time.Time, error) {
	changed := map[int]time.Time{}
	for i := len(d.changes) - 1; i >= 0 && d.changes[i].at.After(since) && len(changed) < readcache.Limit; i-- {
		changed[d.changes[i].tweet] = d.now
	}
	d.reads += max(len(changed), 1)
	return changed, nil
}

// removed finds nothing, since nobody deletes a tweet on this day.
func (d *tweetLog) removed(context.Context, time.Time) ([]int, error) {
	d.reads++
	return nil, nil
}

// outdated finds nothing, since nobody takes another name on this day.
func (d *tweetLog) outdated(context.Context, time.Time) (func(time.Time) bool, bool, error) {
	d.reads++
	return nil, false, nil
}
