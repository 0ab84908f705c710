package cost

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
)

// Fleet is a network whose API runs in many instances, and what home pages cost there. A model computes it, see
// [Fleet.model].
type Fleet struct {
	Users     int  `json:"users"`
	Instances int  `json:"instances"` // of the API
	Functions int  `json:"functions"` // instances of the functions, which write digests
	Affinity  bool `json:"affinity"`  // whether a reader stays with one instance
	Digests   bool `json:"digests"`   // whether there are change digests

	HomeReads float64 `json:"homeReads"` // of a home page, with its share of what instances read to hear of changes
	NewsReads float64 `json:"newsReads"` // the same of a request for news
	Written   float64 `json:"written"`   // digests of a day
}

// newFleets lists what a report compares: 1,000,000 users on 100 instances. Their functions get some 170 events a
// second on average and four times as many at the peak, for three instances; four are assumed.
func newFleets() (all []Fleet) {
	for _, f := range []Fleet{{}, {Affinity: true}, {Digests: true}, {Affinity: true, Digests: true}} {
		f.Users, f.Instances, f.Functions = 1_000_000, 100, 4
		all = append(all, f)
	}
	return all
}

// The model plays some hours of a day, and measures the last ones. By then a reader has seen a page before.
const (
	fleetHours    = 6 * time.Hour
	fleetMeasured = 2 * time.Hour
	// postsBefore is how many posts each author has at the beginning: a page shows about one of each author.
	postsBefore = 6
	// digestEvery and digestLate are those of package store/internal/digests.
	digestEvery, digestLate = 750 * time.Millisecond, time.Second
	// changesKept is how many changes the model remembers; an instance asks for those of some seconds.
	changesKept = 100_000
)

// model computes the reads of one instance, with the real caches: its readers' pages and requests for news, among the
// changes of all users. Times of acts are random; authors and tweets are chosen as in the measured day. An edit is
// heard as without digests, because the API writes it.
func (f *Fleet) model(seed uint64, ttl time.Duration) error {
	m := &fleetRun{Fleet: f, rand: rand.New(rand.NewPCG(seed, 0x666c656574)), popular: newZipf(f.Users),
		recent: newZipf(recentTweets), follows: map[int][]int{}, tweets: make([][]int32, f.Users),
		shares: map[int][]share{}}
	m.log = newTweetLog(ttl, f.lists())
	for range postsBefore * f.Users {
		m.post(m.rand.IntN(f.Users))
	}
	return m.play()
}

// lists returns the digests of a fleet, or nil if it has none.
func (f *Fleet) lists() *lists {
	if !f.Digests {
		return nil
	}
	return &lists{begun: map[int]int{}}
}

// fleetRun is a model under way.
type fleetRun struct {
	*Fleet
	rand     *rand.Rand
	popular  zipf
	recent   zipf
	log      *tweetLog
	follows  map[int][]int // of readers who came
	tweets   [][]int32     // by author
	shares   map[int][]share
	written  int // tweets
	requests [newsAVisit][]request

	pages, reads, asked, newsReads int
}

// request is a request for news to come.
type request struct {
	at     time.Duration
	reader int
}

// play plays the hours.
func (m *fleetRun) play() error {
	acts, sum := m.acts()
	measured := fleetHours - fleetMeasured
	before := 0
	for at := time.Duration(0); ; {
		at += time.Duration(m.rand.ExpFloat64() / sum * float64(24*time.Hour))
		if at > fleetHours {
			break
		}
		if m.log.lists != nil && at <= measured {
			before = m.log.lists.digests
		}
		if err := m.news(at); err != nil {
			return err
		}
		x, i := m.rand.Float64()*sum, 0
		for ; i < len(acts)-1 && x > acts[i].times; i++ {
			x -= acts[i].times
		}
		if err := m.act(acts[i].operation, at); err != nil {
			return err
		}
		m.log.forget(changesKept)
	}
	m.HomeReads, m.NewsReads = float64(m.reads)/float64(m.pages), float64(m.newsReads)/float64(m.asked)
	if m.log.lists != nil {
		m.Written = float64(m.log.lists.digests-before) * float64(24*time.Hour) / float64(fleetMeasured)
	}
	return nil
}

// fleetAct is an operation, and how often it happens on a day.
type fleetAct struct {
	operation string
	times     float64
}

// acts lists the acts that the model plays: of all users those that change heads and tweets, and the instance's share
// of home pages.
func (m *fleetRun) acts() (all []fleetAct, sum float64) {
	for _, p := range perDay {
		times := float64(m.Users) * float64(p.times) / float64(p.of)
		switch p.operation {
		case homeView:
			times /= float64(m.Instances)
		case postTweet, replyTweet, editTweet, likeTweet, shareTweet:
		default:
			continue
		}
		all, sum = append(all, fleetAct{p.operation, times}), sum+times
	}
	return all, sum
}

func (m *fleetRun) act(operation string, at time.Duration) error {
	user := m.rand.IntN(m.Users)
	switch operation {
	case postTweet:
		m.created(user, at)
	case replyTweet:
		m.change(m.chosen(user), at)
		m.created(user, at)
	case editTweet:
		if own := m.tweets[user]; len(own) > 0 {
			m.log.change(int(own[len(own)-1]), at)
			m.changeHead(user, at)
		}
	case likeTweet:
		m.change(m.chosen(user), at)
	case shareTweet:
		tweet := m.chosen(user)
		m.change(tweet, at)
		m.changeHead(user, at)
		m.shares[user] = append(m.shares[user], share{user, tweet, m.written})
	case homeView:
		user = m.reader()
		for i := range m.requests {
			who := user
			if !m.Affinity { // another instance gets it, and this one gets that of another reader
				who = m.reader()
			}
			m.requests[i] = append(m.requests[i], request{at + time.Duration(i+1)*newsPause, who})
		}
		return m.show(user, m.page(user), at)
	}
	return nil
}

// reader chooses a reader of the instance.
func (m *fleetRun) reader() int {
	if m.Affinity {
		return m.rand.IntN(m.Users/m.Instances) * m.Instances
	}
	return m.rand.IntN(m.Users)
}

// news sends the requests for news until a time.
func (m *fleetRun) news(until time.Duration) error {
	for {
		first := -1
		for i, all := range m.requests {
			if len(all) > 0 && all[0].at <= until && (first < 0 || all[0].at < m.requests[first][0].at) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		next := m.requests[first][0]
		m.requests[first] = m.requests[first][1:]
		if err := m.show(next.reader, nil, next.at); err != nil {
			return err
		}
	}
}

// show shows a page, or answers a request for news if the page is nil.
func (m *fleetRun) show(reader int, page []share, at time.Duration) error {
	read, err := m.log.show(append([]int{reader}, m.followed(reader)...), page, at)
	switch {
	case err != nil || at < fleetHours-fleetMeasured:
	case page == nil:
		m.asked, m.newsReads = m.asked+1, m.newsReads+read
	default:
		m.pages, m.reads = m.pages+1, m.reads+2+read
	}
	return err
}

// page lists what a page shows, as in homeReads.
func (m *fleetRun) page(reader int) []share {
	newest := map[int]share{}
	put := func(s share) {
		if was, ok := newest[s.tweet]; !ok || was.place <= s.place {
			newest[s.tweet] = s
		}
	}
	for _, author := range append([]int{reader}, m.followed(reader)...) {
		theirs := m.tweets[author]
		for _, tweet := range theirs[max(0, len(theirs)-homePage):] {
			put(share{by: nobody, tweet: int(tweet), place: int(tweet)})
		}
		if author != reader {
			for _, s := range m.shares[author] {
				put(s)
			}
		}
	}
	shown := slices.SortedFunc(maps.Values(newest),
		func(a, b share) int { return cmp.Or(b.place-a.place, b.tweet-a.tweet) })
	return shown[:min(homePage, len(shown))]
}

// followed lists the users whom a reader follows.
func (m *fleetRun) followed(reader int) []int {
	all, ok := m.follows[reader]
	if ok {
		return all
	}
	for wanted := fewestFollows + m.rand.IntN(mostFollows-fewestFollows+1); len(all) < wanted; {
		if whom := m.popular.draw(m.rand); whom != reader && !slices.Contains(all, whom) {
			all = append(all, whom)
		}
	}
	m.follows[reader] = all
	return all
}

// chosen chooses a tweet of another author.
func (m *fleetRun) chosen(user int) int {
	for {
		author := m.popular.draw(m.rand)
		theirs := m.tweets[author]
		if n := m.recent.draw(m.rand); author != user && n < len(theirs) {
			return int(theirs[len(theirs)-1-n])
		}
	}
}

// post adds a tweet.
func (m *fleetRun) post(author int) {
	m.tweets[author] = append(m.tweets[author], int32(m.written))
	m.written++
}

// created adds a tweet. With digests no process hears of it, and the function lists the head.
func (m *fleetRun) created(author int, at time.Duration) {
	if !m.Digests {
		m.log.change(m.written, at)
	}
	m.post(author)
	m.changeHead(author, at)
}

// change records that a function changed a tweet.
func (m *fleetRun) change(tweet int, at time.Duration) {
	if m.log.lists == nil {
		m.log.change(tweet, at)
		return
	}
	m.log.lists.tweets = append(m.log.lists.tweets, change{tweet, m.log.lists.add(m.rand.IntN(m.Functions), at)})
}

// changeHead records that a function changed a head.
func (m *fleetRun) changeHead(author int, at time.Duration) {
	if m.log.lists == nil {
		m.log.changeHead(author, at)
		return
	}
	m.log.lists.heads = append(m.log.lists.heads, change{author, m.log.lists.add(m.rand.IntN(m.Functions), at)})
}

// lists are change digests.
type lists struct {
	heads, tweets []change    // by the time of the digest
	written       []time.Time // of each digest, in their order
	digests       int         // all there ever were
	begun         map[int]int // by process, the interval of its newest digest
}

// add adds a change to the digest of a process, and returns when the digest is written.
func (l *lists) add(process int, when time.Duration) time.Time {
	n := int(when/digestEvery) + 1
	end := at(time.Duration(n) * digestEvery)
	if l.begun[process] != n {
		l.begun[process] = n
		l.digests++
		l.written = append(l.written, end)
	}
	return end
}

// heard returns what digests list until now. A value that was read before now is read again.
func heard(all []change, since, now time.Time) readcache.Listed[int] {
	listed := readcache.Listed[int]{At: map[int]time.Time{}, Until: now}
	for _, c := range slices.Backward(all) {
		if !c.at.After(since) {
			break
		}
		if c.at.Before(now) && listed.At[c.of].Before(c.at) {
			listed.At[c.of] = c.at
		}
	}
	return listed
}

// reads is what a query for digests costs: 1 read for each, at least 1.
func (l *lists) reads(since, now time.Time) (n int) {
	for _, written := range slices.Backward(l.written) {
		if !written.After(since) {
			break
		}
		if written.Before(now) {
			n++
		}
	}
	return max(n, 1)
}

// bill is the bill of the measured users and days as if they were a part of the fleet.
func (r *Report) bill(f Fleet) Bill {
	home, news := r.Operations[0], r.Operations[len(r.Operations)-1]
	b := r.Sum().Total()
	b.Reads += int64(f.HomeReads*float64(home.Times)) - home.API.Reads
	b.Reads += int64(f.NewsReads*float64(news.Times)) - news.API.Reads
	if r.Tick.Times > 0 {
		for _, o := range r.Operations {
			if slices.Contains(shared, o.Name) {
				b.Reads -= o.API.Reads
			}
		}
	}
	processes := r.backgroundOf(f.Instances, f.Functions)
	return b.plus(r.inDayOf(f.Users, processes.plus(Bill{Writes: int64(f.Written), Deletes: int64(f.Written)})))
}

// printFleets writes the share of the baseline for each fleet.
func (r *Report) printFleets(w io.Writer, free bool) error {
	if len(r.Fleets) == 0 {
		return nil
	}
	f := r.Fleets[0]
	fmt.Fprintf(w, "\nA month of %d users on %d instances of the API and %d of the functions, by a model:\n\n",
		f.Users, f.Instances, f.Functions)
	t := newTable(w)
	fmt.Fprintln(t, "session affinity\tchange digests\thome page\tnews\t"+
		"reads of a user's day\twrites\tdeletes\t$ a month\tof baseline\t")
	userDays := r.Users * r.Days
	scale := float64(f.Users) / float64(userDays)
	base := r.Sum().Baseline.monthly(scale, free)
	yes := map[bool]string{false: "no", true: "yes"}
	for _, f := range r.Fleets {
		b := r.bill(f)
		dollars := b.monthly(scale, free)
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%.2f\t%s\t%.0f\t%.0f %%\t\n", yes[f.Affinity], yes[f.Digests], f.HomeReads, f.NewsReads,
			b.mean(userDays), dollars, 100*dollars/base)
	}
	return t.Flush()
}
