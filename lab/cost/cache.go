package cost

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// homePage is how many tweets a home page shows.
const homePage = 20

// homeReads drives the API's caches of heads, tweets and sharers' profiles through a day of so many users, and returns
// the mean reads of a home page, and of a request for what is new. With more users, a page more often needs a head or
// tweet that another page has just read, and there are more changes to read.
//
// An emulator on one machine holds too few users to show the effect. The database is therefore a list in memory, and
// only the caches are real. The crowd and its day are the same as in the measured run. A page is the newest tweets of
// the authors whom its reader follows and of the reader, and what the authors share. It costs 2 reads, of the reader's
// graph and month of reactions, and what the caches read. The model opens no months beyond heads. The figure is that of
// a single instance of the API, since each instance has caches of its own.
func homeReads(users int, seed uint64, ttl time.Duration) (home, news float64, err error) {
	c, d := newCrowd(users, seed), newTweetLog(ttl, nil)
	tweets, shares := make([][]int, users), make([][]share, users) // by when they were written, and shared
	post := func(user int, at time.Duration) {
		tweets[user] = append(tweets[user], d.write(user, at))
		d.changeHead(user, at)
	}
	chosen := func(user int) int { // a tweet of another author
		theirs := tweets[c.other(user)]
		return theirs[len(theirs)-1-c.recent.draw(c.rand)]
	}
	for _, op := range c.earlier() {
		post(op.user, -24*time.Hour)
	}
	pages, reads, asked, newsReads := 0, 0, 0, 0
	for _, op := range c.today(nil) {
		switch op.name {
		case postTweet:
			post(op.user, op.at)
		case replyTweet:
			d.change(chosen(op.user), op.at)
			post(op.user, op.at)
		case editTweet:
			d.change(tweets[op.user][len(tweets[op.user])-1], op.at)
			d.changeHead(op.user, op.at)
		case likeTweet:
			d.change(chosen(op.user), op.at)
		case shareTweet:
			tweet := chosen(op.user)
			d.change(tweet, op.at)
			d.changeHead(op.user, op.at)
			shares[op.user] = append(shares[op.user], share{op.user, tweet, len(d.authors)})
		case homeView:
			newest := map[int]share{} // by tweet, at the place where the page shows it
			authors := append([]int{op.user}, c.follows[op.user]...)
			for _, author := range authors {
				theirs := tweets[author]
				for _, tweet := range theirs[max(0, len(theirs)-homePage):] {
					if newest[tweet].place <= tweet {
						newest[tweet] = share{by: nobody, tweet: tweet, place: tweet}
					}
				}
				if author == op.user {
					continue // what the reader shares is not there
				}
				for _, s := range shares[author] {
					if was, ok := newest[s.tweet]; !ok || was.place <= s.place {
						newest[s.tweet] = s
					}
				}
			}
			shown := slices.SortedFunc(maps.Values(newest),
				func(a, b share) int { return cmp.Or(b.place-a.place, b.tweet-a.tweet) })
			read, err := d.show(authors, shown[:min(homePage, len(shown))], op.at)
			if err != nil {
				return 0, 0, err
			}
			pages, reads = pages+1, reads+2+read
		case homeNews: // whatever is new is a page's
			read, err := d.show(append([]int{op.user}, c.follows[op.user]...), nil, op.at)
			if err != nil {
				return 0, 0, err
			}
			asked, newsReads = asked+1, newsReads+read
		}
	}
	return float64(reads) / float64(pages), float64(newsReads) / float64(asked), nil
}

// share is the position of a tweet on a home page, and the user whose share brings it there.
type share struct {
	by, tweet int
	place     int // as many tweets were written before
}

// nobody marks a tweet that a home page shows at its own position, without a share.
const nobody = -1

// tweetLog is a database of tweets and heads behind the API's caches. It only knows when each document was written, and
// counts what the caches read. What a cache keeps of a document is when the document was read.
type tweetLog struct {
	cache       *readcache.Fresh[int, time.Time]
	heads       *readcache.Fresh[int, time.Time] // by author
	names       *readcache.Fresh[int, time.Time] // the profiles of sharers
	now         time.Time
	authors     []int    // by tweet
	changes     []change // of tweets, in their order
	headChanges []change // of heads, in their order
	lists       *lists   // nil without change digests
	reads       int
}

// change is a write of a document: of a tweet, or of an author's head.
type change struct {
	of int
	at time.Time
}

// newTweetLog returns an empty database. lists are its change digests, or nil.
func newTweetLog(ttl time.Duration, lists *lists) *tweetLog {
	d := &tweetLog{lists: lists}
	now := func() time.Time { return d.now }
	weigh := func(time.Time) int { return tweetBytes }
	tweets := readcache.Source[int, time.Time]{
		Now:     now,
		Version: func(read time.Time) readcache.Version { return readcache.Version{Read: read} },
		Changed: func(_ context.Context, since time.Time) (map[int]time.Time, error) {
			return d.changed(d.changes, since), nil
		},
		Removed: d.removed, Outdated: d.outdated,
		Failed: func(err error) { panic(err) }, // none fails
	}
	nothing := func(context.Context, time.Time) (func(time.Time) bool, bool, error) { return nil, false, nil }
	heads := readcache.Source[int, time.Time]{
		Now:     now,
		Version: func(read time.Time) readcache.Version { return readcache.Version{Read: read} },
		Changed: func(_ context.Context, since time.Time) (map[int]time.Time, error) {
			return d.changed(d.headChanges, since), nil
		},
		Removed:  func(context.Context, time.Time) ([]int, error) { return nil, nil }, // asks nothing
		Outdated: nothing,
		Failed:   func(err error) { panic(err) },
	}
	if lists != nil {
		var asked time.Time
		heads.Listed = func(_ context.Context, since time.Time) (readcache.Listed[int], error) {
			d.reads += lists.reads(asked.Add(-digestLate), d.now)
			asked = d.now
			return heard(lists.heads, since.Add(-digestLate), d.now), nil
		}
		tweets.Listed = func(_ context.Context, since time.Time) (readcache.Listed[int], error) { // from memory
			return heard(lists.tweets, since.Add(-digestLate), d.now), nil
		}
	}
	d.cache = readcache.NewFresh(readcache.New(now, ttl, store.TweetBytes(model.CacheBytes), weigh, d.read), tweets)
	d.heads = readcache.NewFresh(readcache.New(now, ttl, model.CacheBytes*3/16,
		func(time.Time) int { return headBytes }, d.read), heads)
	d.heads.Every = ttl // see package timelines
	none := func(context.Context, time.Time) (map[int]time.Time, error) { d.reads++; return nil, nil }
	d.names = readcache.NewFresh(readcache.New(now, readcache.RemovedEvery, model.CacheBytes/16, weigh, d.read),
		readcache.Source[int, time.Time]{
			Now:     now,
			Version: func(read time.Time) readcache.Version { return readcache.Version{Read: read} },
			Changed: none, Removed: d.removed, // no user edits a profile or leaves on this day
			Outdated: nothing,
			Failed:   func(err error) { panic(err) },
		})
	d.names.Trust = model.ListedTrust
	d.cache.Patience, d.heads.Patience, d.names.Patience = time.Minute, time.Minute, time.Minute
	return d
}

// tweetBytes and headBytes are about how many bytes the API's caches need for a tweet and a head of the day.
const tweetBytes, headBytes = 1_000, 2_000

// at is a time of the crowd's day.
func at(since time.Duration) time.Time { return time.Unix(0, 0).Add(24 * time.Hour).Add(since) }

// write adds a tweet.
func (d *tweetLog) write(author int, when time.Duration) (tweet int) {
	d.authors = append(d.authors, author)
	d.change(len(d.authors)-1, when)
	return len(d.authors) - 1
}

// change records that a tweet was written, edited or counted.
func (d *tweetLog) change(tweet int, when time.Duration) {
	d.changes = append(d.changes, change{tweet, at(when)})
}

// changeHead records that an author's head was written.
func (d *tweetLog) changeHead(author int, when time.Duration) {
	d.headChanges = append(d.headChanges, change{author, at(when)})
}

// forget forgets all but about the last changes.
func (d *tweetLog) forget(most int) {
	d.changes, d.headChanges = last(d.changes, most), last(d.headChanges, most)
	if l := d.lists; l != nil {
		l.heads, l.tweets, l.written = last(l.heads, most), last(l.tweets, most), last(l.written, most)
	}
}

// last returns all, or the last ones if there are more than twice as many.
func last[T any](all []T, most int) []T {
	if len(all) <= 2*most {
		return all
	}
	return slices.Clone(all[len(all)-most:])
}

// show returns how many reads a page costs beside the documents of its reader. It needs the heads of authors.
func (d *tweetLog) show(authors []int, page []share, when time.Duration) (reads int, err error) {
	d.now = at(when)
	before := d.reads
	var tweets, sharers []int
	for _, s := range page {
		tweets = append(tweets, s.tweet)
		if s.by != nobody {
			sharers = append(sharers, s.by)
		}
	}
	if _, err = d.heads.Get(context.Background(), authors); err != nil {
		return 0, err
	}
	if _, err = d.names.Get(context.Background(), sharers); err != nil {
		return 0, err
	}
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

// changed answers as a query does: 1 read a changed document, at least 1.
func (d *tweetLog) changed(all []change, since time.Time) map[int]time.Time {
	changed := map[int]time.Time{}
	for i := len(all) - 1; i >= 0 && all[i].at.After(since) && len(changed) < readcache.Limit; i-- {
		changed[all[i].of] = d.now
	}
	d.reads += max(len(changed), 1)
	return changed
}

// removed returns nothing, because no tweet is deleted on this day.
func (d *tweetLog) removed(context.Context, time.Time) ([]int, error) {
	d.reads++
	return nil, nil
}

// outdated returns nothing, because no user is renamed on this day.
func (d *tweetLog) outdated(context.Context, time.Time) (func(time.Time) bool, bool, error) {
	d.reads++
	return nil, false, nil
}
