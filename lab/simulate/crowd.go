package simulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
)

// crowd is the users of a simulation and what they wrote. A user is a number, the most popular first: the user n has
// 1/(n+1) of the popularity of the first, as in lab/cost/crowd.go.
type crowd struct {
	rand    *rand.Rand
	popular zipf
	recent  zipf

	readers   []int32   // whose pages are measured, in order
	follows   [][]int32 // users whom each user follows
	followers []int     // how many users follow each user
	measured  []int     // how many of the readers follow each user

	items   [][]item // of each user, the oldest first
	authors []int32  // of each tweet
	heads   []history
	tweets  []history
}

// item is a tweet or a share in its author's head.
type item struct {
	at    time.Duration
	tweet int32
	share bool
}

const (
	commonFollows = 12 // of a user of the day, on average
	recentTweets  = 10 // of an author, from which a user chooses a tweet to open or like
	headItems     = 40 // in a head
	// someFollow is the number of followed users above which only one user in someReaders follows so many. The others
	// follow 12, and the pages of the former are measured. Otherwise everybody would follow half of a small crowd.
	someFollow  = 500
	someReaders = 250
)

// newCrowd makes users who follow so many others on average, or some of whom do, see someFollow.
func newCrowd(users, followed int, seed uint64) *crowd {
	c := &crowd{
		rand: rand.New(rand.NewPCG(seed, 0x73696d)), popular: newZipf(users), recent: newZipf(recentTweets),
		follows: make([][]int32, users), followers: make([]int, users), measured: make([]int, users),
		items: make([][]item, users), heads: make([]history, users),
	}
	seen := make([]int32, users)
	for i := range users {
		measured, n := followed <= someFollow || i%someReaders == someReaders/2, followed
		if !measured {
			n = commonFollows
		} else {
			c.readers = append(c.readers, int32(i))
		}
		n = min(n/2+c.rand.IntN(n+1), users-1) // half to one and a half times as many
		follow := func(whom int) {
			if whom == i || seen[whom] == int32(i)+1 {
				return
			}
			seen[whom] = int32(i) + 1
			c.follows[i] = append(c.follows[i], int32(whom))
			if c.followers[whom]++; measured {
				c.measured[whom]++
			}
		}
		for tries := 0; len(c.follows[i]) < n && tries < 20*n; tries++ {
			follow(c.popular.draw(c.rand))
		}
		for whom := 0; len(c.follows[i]) < n; whom++ { // the popular ones whom no draw chose
			follow(whom)
		}
	}
	return c
}

// other chooses a user other than i, by popularity.
func (c *crowd) other(i int32) int32 {
	for {
		if whom := int32(c.popular.draw(c.rand)); whom != i {
			return whom
		}
	}
}

// chosen chooses a recent tweet of a user other than i, the newest most often.
func (c *crowd) chosen(i int32) int32 {
	for {
		theirs, n := c.items[c.other(i)], c.recent.draw(c.rand)
		for _, it := range slices.Backward(theirs) {
			if !it.share {
				if n == 0 {
					return it.tweet
				}
				n--
			}
		}
	}
}

// post adds a tweet.
func (c *crowd) post(author int32, at time.Duration) {
	c.authors = append(c.authors, author)
	c.tweets = append(c.tweets, never)
	c.add(author, item{at: at, tweet: int32(len(c.authors) - 1)})
}

// add adds an item to its author's head.
func (c *crowd) add(author int32, it item) {
	if items := c.items[author]; len(items) >= 2*headItems {
		c.items[author] = append(items[:0], items[len(items)-headItems:]...)
	}
	c.items[author] = append(c.items[author], it)
	c.heads[author].change(it.at)
}

// entry is a tweet on a home page.
type entry struct {
	item
	by int32 // the author, or the user who shares it
}

// page returns the newest items of a reader's authors and of the reader, each tweet once.
func (c *crowd) page(reader int32, into []entry) []entry {
	into = into[:0]
	for _, author := range c.follows[reader] {
		into = c.merge(into, author, true)
	}
	return c.merge(into, reader, false)
}

// merge adds an author's newest items to a page, newest first.
func (c *crowd) merge(into []entry, author int32, shares bool) []entry {
	for _, it := range slices.Backward(c.items[author]) {
		if len(into) == page && it.at <= into[page-1].at {
			return into
		}
		if it.share && !shares {
			continue
		}
		if i := slices.IndexFunc(into, func(e entry) bool { return e.tweet == it.tweet }); i >= 0 {
			if into[i].at >= it.at {
				continue
			}
			into = slices.Delete(into, i, i+1)
		}
		i := sort.Search(len(into), func(i int) bool { return into[i].at < it.at })
		if len(into) == page {
			into = into[:page-1]
		}
		into = slices.Insert(into, i, entry{it, author})
	}
	return into
}

// zipf draws from n things. The thing at index i is 1/(i+1) times as popular as the first.
type zipf []float64 // the sums of popularities up to each index

func newZipf(n int) zipf {
	z, sum := make(zipf, n), 0.0
	for i := range z {
		sum += 1 / float64(i+1)
		z[i] = sum
	}
	return z
}

func (z zipf) draw(r *rand.Rand) int {
	return min(sort.SearchFloat64s(z, r.Float64()*z[len(z)-1]), len(z)-1)
}

// history is the last changes of a document, of each second the last, newest first.
type history [3]time.Duration

// never is the history of a document that has not changed.
var never = history{math.MinInt64, math.MinInt64, math.MinInt64}

// change notes a change.
func (h *history) change(at time.Duration) {
	if h[0]/bucket != at/bucket {
		h[1], h[2] = h[0], h[1]
	}
	h[0] = at
}

// since reports whether the document changed after a time and before another.
func (h *history) since(after, before time.Duration) bool {
	for _, at := range h {
		if at > after && at < before {
			return true
		}
	}
	return false
}
