package cost

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"text/tabwriter"
)

// Report is the bill of a run.
type Report struct {
	Users      int         `json:"users"`
	Days       int         `json:"days"`
	Seed       uint64      `json:"seed"`
	Operations []Operation `json:"operations"` // together they cover the whole measurement
	// home pages that were read a second time at once; no part of the day
	Again      Operation              `json:"again"`
	HomeTweets int64                  `json:"homeTweets"` // shown on all home pages, also on pages that were read again
	Functions  map[string]Invocations `json:"functions"`
	Tick       Operation              `json:"tick"` // the clock, which no user causes

	For int `json:"for"` // users whose month is priced
	// of a home page among so many users, with a list in memory for the database; 0 if For is 0
	HomeReads float64 `json:"homeReads"`
	NewsReads float64 `json:"newsReads"` // the same of a request for news

	Fleets []Fleet `json:"fleets,omitempty"` // larger networks, if the run has them
}

// Operation is the bill of all operations of a kind together.
type Operation struct {
	Name     string `json:"name"`
	Times    int    `json:"times"`
	API      Bill   `json:"api"`
	Triggers Bill   `json:"triggers"`
	// Expired is how many documents, which the operations or their triggers made, a TTL
	// policy deletes a day or a month later.
	Expired int64 `json:"expired"`
	// Baseline is the bill of a baseline layout. Counters is the bill of a baseline layout whose
	// counts stand in the documents.
	Baseline Bill `json:"baseline"`
	Counters Bill `json:"baselineWithCounters"`
}

// Total is the bill of the operations, their triggers and the TTL policies.
func (o Operation) Total() Bill {
	return o.API.plus(o.Triggers).plus(Bill{Deletes: o.Expired})
}

// newReport begins the report of a day.
func newReport(d Day) *Report {
	r := &Report{Users: d.Users, Days: d.Days, Seed: d.Seed, For: d.For, Again: Operation{Name: homeAgain},
		Tick: Operation{Name: "tick"}, Functions: map[string]Invocations{}}
	for _, p := range perDay {
		r.Operations = append(r.Operations, Operation{Name: p.operation})
	}
	if d.Pictures {
		r.Operations = append(r.Operations, Operation{Name: pictureUpload}, Operation{Name: avatarChange},
			Operation{Name: pictureView})
	}
	if d.Messages {
		for _, p := range talkingDay {
			r.Operations = append(r.Operations, Operation{Name: p.operation})
		}
	}
	r.Operations = append(r.Operations, Operation{Name: homeNews})
	if d.Apps {
		r.Operations = append(r.Operations, Operation{Name: notificationNews})
	}
	return r
}

// add notes one operation.
func (r *Report) add(name string, api Bill, functions map[string]Invocations, expired int64,
	would func(baseline) Bill) {
	o := &r.Again
	if i := slices.IndexFunc(r.Operations, func(o Operation) bool { return o.Name == name }); i >= 0 {
		o = &r.Operations[i]
	}
	o.Times++
	o.API = o.API.plus(api)
	o.Expired += expired
	o.Baseline, o.Counters = o.Baseline.plus(would(baseline{})), o.Counters.plus(would(baseline{counters: true}))
	for function, f := range functions {
		o.Triggers = o.Triggers.plus(f.Bill)
		sum := r.Functions[function]
		r.Functions[function] = Invocations{Events: sum.Events + f.Events, Idle: sum.Idle + f.Idle, Bill: sum.plus(f.Bill)}
	}
}

// Sum is all operations together.
func (r *Report) Sum() Operation {
	sum := Operation{Name: "the whole day"}
	for _, o := range r.Operations {
		sum.Times += o.Times
		sum.API, sum.Triggers, sum.Expired = sum.API.plus(o.API), sum.Triggers.plus(o.Triggers), sum.Expired+o.Expired
		sum.Baseline, sum.Counters = sum.Baseline.plus(o.Baseline), sum.Counters.plus(o.Counters)
	}
	return sum
}

const (
	minutes = 24 * 60 // of a day

	// flushes is how many writes of trends a process of the functions makes in a minute beside that in the tick.
	flushes = 3

	// listReads is what a process of the API reads in a day for lists that all callers share: trends and totals each
	// minute, and 8 popular tags each 10 minutes.
	listReads = 2*minutes + 8*minutes/10
)

// shared are the operations that cost a process of the API the same for any number of users: listReads.
var shared = []string{risingTags, popularTags, totalsView}

// background is the bill of a day that no user causes, with one process of the API and of the functions. It is nothing
// if the clock did not run.
func (r *Report) background() (b Bill) { return r.backgroundOf(1, 1) }

// backgroundOf is background with several processes of the API and of the functions.
func (r *Report) backgroundOf(api, functions int) (b Bill) {
	if r.Tick.Times == 0 {
		return b
	}
	of := func(n int64) int64 { return n * minutes / int64(r.Tick.Times) }
	tick := r.Tick.Total()
	return Bill{of(tick.Reads) + listReads*int64(api), of(tick.Writes) + flushes*minutes*int64(functions),
		of(tick.Deletes)}
}

// inDay converts the bill of a day of For users to the users and days that were measured.
func (r *Report) inDay(b Bill) Bill { return r.inDayOf(r.For, b) }

// inDayOf is inDay for so many users.
func (r *Report) inDayOf(users int, b Bill) Bill {
	part := float64(r.Users*r.Days) / float64(users)
	of := func(n int64) int64 { return int64(math.Round(float64(n) * part)) }
	return Bill{of(b.Reads), of(b.Writes), of(b.Deletes)}
}

// total is the measured bill as among For users: with the cache of so many, and with what no user causes.
func (r *Report) total() Bill {
	b := r.Sum().Total().plus(Bill{Reads: -r.cached()})
	if r.For == 0 || r.Tick.Times == 0 {
		return b
	}
	for _, o := range r.Operations {
		if slices.Contains(shared, o.Name) {
			b.Reads -= o.API.Reads
		}
	}
	return b.plus(r.inDay(r.background()))
}

// JSON writes the report as one JSON object: sums of documents, not means. The invoices are those of us-central1, and
// nothing in them is free.
func (r *Report) JSON(w io.Writer) error {
	return writeJSON(w, struct {
		*Report
		Invoices []MonthlyInvoice `json:"invoices"`
	}{r, r.invoices()})
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Print writes the report as tables. If free is set, the dollars of a month are less what
// is free each day.
func (r *Report) Print(w io.Writer, free bool) error {
	fmt.Fprintf(w, "%d users, days measured: %d, seed %d. Billed documents (reads, writes, deletes) for each "+
		"operation:\n\n",
		r.Users, r.Days, r.Seed)
	t := newTable(w)
	fmt.Fprintln(t, "operation\ttimes\tAPI: r\tw\td\ttriggers: r\tw\td\texpired: d\tbaseline: r\tw\t")
	row := func(o Operation, times string, n int) {
		baseline := fmt.Sprintf("%s\t%s", short(float64(o.Baseline.Reads)/float64(max(n, 1))),
			short(float64(o.Baseline.Writes)/float64(max(n, 1))))
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", o.Name, times, o.API.mean(n), o.Triggers.mean(n),
			short(float64(o.Expired)/float64(max(n, 1))), baseline)
	}
	for _, o := range r.Operations {
		row(o, fmt.Sprint(o.Times), o.Times)
	}
	row(r.Again, "–", r.Again.Times)
	sum, userDays := r.Sum(), r.Users*r.Days
	sum.Name = "a user's day"
	row(sum, fmt.Sprint(sum.Times/userDays), userDays)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA home page shows %s tweets. For each event:\n\n",
		short(float64(r.HomeTweets)/float64(max(r.Operations[0].Times+r.Again.Times, 1))))

	t = newTable(w)
	fmt.Fprintln(t, "function\tevents\twrote nothing\tr\tw\td\t")
	for _, name := range slices.Sorted(maps.Keys(r.Functions)) {
		f := r.Functions[name]
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t\n", name, f.Events, f.Idle, f.mean(f.Events))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.Tick.Times > 0 {
		b := r.background()
		fmt.Fprintf(w, "\nA day without users, one process each: %d reads, %d writes, %d deletes.\n",
			b.Reads, b.Writes, b.Deletes)
	}
	note := ""
	if free {
		note = ", less what is free each day"
	}
	fmt.Fprintf(w, "\nA month of %d users such as these%s:\n\n", r.For, note)
	t = newTable(w)
	fmt.Fprintln(t, "layout\treads of a user's day\twrites\tdeletes\t$ a month\tof baseline\t")
	scale := float64(r.For) / float64(userDays)
	base := sum.Baseline.monthly(scale, free)
	type layout struct {
		name string
		bill Bill
	}
	layouts := []layout{{"baseline", sum.Baseline}, {"baseline, with counters", sum.Counters},
		{"Hibana, as measured", sum.Total()}}
	if r.HomeReads > 0 {
		layouts = append(layouts, layout{fmt.Sprintf("Hibana, home page at %.1f reads", r.HomeReads),
			r.total()})
	}
	for _, l := range layouts {
		dollars, share := l.bill.monthly(scale, free), "–"
		if base > 0 {
			share = fmt.Sprintf("%.0f %%", 100*dollars/base)
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\t\n", l.name, l.bill.mean(userDays), dollars, share)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return r.printFleets(w, free)
}

func newTable(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}
