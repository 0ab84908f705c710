package cost

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
)

// crowd is the users and their tweets. A user is an index of names, the most popular
// first. A tweet is an id of the API, by author and time.
type crowd struct {
	rand      *rand.Rand
	names     []string
	popular   zipf
	recent    zipf
	follows   [][]int // users whom each user follows
	followers []int   // how many users follow each user
	tweets    [][]string
	likes     map[act]bool
	shares    map[act]bool
}

// act is a user's like or share of a tweet.
type act struct {
	who  int
	what string
}

// Each user follows fewestFollows to mostFollows others, 12 on average.
const (
	fewestFollows = 6
	mostFollows   = 18
	recentTweets  = 10 // of an author, from which a user chooses a tweet to open or like
)

// newCrowd makes users who follow each other by popularity.
func newCrowd(users int, seed uint64) *crowd {
	c := &crowd{
		rand: rand.New(rand.NewPCG(seed, 0x68696261)), popular: newZipf(users), recent: newZipf(recentTweets),
		followers: make([]int, users), tweets: make([][]string, users), likes: map[act]bool{}, shares: map[act]bool{},
	}
	for i := range users {
		c.names = append(c.names, fmt.Sprintf("user_%d", i))
		wanted := min(fewestFollows+c.rand.IntN(mostFollows-fewestFollows+1), users-1)
		var follows []int
		for len(follows) < wanted {
			if whom := c.other(i); !slices.Contains(follows, whom) {
				follows = append(follows, whom)
				c.followers[whom]++
			}
		}
		c.follows = append(c.follows, follows)
	}
	return c
}

// other chooses a user other than i, by popularity.
func (c *crowd) other(i int) int {
	for {
		if whom := c.popular.draw(c.rand); whom != i {
			return whom
		}
	}
}

// tweet chooses a tweet of a user other than i: an author by popularity, and a tweet of
// this author by how new the tweet is.
func (c *crowd) tweet(i int) string {
	for {
		tweets := c.tweets[c.other(i)]
		if n := c.recent.draw(c.rand); n < len(tweets) {
			return tweets[len(tweets)-1-n]
		}
	}
}

// fresh chooses a tweet on which i has not acted yet, and records the act. If ok is false, i has acted on every tweet.
func (c *crowd) fresh(i int, acts map[act]bool) (id string, ok bool) {
	for range 1000 {
		if a := (act{i, c.tweet(i)}); !acts[a] {
			acts[a] = true
			return a.what, true
		}
	}
	return "", false
}

// operation is what a user does at some time of the day.
type operation struct {
	user int
	name string
	at   time.Duration
}

// today lists the operations of a day, in the order of their random times, and more that have times. Requests for news
// follow each home page, and what the client of talking users asks beside it.
func (c *crowd) today(t *talks, more ...operation) []operation {
	all := c.operations(1, "")
	times := make([]time.Duration, len(all))
	for i := range times {
		times[i] = time.Duration(c.rand.Int64N(int64(24 * time.Hour)))
	}
	slices.Sort(times)
	var news []operation
	for i, at := range times {
		all[i].at = at
		for n := range newsAVisit {
			if later := at + time.Duration(n+1)*newsPause; all[i].name == homeView && later < 24*time.Hour {
				news = append(news, operation{user: all[i].user, name: homeNews, at: later})
			}
		}
	}
	all = append(append(append(all, t.beside(all)...), news...), more...)
	slices.SortStableFunc(all, func(a, b operation) int { return cmp.Compare(a.at, b.at) })
	return all
}

// earlier lists the posts of the earlier days, in any order.
func (c *crowd) earlier() []operation { return c.operations(earlierDays, postTweet) }

// operations lists the operations of some days, in any order. If only is not empty,
// operations lists the operations of that name alone.
func (c *crowd) operations(days int, only string) []operation {
	var all []operation
	for user := range c.names {
		for _, p := range perDay {
			for range p.times * days {
				if user%p.of == p.of-1 && (only == "" || only == p.operation) {
					all = append(all, operation{user: user, name: p.operation})
				}
			}
		}
	}
	c.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// zipf draws from n things. The thing at index i is 1/(i+1) times as popular as the
// first. (The type of this name in math/rand/v2 takes no exponent of 1.)
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
