package telemetry

import (
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// most is the largest number of attributes that a metric has.
const most = 3

// attributes caches the set of attributes of each recorded combination. Sorting and hashing a set costs more than
// recording. There are as many sets as time series in the process, because each attribute has a few known values.
type attributes struct {
	mu   sync.RWMutex
	sets map[[2 * most]string]options
}

// options pass a set to an instrument.
type options struct {
	add    []metric.AddOption
	record []metric.RecordOption
}

// of returns the set of labels, which alternate between names and values.
func (a *attributes) of(labels []string) options {
	var key [2 * most]string
	if copy(key[:], labels) < len(labels) {
		panic("telemetry: a metric with too many attributes")
	}
	a.mu.RLock()
	found, ok := a.sets[key]
	a.mu.RUnlock()
	if ok {
		return found
	}
	set := metric.WithAttributeSet(attribute.NewSet(pairs(key[:len(labels)])...))
	found = options{[]metric.AddOption{set}, []metric.RecordOption{set}}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sets == nil {
		a.sets = map[[2 * most]string]options{}
	}
	a.sets[key] = found
	return found
}

// pairs converts alternating names and values into attributes.
func pairs(labels []string) []attribute.KeyValue {
	all := make([]attribute.KeyValue, 0, len(labels)/2)
	for i := 0; i+1 < len(labels); i += 2 {
		all = append(all, attribute.String(labels[i], labels[i+1]))
	}
	return all
}
