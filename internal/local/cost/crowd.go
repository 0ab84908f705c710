package cost

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
)

// crowd is who there is. Users and tweets are known by their names and ids; the first
// user is the most popular.
type crowd struct {
	rand      *rand.Rand
	names     []string
	popular   zipf
	recent    zipf
	follows   [][]int // whom each follows
	followers []int   // how many follow each
	tweets    [][]string
	likes     map[act]bool
}

type act struct {
	who  int
	what string
}

// Everybody follows between fewest and most others, 12 on average.
const (
	fewestFollows = 6
	mostFollows   = 18
	recentTweets  = 10 // of an author, among which somebody opens or likes one
)

func newCrowd(users int, seed uint64) *crowd {
	c := &crowd{
		rand: rand.New(rand.NewPCG(seed, 0x68696261)), popular: newZipf(users), recent: newZipf(recentTweets),
		followers: make([]int, users), tweets: make([][]string, users), likes: map[act]bool{},
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

// other chooses somebody else than i, by popularity.
func (c *crowd) other(i int) int {
	for {
		if whom := c.popular.draw(c.rand); whom != i {
			return whom
		}
	}
}

// tweet chooses a tweet of somebody else than i: an author by popularity, and a tweet
// of theirs by how new it is.
func (c *crowd) tweet(i int) string {
	for {
		tweets := c.tweets[c.other(i)]
		if n := c.recent.draw(c.rand); n < len(tweets) {
			return tweets[len(tweets)-1-n]
		}
	}
}

// liking chooses a tweet that i does not like yet; none is left to like if ok is false.
func (c *crowd) liking(i int) (id string, ok bool) {
	for range 1000 {
		if l := (act{i, c.tweet(i)}); !c.likes[l] {
			c.likes[l] = true
			return l.what, true
		}
	}
	return "", false
}

// operation is what somebody is going to do, at some time of the day.
type operation struct {
	user int
	name string
	at   time.Duration
}

// today lists the operations of a day in the order of their times, which are any.
func (c *crowd) today() []operation {
	all := c.operations(1, "")
	times := make([]time.Duration, len(all))
	for i := range times {
		times[i] = time.Duration(c.rand.Int64N(int64(24 * time.Hour)))
	}
	slices.Sort(times)
	for i, at := range times {
		all[i].at = at
	}
	return all
}

// earlier lists the posts of the days before.
func (c *crowd) earlier() []operation { return c.operations(earlierDays, postTweet) }

// operations are those of some days in any order, only those of a name if it is not
// empty.
func (c *crowd) operations(days int, only string) []operation {
	var all []operation
	for user := range c.names {
		for _, p := range perDay {
			for range p.times * days {
				if only == "" || only == p.operation {
					all = append(all, operation{user: user, name: p.operation})
				}
			}
		}
	}
	c.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// zipf draws from n things, of which the one at index i is 1/(i+1) times as popular as
// the first. (The one in math/rand/v2 takes no exponent of 1.)
type zipf []float64 // added up

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
