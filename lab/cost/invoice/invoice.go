// Package invoice is a model of the monthly invoice of a Hibana deployment. Its inputs are a deployment and what a user
// causes on a day. Its output has a line for each product of Google Cloud, in dollars.
//
// The model is arithmetic on list prices. It has no discounts, taxes, currencies and support. What no measurement has
// is an assumption: the figures of package variables say which.
package invoice

import "math"

// Invoice is the bill of a month.
type Invoice []Line

// Line is a part of an invoice.
type Line struct {
	Name    string  `json:"name"`
	Dollars float64 `json:"dollars"`
}

// Total is the sum of the lines in dollars.
func (i Invoice) Total() (sum float64) {
	for _, l := range i {
		sum += l.Dollars
	}
	return sum
}

// Of returns the dollars of a line, or 0 if there is no line of this name.
func (i Invoice) Of(name string) float64 {
	for _, l := range i {
		if l.Name == name {
			return l.Dollars
		}
	}
	return 0
}

// The names of the lines of an invoice.
const (
	Operations = "Firestore: reads, writes, deletes"
	Storage    = "Firestore: storage"
	PITR       = "Firestore: point-in-time recovery"
	Backups    = "Firestore: backups"
	Exports    = "Monthly exports"
	API        = "Cloud Run: API"
	Functions  = "Cloud Run: functions"
	Requests   = "Cloud Run: requests"
	Events     = "Pub/Sub of Eventarc"
	Monitoring = "Cloud Monitoring: metrics"
	Alerts     = "Cloud Monitoring: alerts"
	Logging    = "Cloud Logging"
	Traces     = "Cloud Trace"
	Network    = "Network and Hosting"
	Files      = "Pictures: Cloud Storage"
	Views      = "Pictures: network"
	Auth       = "Auth"
	Rest       = "Scheduler, secrets, images, jobs"
	Verify     = "Nightly verification"
)

// Lines are the lines of an invoice in their order.
var Lines = []string{Operations, Storage, PITR, Backups, Exports, API, Functions, Requests, Events, Monitoring, Alerts,
	Logging, Traces, Network, Files, Views, Auth, Rest, Verify}

// Invoice returns the invoice of a month. The first month, 1, begins with an empty database. Each of the days of the
// month is like day. If free is set, it is less what Google gives for free. The region must be one of Regions.
func (d Deployment) Invoice(day Day, month int, free bool) Invoice {
	p := prices[d.Region]
	api, functions := d.API.cost(d.api(day)), d.Functions.cost(d.functions(day))
	fees := api.fees + functions.fees
	if free {
		left := freeRun
		for _, c := range []*cost{&api, &functions} {
			gone := min(left, c.compute)
			c.compute, left = c.compute-gone, left-gone
		}
		fees = max(0, fees-freeRequests)
	}
	s := d.stored(day, month)
	night := d.verified(day)
	return Invoice{
		{Operations, d.operations(day, p, free)},
		{Storage, over(s.all, freeStored, free) / gib * p.stored},
		{PITR, s.versions / gib * p.pitr},
		{Backups, s.backups / gib * p.backup},
		{Exports, s.exported*p.read + s.exports/gib*p.nearline},
		{API, api.compute},
		{Functions, functions.compute},
		{Requests, fees * request},
		{Events, over(d.month(day.Events)*pubsubTransits*max(day.EventBytes, pubsubLeast), freePubsub, free) * pubsub},
		{Monitoring, d.Metrics.dollars(free)},
		{Alerts, d.Conditions*condition + d.Returned*monthHours*60*returned},
		{Logging, over(d.logBytes(day), freeLogs, free) * logs},
		{Traces, over(d.month(day.Requests+day.Views+day.Events)*d.Traced*d.Spans, freeSpans, free) * span},
		{Network, d.network(day, free)},
		{Files, d.files(day, month, p)},
		{Views, d.month(day.Views*day.ViewBytes) * egress},
		{Auth, d.auth()},
		{Rest, over(d.Jobs, freeJobs, free)*schedulerJob + over(d.Secrets, freeSecrets, free)*secretVersion +
			over(d.ImageBytes, freeImages, free)*imageStorage + over(jobSeconds(night), freeJobSeconds, free)*
			(alwaysCPU+2*alwaysMemory)},
		{Verify, monthDays * over(night, max(0, freeReads-d.Users*day.Reads), free) * p.read},
	}
}

// month is what all users do in a month, if one does so much on a day.
func (d Deployment) month(ofUser float64) float64 { return monthDays * d.Users * ofUser }

// over is what is above the free amount, or all of it if nothing is free.
func over(amount, freeAmount float64, free bool) float64 {
	if !free {
		return amount
	}
	return max(0, amount-freeAmount)
}

// operations is the price of reads, writes and deletes. Of the deletes, Firestore has no free ones for TTL policies,
// which the model does not tell apart.
func (d Deployment) operations(day Day, p regional, free bool) float64 {
	return monthDays * (over(d.Users*day.Reads, freeReads, free)*p.read +
		over(d.Users*day.Writes, freeWrites, free)*p.write + over(d.Users*day.Deletes, freeDeletes, free)*p.delete)
}

// stored are bytes on average over a month, and documents that an export reads.
type stored struct {
	all      float64 // documents with their index entries
	versions float64 // of point-in-time recovery
	backups  float64 // all copies together
	exports  float64 // files in Cloud Storage
	exported float64 // documents
}

// versionBytes is the size of a version of a document that point-in-time recovery keeps for a week.
const versionBytes = 1500

func (d Deployment) stored(day Day, month int) (s stored) {
	grown := monthDays * (float64(month) - 0.5) // days until the middle of the month
	data := d.Users * day.KeptBytes             // a day
	s.all = grown * (data + d.Users*day.IndexBytes)
	// Not confirmed: that the oldest version of the whole database is billed too. Otherwise only the versions of a week
	// are.
	if !d.WithoutPITR {
		s.versions = s.all + min(7, grown)*d.Users*day.Writes*versionBytes
	}
	// A backup has the data and the definitions of indexes, not their entries:
	// https://cloud.google.com/firestore/docs/backups
	for i := range d.DailyBackups {
		s.backups += max(0, grown-float64(i)) * data
	}
	for i := range d.WeeklyBackups {
		s.backups += max(0, grown-7*float64(i)) * data
	}
	if d.Exports { // on the first of a month, kept for 90 days
		for i := range 3 {
			s.exports += monthDays * max(0, float64(month-1-i)) * data
		}
		s.exported = monthDays * float64(month-1) * d.Users * day.Kept
	}
	return s
}

func (m Metrics) dollars(free bool) float64 {
	exports := monthSeconds / m.Every.Seconds()
	if m.Prometheus {
		return exports * (m.Scalars + m.Histograms*histogramSamples) * prometheusSample
	}
	return over(exports*(m.Scalars*scalarBytes+m.Histograms*histogramBytes), freeMetrics, free) * metricBytes
}

// logBytes are the log lines of a month.
func (d Deployment) logBytes(day Day) float64 {
	lines := d.month(day.Requests + day.Views + day.Events)
	if d.DuplicateLines {
		return lines*(d.LineBytes+d.PlatformBytes) + d.month(day.Polls)*d.PlatformBytes
	}
	return lines * d.LineBytes
}

// network is the price of the API's answers and of the web client's files.
func (d Deployment) network(day Day, free bool) float64 {
	const headers, compression = 400, 0.25 // of a home page 0.17; answers below 1 KiB stay as they are
	answers := day.ResponseBytes
	if d.Compressed {
		answers *= compression
	}
	answers += headers * (day.Requests + day.Polls)
	return d.month(answers)*egress + over(d.month(day.PageBytes), freeHosting, free)*hosting
}

// files is the price of the files of pictures, with four operations to write and remove one, and one for each view.
func (d Deployment) files(day Day, month int, p regional) float64 {
	grown := monthDays * (float64(month) - 0.5)
	return grown*d.Users*day.Pictures*day.PictureBytes/gib*p.standard + d.month(day.Pictures)*4*classA +
		d.month(day.Views)*classB
}

// auth is the price of Identity Platform, if the deployment has it.
func (d Deployment) auth() (dollars float64) {
	if !d.IdentityPlatform {
		return 0
	}
	for i, tier := range identityPlatform {
		end := math.Inf(1)
		if i+1 < len(identityPlatform) {
			end = identityPlatform[i+1].from
		}
		dollars += max(0, min(d.Users, end)-tier.from) * tier.price
	}
	return dollars
}

// verified is how many documents a nightly verification reads, once there are as many.
func (d Deployment) verified(day Day) float64 {
	if !day.Derived {
		return 0
	}
	return max(d.VerifyReads, d.VerifyReadsOfUser*d.Users)
}

// jobSeconds is how long the jobs of a month run: a verification reads some 2,000 documents a second, and the other
// jobs take a minute a night each.
func jobSeconds(verified float64) float64 { return monthDays * (verified/2000 + 2*60) }
