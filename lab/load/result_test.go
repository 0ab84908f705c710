package load_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/lab/load"
)

// measured makes a result in which all is well: three stages of ten seconds at 60 requests a
// second, and a probe of each kind.
func measured() *load.Result {
	r := &load.Result{Begun: time.Now()}
	for i := range 3 {
		m := &load.Measured{
			Stage: load.Stage{Name: "stage", Rates: load.Rates{load.Home: 60}, For: 10 * time.Second},
			Begun: r.Begun.Add(time.Duration(i) * 10 * time.Second), Took: 10 * time.Second, Sent: 600, Answered: 600,
		}
		m.All.Latencies = slices.Repeat([]time.Duration{50 * time.Millisecond}, 600)
		r.Stages = append(r.Stages, m)
	}
	for _, p := range []load.Probe{load.Fanout, load.Backfill, load.Removal} {
		r.Probes = append(r.Probes, load.Seen{Probe: p, At: 5 * time.Second, Took: load.Within[p] / 2})
	}
	return r
}

// A run passes if all that the sources want was measured and holds, and says what does not.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	slowly := func(m *load.Measured, part int, took time.Duration) {
		for i := range 600 * part / 100 {
			m.All.Latencies[i] = took
		}
	}
	tests := []struct {
		name  string
		but   func(r *load.Result)
		fails []string // rows
		bends string
	}{
		{"all is well", func(*load.Result) {}, nil, "stays below"},
		{"one request failed", func(r *load.Result) { r.Stages[0].Failed, r.Stages[0].Answered = 1, 599 }, []string{"S1-12"},
			"stays below"},
		{"seven requests failed", func(r *load.Result) { r.Stages[1].Failed, r.Stages[1].Answered = 7, 593 },
			[]string{"S1-21"}, "breaks"},
		{"a few are slow", func(r *load.Result) { slowly(r.Stages[0], 4, time.Minute) }, nil, "stays below"},
		{"many are slower", func(r *load.Result) { slowly(r.Stages[0], 6, 600*time.Millisecond) }, nil, "exceeds"},
		{"many are slow", func(r *load.Result) { slowly(r.Stages[1], 6, 1100*time.Millisecond) }, []string{"S1-21"},
			"exceeds"},
		{"many are very slow", func(r *load.Result) { slowly(r.Stages[1], 6, 3*time.Second) }, []string{"S1-21"}, "breaks"},
		{"requests were sent late", func(r *load.Result) { r.Stages[1].Took = 11 * time.Second }, nil, "late"},
		{"a stage is missing", func(r *load.Result) { r.Stages = r.Stages[:1] }, []string{"S1-21", "S1-33"}, "stays below"},
		{"follows failed", func(r *load.Result) { r.Stages[2].Failed, r.Stages[2].Answered = 7, 593 }, []string{"S1-33"},
			"breaks"},
		{"nothing was sent", func(r *load.Result) { r.Stages[0].Sent, r.Stages[0].Answered = 0, 0 }, []string{"S1-12"},
			"stays below"},
		{"a probe took too long", func(r *load.Result) { r.Probes[1].Took = load.Within[load.Backfill] + time.Millisecond },
			[]string{string(load.Backfill)}, "stays below"},
		{"a probe is missing", func(r *load.Result) { r.Probes = r.Probes[:2] }, []string{string(load.Removal)},
			"stays below"},
		{"a probe began when there was more load", func(r *load.Result) {
			r.Probes[0].At = 31*time.Second +
				r.Probes[0].Took
		}, []string{string(load.Fanout)}, "stays below"},
	}
	for _, test := range tests {
		r := measured()
		test.but(r)
		var fails []string
		for _, c := range r.Checks() {
			if !c.OK {
				fails = append(fails, c.Row)
			}
		}
		if !slices.Equal(fails, test.fails) || !strings.Contains(r.Bends(), test.bends) {
			t.Errorf("%s: %q fail, and %q; want %q and %q", test.name, fails, r.Bends(), test.fails, test.bends)
		}
	}
}
