package cost

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		functions := map[string]Invocations{"TweetChanged": {1, Bill{Reads: 3, Writes: 9}}}
		if i%2 == 0 {
			functions["CountTags"] = Invocations{1, Bill{Writes: 2}}
		}
		r.add(postTweet, Bill{Reads: 1, Writes: 2}, functions, 1, func(l baseline) Bill { return l.post(8) })
	}
	r.add(homeAgain, Bill{Reads: 2}, nil, 0, func(l baseline) Bill { return l.home(page) })
	r.HomeTweets += 20
	r.HomeReads = 10
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
	for _, err := range []error{made().Print(&out, false), made().Print(&out, true), growth.Print(&out)} {
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
	homeReads := func(users int) float64 {
		reads, err := homeReads(users, 1, 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return reads
	}
	few, many := homeReads(20), homeReads(1000)
	if few < 4 || few > 22+5*10 {
		t.Errorf("among 20 users %.2f reads, want less than 22 and those of some shares, but hours apart not much is cached",
			few)
	}
	if many < 3 || many >= few {
		t.Errorf("among 1,000 users %.2f reads, want at least 3 and less than %.2f", many, few)
	}
}
