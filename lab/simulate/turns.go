package simulate

import (
	"cmp"
	"math"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Comparison is push and pull in one plan.
type Comparison struct {
	Plan   *Plan      `json:"plan"`
	Push   LayoutCost `json:"push"`
	Pull   LayoutCost `json:"pull"`
	Stays  LayoutCost `json:"pullWithAffinity"`
	Kept   LayoutCost `json:"pullWithKeptPage"`
	Carry  LayoutCost `json:"pullWithDigestsThatCarryAll"`
	Index  float64    `json:"indexBytes"` // see [Plan.known]
	Known  bool       `json:"known"`
	Turn   float64    `json:"turn"`   // home pages a reader and day above which push is cheaper; 0 if it never is
	Within float64    `json:"within"` // the follows of each user below which push is cheaper; 0 if it never is
}

// Compare compares push and pull.
func Compare(users, followed int, active float64) *Comparison {
	p := NewPlan(users, followed, active, false)
	return &Comparison{
		Plan: p, Push: p.Push(), Pull: p.Pull(Pull), Kept: p.Pull(PullKept), Carry: p.Pull(PullCarried),
		Stays: NewPlan(users, followed, active, true).Pull(Pull), Index: p.index(p.Followed), Known: p.known(),
		Turn: turn(users, followed, active), Within: within(users, active),
	}
}

// mostPages is the largest number of home pages a day that is considered: a page a minute.
const mostPages = 24 * 60

// turn returns from how many home pages of a reader and day on push is cheaper; 0 if it never is.
func turn(users, followed int, active float64) float64 {
	for pages := 1.0; pages <= mostPages; pages *= 1.05 {
		if p := newPlan(users, followed, active, false, pages); p.pushes() {
			return pages
		}
	}
	return 0
}

// within returns up to how many follows of each user push is cheaper; 0 if it never is.
func within(users int, active float64) (most float64) {
	for followed := 1.0; followed <= 5_000; followed = math.Ceil(followed * 1.3) {
		if NewPlan(users, int(followed), active, false).pushes() {
			most = followed
		}
	}
	return most
}

// pushes reports whether push is cheaper.
func (p *Plan) pushes() bool { return p.Push().Sum().Dollars() < p.Pull(Pull).Sum().Dollars() }

// Item is what one item of an author costs with everything that follows: entries, or the reads of pages that need it.
type Item struct {
	Followers float64 `json:"followers"`
	Push      Bill    `json:"push"`
	Pull      Bill    `json:"pull"`
}

// Items are the costs of an item by how many followers its author has. An author with too many followers for a push is
// pulled with both layouts, and then a month costs a mark for each follower.
func (p *Plan) Items() (all []Item) {
	for _, followers := range []float64{12, 1_000, 10_000, 200_000, 10_000_000, 50_000_000} {
		if followers > p.Users {
			break
		}
		others, own := p.looks(band{followers: followers})
		pages := followers * p.Active * p.Pages / itemsADay // until the next item
		i := Item{Followers: followers, Push: pushItem(false, followers), Pull: pullItem}
		i.Pull.Reads += pages * p.unseen(others+own, p.depth())
		if followers <= pullAbove {
			i.Push = i.Push.plus(pushed(followers * p.kept()))
		} else {
			i.Push.Writes += followers * p.kept() / monthDays / itemsADay
			i.Push.Reads += 2 * pages / (1 + (others+own)/secondsADay*cacheTTL.Seconds())
		}
		all = append(all, i)
	}
	return all
}

// Memory is what a home page reads with so much memory for caches in an instance.
type Memory struct {
	Bytes float64 `json:"bytes"`
	Heads float64 `json:"heads"` // that fit
	Stay  float64 `json:"stay"`  // seconds after which a head that no page needs leaves the memory
	Known bool    `json:"known"` // whether the newest positions of all authors fit
	Page  Page    `json:"page"`
}

// Memories are pages with several sizes of caches.
func Memories(users, followed int) (all []Memory) {
	for bytes := float64(model.CacheBytes); bytes <= 16*model.CacheBytes; bytes *= 4 {
		p := NewPlan(users, followed, 1, false)
		p.Memory = bytes
		p.fit()
		all = append(all, Memory{bytes, headsIn(bytes), p.headsStay * secondsADay, p.known(), p.Pull(Pull).Page})
	}
	return all
}

// Visible is how long after a post pages show it.
type Visible struct {
	Poll   time.Duration `json:"poll"` // between two polls of an instance
	Median time.Duration `json:"median"`
	P95    time.Duration `json:"p95"`
	Most   time.Duration `json:"most"`
}

// eventAfter is how long after a post its event has written the head, an estimate.
const eventAfter = 400 * time.Millisecond

// Visibility returns when pages show a post: its event writes the head, the process writes its digest at the end of a
// bucket, and an instance polls. The last two waits are evenly distributed.
func Visibility(poll time.Duration) Visible {
	a, b := bucket.Seconds(), poll.Seconds()
	within := func(t float64) float64 { // the chance that both waits are over
		sum, steps := 0.0, 1_000
		for i := range steps {
			wait := a * (float64(i) + 0.5) / float64(steps)
			sum += max(0, min(1, (t-wait)/b))
		}
		return sum / float64(steps)
	}
	at := func(share float64) time.Duration {
		t := bisect(0, a+b, func(t float64) bool { return within(t) >= share })
		return eventAfter + time.Duration(t*float64(time.Second)).Round(10*time.Millisecond)
	}
	return Visible{poll, at(0.5), at(0.95), eventAfter + bucket + poll}
}

// cheaper names the cheaper of two bills, and by which factor.
func cheaper(push, pull Bill) (name string, factor float64) {
	factor = push.Dollars() / pull.Dollars()
	if cmp.Less(factor, 1) {
		return "push", 1 / factor
	}
	return "pull", factor
}
