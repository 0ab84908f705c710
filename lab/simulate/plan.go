package simulate

import (
	"math"

	"github.com/hibana-sns/hibana/model"
)

// Plan is a network whose users follow as many others, post alike, and read alike. Its bills are formulas, for sizes
// that no simulation holds.
//
// An author's items come at random times, itemsADay of them. So the newest item of an author has the age s with the
// density itemsADay×exp(−itemsADay×s). A page has the items that are younger than [Plan.depth]. A document is in the
// memory of an instance if a page of that instance needed it since its last change.
type Plan struct {
	Users    float64 `json:"users"`
	Followed float64 `json:"followed"` // users whom each user follows
	Active   float64 `json:"active"`   // the share of users who read on a day; all users write
	Pages    float64 `json:"pages"`    // home pages of an active reader on a day
	Affinity bool    `json:"affinity"` // whether a reader stays with one instance

	Instances float64 `json:"instances"` // of the API, when the average page is read
	Writers   float64 `json:"writers"`   // processes that write digests
	Memory    float64 `json:"memory"`    // bytes of the caches of an instance
	Life      float64 `json:"-"`         // days that an instance has been running

	crowd                 []band
	headsStay, tweetsStay float64 // days after which a head or tweet that nobody needs leaves the memory
}

// band is some authors with about the same number of followers.
type band struct {
	authors   float64
	followers float64 // of each
	popular   float64 // the share of all likes that each gets
}

// kept is the share of readers who are not dormant if so many read on a day: a fifth of the users a day makes half of
// them a month.
func (p *Plan) kept() float64 { return min(1, 2.5*p.Active) }

// returning is the share of dormant readers who come back on a day, and as many become dormant.
const returning = 0.01

// NewPlan returns the plan of a network of the day. It has as many instances as it needs at its peak, and half of them
// when the average page is read.
func NewPlan(users, followed int, active float64, affinity bool) *Plan {
	return newPlan(users, followed, active, affinity, pagesADay)
}

func newPlan(users, followed int, active float64, affinity bool, pages float64) *Plan {
	p := &Plan{Users: float64(users), Followed: float64(min(followed, users-1)), Active: active, Pages: pages,
		Affinity: affinity, Memory: model.CacheBytes, Life: 0.5}
	p.Instances = max(1, math.Ceil(peak*p.requests()/perInstance)/2)
	p.Writers = p.Instances + max(1, math.Ceil(peak*p.Users*eventsADay()/secondsADay/perInstance)/2)
	p.crowd = crowdOf(p.Users, p.Followed)
	p.fit()
	return p
}

// requests is how many requests the API gets a second, on average.
func (p *Plan) requests() float64 {
	return p.Users * (p.Active*(p.Pages+tweetsADay+viewsADay) + writingADay) / secondsADay
}

// crowdOf returns bands of authors, the most popular first. The author at rank r has 1/r of the popularity of the
// first, and users draw authors until they follow as many as they want: the rank r with a chance of 1−exp(−c/r).
func crowdOf(users, followed float64) (all []band) {
	const perDecade = 30
	ranks := []float64{} // of each band
	for first := 1.0; first <= users; {
		last := max(first, min(users, math.Floor(first*math.Pow(10, 1.0/perDecade))))
		n := last - first + 1
		ranks = append(ranks, n/(math.Log(last+0.5)-math.Log(first-0.5)))
		all = append(all, band{authors: n})
		first = last + 1
	}
	of := func(c float64) (sum float64) {
		for i := range all {
			sum += all[i].authors * (1 - math.Exp(-c/ranks[i]))
		}
		return sum
	}
	c := bisect(0, 1e3*users, func(c float64) bool { return of(c) >= followed })
	harmonic := math.Log(users) + 0.5772
	for i := range all {
		all[i].followers = users * (1 - math.Exp(-c/ranks[i]))
		all[i].popular = 1 / ranks[i] / harmonic
	}
	return all
}

// bisect returns about the smallest number in a range for which enough is true, or the end of the range.
func bisect(from, to float64, enough func(float64) bool) float64 {
	for range 100 {
		if middle := (from + to) / 2; enough(middle) {
			to = middle
		} else {
			from = middle
		}
	}
	return to
}

// depth is how many days back a page goes.
func (p *Plan) depth() float64 { return page / (p.Followed * itemsADay) }

// looks is how often a day the readers of an instance need the head of an author who is on their pages, besides the
// reader who looks now; own is how often that reader does. Without affinity a reader's looks are spread, too.
func (p *Plan) looks(b band) (others, own float64) {
	others = max(0, b.followers-1) * p.Active * p.Pages / p.Instances
	if p.Affinity {
		return others, p.Pages
	}
	return others, p.Pages / p.Instances
}

// fit computes how long heads and tweets stay in memory: those that were needed since then are as many as fit.
func (p *Plan) fit() {
	on := 1 - math.Exp(-itemsADay*p.depth())
	heads := func(days float64) float64 { return p.needed(days, 1, on) }
	tweets := func(days float64) float64 { return p.needed(days, itemsADay*p.depth(), 1) }
	p.headsStay = bisect(0, p.Life, func(days float64) bool { return heads(days) >= headsIn(p.Memory) })
	p.tweetsStay = bisect(0, p.Life, func(days float64) bool { return tweets(days) >= tweetsIn(p.Memory) })
}

// needed is how many documents the pages of an instance need in some days, if each author has so many, and they are on
// so many pages of the followers. With affinity it matters which followers stay with the instance, not how often they
// look.
func (p *Plan) needed(days, documents, on float64) (sum float64) {
	for _, b := range p.crowd {
		here := b.followers * p.Active / p.Instances
		looks := here * p.Pages * on * days
		if p.Affinity {
			looks = here * (1 - math.Exp(-p.Pages*on*days))
		}
		sum += b.authors * documents * (1 - math.Exp(-looks))
	}
	return sum
}

// index is how many bytes an instance needs to know the newest positions of all authors of the page of a reader who
// follows so many: those who posted since the page's oldest item.
func (p *Plan) index(followed float64) float64 {
	return positionBytes * p.Users * (1 - math.Exp(-itemsADay*page/(followed*itemsADay)))
}

// positionBytes is what an instance needs for the newest position of an author: a hash, a time, and free places.
const positionBytes = 16

// known reports whether an instance knows the newest positions of the authors on a page. Otherwise the page needs the
// heads of all followed authors.
func (p *Plan) known() bool { return p.index(p.Followed) <= p.Memory/4 }

// headReads is how many heads a page reads: heads that the page needs and that changed since the instance read them,
// or left the memory. If carried, digests carry items, and only heads that are not in memory are read.
func (p *Plan) headReads(carried bool) (reads float64) {
	for _, b := range p.crowd {
		others, own := p.looks(b)
		missing := p.unseen(others+own, p.depth())
		if carried {
			missing = p.absent(others+own, p.depth())
		}
		if !p.known() { // an older author's head is needed, too, and is good as long as it stays
			missing += math.Exp(-itemsADay*p.depth()) * math.Exp(-(others+own)*p.headsStay)
		}
		reads += b.authors * b.followers / p.Users * missing // of these authors, whom the reader follows
	}
	return reads
}

// unseen is the chance that an author's newest item is younger than so many days, and that no page of the instance
// needed the head since, or not while the head would still be in memory. rate is how often pages need it.
func (p *Plan) unseen(rate, days float64) float64 {
	integral := func(to float64) float64 { // of the density of the age, and no look since
		return itemsADay / (itemsADay + rate) * (1 - math.Exp(-(itemsADay+rate)*to))
	}
	if days <= p.headsStay {
		return integral(days)
	}
	older := math.Exp(-itemsADay*p.headsStay) - math.Exp(-itemsADay*days)
	return integral(p.headsStay) + older*math.Exp(-rate*p.headsStay)
}

// absent is the chance that an author's newest item is younger than so many days, and that the head is not in memory.
// Before that item, fewer pages needed the head.
func (p *Plan) absent(rate, days float64) float64 {
	before := rate * (1 - math.Exp(-itemsADay*days))
	both := itemsADay + rate - before
	chance := itemsADay / both * math.Exp(-before*p.headsStay) * (1 - math.Exp(-both*min(days, p.headsStay)))
	if days > p.headsStay {
		older := math.Exp(-itemsADay*p.headsStay) - math.Exp(-itemsADay*days)
		chance += older * math.Exp(-rate*p.headsStay)
	}
	return chance
}

// newsReads is how many heads a page reads whose last look is kept: those with items since, that no other page of the
// instance needed.
func (p *Plan) newsReads() (reads float64) {
	for _, b := range p.crowd {
		others, _ := p.looks(b)
		reads += b.authors * b.followers / p.Users * p.unseen(others+p.Pages, p.depth())
	}
	return reads
}

// tweetReads is how many tweets a page reads: those that changed since a page of the instance showed them, or that no
// page showed. A tweet that a user opens is in memory, too.
//
// If carried, digests carry counts, so that a tweet in memory is not read again.
func (p *Plan) tweetReads(carried bool) float64 {
	const harmonic = 2.929 // of recentTweets
	depth, sum, weights := p.depth(), 0.0, 0.0
	for _, b := range p.crowd {
		others, own := p.looks(b)
		share := b.authors * b.followers / p.Users
		on := 1.0 // the chance that the author has j items on the page
		poisson := math.Exp(-page / p.Followed)
		for j := 1.0; j <= recentTweets; j++ {
			if on -= poisson; on < 1e-6 {
				break
			}
			poisson *= page / p.Followed / j
			changes := changesADay * p.Users * b.popular / (j * harmonic)
			views := others + own + changes*tweetsADay/changesADay*p.Active/p.Instances
			if carried {
				changes = 0
			}
			sum += share * on * unshown(changes, views, depth, p.tweetsStay)
			weights += share * on
		}
	}
	return page * sum / weights
}

// unshown is the chance that no page showed a tweet since its last change, or since so many days ago, after which it
// left the memory. changes and views are how often it changes, and how often pages show it. Its age is at most depth.
func unshown(changes, views, depth, stay float64) float64 {
	both := changes + views
	after := func(age float64) float64 { // if the tweet is so old, or older
		return changes/both + views/both*math.Exp(-both*age)
	}
	young := min(depth, stay)
	return (young*changes/both + views/both*(1-math.Exp(-both*young))/both + (depth-young)*after(young)) / depth
}
