package metrics

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/hibana-sns/hibana/internal/telemetry"
)

// names has the name of each metric in the text of Prometheus.
var names = func() map[string]string {
	all := map[string]string{}
	for _, m := range telemetry.Metrics {
		all[m.Name] = m.Prometheus()
	}
	return all
}()

// change is the difference between two pages, or since the start of the process if before is nil.
type change struct{ before, now *Page }

// seconds is the time between the pages; 0 without an earlier one.
func (c change) seconds() float64 {
	if c.before == nil {
		return 0
	}
	return c.now.At.Sub(c.before.At).Seconds()
}

func (c change) sum(metric, suffix string, keep func(map[string]string) bool) float64 {
	name := names[metric] + suffix
	n := c.now.Sum(name, keep) - c.before.Sum(name, keep)
	if n < 0 { // the process began anew
		return c.now.Sum(name, keep)
	}
	return n
}

// quantile is the upper limit of the bucket of a histogram that holds a part of what it counts.
func (c change) quantile(metric string, part float64, keep func(map[string]string) bool) string {
	limits := map[float64]float64{}
	for _, s := range c.now.Samples {
		if s.Name == names[metric]+"_bucket" && keep(s.Labels) {
			if limit, err := strconv.ParseFloat(s.Labels["le"], 64); err == nil {
				limits[limit] = c.sum(metric, "_bucket", func(l map[string]string) bool {
					return keep(l) &&
						l["le"] == s.Labels["le"]
				})
			}
		}
	}
	all := limits[math.Inf(1)]
	if all == 0 {
		return "–"
	}
	last := 0.0
	for _, limit := range slices.Sorted(maps.Keys(limits)) {
		switch {
		case math.IsInf(limit, 1):
			return "> " + duration(last)
		case limits[limit] >= part*all:
			return "≤ " + duration(limit)
		}
		last = limit
	}
	return "–"
}

func duration(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%g ms", math.Round(seconds*1e4)/10)
	}
	return fmt.Sprintf("%g s", seconds)
}

// values are the values of a label, in order.
func (c change) values(metric, suffix, label string) []string {
	found := map[string]bool{}
	for _, s := range c.now.Samples {
		if v, ok := s.Labels[label]; ok && s.Name == names[metric]+suffix {
			found[v] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// is keeps the samples with a value of a label.
func is(label, value string) func(map[string]string) bool {
	return func(l map[string]string) bool { return l[label] == value }
}

// Show writes the metrics between two pages, or since the start if before is nil.
func Show(w io.Writer, before, now *Page) error {
	c := change{before, now}
	per, head := 1.0, "since the start"
	if s := c.seconds(); s > 0 {
		per, head = 1/s, fmt.Sprintf("a second, over %.0f s", s)
	}
	n := func(v float64) string {
		if c.before == nil {
			return fmt.Sprintf("%.0f", v)
		}
		return fmt.Sprintf("%.1f", v*per)
	}
	all := func(map[string]string) bool { return true }
	fmt.Fprintf(w, "Hibana, %s\n\n", head)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ROUTE\tREQUESTS\t5XX\tP50\tP95\tREADS\tWRITES")
	for _, route := range c.values(telemetry.HTTPDuration, "_count", telemetry.Route) {
		of := is(telemetry.Route, route)
		broken := func(l map[string]string) bool { return of(l) && l[telemetry.Status] >= "500" }
		count := c.sum(telemetry.HTTPDuration, "_count", of)
		if count == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", route, n(count), n(c.sum(telemetry.HTTPDuration, "_count", broken)),
			c.quantile(telemetry.HTTPDuration, .5, of), c.quantile(telemetry.HTTPDuration, .95, of),
			n(c.sum(telemetry.BilledReads, "", of)), n(c.sum(telemetry.BilledWrites, "", of)+c.sum(telemetry.BilledDeletes, "",
				of)))
	}
	fmt.Fprintln(t, "\nFUNCTION\tEVENTS\tFAILED\tAGE P50\tAGE P95\tREADS\tWRITES")
	for _, function := range c.values(telemetry.Events, "", telemetry.Function) {
		of := is(telemetry.Function, function)
		failed := func(l map[string]string) bool { return of(l) && l[telemetry.Outcome] != "handled" }
		count := c.sum(telemetry.Events, "", of)
		if count == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", function, n(count), n(c.sum(telemetry.Events, "", failed)),
			c.quantile(telemetry.EventAge, .5, of), c.quantile(telemetry.EventAge, .95, of),
			n(c.sum(telemetry.BilledReads, "", of)), n(c.sum(telemetry.BilledWrites, "", of)+c.sum(telemetry.BilledDeletes, "",
				of)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	hits, misses := c.sum(telemetry.CacheHits, "", is(telemetry.Outcome, "hit")), c.sum(telemetry.CacheHits, "",
		is(telemetry.Outcome, "miss"))
	share := "–"
	if hits+misses > 0 {
		share = fmt.Sprintf("%.0f %%", 100*hits/(hits+misses))
	}
	_, err := fmt.Fprintf(w, `
Timelines fresh   p50 %s, p95 %s
Roll-up lag       p50 %s, p95 %s
Found in caches   %s
Turned away       %s by limits, %s because the process was full
Dead letters      %s
Firestore errors  %s Aborted, %s ResourceExhausted
`, c.quantile(telemetry.FanoutFreshness, .5, all), c.quantile(telemetry.FanoutFreshness, .95, all),
		c.quantile(telemetry.RollupLag, .5, all), c.quantile(telemetry.RollupLag, .95, all), share,
		n(c.sum(telemetry.Limited, "", nil)), n(c.sum(telemetry.Saturated, "", nil)),
		n(c.sum(telemetry.DeadLetters, "", nil)),
		n(c.sum(telemetry.FirestoreErrors, "", is(telemetry.Code, "Aborted"))),
		n(c.sum(telemetry.FirestoreErrors, "", is(telemetry.Code, "ResourceExhausted"))))
	return err
}
