package invoice

import "time"

// Deployment is what somebody deploys for a number of users.
type Deployment struct {
	Name   string
	Region Region
	Users  float64 // on a day

	API, Functions Service

	Metrics    Metrics
	Conditions float64 // of alerts
	Returned   float64 // time series that the queries of all alerts return in a minute
	Traced     float64 // share of requests and events that are traced
	Spans      float64 // of a trace

	LineBytes     float64 // of our own log line of a request or event
	PlatformBytes float64 // of the line that Cloud Run writes for the same
	// DuplicateLines is whether Cloud Run's lines of requests that ended well are kept.
	DuplicateLines bool

	DailyBackups, WeeklyBackups int  // that are kept
	Exports                     bool // each month, for 90 days
	WithoutPITR                 bool // no point-in-time recovery

	// A night's verification pauses after VerifyReads, or VerifyReadsOfUser for each user if they are more.
	VerifyReads, VerifyReadsOfUser float64

	IdentityPlatform bool // in the place of plain Firebase Auth
	Compressed       bool // whether the API compresses answers

	Jobs, Secrets float64 // of Cloud Scheduler and Secret Manager
	ImageBytes    float64 // in Artifact Registry
}

// Service is a Cloud Run service.
type Service struct {
	CPU, Memory float64 // of an instance with all its containers: vCPU and GiB
	Min         float64 // instances
	Billing     Billing
}

// Billing is how Cloud Run bills a service.
type Billing string

// The kinds of billing.
const (
	RequestBased  Billing = "request-based"
	InstanceBased Billing = "instance-based"
	Cheaper       Billing = "cheaper" // whichever of the two is cheaper
)

// Metrics are the time series of our own metrics, with one instance of each service. A further instance has as many.
type Metrics struct {
	Scalars, Histograms float64
	Every               time.Duration // between two exports
	Prometheus          bool          // billed by samples of Prometheus, and not by bytes
}

// WithCollectors is a deployment whose services have a collector beside them, with a vCPU and 256 MiB of its own. The
// collector needs the CPU between requests. All series go to Cloud Monitoring as custom metrics.
var WithCollectors = Deployment{
	Name: "with collectors", Region: Iowa, Users: 10_000,
	API:       Service{CPU: 2, Memory: 0.75, Min: 1, Billing: InstanceBased},
	Functions: Service{CPU: 2, Memory: 0.75, Min: 1, Billing: InstanceBased},
	// A day in which all functions and 40 routes are used.
	Metrics:    Metrics{Scalars: 345, Histograms: 114, Every: 30 * time.Second},
	Conditions: 22, Returned: 180, Traced: 0.05, Spans: 4,
	LineBytes: 600, PlatformBytes: 1000, DuplicateLines: true,
	DailyBackups: 35, WeeklyBackups: 14, Exports: true, VerifyReads: 2_000_000,
	IdentityPlatform: true, Compressed: true,
	Jobs: 5, Secrets: 1, ImageBytes: 3 * 30 * 15e6,
}

// Terraform is what deploy/terraform makes: no collectors, metrics by OTLP as samples of Prometheus, only the series of
// alerts and charts, fewer backups and log lines, and nightly verifications that grow with the number of users.
var Terraform = terraform()

func terraform() Deployment {
	d := WithCollectors
	d.Name = "as Terraform makes it"
	d.API = Service{CPU: 1, Memory: 0.5, Min: 1, Billing: Cheaper}
	d.Functions = d.API
	d.Metrics = Metrics{Scalars: 256, Histograms: 84, Every: time.Minute, Prometheus: true}
	d.DuplicateLines = false
	d.DailyBackups, d.WeeklyBackups = 7, 4
	d.IdentityPlatform = false
	d.VerifyReads, d.VerifyReadsOfUser = 200_000, 70 // alerts.tf
	return d
}

// OnePerson is what deploy/terraform makes for users = 1, with no instance that waits and no telemetry: an installation
// for one person.
var OnePerson = onePerson()

func onePerson() Deployment {
	d := Terraform
	d.Name, d.Users = "for one person", 1
	d.API = Service{CPU: 1, Memory: 0.5, Billing: RequestBased}
	d.Functions = d.API
	d.Metrics = Metrics{Every: time.Minute}
	d.Conditions, d.Returned, d.Traced = 0, 0, 0
	d.Exports, d.WithoutPITR, d.Jobs = false, true, 3
	d.ImageBytes = 3 * 10 * 15e6
	d.VerifyReads = 5000 // alerts.tf
	return d
}

// Clock is a day of the calls of the clock alone, each minute, and of the lists that a process of the API reads: what
// an installation does that nobody uses. Each call reads some 8 documents, and each flush of trends writes one.
var Clock = Day{Reads: 1440 * (8 + 2), Writes: 1440 * 4, RequestSeconds: 0.05}
