package groupcommit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// run is the items of one run of a group, and when the run began.
type run struct {
	At    time.Duration
	Items []string
}

// gathered is a group whose runs take some time and answer each item with itself. Its
// clock moves when all goroutines wait. A run fails with the error that fail returns.
type gathered struct {
	*Group[string, string, string]
	fail func(items []string) error

	start time.Time
	mu    sync.Mutex
	runs  map[string][]run
}

func newGathered(takes time.Duration, most int) *gathered {
	g := &gathered{fail: func([]string) error { return nil }, start: time.Now(), runs: map[string][]run{}}
	g.Group = New(time.Second, most, func(ctx context.Context, key string, items []string) ([]string, error) {
		g.mu.Lock()
		g.runs[key] = append(g.runs[key], run{time.Since(g.start), slices.Clone(items)})
		g.mu.Unlock()
		time.Sleep(takes)
		return items, g.fail(items)
	})
	return g
}

// each hands in items side by side, and returns at once. It checks that each item gets its
// own result. The returned function waits, and returns the error and the time of each item.
func (g *gathered) each(t *testing.T, key string, items ...string) func() (errs []error, after []time.Duration) {
	errs, after := make([]error, len(items)), make([]time.Duration, len(items))
	var wg sync.WaitGroup
	for i, item := range items {
		wg.Go(func() {
			var got string
			got, errs[i] = g.Do(t.Context(), key, item)
			after[i] = time.Since(g.start)
			if errs[i] == nil && got != item {
				t.Errorf("do(%q, %q) = %q", key, item, got)
			}
		})
		synctest.Wait() // so that the items come in this order
	}
	return func() ([]error, []time.Duration) { wg.Wait(); return errs, after }
}

// rest waits until every key is quiet. Then the group may remember no key.
func (g *gathered) rest(t *testing.T) {
	t.Helper()
	time.Sleep(10 * time.Second)
	synctest.Wait()
	if len(g.last) > 0 {
		t.Errorf("%d keys are remembered though they are quiet", len(g.last))
	}
}

// check compares all runs with want when every key is quiet.
func (g *gathered) check(t *testing.T, want map[string][]run) {
	t.Helper()
	g.rest(t)
	if diff := cmp.Diff(want, g.runs); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
}

func TestGroup(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	tests := []struct {
		name  string
		takes time.Duration
		do    func(t *testing.T, g *gathered)
		want  map[string][]run
	}{
		{"alone", 10 * ms, func(t *testing.T, g *gathered) {
			for range 2 {
				g.each(t, "a", "x")()
				time.Sleep(time.Second)
			}
		}, map[string][]run{"a": {{0, []string{"x"}}, {1010 * ms, []string{"x"}}}}},
		{"one after the other", 10 * ms, func(t *testing.T, g *gathered) {
			for _, item := range []string{"x", "y", "z"} {
				g.each(t, "a", item)()
			}
		}, map[string][]run{"a": {{0, []string{"x"}}, {1000 * ms, []string{"y"}}, {2000 * ms, []string{"z"}}}}},
		{"during a run and after it", 10 * ms, func(t *testing.T, g *gathered) {
			during := g.each(t, "a", "x", "y", "z")
			time.Sleep(500 * ms)
			g.each(t, "a", "late")()
			during()
		}, map[string][]run{"a": {{0, []string{"x"}}, {1000 * ms, []string{"y", "z", "late"}}}}},
		{"a run longer than the pause", 1500 * ms, func(t *testing.T, g *gathered) {
			g.each(t, "a", "x", "y")()
		}, map[string][]run{"a": {{0, []string{"x"}}, {1500 * ms, []string{"y"}}}}},
		{"two keys", 10 * ms, func(t *testing.T, g *gathered) {
			a := g.each(t, "a", "x", "y")
			g.each(t, "b", "x", "y")()
			a()
		}, map[string][]run{
			"a": {{0, []string{"x"}}, {1000 * ms, []string{"y"}}},
			"b": {{0, []string{"x"}}, {1000 * ms, []string{"y"}}},
		}},
		{"more than a run holds", 10 * ms, func(t *testing.T, g *gathered) {
			g.each(t, "a", "1", "2", "3", "4", "5", "6", "7")()
		}, map[string][]run{"a": {{0, []string{"1"}}, {1000 * ms, []string{"2", "3", "4"}},
			{2000 * ms, []string{"5", "6", "7"}}}}},
		{"the first run waits", 10 * ms, func(t *testing.T, g *gathered) {
			g.crowd = true
			first := g.each(t, "a", "x", "y")
			time.Sleep(200 * ms)
			g.each(t, "a", "z")()
			first()
			g.each(t, "a", "next")()
			g.rest(t)
			g.each(t, "a", "later")()
		}, map[string][]run{"a": {{1000 * ms, []string{"x", "y", "z"}}, {2000 * ms, []string{"next"}},
			{13010 * ms, []string{"later"}}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGathered(test.takes, 3)
				test.do(t, g)
				g.check(t, test.want)
			})
		})
	}
}

func TestGroupFailures(t *testing.T) {
	t.Parallel()
	poison, unavailable := errors.New("poison"), status.Error(codes.Unavailable, "the database is away")
	exhausted := status.Error(codes.ResourceExhausted, "too many requests")
	failIf := func(err error) func([]string) error {
		return func(items []string) error {
			if slices.Contains(items, "bad") {
				return err
			}
			return nil
		}
	}
	tests := []struct {
		name string
		fail func(items []string) error
		want []string // errors of first, good, bad and fine
		runs int
	}{
		{"one bad item", failIf(poison), []string{"", "", "poison", ""}, 2 + 4}, // good | bad, fine | bad | fine
		{"unavailable", failIf(unavailable), []string{"", "away", "away", "away"}, 2},
		{"exhausted", failIf(exhausted), []string{"", "too many", "too many", "too many"}, 2},
		{"a panic", func(items []string) error {
			if len(items) > 1 {
				panic("too many")
			}
			return nil
		}, []string{"", "", "", ""}, 2 + 4},
		{"always", func([]string) error { return poison }, []string{"poison", "poison", "poison", "poison"}, 2 + 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGathered(10*time.Millisecond, 100)
				g.fail = test.fail
				failed, _ := g.each(t, "a", "first", "good", "bad", "fine")()
				for i, err := range failed {
					if (err == nil) != (test.want[i] == "") || !strings.Contains(fmt.Sprint(err), test.want[i]) {
						t.Errorf("error of item %d = %v, want %q", i, err, test.want[i])
					}
				}
				g.rest(t)
				if n := len(g.runs["a"]); n != test.runs {
					t.Errorf("%d runs, want %d: %v", n, test.runs, g.runs["a"])
				}
			})
		})
	}
}

// A hundred callers share a run with an item that can never succeed. The group finds the
// item in few runs, none of which goes beside another.
func TestGroupFindsTheBadItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGathered(10*time.Millisecond, 0)
		var running, most atomic.Int32
		g.fail = func(items []string) error {
			if slices.Contains(items, "42") {
				return errors.New("poison")
			}
			return nil
		}
		inner := g.run
		g.run = func(ctx context.Context, key string, items []string) ([]string, error) {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			return inner(ctx, key, items)
		}
		items := make([]string, 100)
		for i := range items {
			items[i] = strconv.Itoa(i)
		}
		failed, _ := g.each(t, "a", append([]string{"first"}, items...)...)()
		for i, err := range failed {
			if (err != nil) != (i == 1+42) {
				t.Errorf("error of item %d = %v", i-1, err)
			}
		}
		g.rest(t)
		if n := len(g.runs["a"]); n > 2+2*7 || most.Load() != 1 {
			t.Errorf("%d runs, up to %d at once, want at most 16, one by one", n, most.Load())
		}
	})
}

// A caller whose context ends before its run begins takes its item back. The run that this
// caller opened serves the others. A run of nobody does not happen.
func TestGroupContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGathered(10*time.Millisecond, 100)
		first := g.each(t, "a", "first")
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		left := make(chan error)
		leave := func(key string) {
			_, err := g.Do(ctx, key, "leaves")
			left <- err
		}
		go leave("a")
		synctest.Wait()
		stays := g.each(t, "a", "stays")
		g.each(t, "b", "first")()
		go leave("b")
		for range 2 {
			if err := <-left; !errors.Is(err, context.DeadlineExceeded) || time.Since(g.start) != 300*time.Millisecond {
				t.Errorf("after %v: %v, want the end of the context after 300 ms", time.Since(g.start), err)
			}
		}
		for _, wait := range []func() ([]error, []time.Duration){first, stays} {
			failed, after := wait()
			if failed[0] != nil {
				t.Errorf("after %v: %v", after[0], failed[0])
			}
		}
		g.check(t, map[string][]run{"a": {{0, []string{"first"}}, {time.Second, []string{"stays"}}},
			"b": {{0, []string{"first"}}}})
	})
}

// One run of a crowd waits at most. If it is full, a caller is refused at once; and not if one of the waiting callers
// has left.
func TestCrowdIsFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGathered(300*time.Millisecond, 3)
		g.Group = NewCrowds(time.Minute, 3, g.run)
		first := g.each(t, "a", "x", "y")
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := g.Do(ctx, "a", "leaves")
			left <- err
		}()
		synctest.Wait()
		if got, err := g.Do(t.Context(), "a", "refused"); got != "" || err != nil || time.Since(g.start) > 0 {
			t.Errorf("a full crowd answers %q, %v after %v; want nothing at once", got, err, time.Since(g.start))
		}
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("who leaves gets %v", err)
		}
		last := g.each(t, "a", "z")
		for _, wait := range []func() ([]error, []time.Duration){first, last} {
			failed, after := wait()
			if failed[0] != nil || after[0] != longestWait+300*time.Millisecond {
				t.Errorf("after %v: %v, want the result after a wait of %v", after[0], failed[0], longestWait)
			}
		}
		g.check(t, map[string][]run{"a": {{longestWait, []string{"x", "y", "z"}}}})
	})
}

// A caller whose context ends while its run goes on waits for the end of the run: nothing
// goes on after the answer.
func TestGroupWaitsForItsRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGathered(2*time.Second, 100)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		got, err := g.Do(ctx, "a", "x")
		if err != nil || got != "x" || time.Since(g.start) != 2*time.Second {
			t.Errorf("after %v: %q, %v, want the result after 2 s", time.Since(g.start), got, err)
		}
		g.rest(t)
	})
}
