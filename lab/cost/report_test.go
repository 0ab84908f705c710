package cost

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// made is a report of round figures.
func made() *Report {
	r := newReport(Day{Users: 10, Days: 2, Seed: 5, For: 10_000})
	page := slices.Repeat([]shownTweet{{}}, 20)
	for range 200 {
		r.add(homeView, Bill{Reads: 20}, nil, 0, func(l baseline) Bill { return l.home(page) })
		r.HomeTweets += 20
	}
	for i := range 40 {
		functions := map[string]Invocations{"TweetChanged": {1, i / 30, Bill{Reads: 3, Writes: 9}}}
		if i%2 == 0 {
			functions["CountTags"] = Invocations{1, 0, Bill{Writes: 2}}
		}
		r.add(postTweet, Bill{Reads: 1, Writes: 2}, functions, 1, func(l baseline) Bill { return l.post(8) })
	}
	r.add(homeAgain, Bill{Reads: 2}, nil, 0, func(l baseline) Bill { return l.home(page) })
	r.HomeTweets += 20
	r.HomeReads = 10
	r.Tick.Times, r.Tick.Triggers = 10, Bill{Reads: 100, Writes: 20}
	return r
}

func TestPrint(t *testing.T) {
	t.Parallel()
	growth := &Growth{
		Followers: []FollowersCost{{10, Bill{4, 15, 2}, baseline{}.post(10)},
			{1_000, Bill{5, 1005, 2}, baseline{}.post(1_000)}},
		Tweets: []TweetsCost{{10, Bill{4, 5, 1}, Bill{Reads: 1}, Bill{}}, {1_000, Bill{4, 5, 1}, Bill{Reads: 1},
			Bill{Reads: 1}}},
		Age: []AgeCost{{1, Bill{Reads: 22}, 2, Bill{Reads: 28}}},
	}
	var out bytes.Buffer
	for _, err := range []error{made().Print(&out, false), made().PrintInvoices(&out, "us-central1", false),
		made().Print(&out, true), growth.Print(&out)} {
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("\n")
	}
	golden := filepath.Join("testdata", "print.txt")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("Print (-want +got), rewrite with -update:\n%s", diff)
	}
}

// The days of an invoice are those of the report, which prices nothing if For is 0.
func TestInvoices(t *testing.T) {
	t.Parallel()
	r := made()
	days := r.layouts()
	got := []float64{days[0].Day.Reads, days[0].Day.Writes, days[0].Day.Events, days[0].Day.Requests, days[1].Day.Reads,
		days[1].Day.Writes, days[1].Day.Deletes, days[1].Day.Events}
	// The clock adds 18,432 reads and 7,200 writes to the day of 10,000 users: 37 and 14 to the 20 days of a user.
	want := []float64{1216, 18, 2, 12, 108 + 37.0/20, 24 + 14.0/20, 2, 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the baseline's reads, writes, events and requests, and Hibana's (-want +got):\n%s", diff)
	}
	terraform, hibana := invoice.Terraform, days[1].Day
	dollars := terraform.Users * 30 * (hibana.Reads*readPrice + hibana.Writes*writePrice + hibana.Deletes*deletePrice)
	if got := terraform.Invoice(hibana, 1, false).Of(invoice.Operations); math.Abs(got-dollars) > 1e-9 {
		t.Errorf("a month costs %v by bill.go, and %v by package invoice", dollars, got)
	}
	var out bytes.Buffer
	if err := r.JSON(&out); err != nil {
		t.Fatal(err)
	}
	var read struct {
		For      int
		Invoices []MonthlyInvoice
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.For != 10_000 || len(read.Invoices) != 8 || read.Invoices[0].Dollars != read.Invoices[0].Lines.Total() {
		t.Errorf("JSON has %d users and %d invoices, want 10000 and 8: two layouts in two deployments and months", read.For,
			len(read.Invoices))
	}
	r.For = 0
	out.Reset()
	if err := r.PrintInvoices(&out, "us-central1", false); err != nil || out.Len() > 0 || r.invoices() != nil {
		t.Errorf("without For: %v, %q", err, out.String())
	}
}

func TestDollars(t *testing.T) {
	t.Parallel()
	tests := []struct {
		bill  Bill
		scale float64
		free  bool
		want  float64
	}{
		{Bill{Reads: 100_000}, 1, false, 30 * 0.03},
		{Bill{Writes: 1_000}, 100, false, 30 * 0.09},
		{Bill{Deletes: 100_000}, 1, false, 30 * 0.01},
		{Bill{Reads: 150_000, Writes: 20_000, Deletes: 20_000}, 1, true, 30 * 0.03},
		{Bill{Reads: 1, Writes: 1, Deletes: 1}, 1, true, 0},
	}
	for _, test := range tests {
		if got := test.bill.monthly(test.scale, test.free); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v.monthly(%v, %v) = %v, want %v", test.bill, test.scale, test.free, got, test.want)
		}
	}
	if got, want := (Bill{1e5, 1e5, 1e5}).Dollars(), 0.13; math.Abs(got-want) > 1e-9 {
		t.Errorf("Dollars() = %v, want %v", got, want)
	}
}

func TestCrowd(t *testing.T) {
	t.Parallel()
	c := newCrowd(500, 1)
	sum := 0
	for i, follows := range c.follows {
		if len(follows) < fewestFollows || len(follows) > mostFollows || slices.Contains(follows, i) {
			t.Fatalf("user %d follows %v", i, follows)
		}
		sum += len(follows)
	}
	if mean := float64(sum) / 500; mean < 11.5 || mean > 12.5 {
		t.Errorf("%.2f follows on average, want about 12", mean)
	}
	if c.followers[0] < 10*c.followers[400] {
		t.Errorf("the first has %d followers, the 401st %d: want the first far more popular", c.followers[0],
			c.followers[400])
	}
}

func TestZipf(t *testing.T) {
	t.Parallel()
	z, r, drawn := newZipf(3), rand.New(rand.NewPCG(1, 1)), [3]int{}
	for range 11_000 {
		drawn[z.draw(r)]++
	}
	for i, want := range [3]int{6_000, 3_000, 2_000} {
		if math.Abs(float64(drawn[i]-want)) > 200 {
			t.Errorf("drawn %v, want about 6000, 3000 and 2000", drawn)
			break
		}
	}
}

func TestHomeReads(t *testing.T) {
	t.Parallel()
	homeReads := func(users int) (page, news float64) {
		page, news, err := homeReads(users, 1, 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return page, news
	}
	few, fewNews := homeReads(20)
	many, manyNews := homeReads(1000)
	if fewNews > 3 || manyNews > fewNews/2 {
		t.Errorf("what is new costs %.2f reads among 20 users and %.2f among 1,000, want few", fewNews, manyNews)
	}
	if few < 4 || few > 22+5*10 {
		t.Errorf("among 20 users %.2f reads, want less than 22 and those of some shares, but hours apart not much is cached",
			few)
	}
	if many < 3 || many >= few {
		t.Errorf("among 1,000 users %.2f reads, want at least 3 and less than %.2f", many, few)
	}
}
