package cost

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// One instance of a fleet costs about what the model of a day says. Many instances of as many users cost more, and
// digests less where many heads change.
func TestFleet(t *testing.T) {
	t.Parallel()
	model := func(f Fleet) Fleet {
		t.Helper()
		if err := f.model(1, 2*time.Second); err != nil {
			t.Fatal(err)
		}
		return f
	}
	page, news, err := homeReads(1_000, 1, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	one := model(Fleet{Users: 1_000, Instances: 1, Functions: 1, Affinity: true})
	if one.HomeReads < 0.75*page || one.HomeReads > 1.25*page || one.NewsReads < 0.5*news || one.NewsReads > 2*news {
		t.Errorf("a page costs %.2f reads and news %.2f, want about %.2f and %.2f", one.HomeReads, one.NewsReads, page, news)
	}
	if one.Written != 0 {
		t.Errorf("%.0f digests are written", one.Written)
	}
	const users = 150_000
	many := model(Fleet{Users: users, Instances: 100, Functions: 2, Affinity: true})
	listed := model(Fleet{Users: users, Instances: 100, Functions: 2, Affinity: true, Digests: true})
	if many.NewsReads < 2*listed.NewsReads {
		t.Errorf("with digests news cost %.2f reads, and %.2f without", listed.NewsReads, many.NewsReads)
	}
	if most := 2 * 24 * 3600 / 0.75; listed.Written > most || listed.Written < most/2 {
		t.Errorf("%.0f digests a day, want not much fewer than %.0f", listed.Written, most)
	}
}

// A digest has the changes of a process in an interval, and is heard when it is written.
func TestLists(t *testing.T) {
	t.Parallel()
	l := &lists{begun: map[int]int{}}
	second := time.Second
	first := l.add(0, 0)
	for _, c := range []struct {
		process int
		at      time.Duration
		want    time.Time
	}{{0, 700 * time.Millisecond, first}, {1, 700 * time.Millisecond, first}, {0, 800 * time.Millisecond,
		first.Add(digestEvery)}} {
		if got := l.add(c.process, c.at); !got.Equal(c.want) {
			t.Errorf("process %d lists a change of %v at %v, want %v", c.process, c.at, got, c.want)
		}
	}
	if l.digests != 3 {
		t.Errorf("there are %d digests, want 3", l.digests)
	}
	for now, want := range map[time.Duration]int{700 * time.Millisecond: 1, second: 2, 2 * second: 3} {
		if got := l.reads(at(0), at(now)); got != want {
			t.Errorf("after %v a query costs %d reads, want %d", now, got, want)
		}
	}
	all := []change{{7, first}, {8, first.Add(digestEvery)}}
	if got := heard(all, at(0), at(second)).At; len(got) != 1 || !got[7].Equal(first) {
		t.Errorf("after a second %v is heard, want 7 alone", got)
	}
}

// The bill of a fleet has the measured operations, its own pages, a list and a clock's work for each process, and the
// digests.
func TestFleetBill(t *testing.T) {
	t.Parallel()
	r := made() // 20 days of users, with 200 home pages
	f := Fleet{Users: 2_000, Instances: 100, Functions: 4, HomeReads: 7, Written: 1_000}
	was := r.Sum().Total()
	ticks := r.Tick.Total() // of 10 minutes
	want := Bill{
		Reads:   was.Reads - 200*20 + 200*7 + (ticks.Reads*144+listReads*100)/100,
		Writes:  was.Writes + (ticks.Writes*144+flushes*minutes*4+1_000)/100,
		Deletes: was.Deletes + 1_000/100,
	}
	got := r.bill(f)
	if d := (Bill{got.Reads - want.Reads, got.Writes - want.Writes, got.Deletes - want.Deletes}); d.Reads < -1 ||
		d.Reads > 1 || d.Writes < -1 || d.Writes > 1 || d.Deletes < -1 || d.Deletes > 1 {
		t.Errorf("the bill is %+v, want %+v", got, want)
	}
	r.Fleets = []Fleet{f}
	var out bytes.Buffer
	if err := r.Print(&out, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "2000 users on 100 instances of the API and 4 of the functions") {
		t.Errorf("the report has no fleet: %s", out.String())
	}
}
