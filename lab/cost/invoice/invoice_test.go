package invoice

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// round is a deployment and a day of round figures.
func round() (Deployment, Day) {
	d := Deployment{
		Region: Iowa, Users: 1000,
		API:       Service{CPU: 1, Memory: 0.5, Billing: RequestBased},
		Functions: Service{CPU: 1, Memory: 0.5, Billing: RequestBased},
		Metrics:   Metrics{Scalars: 100, Histograms: 10, Every: time.Minute},
	}
	return d, Day{Reads: 100, Writes: 10, Deletes: 1, Requests: 10, Events: 10, RequestSeconds: 0.05, EventSeconds: 0.05,
		EventBytes: 3000, Kept: 10, KeptBytes: 1e3, IndexBytes: 3e3, Derived: true}
}

// changed is the deployment of round with a change.
func changed(change func(*Deployment, *Day)) (Deployment, Day) {
	d, day := round()
	change(&d, &day)
	return d, day
}

func near(got, want float64) bool { return math.Abs(got-want) < 1e-6*max(1, math.Abs(want)) }

// Each line is what its price makes of round figures.
func TestInvoice(t *testing.T) {
	t.Parallel()
	const million = 1e6
	data, all := 1000*1e3, 1000*4e3 // bytes of a day
	tests := []struct {
		name, line string
		change     func(*Deployment, *Day)
		month      int
		free       bool
		want       float64
	}{
		{"operations", Operations, nil, 1, false, 30 * (100_000*0.03 + 10_000*0.09 + 1000*0.01) / 1e5},
		{"operations above what is free", Operations, nil, 1, true, 30 * 50_000 * 0.03 / 1e5},
		{"operations in Tokyo", Operations, func(d *Deployment, _ *Day) { d.Region = Tokyo }, 1, false,
			30 * (100_000*0.038 + 10_000*0.115 + 1000*0.013) / 1e5},
		{"storage of the first month is that of its middle", Storage, nil, 1, false, 15 * all / gib * 0.0002 * 720},
		{"storage grows", Storage, nil, 12, false, 345 * all / gib * 0.0002 * 720},
		{"the first GiB is free", Storage, nil, 12, true, (345*all/gib - 1) * 0.0002 * 720},
		{"a copy and the versions of a week", PITR, nil, 12, false, (345*all + 7*1000*10*1500) / gib * 0.0002 * 720},
		{"no backups", Backups, nil, 12, false, 0},
		{"backups have no index entries", Backups, func(d *Deployment, _ *Day) { d.DailyBackups, d.WeeklyBackups = 2, 2 }, 12,
			false, (345 + 344 + 345 + 338) * data / gib * 0.00004 * 720},
		{"a backup of the time before the first day", Backups, func(d *Deployment, _ *Day) { d.WeeklyBackups = 4 }, 1, false,
			(15 + 8 + 1) * data / gib * 0.00004 * 720},
		{"no exports", Exports, nil, 12, false, 0},
		{"nothing to export", Exports, func(d *Deployment, _ *Day) { d.Exports = true }, 1, false, 0},
		{"exports are read, and three are kept", Exports, func(d *Deployment, _ *Day) { d.Exports = true }, 12, false,
			330*1000*10*0.03/1e5 + (330+300+270)*data/gib*0.01},
		{"a service that is always on", API, func(d *Deployment, _ *Day) { d.API.Billing = InstanceBased }, 1, false,
			2_592_000 * (0.000018 + 0.5*0.000002)},
		{"of two services", Functions, func(d *Deployment, _ *Day) {
			d.Functions = Service{CPU: 2, Memory: 0.75, Min: 3, Billing: InstanceBased}
		}, 1, false, 2_592_000 * 3 * (2*0.000018 + 0.75*0.000002)},
		{"requests, events and the clock have a fee", Requests, nil, 1, false, (300_000 + 300_000 + 43_200) * 0.40 / million},
		{"few requests are free", Requests, nil, 1, true, 0},
		{"no fee of a service that is always on", Requests, func(d *Deployment, _ *Day) { d.API.Billing = InstanceBased }, 1,
			false, (300_000 + 43_200) * 0.40 / million},
		{"events are carried twice", Events, nil, 1, false, 300_000 * 2 * 3000 * 40.0 / tib},
		{"an event has at least 1,000 bytes", Events, func(_ *Deployment, day *Day) { day.EventBytes = 10 }, 1, false,
			300_000 * 2 * 1000 * 40.0 / tib},
		{"10 GiB of events are free", Events, nil, 1, true, 0},
		{"custom metrics", Monitoring, nil, 1, false, 43_200 * (100*8 + 10*80) * 0.258 / mib},
		{"150 MiB of metrics are free", Monitoring, nil, 1, true, 0},
		{"samples of Prometheus", Monitoring, func(d *Deployment, _ *Day) { d.Metrics.Prometheus = true }, 1, true,
			43_200 * (100 + 170) * 0.06 / million},
		{"half the interval, twice the points", Monitoring, func(d *Deployment, _ *Day) {
			d.Metrics.Every = 30 * time.Second
		}, 1, false, 86_400 * (100*8 + 10*80) * 0.258 / mib},
		{"alerts", Alerts, func(d *Deployment, _ *Day) { d.Conditions, d.Returned = 20, 100 }, 1, true,
			20*0.10 + 100*43_200*0.35/million},
		{"lines of ours, without polls", Logging, func(d *Deployment, day *Day) {
			d.LineBytes, d.PlatformBytes, day.Polls = 100, 1000, 10
		}, 1, false, 600_000 * 100 * 0.50 / gib},
		{"lines twice", Logging, func(d *Deployment, day *Day) {
			d.LineBytes, d.PlatformBytes, d.DuplicateLines, day.Polls = 100, 1000, true, 10
		}, 1, false, (600_000*1100 + 300_000*1000) * 0.50 / gib},
		{"polls have a fee", Requests, func(_ *Deployment, day *Day) { day.Polls = 10 }, 1, false,
			(300_000 + 300_000 + 300_000 + 43_200) * 0.40 / million},
		{"50 GiB of logs are free", Logging, func(d *Deployment, _ *Day) { d.LineBytes = 1e5 }, 1, true,
			(600_000*1e5/gib - 50) * 0.50},
		{"traces", Traces, func(d *Deployment, _ *Day) { d.Traced, d.Spans = 0.5, 4 }, 1, false, 1.2 * 0.20},
		{"2.5 million spans are free", Traces, func(d *Deployment, _ *Day) { d.Traced, d.Spans = 1, 5 }, 1, true, 0.5 * 0.20},
		{"answers", Network, func(_ *Deployment, day *Day) { day.ResponseBytes = 1e5 }, 1, false,
			30_000 * (1e5 + 4000) * 0.12 / gib},
		{"answers, compressed", Network, func(d *Deployment, day *Day) { day.ResponseBytes, d.Compressed = 1e5, true }, 1,
			false, 30_000 * (0.25e5 + 4000) * 0.12 / gib},
		{"pages", Network, func(_ *Deployment, day *Day) { day.Requests, day.PageBytes = 0, 1e6 }, 1, true,
			(30 - 10.8) * 0.15},
		{"files of half a year", Files, func(_ *Deployment, day *Day) {
			day.Pictures, day.PictureBytes, day.Views = 2, 1e6, 50
		}, 6, false, 165*1000*2*1e6/gib*0.02 + 60_000*4*0.005/1000 + 1.5*million*0.0004/1000},
		{"files in Tokyo", Files, func(d *Deployment, day *Day) {
			d.Region, day.Pictures, day.PictureBytes = Tokyo, 1, gib
		}, 1, false, 15*1000*0.023 + 30_000*4*0.005/1000},
		{"views", Views, func(_ *Deployment, day *Day) { day.Views, day.ViewBytes = 50, 1e4 }, 1, true, 1.5 * million * 1e4 *
			0.12 / gib},
		{"plain Firebase Auth", Auth, func(d *Deployment, _ *Day) { d.Users = 1e6 }, 1, false, 0},
		{"Identity Platform", Auth, func(d *Deployment, _ *Day) { d.Users, d.IdentityPlatform = 150_000, true }, 1, false,
			50_000*0.0055 + 50_000*0.0046},
		{"Identity Platform, few users", Auth, func(d *Deployment, _ *Day) { d.IdentityPlatform = true }, 1, false, 0},
		{"Identity Platform, many users", Auth, func(d *Deployment, _ *Day) { d.Users, d.IdentityPlatform = 11e6, true }, 1,
			false, 50_000*0.0055 + 900_000*0.0046 + 9e6*0.0032 + 1e6*0.0025},
		{"the rest", Rest, func(d *Deployment, _ *Day) { d.Jobs, d.Secrets, d.ImageBytes = 5, 2, gib }, 1, false,
			0.5 + 0.12 + 0.1 + 30*120*0.000022},
		{"what of the rest is free", Rest, func(d *Deployment, _ *Day) { d.Jobs, d.Secrets, d.ImageBytes = 5, 2, gib }, 1,
			true, 0.2 + 0.05},
		{"jobs", Rest, nil, 1, false, 30 * 120 * 0.000022},
		{"verification up to its limit", Verify, func(d *Deployment, _ *Day) { d.VerifyReads = 2e6 }, 1, false, 18},
		{"verification in proportion to the users", Verify, func(d *Deployment, _ *Day) {
			d.VerifyReads, d.VerifyReadsOfUser = 1000, 70
		}, 1, false, 30 * 70_000 * 0.03 / 1e5},
		{"verification for few users", Verify, func(d *Deployment, _ *Day) {
			d.VerifyReads, d.VerifyReadsOfUser = 1e5, 70
		}, 1, false, 30 * 1e5 * 0.03 / 1e5},
		{"nothing to verify", Verify, func(d *Deployment, day *Day) { d.VerifyReads, day.Derived = 2e6, false }, 1, false, 0},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		if test.change == nil {
			test.change = func(*Deployment, *Day) {}
		}
		d, day := changed(test.change)
		if got := d.Invoice(day, test.month, test.free).Of(test.line); !near(got, test.want) {
			t.Errorf("%s: %s = %.6f, want %.6f", test.name, test.line, got, test.want)
		}
		seen[test.line] = true
	}
	d, day := round()
	i := d.Invoice(day, 1, false)
	sum := 0.0
	for n, l := range i {
		if !seen[l.Name] || Lines[n] != l.Name {
			t.Errorf("no test of the line %q, or not where Lines has it", l.Name)
		}
		sum += l.Dollars
	}
	if len(i) != len(Lines) || i.Total() != sum || i.Of("tips") != 0 {
		t.Errorf("%d lines, total %v, tips %v; want %d, %v and 0", len(i), i.Total(), i.Of("tips"), len(Lines), sum)
	}
}

// What Terraform makes costs less in each line, and a month costs no less than the one before.
func TestShape(t *testing.T) {
	t.Parallel()
	for _, day := range []Day{Measured, Tutorial} {
		before := 0.0
		for month := 1; month <= 12; month++ {
			terraform, most := Terraform.Invoice(day, month, false), WithCollectors.Invoice(day, month, false)
			for n, l := range terraform {
				if l.Dollars > most[n].Dollars+1e-9 && l.Name != Requests { // without a fee where the CPU is always on
					t.Errorf("%s costs %.2f, with collectors %.2f", l.Name, l.Dollars, most[n].Dollars)
				}
			}
			if sum := terraform.Total(); sum < before {
				t.Errorf("month %d costs %.2f, and the one before %.2f", month, sum, before)
			} else {
				before = sum
			}
		}
	}
}

// The smaller day that the work on functions aims at costs what it is meant to cost.
func TestGoal(t *testing.T) {
	t.Parallel()
	day := Hibana(Day{Reads: 240, Writes: 95, Deletes: 25, Requests: 53, Events: 20})
	if got := Terraform.Invoice(day, 1, true).Total(); got > 150 {
		t.Errorf("the first month costs %.2f, want at most 150", got)
	}
}

// The table has a row for each line, and two columns for each layout.
func TestPrint(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := Print(&out, Terraform, true, Layout{"baseline", Tutorial}, Layout{"Hibana", Measured}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	want := "A month of 10000 users in us-central1, as Terraform makes it, in dollars, less what is free:"
	if lines[0] != want {
		t.Errorf("the table begins with %q, want %q", lines[0], want)
	}
	if want := len(Lines) + 4; len(lines) != want {
		t.Errorf("the table has %d lines, want %d:\n%s", len(lines), want, out.String())
	}
	last := strings.Fields(lines[len(lines)-1])
	want = fmt.Sprintf("%.2f", Terraform.Invoice(Measured, 12, true).Total())
	if last[0] != "sum" || last[len(last)-1] != want {
		t.Errorf("the table ends with %q, want the sum %s", last, want)
	}
}

// A month of an installation for one person costs nothing if it is idle, and less than a cent if it is used. One that
// keeps an instance costs something.
func TestOnePerson(t *testing.T) {
	t.Parallel()
	used := Pictured(Measured)
	used.Reads, used.Writes = used.Reads+Clock.Reads, used.Writes+Clock.Writes
	for name, day := range map[string]Day{"idle": Clock, "used": used} {
		for _, month := range []int{1, 12} {
			if got := OnePerson.Invoice(day, month, true); got.Total() >= 0.01 {
				t.Errorf("%s, month %d: $%.2f: %v", name, month, got.Total(), got)
			}
		}
	}
	if got := OnePerson.Invoice(Clock, 1, true).Total(); got >= 0.005 {
		t.Errorf("a month of an idle installation costs $%.3f, want $0.00", got)
	}
	waiting := OnePerson
	waiting.API.Min = 1
	if got := waiting.Invoice(Clock, 1, true).Total(); got < 4 {
		t.Errorf("with an instance that waits a month costs $%.2f", got)
	}
}
