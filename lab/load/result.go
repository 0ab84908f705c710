package load

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/hibana-sns/hibana/internal/meter"
)

// Result is what a run measured.
type Result struct {
	Begun      time.Time
	Users      int
	Reconciled time.Duration // the functions took for what was made, before Begun
	Stages     []*Measured
	Probes     []Seen
}

// Seen is one probe, and when it ended.
type Seen struct {
	Probe Probe
	At    time.Duration // since the beginning of the run
	Took  time.Duration
}

// Measured is what a stage measured. Sent is Answered and Failed.
type Measured struct {
	Stage                  Stage
	Begun                  time.Time
	Took                   time.Duration
	Sent, Answered, Failed int
	Kinds                  map[Kind]*Figures
	All                    Figures
	Seconds                []*Figures // of the requests that were due in each second
	Statuses               map[int]int
}

// Figures are latencies, failures and bills. The latencies are those of answers of 2xx.
type Figures struct {
	Failed    int
	Latencies []time.Duration
	Cost      meter.Counts
}

func (f *Figures) note(a answer, took time.Duration) {
	f.Cost = f.Cost.Add(a.cost)
	if a.ok() {
		f.Latencies = append(f.Latencies, took)
	} else {
		f.Failed++
	}
}

// note notes the answer to a request.
func (m *Measured) note(k Kind, due time.Time, a answer, took time.Duration) {
	if a.ok() {
		m.Answered++
	} else {
		m.Failed++
		if m.Statuses == nil {
			m.Statuses = map[int]int{}
		}
		m.Statuses[a.status]++
	}
	if m.Kinds[k] == nil {
		m.Kinds[k] = &Figures{}
	}
	second := int(due.Sub(m.Begun) / time.Second)
	for len(m.Seconds) <= second {
		m.Seconds = append(m.Seconds, &Figures{})
	}
	for _, f := range []*Figures{m.Kinds[k], &m.All, m.Seconds[second]} {
		f.note(a, took)
	}
}

// Quantile is the latency that a part of the answers did not exceed; 0 without answers.
func (f *Figures) Quantile(part float64) time.Duration { return quantile(f.Latencies, part) }

func quantile(all []time.Duration, part float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

// The limits of a system that bears its load.
const (
	slow     = 2 * time.Second        // p95
	bending  = 500 * time.Millisecond // p95
	mayFail  = 0.01                   // part of the requests
	mayLate  = 0.05                   // part by which a stage may take longer
	asSource = 0.001                  // part that may fail at the rates of the sources
)

// failures is the part of the requests that failed.
func (m *Measured) failures() float64 { return float64(m.Failed) / max(1, float64(m.Sent)) }

// Broke says why the load was more than the system bears; empty if it was not.
func (m *Measured) Broke() string {
	switch p95 := m.All.Quantile(.95); {
	case m.failures() > mayFail:
		return fmt.Sprintf("%.1f %% of the requests failed", 100*m.failures())
	case p95 > slow:
		return fmt.Sprintf("p95 is %v", p95.Round(time.Millisecond))
	case m.Took.Seconds() > m.Stage.For.Seconds()*(1+mayLate):
		return "requests were sent late"
	}
	return ""
}

// Check is one thing that the sources want.
type Check struct {
	Row, Text string
	OK        bool
}

// Checks are what the sources want at their rates. What was not measured is not OK.
func (r *Result) Checks() (all []Check) {
	for i, row := range []string{"S1-12", "S1-21", "S1-33"} {
		c := Check{Row: row, Text: "not measured"}
		if i < len(r.Stages) {
			m := r.Stages[i]
			c.Text = fmt.Sprintf("%.0f requests a second: %d of %d answered, p95 %v", m.Stage.Rates.total(), m.Answered, m.Sent,
				m.All.Quantile(.95).Round(time.Millisecond))
			c.OK = m.Sent > 0 && m.failures() <= asSource && m.All.Quantile(.95) <= time.Second
		}
		all = append(all, c)
	}
	// Only probes that began while the rates were those of the sources.
	var end time.Duration
	for _, m := range r.Stages[:min(3, len(r.Stages))] {
		end = m.Begun.Sub(r.Begun) + m.Took
	}
	for _, p := range []Probe{Fanout, Backfill, Removal} {
		var took []time.Duration
		for _, s := range r.Probes {
			if s.Probe == p && s.At-s.Took <= end {
				took = append(took, s.Took)
			}
		}
		c := Check{Row: string(p), Text: "not measured"}
		if len(took) > 0 {
			p95 := quantile(took, .95)
			c.Text = fmt.Sprintf("p50 %v, p95 %v of %d, wanted within %v", quantile(took, .5).Round(time.Millisecond),
				p95.Round(time.Millisecond), len(took), Within[p])
			c.OK = p95 <= Within[p]
		}
		all = append(all, c)
	}
	return all
}

// Bends says at which stage p95 passes half a second, and which one broke.
func (r *Result) Bends() string {
	text, bent := "The p95 stays below 0.5 s at these rates.", false
	for _, m := range r.Stages {
		why := m.Broke()
		if why != "" {
			return fmt.Sprintf("It breaks at %s (%.0f requests a second): %s.", m.Stage.Name, m.Stage.Rates.total(), why)
		}
		if p95 := m.All.Quantile(.95); p95 > bending && !bent {
			bent = true
			text = fmt.Sprintf("The p95 exceeds 0.5 s at %s (%.0f requests a second): %v.", m.Stage.Name, m.Stage.Rates.total(),
				p95.Round(time.Millisecond))
		}
	}
	return text
}

// Print writes the result as text.
func (r *Result) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STAGE\tREQUESTS\tA SECOND\tSENT\tFAILED\tP50\tP95\tP99\tREADS\tWRITES")
	row := func(stage, kind string, rate float64, sent int, f *Figures) {
		n := max(1, float64(sent))
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%d\t%d\t%v\t%v\t%v\t%.1f\t%.1f\n", stage, kind, rate, sent, f.Failed,
			f.Quantile(.5).Round(100*time.Microsecond), f.Quantile(.95).Round(100*time.Microsecond), f.Quantile(.99).
				Round(100*time.Microsecond),
			float64(f.Cost.Reads)/n, float64(f.Cost.Writes+f.Cost.Deletes)/n)
	}
	for _, m := range r.Stages {
		row(m.Stage.Name, "all", m.Stage.Rates.total(), m.Sent, &m.All)
		for _, k := range slices.Sorted(maps.Keys(m.Kinds)) {
			f := m.Kinds[k]
			row("", string(k), m.Stage.Rates[k], len(f.Latencies)+f.Failed, f)
		}
		for _, status := range slices.Sorted(maps.Keys(m.Statuses)) {
			fmt.Fprintf(t, "\tfailed with %d\t\t%d\n", status, m.Statuses[status])
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nBefore the first stage the functions took %v for the events of %d users.\n\n",
		r.Reconciled.Round(100*time.Millisecond), r.Users)
	for _, c := range r.Checks() {
		mark := "ok    "
		if !c.OK {
			mark = "NOT OK"
		}
		fmt.Fprintf(w, "%s  %s  %s\n", mark, c.Row, c.Text)
	}
	_, err := fmt.Fprintf(w, "\n%s Reads and writes are documents billed a request, without functions.\n", r.Bends())
	return err
}
