package simulate

import (
	"math"
	"testing"
	"time"
)

// The formulas agree with simulations: pages to a quarter, and dollars to a tenth.
func TestPlan(t *testing.T) {
	t.Parallel()
	for _, s := range []Setup{
		{Users: 3_000, Followed: 12, Instances: 1, Seed: 1}, {Users: 3_000, Followed: 12, Instances: 4, Seed: 1},
		{Users: 3_000, Followed: 12, Instances: 4, Seed: 1, Affinity: true},
		{Users: 3_000, Followed: 100, Instances: 4, Seed: 1},
	} {
		p := NewPlan(s.Users, s.Followed, 1, s.Affinity)
		p.Instances, p.Writers, p.Life = float64(s.Instances), 2*float64(s.Instances), 1.5
		p.fit()
		for name, l := range simulated(t, s) {
			f := p.Push()
			if name != PushDigests {
				f = p.Pull(name)
			}
			if name == PullSmall { // its memory is another
				continue
			}
			if !near(f.Page.Mean, l.Page.Mean, 0.25) || !near(f.Page.Cold, l.Page.Cold, 0.1) {
				t.Errorf("%+v, %s: by formula %+v, simulated %+v", s, name, f.Page, l.Page)
			}
			if got, want := f.Sum().Dollars(), l.Sum().Dollars(); !near(got, want, 0.1) {
				t.Errorf("%+v, %s: by formula %+v, simulated %+v", s, name, f.Sum(), l.Sum())
			}
		}
	}
}

func TestCrowdOf(t *testing.T) {
	t.Parallel()
	for _, users := range []float64{1_000, 1e6, 1e8} {
		authors, follows, likes := 0.0, 0.0, 0.0
		for _, b := range crowdOf(users, 12) {
			authors, follows = authors+b.authors, follows+b.authors*b.followers
			likes += b.authors * b.popular
		}
		if !near(authors, users, 1e-9) || !near(follows, 12*users, 1e-3) || !near(likes, 1, 0.02) {
			t.Errorf("%g users: %g authors with %g followers and %g of the likes", users, authors, follows, likes)
		}
	}
}

func TestUnseen(t *testing.T) {
	t.Parallel()
	p := &Plan{Users: 1_000, Followed: 12, headsStay: 0.5}
	on := 1 - math.Exp(-itemsADay*0.4) // the author has an item of the last 0.4 days
	if got := p.unseen(0, 0.4); !near(got, on, 1e-9) {
		t.Errorf("if no page looks: %v, want %v", got, on)
	}
	if got, want := p.unseen(36, 10), 0.1; !near(got, want, 1e-3) {
		t.Errorf("if pages look nine times as often as the author posts: %v, want %v", got, want)
	}
	for _, rate := range []float64{0, 1, 10, 100} {
		for _, days := range []float64{0.01, 0.4, 2} {
			if a, u := p.absent(rate, days), p.unseen(rate, days); a < 0 || a > u+1e-12 || u > 1 {
				t.Errorf("rate %v, %v days: absent %v, unseen %v", rate, days, a, u)
			}
		}
	}
	p.headsStay = 0 // nothing stays in memory
	if got := p.unseen(100, 0.4); !near(got, on, 1e-9) {
		t.Errorf("without memory: %v, want %v", got, on)
	}
	if got := unshown(0, 1e9, 1, 1); got > 1e-6 {
		t.Errorf("a tweet that all see and that never changes: %v, want 0", got)
	}
	if got := unshown(10, 30, 1e6, 1e6); !near(got, 0.25, 1e-3) {
		t.Errorf("a tweet with a change for each three views: %v, want 0.25", got)
	}
}

// Few processes write a digest each in a second with changes, and many let one merge the digests.
func TestDigestBills(t *testing.T) {
	t.Parallel()
	p := NewPlan(secondsADay, 12, 1, false)
	p.Instances, p.Writers = 1, 2
	b := p.digests(1_000).times(p.Users) // 1,000 changes a second: both write each second
	if !near(b.Writes, 2*secondsADay, 1e-6) || b.Deletes != b.Writes || !near(b.Reads, 2*2*secondsADay, 0.01) {
		t.Errorf("2 writers: %+v, want %d writes, read once by the instance and once by the compaction", b, 2*secondsADay)
	}
	p.Instances, p.Writers = 100, 100
	b = p.digests(1_000).times(p.Users)
	if want := 101.0 * secondsADay; !near(b.Writes, want, 0.01) || b.Reads > 4*want {
		t.Errorf("100 writers: %+v, want %.0f writes, and not 100 reads for each", b, want)
	}
}

func TestKnown(t *testing.T) {
	t.Parallel()
	if p := NewPlan(1_000_000, 200, 1, false); !p.known() {
		t.Error("an instance does not know the newest positions of a million authors")
	}
	p := NewPlan(100_000_000, 200, 1, false)
	if p.known() || p.Pull(Pull).Page.Cold != 222 {
		t.Errorf("the positions of 100 M authors fit; a cold page has %v reads, want all 200 heads, 20 tweets, and 2",
			p.Pull(Pull).Page.Cold)
	}
	p.Memory *= 16
	p.fit()
	if !p.known() {
		t.Error("they do not fit into 16 times the memory")
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	c := Compare(1_000_000, 12, 1)
	if name, factor := cheaper(c.Push.Sum(), c.Pull.Sum()); name != "pull" || factor < 1 {
		t.Errorf("%s is cheaper, %v times", name, factor)
	}
	if c.Turn < pagesADay || c.Within != 0 {
		t.Errorf("push is cheaper above %v pages, and up to %v followed", c.Turn, c.Within)
	}
	for pages, want := range map[float64]bool{c.Turn * 0.9: false, c.Turn * 1.1: true} {
		if got := newPlan(1_000_000, 12, 1, false, pages).pushes(); got != want {
			t.Errorf("with %v pages push is cheaper: %v, want %v", pages, got, want)
		}
	}
	items := c.Plan.Items()
	if n := len(items); n != 4 || items[3].Followers != 200_000 {
		t.Fatalf("%d items, want those of up to 200,000 followers", n)
	}
	if i := items[2]; i.Push.Writes < 10_000 || i.Pull.Writes != 2 || i.Pull.Reads > 100 {
		t.Errorf("a tweet to 10,000: %+v", i)
	}
}

func TestVisibility(t *testing.T) {
	t.Parallel()
	for poll, waits := range map[time.Duration]float64{ // 95 % of two evenly distributed waits: a trapezoid
		time.Second: 2 - math.Sqrt(0.1), 2 * time.Second: 3 - math.Sqrt(0.2),
	} {
		want := waits + eventAfter.Seconds()
		if v := Visibility(poll); !near(v.P95.Seconds(), want, 0.01) || v.P95 > 3*time.Second || v.Most <= v.P95 {
			t.Errorf("Visibility(%v) = %+v, want 95 %% after %.2f s", poll, v, want)
		}
	}
}
