package telemetry

import (
	"regexp"
	"slices"
	"testing"
)

// Every metric is named once, and as the others.
func TestNames(t *testing.T) {
	t.Parallel()
	attributes := []string{Route, Method, Status, Function, Outcome, Limit, Code, Job, Of}
	form, seen := regexp.MustCompile(`^hibana(\.[a-z]+)+$`), map[string]bool{}
	for _, m := range Metrics {
		if !form.MatchString(m.Name) || seen[m.Name] || m.Help == "" {
			t.Errorf("metric %q is named twice, or not as the others, or without help", m.Name)
		}
		seen[m.Name] = true
		if (m.Kind == Histogram) != (m.Unit == "s") {
			t.Errorf("%s is a %s of %s", m.Name, m.Kind, m.Unit)
		}
		for _, a := range m.Attributes {
			if !slices.Contains(attributes, a) {
				t.Errorf("%s has the attribute %q, which no constant names", m.Name, a)
			}
		}
	}
	if got, want := Metrics[0].Prometheus(), "hibana_http_duration_seconds"; got != want {
		t.Errorf("Prometheus() = %q, want %q", got, want)
	}
}
