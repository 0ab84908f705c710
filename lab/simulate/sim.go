package simulate

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// Setup is one simulation.
type Setup struct {
	Users     int    `json:"users"`
	Followed  int    `json:"followed"`  // users whom a user follows on average
	Instances int    `json:"instances"` // of the API
	Affinity  bool   `json:"affinity"`  // whether a user stays with one instance
	Seed      uint64 `json:"seed"`
	Today     bool   `json:"-"` // whether PushToday is simulated, whose cache takes as long as all others
}

// Measured is what a simulation measured on its last day.
type Measured struct {
	Setup
	Layouts []LayoutCost `json:"layouts"`
}

// LayoutCost is what home timelines cost with one layout, for a user's day. The sum is all.
type LayoutCost struct {
	Layout string `json:"layout"`
	// Author is for the items that the user writes. Reader is for the user's pages, and for entries in the user's
	// timeline. Process is the user's share of what processes read and write to hear of changes.
	Author  Bill `json:"author"`
	Reader  Bill `json:"reader"`
	Process Bill `json:"process"`
	Page    Page `json:"page"`
}

// Sum is the bill of a user's day.
func (c LayoutCost) Sum() Bill { return c.Author.plus(c.Reader).plus(c.Process) }

// Page is how many reads a home page costs, without what processes read to hear of changes: PushToday alone has that in
// Mean.
type Page struct {
	Mean   float64 `json:"mean"`
	Heads  float64 `json:"heads"`  // the part of Mean for heads
	Tweets float64 `json:"tweets"` // the part of Mean for tweets
	Again  float64 `json:"again"`  // of a page right after another
	Cold   float64 `json:"cold"`   // of a page on an instance that has just started
}

// The days of a simulation. On the earlier days users only post. The caches are filled on the next day, and the last
// day is measured.
const (
	day         = 24 * time.Hour
	earlierDays = 4
	filledAt    = earlierDays * day
	measuredAt  = filledAt + day
)

// act is what a user does at some time.
type act uint8

const (
	actPage act = iota
	actTweet
	actView
	actPost
	actReply
	actShare
	actLike
	actEdit
)

// acts are how often a user does each act in five days.
var acts = [...]int{
	actPage: 5 * pagesADay, actTweet: 5 * tweetsADay, actView: 5 * viewsADay, actPost: 5 * (postsADay - repliesADay),
	actReply: 5 * repliesADay, actShare: 5 * sharesADay, actLike: 5 * likesADay, actEdit: 5 * editsADay,
}

// Simulate plays days of a crowd against all layouts at once, event by event. It returns the context's error if the
// context ends.
func Simulate(ctx context.Context, s Setup) (*Measured, error) {
	c := newCrowd(s.Users, s.Followed, s.Seed)
	c.earlier()
	r := newRun(s, c)
	for d := range 2 {
		all := c.plan()
		begin, each := filledAt+time.Duration(d)*day, day/time.Duration(len(all))
		r.measure = d == 1
		for i, p := range all {
			if i%10_000 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			r.do(p.user, p.act, begin+time.Duration(i)*each+time.Duration(c.rand.Int64N(int64(each))))
		}
	}
	return r.result(), nil
}

// earlier makes the posts of the earlier days, at random times.
func (c *crowd) earlier() {
	for author := range c.items {
		times := make([]time.Duration, earlierDays*postsADay)
		for i := range times {
			times[i] = time.Duration(c.rand.Int64N(int64(filledAt)))
		}
		slices.Sort(times)
		for _, at := range times {
			c.post(int32(author), at)
		}
	}
}

// planned is an act of a user.
type planned struct {
	user int32
	act  act
}

// plan lists the acts of a day, in random order.
func (c *crowd) plan() (all []planned) {
	for user := range c.items {
		for a, times := range acts {
			n := times / 5
			if c.rand.IntN(5) < times%5 {
				n++
			}
			for range n {
				all = append(all, planned{int32(user), act(a)})
			}
		}
	}
	c.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// run is a simulation under way.
type run struct {
	Setup
	*crowd
	measure  bool
	measures map[int32]bool // readers whose pages are measured
	rand     *rand.Rand     // the choices that are not the crowd's
	poll     []poll         // of each instance
	memory   []*memory      // of each instance
	written  digests        // of changed tweets
	andHeads digests        // of changed tweets and heads
	looked   []time.Duration
	today    *today // nil if it is left out
	tallies  map[string]*tally
	scratch  []entry
}

func newRun(s Setup, c *crowd) *run {
	r := &run{Setup: s, crowd: c, measures: map[int32]bool{}, rand: rand.New(rand.NewPCG(s.Seed, 0x72756e)),
		poll: make([]poll, s.Instances), looked: make([]time.Duration, s.Users)}
	for _, reader := range c.readers {
		r.measures[reader] = true
	}
	for range s.Instances {
		r.memory = append(r.memory, newMemory())
	}
	if s.Today {
		r.today = newToday(s.Instances)
	}
	r.tallies = newTallies(r, s.Today)
	return r
}

// do plays an act of a user: a request to an instance, which polls for changes if its last poll is old.
func (r *run) do(user int32, a act, at time.Duration) {
	instance := r.rand.IntN(r.Instances)
	if r.Affinity {
		instance = int(user) % r.Instances
	}
	if at-r.poll[instance].at >= pollEvery {
		r.poll[instance].at = at
		for _, t := range r.tallies {
			if t.digests == nil {
				continue
			}
			n := t.digests.until(at)
			if r.measure {
				t.process.Reads += max(1, float64(n-t.polled[instance]))
			}
			t.polled[instance] = n
		}
	}
	switch a {
	case actPage:
		r.scratch = r.page(user, r.scratch)
		r.show(instance, user, r.scratch, at)
	case actTweet: // its own read is no part of a home page
		tweet := []entry{{item: item{tweet: r.chosen(user)}}}
		r.showTweets(r.memory[instance], tweet, r.poll[instance].visible(), at)
		if r.today != nil {
			r.today.show(instance, r.crowd, user, tweet, at)
		}
	case actPost:
		r.wrote(user, at, false)
	case actReply:
		r.changed(r.chosen(user), at)
		r.wrote(user, at, false)
	case actShare:
		tweet := r.chosen(user)
		r.changed(tweet, at)
		r.add(user, item{at, tweet, true})
		r.wrote(user, at, true)
	case actLike:
		r.changed(r.chosen(user), at)
	case actEdit:
		for _, it := range slices.Backward(r.items[user]) {
			if !it.share {
				r.changed(it.tweet, at)
				break
			}
		}
	case actView:
	}
}

// changed notes a change of a tweet. The writing processes are the instances of the API, and as many of the functions.
func (r *run) changed(tweet int32, at time.Duration) {
	r.tweets[tweet].change(at)
	writer := r.rand.IntN(2 * r.Instances)
	r.written.note(writer, at)
	r.andHeads.note(writer, at)
	if r.today != nil {
		r.today.change(tweet, at)
	}
}

// wrote notes a new item of an author. A share is in the head already.
func (r *run) wrote(author int32, at time.Duration, share bool) {
	if !share {
		r.post(author, at)
		if r.today != nil {
			r.today.change(int32(len(r.authors)-1), at)
		}
	}
	r.andHeads.note(r.rand.IntN(2*r.Instances), at)
	if r.measure {
		r.deliver(author, share)
	}
}

// result returns what was measured.
func (r *run) result() *Measured {
	m := &Measured{Setup: r.Setup}
	for _, name := range []string{PushToday, PushDigests, Pull, PullCarried, PullSmall, PullKept} {
		if r.tallies[name] != nil {
			m.Layouts = append(m.Layouts, r.cost(name))
		}
	}
	return m
}
