package simulate

import (
	"math"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	all := Limits(12)
	breaks := map[string]float64{}
	for i, l := range all {
		breaks[l.Resource] = l.Breaks
		if l.Source == "" || l.Breaks > 0 && l.Lift == "" {
			t.Errorf("%s: source %q, lifted by %q", l.Resource, l.Source, l.Lift)
		}
		if !slices.IsSorted(l.Loads) {
			t.Errorf("%s: loads %v fall with more users", l.Resource, l.Loads)
		}
		for j, users := range LoadsAt {
			over := l.Most > 0 && l.Loads[j] > l.Most
			if over != (l.Breaks > 0 && float64(users) > l.Breaks) {
				t.Errorf("%s: breaks at %.0f users, and with %d the load is %v of %v", l.Resource, l.Breaks, users, l.Loads[j],
					l.Most)
			}
		}
		if i > 0 && all[i-1].Breaks == 0 && l.Breaks > 0 {
			t.Errorf("%s: not sorted", l.Resource)
		}
	}
	// by hand: 384 likes a second at the peak, 2 reads of 20 documents a user, 500 writes of 4×170 a day
	for resource, want := range map[string]float64{
		"count of all likes":                          384.0 * secondsADay / 40,
		"writes of a database that was just restored": 500.0 * secondsADay / (4 * 170),
		"new tweets in the public timeline":           2_000.0 * secondsADay / 12,
		"changed tweets that an instance hears of":    40 * secondsADay / (4 * 15.2),
		"memory of the nightly verify":                float64(2<<30) / 100,
		"triggers of Eventarc":                        0, "bytes of an event": 0, "listeners of a database": 0,
	} {
		if got, ok := breaks[resource]; !ok || !near(got, want, 0.001) {
			t.Errorf("%s: breaks at %.0f users, want %.0f", resource, got, want)
		}
	}
}

// The sources of limits that other packages do not export.
func TestBursts(t *testing.T) {
	t.Parallel()
	for _, b := range Bursts() {
		if b.Most > 0 && b.Load > b.Most && b.Lift == "" {
			t.Errorf("%s: %s: nothing raises it", b.Case, b.Resource)
		}
	}
	i := slices.IndexFunc(Bursts(), func(b Burst) bool { return b.Resource == "push: writes of the timeline at the peak" })
	if b := Bursts()[i]; !near(b.Load, model.MaxFollows*4*4/86_400.0, 1e-9) {
		t.Errorf("%+v", b)
	}
	largest := 0
	for _, c := range model.Registry {
		largest = max(largest, c.Bound.Bytes)
	}
	if got := largestEvent(); got <= 0 || got > 2*float64(largest) || math.IsNaN(got) {
		t.Errorf("largestEvent() = %v", got)
	}
}
