package invoice

// A month has 30 days, as on the other pages of costs.
const (
	monthDays    = 30
	monthHours   = monthDays * 24
	monthSeconds = monthHours * 3600
	daySeconds   = 24 * 3600

	mib = 1 << 20
	gib = 1 << 30
	tib = 1 << 40
)

// Region is where everything runs.
type Region string

// The regions with prices. Both are of tier 1 of Cloud Run, so only Firestore and Cloud Storage differ.
const (
	Iowa  Region = "us-central1"
	Tokyo Region = "asia-northeast1"
)

// Regions lists the regions with prices.
var Regions = []Region{Iowa, Tokyo}

// regional are prices that differ by region: dollars a document, and dollars a GiB for a month.
type regional struct {
	read, write, delete float64
	stored, pitr        float64
	backup              float64
	nearline, standard  float64
}

// Each price has the page that lists it. "Not confirmed" marks a price that we know from elsewhere.
var prices = map[Region]regional{
	Iowa: {
		// https://cloud.google.com/firestore/pricing
		read: 0.03 / 1e5, write: 0.09 / 1e5, delete: 0.01 / 1e5,
		// By the hour: https://firebase.google.com/docs/firestore/pipelines/pricing
		stored: 0.0002 * monthHours, pitr: 0.0002 * monthHours, backup: 0.00004 * monthHours,
		// https://cloud.google.com/storage/pricing, not confirmed
		nearline: 0.01, standard: 0.02,
	},
	Tokyo: {
		// https://cloud.google.com/firestore/pricing, not confirmed. The list of prices in yen had 0.00006222 a read in
		// August 2026, which is this read at 164 yen for a dollar.
		read: 0.038 / 1e5, write: 0.115 / 1e5, delete: 0.013 / 1e5,
		// Not confirmed: dearer than in us-central1 by as much as a read.
		stored: 0.00025 * monthHours, pitr: 0.00025 * monthHours, backup: 0.00005 * monthHours,
		// https://cloud.google.com/storage/pricing, not confirmed
		nearline: 0.016, standard: 0.023,
	},
}

// Cloud Run in a region of tier 1: https://cloud.google.com/run/pricing. Dollars a vCPU-second and a GiB-second.
const (
	// Instance-based billing: the whole life of an instance, and no fee for requests. Jobs have this price too.
	alwaysCPU    = 0.000018
	alwaysMemory = 0.000002
	// Request-based billing: while a request is in flight.
	activeCPU    = 0.000024
	activeMemory = 0.0000025
	request      = 0.40 / 1e6
	// Request-based billing of an instance below the minimum that has no request. Not confirmed: the stored copies of the
	// page end before it.
	idleCPU    = 0.0000025
	idleMemory = 0.0000025
	// Time is rounded up to the next tenth of a second, which adds half of it on average.
	rounding = 0.05

	// Free each month, as a discount in dollars: 180,000 vCPU-seconds and 360,000 GiB-seconds.
	freeRun      = 180_000*activeCPU + 360_000*activeMemory
	freeRequests = 2e6
)

// Events: https://cloud.google.com/pubsub/pricing. Eventarc bills nothing for events of Google's own services
// (https://cloud.google.com/eventarc/pricing, not confirmed). Pub/Sub carries each event twice, and bills at least
// 1,000 bytes each time.
const (
	pubsub         = 40.0 / tib
	pubsubLeast    = 1000
	freePubsub     = 10 * gib
	pubsubTransits = 2
)

// Monitoring, logs and traces: https://cloud.google.com/stackdriver/pricing.
const (
	// Metrics with the prefix workload.googleapis.com or custom.googleapis.com, by bytes.
	metricBytes      = 0.258 / mib
	freeMetrics      = 150 * mib
	scalarBytes      = 8  // of a point; not confirmed
	histogramBytes   = 80 // of a point; not confirmed
	prometheusSample = 0.06 / 1e6
	// A histogram is a sample for each bucket that is not empty, and two more. We count all buckets. Not confirmed.
	histogramSamples = 17

	// An alert: $1.50 a condition was announced in 2024 (https://cloud.google.com/monitoring/alerts/cost-control), and the
	// page has no figure any more. Not confirmed: $0.10.
	condition = 0.10
	// A time series that a query of an alert returns once.
	returned = 0.35 / 1e6

	logs     = 0.50 / gib
	freeLogs = 50 * gib

	span      = 0.20 / 1e6
	freeSpans = 2.5e6
)

// Network.
const (
	// Out of Cloud Run to the internet, premium tier, up to 1 TiB, from any of the regions:
	// https://egresscost.com/gcp/regions
	egress = 0.12 / gib
	// Operations of Cloud Storage, of class A to write, list and remove, and of class B to read:
	// https://cloud.google.com/storage/pricing, not confirmed.
	classA, classB = 0.005 / 1e3, 0.0004 / 1e3
	// Firebase Hosting: https://firebase.google.com/pricing, not confirmed.
	hosting     = 0.15 / 1e9
	freeHosting = 360e6 * monthDays
)

// identityPlatform is the price of a user of a month, by the number of users from which it holds:
// https://cloud.google.com/identity-platform/pricing. Plain Firebase Auth costs nothing.
var identityPlatform = []struct{ from, price float64 }{
	{50_000, 0.0055}, {100_000, 0.0046}, {1_000_000, 0.0032}, {10_000_000, 0.0025},
}

// The rest, not confirmed.
const (
	schedulerJob  = 0.10 // a month: https://cloud.google.com/scheduler/pricing
	freeJobs      = 3    // of a billing account
	secretVersion = 0.06 // a month: https://cloud.google.com/secret-manager/pricing
	// Of instance-based billing, as of jobs, 240,000 vCPU-seconds and 450,000 GiB-seconds are free:
	// https://cloud.google.com/run/pricing. A job has 2 GiB for a vCPU.
	freeJobSeconds = 225_000
	freeSecrets    = 6          // of a billing account
	imageStorage   = 0.10 / gib // a month: https://cloud.google.com/artifact-registry/pricing
	freeImages     = 0.5 * gib
	freeReads      = 50_000 // a day: https://cloud.google.com/firestore/pricing
	freeWrites     = 20_000
	freeDeletes    = 20_000
	freeStored     = 1 * gib
)
