package cost

import (
	"slices"
	"time"
)

// homePage is how many tweets a home page shows.
const homePage = 20

// homeReads models the API's cache of tweets over a day of so many users, and returns the
// reads of a home page on average. The more users there are, the more often one sees a
// tweet that another has just seen, and no emulator on one machine holds as many as make
// a difference. So this runs the same crowd's day in memory: a page is the newest
// tweets of those whom its reader follows, it costs 2 reads (timeline and reactions) and
// one for each tweet that nobody saw within ttl. It stands for a single instance of the
// API; each of several has a cache of its own.
func homeReads(users int, seed uint64, ttl time.Duration) float64 {
	c := newCrowd(users, seed)
	written := 0
	tweets := make([][]int, users) // by when they were written
	post := func(user int) {
		tweets[user] = append(tweets[user], written)
		written++
	}
	for _, op := range c.earlier() {
		post(op.user)
	}
	expires := map[int]time.Duration{}
	pages, reads := 0, 0
	var shown []int
	for _, op := range c.today() {
		switch op.name {
		case postTweet:
			post(op.user)
		case homeView:
			shown = shown[:0]
			for _, author := range c.follows[op.user] {
				theirs := tweets[author]
				shown = append(shown, theirs[max(0, len(theirs)-homePage):]...)
			}
			slices.Sort(shown)
			pages, reads = pages+1, reads+2
			for _, id := range shown[max(0, len(shown)-homePage):] {
				if until, ok := expires[id]; !ok || op.at > until {
					expires[id] = op.at + ttl
					reads++
				}
			}
		}
	}
	return float64(reads) / float64(pages)
}
