package limits_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/limits"
)

// clock stands still until the test moves it.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, time.November, 15, 18, 0, 0, 0, time.UTC)} }

func (c *clock) add(d time.Duration) { c.now = c.now.Add(d) }

// limiter has the limits of a text alone.
func limiter(t *testing.T, c *clock, text string) *limits.Limiter {
	t.Helper()
	all := []string{}
	for item := range strings.SplitSeq(limits.Defaults, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(item), "=")
		all = append(all, name+"=off")
	}
	parsed, err := limits.Parse(strings.Join(append(all, text), ","))
	if err != nil {
		t.Fatal(err)
	}
	return limits.New(limits.Options{Limits: parsed, Now: func() time.Time { return c.now }, Max: 100})
}

// request sends a request that is billed, and returns the name of the limit that refuses it.
func request(t *testing.T, l *limits.Limiter, who, action string, reads, writes int64) (string, *limits.Refusal) {
	t.Helper()
	hold, refused := l.Admit(t.Context(), limits.Account, who, action)
	if refused != nil {
		return refused.Limit.Name(), refused
	}
	hold.Charge(reads, writes)
	hold.Done(false)
	return "", nil
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: refused by %q, want %q", what, got, want)
	}
}

// A budget admits while anything is left, and fills up at an even pace.
func TestBudgetOfAMinute(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "reads=600/minute")
	got, _ := request(t, l, "ann", "", 599, 0)
	want(t, "a full budget", got, "")
	got, _ = request(t, l, "ann", "", 121, 0)
	want(t, "1 left", got, "") // overdraws by 120
	got, r := request(t, l, "ann", "", 1, 0)
	want(t, "overdrawn", got, "reads-minute")
	if r.RetryAfter.Round(time.Millisecond) != 12100*time.Millisecond || r.FullAt.Sub(c.now).
		Round(time.Second) != 72*time.Second {
		t.Errorf("retry after %v, full after %v; want 12.1 s and 72 s", r.RetryAfter, r.FullAt.Sub(c.now))
	}
	got, _ = request(t, l, "ben", "", 1, 0)
	want(t, "another account", got, "")
	c.add(12 * time.Second)
	got, _ = request(t, l, "ann", "", 1, 0)
	want(t, "a moment too early", got, "reads-minute")
	c.add(101 * time.Millisecond)
	got, _ = request(t, l, "ann", "", 1, 0)
	want(t, "after Retry-After", got, "")
	// A request of many times the budget is charged in full.
	c.add(10 * time.Minute)
	got, _ = request(t, l, "ann", "", 6000, 0)
	want(t, "full again", got, "")
	c.add(9 * time.Minute)
	got, _ = request(t, l, "ann", "", 1, 0)
	want(t, "9 minutes later", got, "reads-minute")
}

// A limit a day counts until midnight.
func TestLimitOfADay(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "posts=3/day,writes=100/day")
	for range 3 {
		got, _ := request(t, l, "ann", "posts", 0, 2)
		want(t, "a post", got, "")
	}
	got, r := request(t, l, "ann", "posts", 0, 2)
	want(t, "one too many", got, "posts-day")
	if r.RetryAfter != 6*time.Hour || !r.FullAt.Equal(time.Date(2026, time.November, 16, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("retry after %v, full at %v; want midnight", r.RetryAfter, r.FullAt)
	}
	got, _ = request(t, l, "ann", "likes", 0, 93)
	want(t, "another action", got, "")
	got, _ = request(t, l, "ann", "", 0, 5)
	want(t, "1 write left", got, "")
	got, _ = request(t, l, "ann", "", 0, 0)
	want(t, "the writes of a day", got, "writes-day")
	got, _ = request(t, l, "ann", limits.Reading, 0, 0)
	want(t, "reading without writes left", got, "")
	c.add(6*time.Hour - time.Nanosecond)
	got, _ = request(t, l, "ann", "posts", 0, 2)
	want(t, "before midnight", got, "posts-day")
	c.add(time.Nanosecond)
	got, _ = request(t, l, "ann", "posts", 0, 2)
	want(t, "after midnight", got, "")
}

// An action that did nothing is given back, once. A request that began yesterday gives
// nothing back to today.
func TestActionGivenBack(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "posts=1/day,likes=2/minute")
	for range 3 {
		hold, refused := l.Admit(t.Context(), limits.Account, "ann", "posts")
		if refused != nil {
			t.Fatalf("refused: %v", refused)
		}
		hold.Done(true)
		hold, refused = l.Admit(t.Context(), limits.Account, "ann", "likes")
		if refused != nil {
			t.Fatalf("refused: %v", refused)
		}
		hold.Done(true)
	}
	for i, name := range []string{"", "", "likes-minute"} {
		got, _ := request(t, l, "ann", "likes", 0, 0)
		want(t, fmt.Sprint("like ", i), got, name)
	}
	yesterday, _ := l.Admit(t.Context(), limits.Account, "ann", "posts")
	c.add(6 * time.Hour)
	got, _ := request(t, l, "ann", "posts", 0, 0)
	want(t, "today's", got, "")
	yesterday.Done(true)
	got, _ = request(t, l, "ann", "posts", 0, 0)
	want(t, "today's second", got, "posts-day")
}

// Requests at the same time are bounded, so that an overdraft is.
func TestParallel(t *testing.T) {
	t.Parallel()
	l := limiter(t, newClock(), "parallel=2,reads=100/minute")
	one, _ := l.Admit(t.Context(), limits.Account, "ann", "")
	l.Admit(t.Context(), limits.Account, "ann", "")
	_, r := l.Admit(t.Context(), limits.Account, "ann", "")
	if r == nil || r.Limit.Name() != "parallel" || r.RetryAfter <= 0 {
		t.Fatalf("the third at once: %v", r)
	}
	one.Done(false)
	if _, r = l.Admit(t.Context(), limits.Account, "ann", ""); r != nil {
		t.Errorf("after one ended: %v", r)
	}
}

// A refused request takes nothing, and names the limit that lasts longest.
func TestRefusedTakesNothing(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "requests=2/minute,posts=1/day")
	got, _ := request(t, l, "ann", "posts", 0, 0)
	want(t, "first", got, "")
	for range 5 {
		got, _ = request(t, l, "ann", "posts", 0, 0)
		want(t, "second post", got, "posts-day")
	}
	got, _ = request(t, l, "ann", "", 0, 0)
	want(t, "second request", got, "")
	got, _ = request(t, l, "ann", "posts", 0, 0)
	want(t, "both limits reached", got, "posts-day")
	got, _ = request(t, l, "ann", "", 0, 0)
	want(t, "third request", got, "requests-minute")
}

// The headers are structured fields as the draft of the IETF has them.
func TestFields(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "requests=60/minute,parallel=5,reads=600/minute,posts=3/day,visitor-reads=5/hour")
	hold, _ := l.Admit(t.Context(), limits.Account, "ann", "posts")
	hold.Charge(100, 0)
	hold.Charge(160, 0) // of the same request
	policy, state := hold.Fields()
	if want := `"requests-minute";q=60;w=60, "parallel";q=5;qu="concurrent-requests", "reads-minute";q=600;qu="reads";w=60, "posts-day";q=3;qu="posts";w=86400`; policy != want {
		t.Errorf("RateLimit-Policy = %s\nwant %s", policy, want)
	}
	if want := `"requests-minute";r=59;t=1, "parallel";r=4;t=1, "reads-minute";r=440;t=16, "posts-day";r=2;t=21600`; state != want {
		t.Errorf("RateLimit = %s\nwant %s", state, want)
	}
	hold.Charge(700, 0)
	if _, state = hold.Fields(); !strings.Contains(state, `"reads-minute";r=0;t=11,`) {
		t.Errorf("RateLimit = %s, want the 10.1 s until something is left", state)
	}
	other, _ := l.Admit(t.Context(), limits.Account, "ben", "")
	if policy, _ = other.Fields(); strings.Contains(policy, "posts") {
		t.Errorf("RateLimit-Policy = %s names a limit that the request does not use", policy)
	}
	visitor, _ := l.Admit(t.Context(), limits.Visitor, "192.0.2.1", "posts")
	if policy, state = visitor.Fields(); policy != `"visitor-reads-hour";q=5;qu="reads";w=3600` ||
		state != `"visitor-reads-hour";r=5;t=0` {
		t.Errorf("%s\n%s", policy, state)
	}
}

// However many come, a process remembers a bounded number. It forgets who is as good as
// new first, then who used least, and never who is busy.
func TestForgetting(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "requests=10/minute,reads=1000/day,parallel=5") // remembers 100
	request(t, l, "greedy", "", 2000, 0)
	busy, _ := l.Admit(t.Context(), limits.Account, "busy", "")
	for i := range 10_000 {
		if got, _ := request(t, l, fmt.Sprint("visitor ", i), "", 1, 0); got != "" {
			t.Fatalf("refused by %s", got)
		}
		if n := l.Remembered(limits.Account); n > 100 {
			t.Fatalf("remembers %d", n)
		}
	}
	got, _ := request(t, l, "greedy", "", 0, 0)
	want(t, "who used all", got, "reads-day")
	busy.Done(false)
	c.add(24 * time.Hour)
	for i := range 200 {
		request(t, l, fmt.Sprint("next day ", i), "", 0, 0)
	}
	got, _ = request(t, l, "greedy", "", 0, 0)
	want(t, "the next day", got, "")
}

// Requests at the same time lose no charge. The race detector watches.
func TestConcurrently(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "reads=1000/day,parallel=50")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 40 {
				if hold, refused := l.Admit(context.Background(), limits.Account, "ann", ""); refused == nil {
					hold.Charge(1, 0)
					hold.Fields()
					hold.Done(false)
				}
			}
		})
	}
	wg.Wait()
	hold, _ := l.Admit(t.Context(), limits.Account, "ann", "")
	if _, state := hold.Fields(); !strings.Contains(state, `"reads-day";r=200;`) ||
		!strings.Contains(state, `"parallel";r=49;`) {
		t.Errorf("RateLimit = %s, want 200 reads left and one request", state)
	}
}

func TestNothingLimited(t *testing.T) {
	t.Parallel()
	var l *limits.Limiter
	hold, refused := l.Admit(t.Context(), limits.Account, "ann", "posts")
	hold.Charge(1, 1)
	hold.Done(true)
	if policy, _ := hold.Fields(); refused != nil || policy != "" {
		t.Errorf("a limiter that is off: %v, %q", refused, policy)
	}
	if all, err := limits.Parse(" off "); all != nil || err != nil {
		t.Errorf("off = %v, %v", all, err)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	find := func(text, name string) (found string) {
		all, err := limits.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, l := range all {
			if l.Name() == name {
				found += l.String()
			}
		}
		return found
	}
	tests := []struct{ text, name, want string }{
		{"", "posts-day", "150 posts a day"},
		{"posts=7/day", "posts-day", "7 posts a day"},
		{"posts=7/hour", "posts-hour", "7 posts an hour"},
		{"posts=7/hour", "posts-day", "150 posts a day"},
		{"posts=off , posts=7/hour", "posts-day", ""},
		{"reads=7/day", "reads-minute", "3000 reads a minute"},
		{"reads=off", "reads-minute", ""},
		{"parallel=2", "parallel", "2 requests at the same time"},
		{"visitor-reads=9/minute", "visitor-reads-minute", "9 reads a minute"},
		{"address-signups=2/hour", "address-signups-hour", "2 signups an hour"},
	}
	for _, test := range tests {
		if got := find(test.text, test.name); got != test.want {
			t.Errorf("%q: %s is %q, want %q", test.text, test.name, got, test.want)
		}
	}
	for _, text := range []string{"posts", "posts=", "posts=-1/day", "posts=0/day", "posts=1", "posts=1/week",
		"parallel=1/day", "signups=1/day", "nothing=1/day", "posts=99999999999/day"} {
		if _, err := limits.Parse("reads=1/day," + text); err == nil || !strings.Contains(err.Error(),
			strings.Split(text, "=")[0]) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAddressOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		remote, forwarded string
		hops              int
		want              string
	}{
		{"192.0.2.1:1234", "", 0, "192.0.2.1"},
		{"192.0.2.1:1234", "203.0.113.9", 0, "192.0.2.1"}, // the caller wrote it
		{"192.0.2.1:1234", "203.0.113.9", 1, "203.0.113.9"},
		{"192.0.2.1:1234", "10.0.0.1, 203.0.113.9", 1, "203.0.113.9"},
		{"192.0.2.1:1234", "10.0.0.1, 203.0.113.9,198.51.100.7", 2, "203.0.113.9"},
		{"192.0.2.1:1234", "203.0.113.9", 2, "192.0.2.1"}, // came round a proxy
		{"192.0.2.1:1234", "", 1, "192.0.2.1"},
		{"192.0.2.1:1234", "10.0.0.1, unknown", 1, "192.0.2.1"},
		{"192.0.2.1:1234", "203.0.113.9:555", 1, "203.0.113.9"},
		{"[2001:db8:1:2:3:4:5:6]:1234", "", 0, "2001:db8:1:2::/64"},
		{"192.0.2.1:1234", "2001:db8:1:2:ffff::1", 1, "2001:db8:1:2::/64"},
		{"192.0.2.1:1234", "[2001:db8:1:2::9]:80", 1, "2001:db8:1:2::/64"},
		{"192.0.2.1:1234", "::ffff:203.0.113.9", 1, "203.0.113.9"},
		{"[fe80::1%eth0]:1234", "", 0, "fe80::/64"},
	}
	for _, test := range tests {
		r := &http.Request{RemoteAddr: test.remote, Header: http.Header{}}
		if test.forwarded != "" {
			// Also in several headers.
			for part := range strings.SplitSeq(test.forwarded, ", ") {
				r.Header.Add("X-Forwarded-For", part)
			}
		}
		if got := limits.AddressOf(r, test.hops); got != test.want {
			t.Errorf("from %s, for %q, %d hops: %s, want %s", test.remote, test.forwarded, test.hops, got, test.want)
		}
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	g := limits.NewGate(2, 20*time.Millisecond)
	ctx := t.Context()
	for range 2 {
		if !g.Enter(ctx) {
			t.Fatal("the gate is shut")
		}
	}
	start := time.Now()
	if g.Enter(ctx) {
		t.Error("a third request runs")
	}
	if d := time.Since(start); d < 20*time.Millisecond {
		t.Errorf("the queue waited %v", d)
	}
	// Who waits is let in when another one leaves.
	g = limits.NewGate(1, time.Minute)
	g.Enter(ctx)
	in := make(chan bool)
	go func() { in <- g.Enter(ctx) }()
	for g.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	if g.Enter(ctx) {
		t.Error("the queue has no end")
	}
	g.Leave()
	if !<-in {
		t.Error("who waited was not let in")
	}
	// Who goes away waits no longer.
	gone, cancel := context.WithCancel(ctx)
	go func() { in <- g.Enter(gone) }()
	for g.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if <-in {
		t.Error("who went away was let in")
	}
	var open *limits.Gate
	if limits.NewGate(0, time.Second) != nil || !open.Enter(ctx) {
		t.Error("no gate is shut")
	}
	open.Leave()
}

// A process that remembers too many forgets none whose requests are under way: they would have all
// their parallel requests anew.
func TestForgettingBusy(t *testing.T) {
	t.Parallel()
	c := newClock()
	// whose use is nothing, or the smallest part
	for _, text := range []string{"parallel=1", "parallel=1,reads=1000/day"} {
		l := limiter(t, c, text)
		l.Max = 2
		hold, refused := l.Admit(t.Context(), limits.Account, "busy", "")
		if refused != nil {
			t.Fatal(refused)
		}
		for i := range 20 {
			request(t, l, fmt.Sprint("visitor ", i), "", int64(1+i), 0)
			got, _ := request(t, l, "busy", "", 0, 0)
			want(t, text, got, "parallel")
		}
		hold.Done(false)
		got, _ := request(t, l, "busy", "", 0, 0)
		want(t, text+", when it is done", got, "")
	}
}

// An account that is refused takes nothing from its address.
func TestAddressOfRefused(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := limiter(t, c, "requests=2/minute,posts=1/day,address-requests=6/minute,address-apps=3/day")
	both := func(who, action string) []*limits.Hold {
		t.Helper()
		address, refused := l.Admit(t.Context(), limits.Address, "192.0.2.1", action)
		if refused != nil {
			t.Fatalf("%s: the address is refused by %s", who, refused.Limit.Name())
		}
		account, refused := l.Admit(t.Context(), limits.Account, who, action)
		if refused != nil {
			address.Undo()
			address.Undo() // again does nothing
			address.Done(true)
			return nil
		}
		return []*limits.Hold{address, account}
	}
	done := func(all []*limits.Hold) {
		for _, h := range all {
			h.Done(false)
		}
	}
	for range 50 {
		done(both("ann", "apps"))
	}
	got := both("ben", "")
	if got == nil {
		t.Fatal("ben is refused")
	}
	if refused := limits.Act(got, "apps"); refused != nil {
		t.Errorf("ben is refused by %s", refused.Limit.Name())
	}
	want(t, "an action of the address that is used up", limits.Act(got, "apps").Limit.Name(), "address-apps-day")
	done(got)

	// Within a request, an action that the account may not do is none of the address.
	l = limits.New(limits.Options{Now: func() time.Time { return c.now }, Limits: []limits.Limit{
		{Scope: limits.Account, What: "apps", Quota: 1, Window: 24 * time.Hour},
		{Scope: limits.Address, What: "apps", Quota: 3, Window: 24 * time.Hour},
	}})
	for n := range 20 {
		all := both("ann", limits.Reading)
		if refused := limits.Act(all, "apps"); (refused == nil) != (n == 0) {
			t.Fatalf("attempt %d: %v", n, refused)
		}
		done(all)
	}
	for _, who := range []string{"ben", "cat"} {
		all := both(who, limits.Reading)
		if refused := limits.Act(all, "apps"); refused != nil {
			t.Errorf("%s is refused by %s", who, refused.Limit.Name())
		}
		done(all)
	}
	all := both("dan", limits.Reading)
	want(t, "a fourth one", limits.Act(all, "apps").Limit.Name(), "address-apps-day")
	if _, refused := l.Admit(t.Context(), limits.Account, "dan", "apps"); refused != nil {
		t.Error("an account is charged for what its address may not do")
	}
}
