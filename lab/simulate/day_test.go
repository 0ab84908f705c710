package simulate

import (
	"math"
	"os"
	"regexp"
	"testing"
)

// near reports whether two numbers differ by at most a share of the second.
func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

func TestDollars(t *testing.T) {
	t.Parallel()
	b := Bill{Reads: 100_000}.plus(Bill{Writes: 50_000}.times(2)).plus(Bill{Deletes: 100_000})
	if got, want := b.Dollars(), 0.03+0.09+0.01; !near(got, want, 1e-9) {
		t.Errorf("Dollars() = %v, want %v", got, want)
	}
	if got, want := (Bill{Writes: 1}).monthly(1_000_000), 27.0; !near(got, want, 1e-9) {
		t.Errorf("monthly(1,000,000) = %v, want %v", got, want)
	}
}

// The day is that of package cost, which does not export it.
func TestDay(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../cost/day.go")
	if err != nil {
		t.Fatal(err)
	}
	const day = `\{homeView, 10, 1\}, \{tweetView, 10, 1\}, \{threadView, 3, 1\}, \{userView, 5, 1\}, ` +
		`\{userTweets, 5, 1\},\s+\{notificationEventView, 5, 1\}, \{search, 1, 1\},\s+\{postTweet, 2, 1\}, ` +
		`\{replyTweet, 1, 1\}, \{editTweet, 1, 5\}, \{shareTweet, 1, 1\}, \{likeTweet, 10, 1\},\s`
	if !regexp.MustCompile(day).Match(text) {
		t.Error("lab/cost/day.go has another day: change the constants of day.go, and this test")
	}
	if got, want := float64(pagesADay+tweetsADay+viewsADay)+writingADay, 53.2; !near(got, want, 1e-9) {
		t.Errorf("a day has %v requests, want %v", got, want)
	}
	if n := eventsADay(); n < 10 || n > 200 {
		t.Errorf("a day has %v events: does eventsADay know the documents of functions.Table?", n)
	}
}

func TestItemBills(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		got, want Bill
	}{
		{"a tweet to 12", pushItem(false, 12), Bill{3, 2, 0}},
		{"a share to 12", pushItem(true, 12), Bill{2, 1, 0}},
		{"a tweet to 16 pages", pushItem(false, 5_000), Bill{3 + 32, 2 + 16, 16}},
		{"a tweet that is pulled", pushItem(false, 20_000), Bill{3, 2, 0}},
		{"a share that is pulled", pushItem(true, 20_000), Bill{2, 2, 0}},
		{"75 entries, which overflow once", pushed(75), Bill{1, 78, 2}},
		{"a return to 12 authors", away(12), Bill{12*14 + 24 + 40 + 5, 12*4 + 6, 4}},
		{"a return to 1,000 authors", away(1_000), Bill{14_000 + 400 + 40 + 5, 4_006, 4}},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, test.got, test.want)
		}
	}
}
