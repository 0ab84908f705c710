package simulate

import (
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// The layouts of a simulation, by name.
const (
	// PushToday is the former layout: entries were pushed, each instance read each changed tweet, and each share on a
	// page cost five access checks.
	PushToday = "pushed before"
	// PushDigests is the same with change digests, and access checks from documents that the page reads anyway.
	PushDigests = "push, digests"
	// Pull merges the heads of the followed authors.
	Pull = "pull"
	// PullSmall is Pull where fewer heads fit into memory than readers need.
	PullSmall = "pull, 1,000 heads fit"
	// PullCarried is Pull with digests that carry new items and changes of counts, so that a head or tweet in memory is
	// not read again.
	PullCarried = "pull, digests carry all"
	// PullKept is Pull with a document for each reader that keeps the page of the last look.
	PullKept = "pull, page kept"
)

// What an instance needs in memory.
const (
	headBytes  = 2 << 10 // 40 positions, without previews
	tweetBytes = 1_300   // a tweet of the day, and 300 bytes of its entry
	smallFit   = 1_000
	readersFit = 50_000
)

// tweetsIn and headsIn are how many tweets and heads fit into caches of so many bytes. A half is for tweets and a
// quarter for months of authors, as docs/reports/prices.md says, and heads are in the place of the latter.
func tweetsIn(bytes float64) float64 { return bytes * 7 / 16 / tweetBytes }
func headsIn(bytes float64) float64  { return bytes * 3 / 16 / headBytes }

// memory is what an instance has in memory.
type memory struct {
	tweets  *lru
	readers *lru // whom they follow
	heads   [3]*lru
	months  map[int32]time.Duration // of large authors, by when they were read
}

// The places of memory.heads.
const (
	allHeads  = iota // of Pull and PullCarried
	fewHeads         // of PullSmall
	newsHeads        // of PullKept
)

func newMemory() *memory {
	fit := int(headsIn(model.CacheBytes))
	return &memory{
		tweets: newLRU(int(tweetsIn(model.CacheBytes))), readers: newLRU(readersFit), months: map[int32]time.Duration{},
		heads: [...]*lru{newLRU(fit), newLRU(smallFit), newLRU(fit)},
	}
}

// tally is the bill of one layout.
type tally struct {
	digests                 *digests // that its instances poll; nil if they query changed tweets
	polled                  []int32  // digests that each instance has read
	pull                    bool
	author, reader, process Bill
	entries                 float64 // pushed to the measured readers
	pages                   float64
	heads, tweets, docs     float64 // reads of the measured pages
	again, cold             float64
}

// newTallies returns the tallies of all layouts, or of all but PushToday, whose cache is slow to simulate.
func newTallies(r *run, today bool) map[string]*tally {
	all := map[string]*tally{
		PushDigests: {digests: &r.written},
		Pull:        {digests: &r.andHeads, pull: true}, PullSmall: {digests: &r.andHeads, pull: true},
		PullCarried: {digests: &r.andHeads, pull: true}, PullKept: {digests: &r.andHeads, pull: true},
	}
	if today {
		all[PushToday] = &tally{}
	}
	for _, t := range all {
		t.polled = make([]int32, r.Instances)
	}
	return all
}

// deliver bills a new item of an author.
func (r *run) deliver(author int32, share bool) {
	followers := r.followers[author]
	for _, t := range r.tallies {
		if t.pull {
			t.author = t.author.plus(pullItem)
			continue
		}
		t.author = t.author.plus(pushItem(share, float64(followers)))
		if followers <= pullAbove {
			t.entries += float64(r.measured[author])
		}
	}
}

// show bills a home page in all layouts.
func (r *run) show(n int, reader int32, page []entry, at time.Duration) {
	m, visible, shown := r.memory[n], r.poll[n].visible(), float64(len(page))
	months := r.showMonths(m, reader, at)
	absentTweets, staleTweets := r.showTweets(m, page, visible, at)
	tweets := absentTweets + staleTweets
	if r.today != nil {
		all := r.today.show(n, r.crowd, reader, page, at)
		r.count(PushToday, reader, 3+months, 0, all, 3, 3+shown)
	}
	r.count(PushDigests, reader, 3+months, 0, tweets, 3, 3+shown)

	docs := 1.0 // the reactions
	if _, ok := m.readers.get(reader); !ok {
		m.readers.add(reader, at)
		docs++
	}
	authors := authorsOf(page)
	cold := 2 + float64(len(authors)) + shown
	absent, stale := r.showHeads(m.heads[allHeads], authors, visible, at)
	r.count(Pull, reader, docs, absent+stale, tweets, 1, cold)
	r.count(PullCarried, reader, docs, absent, absentTweets, 1, cold)
	absent, stale = r.showHeads(m.heads[fewHeads], authors, visible, at)
	r.count(PullSmall, reader, docs, absent+stale, tweets, 1, cold)

	news := slices.DeleteFunc(authors, func(author int32) bool { return !r.heads[author].since(r.looked[reader], at) })
	absent, stale = r.showHeads(m.heads[newsHeads], news, visible, at)
	r.count(PullKept, reader, docs+1, absent+stale, tweets, 2, 3+float64(len(news))+shown)
	if r.measure && r.measures[reader] && len(news) > 0 {
		r.tallies[PullKept].reader.Writes++
	}
	r.looked[reader] = at
}

// count adds a page to the tally of a layout.
func (r *run) count(layout string, reader int32, docs, heads, tweets, again, cold float64) {
	if !r.measure || !r.measures[reader] {
		return
	}
	t := r.tallies[layout]
	t.pages++
	t.docs, t.heads, t.tweets = t.docs+docs, t.heads+heads, t.tweets+tweets
	t.again, t.cold = t.again+again, t.cold+cold
}

// showMonths reads the months of large authors whom a reader follows. Each costs a read for tweets and one for shares,
// and is good for as long as the API caches it.
func (r *run) showMonths(m *memory, reader int32, at time.Duration) (reads float64) {
	if r.followers[0] <= pullAbove {
		return 0
	}
	for _, author := range r.follows[reader] {
		if r.followers[author] > pullAbove {
			if read, ok := m.months[author]; !ok || at-read >= cacheTTL {
				m.months[author] = at
				reads += 2
			}
		}
	}
	return reads
}

// showTweets reads the tweets of a page that are absent from memory, or stale.
func (r *run) showTweets(m *memory, page []entry, visible, at time.Duration) (absent, stale float64) {
	for _, e := range page {
		switch read, ok := m.tweets.get(e.tweet); {
		case !ok:
			absent++
		case r.crowd.tweets[e.tweet].since(read, visible):
			stale++
		default:
			continue
		}
		m.tweets.add(e.tweet, at)
	}
	return absent, stale
}

// showHeads reads heads that are absent from memory, or stale.
func (r *run) showHeads(heads *lru, authors []int32, visible, at time.Duration) (absent, stale float64) {
	for _, author := range authors {
		switch read, ok := heads.get(author); {
		case !ok:
			absent++
		case r.heads[author].since(read, visible):
			stale++
		default:
			continue
		}
		heads.add(author, at)
	}
	return absent, stale
}

// authorsOf lists the authors and sharers of a page, whose heads it needs.
func authorsOf(page []entry) []int32 {
	all := make([]int32, 0, len(page))
	for _, e := range page {
		if !slices.Contains(all, e.by) {
			all = append(all, e.by)
		}
	}
	return all
}

// cost returns the bill of a user's day with a layout.
func (r *run) cost(layout string) LayoutCost {
	t := r.tallies[layout]
	users, readers := float64(r.Users), float64(len(r.readers))
	t.reader.Reads += t.docs + t.heads + t.tweets
	if !t.pull {
		t.reader = t.reader.plus(pushed(t.entries)).plus(visit.times(readers))
		for author, followers := range r.followers {
			if followers > pullAbove {
				t.reader.Writes += float64(r.measured[author]) / monthDays // a mark
			}
		}
	}
	if t.digests != nil {
		// A digest expires. It is read once more when the digests of an hour are compacted.
		n := float64(t.digests.until(measuredAt+day) - t.digests.until(measuredAt))
		t.process = t.process.plus(Bill{Reads: n, Writes: n, Deletes: n})
	}
	return LayoutCost{
		Layout: layout, Author: t.author.times(1 / users), Reader: t.reader.times(1 / readers),
		Process: t.process.times(1 / users),
		Page: Page{
			Mean: (t.docs + t.heads + t.tweets) / t.pages, Heads: t.heads / t.pages, Tweets: t.tweets / t.pages,
			Again: t.again / t.pages, Cold: t.cold / t.pages,
		},
	}
}
