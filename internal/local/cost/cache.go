package cost

import (
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/store/facts"
)

// homePage is how many tweets a home page shows.
const homePage = 20

// homeReads models the API's cache of tweets over a day of so many users, and returns the
// reads of a home page on average. The more users there are, the more often one sees a
// tweet that another has just seen, and the more changes there are to hear of; and no
// emulator on one machine holds as many as make a difference. So this runs the same
// crowd's day in memory: a page is the newest tweets of those whom its reader follows, it
// costs 2 reads (timeline and reactions), and what the cache then reads. It stands for a
// single instance of the API; each of several has a cache of its own.
func homeReads(users int, seed uint64, ttl time.Duration) float64 {
	c := newCrowd(users, seed)
	m := newCacheModel(ttl)
	written := 0
	tweets := make([][]int, users) // by when they were written
	post := func(user int, at time.Duration) {
		tweets[user] = append(tweets[user], written)
		m.change(written, at)
		written++
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
			m.change(theirs[len(theirs)-1-c.recent.draw(c.rand)], op.at)
		case homeView:
			shown = shown[:0]
			for _, author := range c.follows[op.user] {
				theirs := tweets[author]
				shown = append(shown, theirs[max(0, len(theirs)-homePage):]...)
			}
			slices.Sort(shown)
			pages, reads = pages+1, reads+2+m.show(shown[max(0, len(shown)-homePage):], op.at)
		}
	}
	return float64(reads) / float64(pages)
}

// cacheModel is when which tweet was read, and how far changes were heard, as in store.
type cacheModel struct {
	ttl       time.Duration
	read      *lru.Cache[int, time.Duration]
	changes   []change
	listening bool
	since     time.Duration
	until     time.Duration
	deletions time.Duration
	resume    time.Duration
}

type change struct {
	tweet int
	at    time.Duration
}

func newCacheModel(ttl time.Duration) *cacheModel {
	read, err := lru.New[int, time.Duration](facts.CacheSize)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &cacheModel{ttl: ttl, read: read}
}

func (m *cacheModel) change(tweet int, at time.Duration) {
	m.changes = append(m.changes, change{tweet, at})
}

// show returns the reads of tweets that a page shows.
func (m *cacheModel) show(tweets []int, now time.Duration) (reads int) {
	oldest := now - m.ttl
	older := func(id int) bool {
		at, held := m.read.Peek(id)
		return held && at < oldest
	}
	if slices.ContainsFunc(tweets, older) {
		reads = m.hear(now)
		if m.listening {
			oldest = min(oldest, m.since)
		}
	}
	for _, id := range tweets {
		if at, held := m.read.Get(id); !held || at < oldest {
			m.read.Add(id, now)
			reads++
		}
	}
	return reads
}

// hear returns the reads of the query for what changed.
func (m *cacheModel) hear(now time.Duration) (reads int) {
	switch {
	case now < m.resume:
		return 0
	case !m.listening || now-m.until > facts.ChangesMemory:
		m.listening, m.since, m.until, m.deletions = true, now, now, now
		return 0
	case now-m.until <= max(facts.ChangesEvery, m.ttl):
		return 0
	}
	changed := map[int]bool{}
	for i := len(m.changes) - 1; i >= 0 && m.changes[i].at > m.until-facts.ChangesOverlap; i-- {
		changed[m.changes[i].tweet] = true
	}
	if len(changed) >= facts.ChangesLimit {
		m.listening, m.resume = false, now+facts.ChangesPause
		return facts.ChangesLimit
	}
	reads = max(len(changed), 1)
	for id := range changed {
		m.read.Add(id, now)
	}
	if now-m.deletions >= facts.DeletionsEvery {
		reads, m.deletions = reads+1, now
	}
	m.until = now
	return reads
}
