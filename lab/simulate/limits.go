package simulate

import (
	"cmp"
	"math"
	"path"
	"slices"

	"github.com/hibana-sns/hibana/dev/quotas"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
)

// Limit is something that so many users exhaust.
type Limit struct {
	Resource string    `json:"resource"`
	Layout   string    `json:"layout"` // the layout of home timelines that has the limit; empty for all
	Most     float64   `json:"most"`   // 0 for no limit
	Unit     string    `json:"unit"`
	Breaks   float64   `json:"breaks"` // users; 0 for none below ten thousand millions
	Loads    []float64 `json:"loads"`  // at each of LoadsAt
	Raised   bool      `json:"raised"` // a quota or a variable that is raised without a change of code
	Source   string    `json:"source"`
	Lift     string    `json:"lift"`

	load func(*Plan) float64
}

// LoadsAt are the numbers of users of Limit.Loads.
var LoadsAt = []int{100_000, 1_000_000, 10_000_000, 100_000_000}

// mostUsers is above the number of people.
const mostUsers = 10_000_000_000

// Firestore's limits, and where they are published. The first two are soft: beyond them writes wait for each other.
const (
	rangeWrites = 500 // a second, at one end of an index or of the keys
	shardWrites = 3   // a second, of a shard: by store/internal/contention, above the 1 that Firestore sustains
	maxDocument = 1 << 20

	firestoreQuotas = "cloud.google.com/firestore/quotas"
	bestPractices   = "cloud.google.com/firestore/docs/best-practices"
	releaseNotes    = "cloud.google.com/firestore/docs/release-notes, 17 October 2022"
	runLimits       = "cloud.google.com/run/docs/configuring/max-instances-limits"
	pubsubQuotas    = "cloud.google.com/pubsub/quotas"
	eventarcQuotas  = "cloud.google.com/eventarc/docs/quotas"
)

// What deploy/terraform sets, and what no page says.
const (
	apiInstances       = 10  // variables.tf
	functionsInstances = 20  // variables.tf
	apiConcurrency     = 80  // run.tf
	eventConcurrency   = 250 // run.tf
	perInstanceCPU     = 2   // vCPU of an instance with a collector

	eventBytes      = 3_000         // of a push by Pub/Sub, an estimate
	requestSeconds  = 0.065         // in an instance, an estimate
	eventSeconds    = 0.5           // the same of an event, which may wait a second to share a commit
	verifyBytes     = 2 << 30       // jobs.tf
	verifyUserBytes = 100           // of the names that verify keeps, an estimate
	jobReads        = 2_000 * 3_600 // of a job that lists documents for an hour, an estimate
	decoded         = 100_000       // changes a second that take a tenth of a vCPU, an estimate
	ordersADay      = 0.1           // of a user: the day has none
	topTag          = 1 / 4.5       // of all uses of tags, if 50 tags are in use
	tagsADay        = 1             // half of the posts have a tag
	followBytes     = 48            // of a followed user in the document of whom a reader follows
	topTweet        = 1 / 2.929     // of the likes of an author's recent tweets, the part of the newest
)

// atPeak is how often a second something happens at the peak that each user does so often a day.
func atPeak(day float64) func(*Plan) float64 {
	return func(p *Plan) float64 { return peak * p.Users * day / secondsADay }
}

func always(load float64) func(*Plan) float64 { return func(*Plan) float64 { return load } }

func apiAtPeak(p *Plan) float64 { return math.Ceil(peak * p.requests() / perInstance) }

func functionsAtPeak(p *Plan) float64 { return math.Ceil(atPeak(eventsADay())(p) / perInstance) }

// hottest is how many likes a second the newest tweet of the most popular author gets at the peak.
func hottest(p *Plan) float64 { return atPeak(likesADay)(p) * p.crowd[0].popular * topTweet }

// limits lists all limits.
func limits() []Limit {
	largest := slices.MaxFunc(model.Registry, func(a, b model.Collection) int { return a.Bound.Bytes - b.Bound.Bytes })
	indexed := slices.MaxFunc(model.Registry, func(a, b model.Collection) int { return a.Bound.Entries - b.Bound.Entries })
	hot := float64(model.MaxShards * shardWrites)
	changed := atPeak(changesADay + postsADay)
	return []Limit{
		{Resource: "instances of the API, as deployed", Most: apiInstances, load: apiAtPeak, Raised: true,
			Source: "deploy/terraform/variables.tf", Lift: "api_instances"},
		{Resource: "instances of the functions, as deployed", Most: functionsInstances, load: functionsAtPeak, Raised: true,
			Source: "deploy/terraform/variables.tf", Lift: "functions_instances; fewer triggers"},
		{Resource: "vCPU of Cloud Run in a region", Most: 1_000, Raised: true, Source: runLimits,
			load: func(p *Plan) float64 { return perInstanceCPU * (apiAtPeak(p) + functionsAtPeak(p)) },
			Lift: "a larger quota; no collector beside the program; fewer triggers"},
		{Resource: "requests at once in an instance", Most: apiConcurrency, load: always(perInstance * requestSeconds),
			Source: "deploy/terraform/run.tf"},
		{Resource: "events at once in an instance", Most: eventConcurrency, load: always(perInstance * eventSeconds),
			Source: "deploy/terraform/run.tf"},
		{Resource: "Pub/Sub push in a large region", Most: 440, Unit: "MB/s", Raised: true, Source: pubsubQuotas,
			load: func(p *Plan) float64 { return atPeak(eventsADay())(p) * eventBytes / 1e6 },
			Lift: "a larger quota; fewer triggers"},
		{Resource: "Pub/Sub push in another region, by an old quota", Most: 20, Unit: "MB/s", Raised: true,
			Source: pubsubQuotas + ", an old version", Lift: "a larger quota; a large region; fewer triggers",
			load: func(p *Plan) float64 { return atPeak(eventsADay())(p) * eventBytes / 1e6 }},
		{Resource: "triggers of Eventarc", Most: 500, load: always(float64(triggers())), Source: eventarcQuotas},
		{Resource: "bytes of an event", Most: 512_000, load: always(largestEvent()), Source: eventarcQuotas},

		{Resource: "changed tweets that an instance hears of", Layout: "today", Unit: "/s",
			Most: readcache.Limit / readcache.Every.Seconds(), load: changed, Source: "internal/readcache",
			Lift: "change digests"},
		{Resource: "index of changed tweets", Layout: "today", Unit: "/s", Most: model.ChangeShards * rangeWrites,
			load: changed, Source: bestPractices, Lift: "change digests need no index"},
		{Resource: "followers of one author", Layout: "push", Most: model.MaxFollowers,
			load:   func(p *Plan) float64 { return p.crowd[0].followers },
			Source: "model.MaxFollowers; pages of 1 MiB end at 400,000", Lift: "pull needs no pages of followers"},
		{Resource: "writes of a reader's timeline", Layout: "push", Unit: "/s", Most: 1, Source: bestPractices,
			load: func(p *Plan) float64 { return p.Followed * itemsADay * peak / secondsADay }},
		{Resource: "first visits of a day, at one end of an index", Layout: "push", Unit: "/s", Most: rangeWrites,
			load: atPeak(1), Source: bestPractices, Lift: "pull needs no homes"},
		{Resource: "writes of an author's head", Layout: "pull", Unit: "/s", Most: 1, Source: bestPractices,
			load: always(itemsADay * peak / float64(secondsADay))},
		{Resource: "digests at one end of their keys", Layout: "pull", Unit: "/s", Most: rangeWrites,
			load:   func(p *Plan) float64 { return (apiAtPeak(p) + functionsAtPeak(p)) / bucket.Seconds() },
			Source: bestPractices, Lift: "keys that begin with a shard; merged digests"},
		{Resource: "bytes of a digest", Layout: "pull", Most: maxDocument, Source: firestoreQuotas,
			load: func(p *Plan) float64 {
				return atPeak(changesADay+itemsADay)(p) * changeBytes * bucket.Seconds() / (apiAtPeak(p) + functionsAtPeak(p))
			}},
		{Resource: "changes that an instance decodes", Layout: "pull", Unit: "/s", Most: decoded,
			load: atPeak(changesADay + itemsADay), Source: "an estimate", Lift: "larger instances"},
		{Resource: "positions of authors, for pages of 200 followed", Layout: "pull", Unit: "bytes", Raised: true,
			Most: model.CacheBytes / 4, load: func(p *Plan) float64 { return p.index(200) }, Source: "model.CacheBytes",
			Lift: "instances with more memory; the page of the last look in a document"},
		{Resource: "bytes of whom a reader follows", Layout: "pull", Most: maxDocument, Source: firestoreQuotas,
			load: always(model.MaxFollows * followBytes)},

		{Resource: "new tweets in the public timeline", Unit: "/s", Most: model.PublicShards * rangeWrites,
			load: atPeak(postsADay), Source: bestPractices, Lift: "more PublicShards"},
		{Resource: "new tweets with one word, in the search", Unit: "/s", Most: model.SearchShards * rangeWrites,
			load: atPeak(postsADay), Source: bestPractices, Lift: "OpenSearch; more SearchShards"},
		{Resource: "first reactions of a month, at one end of an index", Unit: "/s", Most: rangeWrites, load: atPeak(1),
			Source: bestPractices, Lift: "no index of the field month"},
		{Resource: "count of all likes", Unit: "/s", Most: hot, load: atPeak(likesADay),
			Source: "model.MaxShards, store/internal/contention", Lift: "one increment a process and second, not one a like"},
		{Resource: "count of the most used tag", Unit: "/s", Most: hot, load: atPeak(tagsADay * topTag),
			Source: "model.MaxShards, store/internal/contention", Lift: "one increment a process and second"},
		{Resource: "likes of the hottest tweet, each process thinks it cold", Unit: "/s", Most: shardWrites,
			load:   func(p *Plan) float64 { return min(hottest(p), functionsAtPeak(p)) },
			Source: bestPractices, Lift: "one increment a process and second; heat by how many processes there are"},
		{Resource: "likes of the hottest tweet, in shards", Unit: "/s", Most: hot, load: hottest,
			Source: "model.MaxShards, store/internal/contention", Lift: "one increment a process and second"},
		{Resource: "likes of the hottest tweet, in their index", Unit: "/s", Most: rangeWrites, load: hottest,
			Source: bestPractices, Lift: "a shard before the time in the index"},
		{Resource: "processes that write trends", Most: model.TrendShards, load: functionsAtPeak,
			Source: "model.TrendShards", Lift: "more parts; a write each 10 s"},
		{Resource: "instances that share the daily limits of an account", Most: model.BudgetProcesses, load: apiAtPeak,
			Source: "model.BudgetProcesses", Lift: "affinity; larger instances"},
		{Resource: "new orders", Unit: "/s", Most: rangeWrites, load: atPeak(ordersADay), Source: bestPractices,
			Lift: "a shard before the time in the index"},

		{Resource: "memory of the nightly verify", Unit: "bytes", Most: verifyBytes, Raised: true,
			load:   func(p *Plan) float64 { return verifyUserBytes * p.Users },
			Source: "deploy/terraform/jobs.tf", Lift: "more memory; parts of users"},
		{Resource: "accounts that the job gone lists", Most: jobReads, load: func(p *Plan) float64 { return p.Users },
			Source: "deploy/terraform/jobs.tf", Raised: true, Lift: "a longer timeout; parts"},

		{Resource: "writes of a database that was just restored", Unit: "/s", Most: 500, load: atPeak(writesADay),
			Source: bestPractices + ", 500/50/5", Lift: "traffic that grows by half each 5 minutes"},
		{Resource: "writes of a database", Unit: "/s", load: atPeak(writesADay), Source: releaseNotes},
		{Resource: "listeners of a database", load: func(p *Plan) float64 { return 0.1 * 2 * p.Users }, Source: releaseNotes},
		{Resource: "bytes of a document: " + largest.Name, Most: maxDocument, load: always(float64(largest.Bound.Bytes)),
			Source: firestoreQuotas},
		{Resource: "index entries of a document: " + indexed.Name, Most: quotas.MaxEntries,
			load: always(float64(indexed.Bound.Entries)), Source: firestoreQuotas},
		{Resource: "bytes of a commit: a full month and two overflow documents", Most: quotas.MaxCommit,
			load: always(3 * float64(largest.Bound.Size())), Source: firestoreQuotas},
		{Resource: "transforms of a document in a commit: a roll-up", Most: quotas.MaxTransforms, load: always(8),
			Source: firestoreQuotas},
	}
}

// largestEvent is how many bytes the largest event has: a document, or its two versions.
func largestEvent() (most float64) {
	for _, f := range functions.Table { // the event of a file has some 2 KB
		name := path.Base(path.Dir(f.Document))
		i := slices.IndexFunc(model.Registry, func(c model.Collection) bool { return c.Name == name })
		if i < 0 {
			continue
		}
		bytes := float64(model.Registry[i].Bound.Bytes)
		if slices.Contains(f.On, functions.Updated) {
			bytes *= 2
		}
		most = max(most, bytes)
	}
	return most
}

// Limits returns all limits for users who follow so many, by how many users break them.
func Limits(followed int) []Limit {
	all := limits()
	at := func(users float64) *Plan { return NewPlan(int(users), followed, 1, false) }
	for i := range all {
		l := &all[i]
		for _, users := range LoadsAt {
			l.Loads = append(l.Loads, l.load(at(float64(users))))
		}
		breaks := func(logarithm float64) bool { return l.load(at(math.Pow(10, logarithm))) > l.Most }
		if top := math.Log10(mostUsers); l.Most > 0 && breaks(top) {
			l.Breaks = math.Pow(10, bisect(2, top, breaks))
		}
	}
	slices.SortStableFunc(all, func(a, b Limit) int {
		return cmp.Compare(cmp.Or(a.Breaks, math.Inf(1)), cmp.Or(b.Breaks, math.Inf(1)))
	})
	return all
}
