// Package telemetry measures the services with traces and metrics of OpenTelemetry. Without configuration it is off and
// costs nothing.
//
// An attribute of a metric or a span has a few known values: a pattern of a route, the name of a function, an outcome.
// No attribute contains an id, an address or a text of a user.
package telemetry

import "strings"

// Kind is the kind of a metric.
type Kind string

// The kinds of metrics.
const (
	Counter   Kind = "counter"   // only grows until the process ends
	Histogram Kind = "histogram" // of durations
)

// Metric is one metric of the services. Dashboards and alerts use the names of Metrics.
type Metric struct {
	Name       string // of OpenTelemetry
	Kind       Kind
	Unit       string   // of UCUM: "s", or a thing that is counted in braces
	Attributes []string // the names of all attributes that it may have
	Help       string
}

// The names of metrics.
const (
	HTTPDuration    = "hibana.http.duration"
	BilledReads     = "hibana.billed.reads"
	BilledWrites    = "hibana.billed.writes"
	BilledDeletes   = "hibana.billed.deletes"
	Events          = "hibana.events"
	EventAge        = "hibana.event.age"
	FanoutFreshness = "hibana.fanout.freshness"
	DeadLetters     = "hibana.deadletters"
	Limited         = "hibana.limited"
	Saturated       = "hibana.saturated"
	RollupLag       = "hibana.rollup.lag"
	CacheHits       = "hibana.cache.hits"
	FirestoreErrors = "hibana.firestore.errors"
	WriteRaces      = "hibana.write.races"
	JobRuns         = "hibana.job.runs"
	VerifyFindings  = "hibana.verify.findings"
)

// The names of attributes.
const (
	Route    = "route"    // the pattern of a route, such as /v1/tweets/:id; "none" without one
	Method   = "method"   // of HTTP; "other" if it is unusual
	Status   = "status"   // of HTTP
	Function = "function" // as in functions.Table, or Tick
	// of an event: handled, failed, dead or refused; of a cache access: hit or miss; of a job: done, paused, busy or
	// failed; of a race: retried or failed
	Outcome = "outcome"
	Limit   = "limit" // the name of a limit of callers, such as reads-day
	Code    = "code"  // of gRPC, such as Aborted
	Job     = "job"   // verify, export or sweep
	Of      = "of"    // the collection that is projected or cached
)

// Metrics lists every metric.
var Metrics = []Metric{
	{HTTPDuration, Histogram, "s", []string{Method, Route, Status}, "How long the API took to answer."},
	{BilledReads, Counter, "{document}", []string{Route, Function, Job}, "Documents that Firestore bills as read."},
	{BilledWrites, Counter, "{document}", []string{Route, Function, Job}, "Documents that Firestore bills as written."},
	{BilledDeletes, Counter, "{document}", []string{Route, Function, Job}, "Documents that Firestore bills as deleted."},
	{Events, Counter, "{event}", []string{Function, Outcome}, "Deliveries of events to functions."},
	{EventAge, Histogram, "s", []string{Function}, "Age of an event when its function was done with it."},
	{FanoutFreshness, Histogram, "s", nil, "Time from a tweet until its author's head had it, which home pages read " +
		"within 2 s."},
	{DeadLetters, Counter, "{event}", []string{Function}, "Events that a function can never handle, and that were kept."},
	{Limited, Counter, "{request}", []string{Limit}, "Requests that a limit of callers turned away (429)."},
	{Saturated, Counter, "{request}", nil, "Requests that a full process turned away (503)."},
	{RollupLag, Histogram, "s", nil, "Time from the request for a roll-up of a hot count until the count had it."},
	{CacheHits, Counter, "{document}", []string{Of, Outcome}, "Documents that a cache of the process was asked for."},
	{FirestoreErrors, Counter, "{call}", []string{Code}, "Calls of Firestore that failed, with those that the client " +
		"tried again."},
	{WriteRaces, Counter, "{attempt}", []string{Outcome}, "Attempts to change documents that came after another commit."},
	{JobRuns, Counter, "{run}", []string{Job, Outcome}, "Runs of jobs."},
	{VerifyFindings, Counter, "{document}", []string{Of}, "Derived documents that the nightly verification found to " +
		"differ from the facts."},
}

// Monitored are the metrics that go to Cloud Monitoring, each with the attributes that an alert or a chart of
// deploy/terraform uses. Every other attribute would only make more time series, which cost money.
var Monitored = map[string][]string{
	HTTPDuration:    {Method, Route},
	BilledReads:     {Route, Function},
	BilledWrites:    nil,
	BilledDeletes:   nil,
	Events:          {Function, Outcome},
	EventAge:        {Function},
	FanoutFreshness: nil,
	DeadLetters:     {Function},
	Limited:         {Limit},
	Saturated:       nil,
	RollupLag:       nil,
	CacheHits:       {Of, Outcome},
	FirestoreErrors: {Code},
	WriteRaces:      {Outcome},
}

// Prometheus returns the name of the metric in the text format of Prometheus and in Cloud Monitoring. A histogram has
// this name with the suffixes _bucket, _sum and _count.
func (m Metric) Prometheus() string {
	name := strings.ReplaceAll(m.Name, ".", "_")
	if m.Kind == Counter {
		return name + "_total"
	}
	return name + "_seconds"
}
