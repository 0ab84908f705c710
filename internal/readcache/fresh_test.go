package readcache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// record is a database of numbers. It notes in reads what the cache asks for.
type record struct {
	mu       sync.Mutex
	now      time.Time // of the process
	ahead    time.Duration
	changed  map[int]change
	removed  map[int]time.Time
	outdated func(value) bool
	reads    []string
	fail     error
	slow     chan struct{} // a question for changes waits for its end
	failures int
}

// change is when a value changed, and its changedAt, by the clock of the database.
type change struct{ at, stamp time.Time }

// value is what is read: which change it has, and when it was read.
type value struct{ at, read time.Time }

func newRecord() (*record, *Fresh[int, value]) {
	r := &record{now: time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC), changed: map[int]change{},
		removed: map[int]time.Time{}}
	c := New(func() time.Time { return r.now }, 2*time.Second, 1<<20, Size, r.load)
	f := NewFresh(c, Source[int, value]{
		Now:     r.server,
		Version: func(v value) Version { return Version{Updated: v.at, Read: v.read} },
		Changed: r.changes, Removed: r.removals, Outdated: r.outdates,
		Failed: func(error) { r.failures++ },
	})
	f.Patience = time.Minute
	return r, f
}

// server is the time of the database.
func (r *record) server() time.Time { return r.now.Add(r.ahead) }

// change changes a value now.
func (r *record) change(k int) { r.changed[k] = change{r.server(), r.server()} }

func (r *record) read(k int) value { return value{r.changed[k].at, r.server()} }

// note notes what is asked for.
func (r *record) note(what string) {
	r.mu.Lock()
	r.reads = append(r.reads, what)
	r.mu.Unlock()
}

// take returns what was asked for since the last take, in order.
func (r *record) take() (reads []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	reads, r.reads = r.reads, nil
	slices.Sort(reads)
	return reads
}

func (r *record) load(_ context.Context, keys []int) (map[int]value, error) {
	all := map[int]value{}
	for _, k := range keys {
		r.note(fmt.Sprint(k))
		if _, gone := r.removed[k]; !gone {
			all[k] = r.read(k)
		}
	}
	return all, nil
}

func (r *record) changes(ctx context.Context, since time.Time) (map[int]value, error) {
	r.note("changed")
	r.mu.Lock()
	slow := r.slow
	r.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	all := map[int]value{}
	for k, c := range r.changed {
		if c.stamp.After(since) && len(all) < Limit {
			all[k] = r.read(k)
		}
	}
	return all, r.fail
}

func (r *record) removals(_ context.Context, since time.Time) (keys []int, _ error) {
	r.note("removed")
	for k, at := range r.removed {
		if at.After(since) && len(keys) < Limit {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

func (r *record) outdates(context.Context, time.Time) (func(value) bool, bool, error) {
	r.note("outdated")
	return r.outdated, false, nil
}

// get gets values, and checks what that reads.
func (r *record) get(t *testing.T, f *Fresh[int, value], keys []int, reads ...string) map[int]value {
	t.Helper()
	r.take()
	values, err := f.Get(t.Context(), keys)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(reads)
	if got := r.take(); !slices.Equal(got, reads) {
		t.Errorf("%v reads %q, want %q", keys, got, reads)
	}
	return values
}

// wants checks that values are as they are now.
func (r *record) wants(t *testing.T, values map[int]value, keys ...int) {
	t.Helper()
	for _, k := range keys {
		v, ok := values[k]
		if _, gone := r.removed[k]; ok == gone || ok && !v.at.Equal(r.changed[k].at) {
			t.Errorf("%d is %v, %v, want what it is now", k, v, ok)
		}
	}
}

// listening begins to listen, with some values.
func (r *record) listening(t *testing.T, f *Fresh[int, value], keys ...int) {
	t.Helper()
	_, err := f.Get(t.Context(), keys)
	if err == nil {
		r.now = r.now.Add(time.Minute)
		_, err = f.Get(t.Context(), keys)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Minute)
	r.get(t, f, keys, "changed")
}

func TestFresh(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{0, -time.Hour, 24 * time.Hour} { // the clock of the database does not matter
		r, f := newRecord()
		r.ahead = ahead
		start := r.now
		steps := []struct {
			at    time.Duration
			get   []int
			reads []string
		}{
			{0, []int{1, 2, 3}, []string{"1", "2", "3"}},
			{time.Second, []int{1, 2, 3, 4}, []string{"4"}},                                 // 1, 2 and 3 were just read
			{time.Minute, []int{1, 2, 3}, []string{"1", "2", "3"}},                          // only now the cache begins to ask
			{2 * time.Minute, []int{1, 2, 3}, []string{"changed"}},                          // nothing changed
			{2*time.Minute + time.Second, []int{1, 2, 3}, nil},                              // the process asked a moment ago
			{3 * time.Minute, []int{1, 5}, []string{"5", "changed"}},                        // 1 and 2 changed, 5 is new
			{4 * time.Minute, []int{1, 2, 3, 5}, []string{"changed"}},                       // the last answer held 2
			{7 * time.Minute, []int{1, 3}, []string{"3", "changed", "outdated", "removed"}}, // 3 was removed
			// the process did not ask for longer than Memory
			{20 * time.Minute, []int{1, 2}, []string{"1", "2"}},
			{21 * time.Minute, []int{1, 2}, []string{"changed"}},
			{22 * time.Minute, []int{1, 2}, []string{"1", "2", "changed"}}, // too many changes
			{22*time.Minute + 30*time.Second, []int{1}, []string{"1"}},     // so the process does not listen
		}
		for _, step := range steps {
			at := start.Add(step.at)
			switch step.at {
			case 3 * time.Minute:
				r.now = start.Add(150 * time.Second)
				r.change(1)
				r.now = r.now.Add(time.Second)
				r.change(2)
			case 7 * time.Minute:
				r.removed[3] = start.Add(6*time.Minute + ahead)
			case 22 * time.Minute:
				r.now = at.Add(-time.Second)
				for k := range Limit {
					r.change(1000 + k)
				}
			}
			r.now = at
			r.wants(t, r.get(t, f, step.get, step.reads...), step.get...)
		}
	}
}

// A change with a changedAt before a request and a commit after it is in the next answer.
func TestLateCommit(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1)
	stamp := r.server().Add(-time.Second)
	r.now = r.now.Add(time.Second)
	r.changed[1] = change{at: r.server(), stamp: stamp}
	r.now = r.now.Add(time.Minute)
	r.wants(t, r.get(t, f, []int{1}, "changed"), 1)
}

// A change that the process never hears of is shown after a day at the latest.
func TestTrust(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1, 2)
	r.changed[1] = change{at: r.server()} // without a changedAt
	begun := r.now
	for r.now.Sub(begun) < 25*time.Hour {
		r.now = r.now.Add(9 * time.Minute)
		if _, err := f.Get(t.Context(), []int{1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	r.now = r.now.Add(time.Minute)
	r.wants(t, r.get(t, f, []int{1}, "changed"), 1)
}

// More removals than an answer holds end the listening.
func TestManyRemovals(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	const all = 3 * Limit
	keys := make([]int, all)
	for k := range keys {
		keys[k] = k
	}
	r.listening(t, f, keys...)
	for _, k := range keys {
		r.removed[k] = r.server()
	}
	r.now = r.now.Add(6 * time.Minute)
	values, err := f.Get(t.Context(), keys)
	if err != nil || len(values) > 0 {
		t.Errorf("%d of %d removed values are returned, %v", len(values), all, err)
	}
}

// A value that is outdated though it did not change is read anew.
func TestOutdated(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1, 2)
	r.change(2)
	renamed := r.read(1).at
	r.outdated = func(v value) bool { return v.at.Equal(renamed) }
	r.now = r.now.Add(6 * time.Minute)
	r.get(t, f, []int{1, 2}, "changed", "removed", "outdated", "1")
}

// A slow reading does not put an older version in the place of a newer one.
func TestPutKeepsTheNewer(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1)
	slow := r.read(1)
	r.now = r.now.Add(time.Second)
	r.change(1)
	f.Put(1, r.read(1))
	f.Put(1, slow)
	r.wants(t, r.get(t, f, []int{1}), 1)

	// The slow reading is a load, and a Put comes meanwhile; and the other way round.
	for _, newer := range []string{"put", "loaded"} {
		begun, end := make(chan struct{}), make(chan struct{})
		old := r.read(1)
		r.now = r.now.Add(time.Hour)
		r.change(1)
		now := r.read(1)
		c := New(func() time.Time { return r.now }, time.Minute, 1<<20, Size, func(context.Context, []int) (map[int]value,
			error) {
			close(begun)
			<-end
			if newer == "put" {
				return map[int]value{1: old}, nil
			}
			return map[int]value{1: now}, nil
		})
		c.version = f.source.Version
		done := make(chan error)
		go func() {
			_, _, err := c.One(context.Background(), 1)
			done <- err
		}()
		<-begun
		if newer == "put" {
			c.Put(1, now)
		} else {
			c.Put(1, old)
		}
		close(end)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if got, _ := c.Peek(1); !got.at.Equal(now.at) {
			t.Errorf("the newer was %s, and the cache has the older", newer)
		}
	}
}

// A value whose slow reading began before the process listened is not trusted.
func TestSlowReadingIsNotTrusted(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	slow := r.read(2)
	r.now = r.now.Add(time.Second)
	r.change(2)
	r.now = r.now.Add(time.Minute)
	r.listening(t, f, 1)
	f.Put(2, slow)
	r.now = r.now.Add(time.Minute)
	r.wants(t, r.get(t, f, []int{1, 2}, "changed", "2"), 1, 2)
}

// A slow reading does not bring back what the process has heard to be removed, nor a version
// of which the process has heard a later one that left the cache.
func TestPutBringsNothingBack(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1, 2, 3)
	r.now = r.now.Add(time.Minute)
	removed, changed, kept := r.read(1), r.read(2), r.read(3)
	r.now = r.now.Add(time.Second)
	r.removed[1] = r.server()
	r.change(2)
	r.now = r.now.Add(5 * time.Minute)
	r.get(t, f, []int{3}, "changed", "removed", "outdated")
	f.Forget(2)
	f.Put(1, removed)
	f.Put(2, changed)
	f.Put(3, kept)
	r.wants(t, r.get(t, f, []int{1, 2, 3}, "1", "2"), 1, 2, 3)
}

// A question that fails costs its callers a reading, and is asked again later.
func TestFailedQuestion(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1, 2)
	r.change(1)
	r.now, r.fail = r.now.Add(time.Minute), errors.New("down")
	r.wants(t, r.get(t, f, []int{1, 2}, "changed", "1", "2"), 1, 2)
	r.now = r.now.Add(3 * time.Second)
	r.wants(t, r.get(t, f, []int{1, 2}, "1", "2"), 1, 2) // within Every of the failure
	r.change(2)
	r.now, r.fail = r.now.Add(3*time.Second), nil
	r.wants(t, r.get(t, f, []int{1, 2}, "changed"), 1, 2)
	if r.failures != 1 {
		t.Errorf("%d failures were told, want 1", r.failures)
	}
	// Removals that nobody can ask for do not stay unnoticed for long. The process does not
	// take changes alone for everything.
	f.source.Removed = func(context.Context, time.Time) ([]int, error) { return nil, errors.New("down") }
	for range 11 {
		r.now = r.now.Add(time.Minute)
		if _, err := f.Get(t.Context(), []int{1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	r.removed[1] = r.server()
	r.now = r.now.Add(time.Minute)
	r.wants(t, r.get(t, f, []int{1, 2}, "changed", "1", "2"), 1, 2)
}

// A slow question holds nobody up for longer than the patience, and is asked once.
func TestSlowQuestion(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1)
	f.Patience = 2 * time.Second // enough for the question to begin on a busy machine; it ends after askWithin
	r.slow = make(chan struct{})
	r.now = r.now.Add(time.Minute)
	r.change(1)
	r.wants(t, r.get(t, f, []int{1}, "changed", "1"), 1)
	f.Patience = 20 * time.Millisecond
	for range 50 {
		r.now = r.now.Add(100 * time.Millisecond)
		begun := time.Now()
		r.take()
		if _, err := f.Get(t.Context(), []int{1}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("Get took %v while the question was slow", took)
		}
		if slices.Contains(r.take(), "changed") {
			t.Error("a second question was asked beside the first")
		}
	}
	answer := f.answer
	if answer == nil {
		t.Fatal("the slow question ended by itself")
	}
	close(r.slow)
	<-answer

	// A question that was lost, with its process frozen, does not keep others from being
	// asked.
	r.slow = make(chan struct{})
	r.now = r.now.Add(time.Minute)
	f.Patience = time.Second
	r.get(t, f, []int{1}, "changed", "1")
	lost := f.answer
	r.now = r.now.Add(11 * time.Second)
	was := r.slow
	r.mu.Lock()
	r.slow = nil
	r.mu.Unlock()
	f.Patience = time.Minute
	r.change(1)
	r.wants(t, r.get(t, f, []int{1}, "changed"), 1)
	close(was)
	<-lost
	r.now = r.now.Add(time.Minute)
	r.wants(t, r.get(t, f, []int{1}, "changed"), 1)
}

// One question serves all callers.
func TestOneQuestion(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	r.listening(t, f, 1)
	r.take()
	r.now = r.now.Add(time.Minute)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := f.Get(context.Background(), []int{1}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := r.take(); !slices.Equal(got, []string{"changed"}) {
		t.Errorf("50 callers read %q, want one question", got)
	}
}

// A machine that slept has another calendar and the same monotonic clock. A calendar that
// is set back is the other way round. The greater difference counts.
func TestElapsed(t *testing.T) {
	t.Parallel()
	now := time.Now()
	if got := Elapsed(now, now.Add(time.Hour)); got != time.Hour {
		t.Errorf("Elapsed = %v, want an hour", got)
	}
	slept := now.Round(0).Add(time.Hour) // no monotonic clock, so the calendar alone counts
	if got := Elapsed(now, slept); got != time.Hour {
		t.Errorf("Elapsed = %v, want the hour of the calendar", got)
	}
}

// A value that a list has is read again if it was read before the list was committed, and once only. A list that came
// after the answer's Until is asked for again.
func TestListed(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	lists, until := map[int]time.Time{}, time.Time{}
	var asked []time.Time
	f.source.Listed = func(_ context.Context, since time.Time) (Listed[int], error) {
		asked = append(asked, since)
		if until.IsZero() {
			return Listed[int]{At: lists, Until: r.server()}, nil
		}
		return Listed[int]{At: lists, Until: until}, nil
	}
	r.listening(t, f, 1, 2)
	next := func() { r.now = r.now.Add(10 * time.Second) }

	r.changed[1] = change{at: r.server()} // without a changedAt
	lists[1] = r.server().Add(time.Second)
	next()
	r.wants(t, r.get(t, f, []int{1, 2}, "1", "changed"), 1, 2)
	next()
	r.wants(t, r.get(t, f, []int{1, 2}, "changed"), 1, 2)

	until = r.server().Add(-5 * time.Second)
	next()
	r.get(t, f, []int{1, 2}, "changed")
	asked = nil
	next()
	r.get(t, f, []int{1, 2}, "changed")
	if want := until.Add(-Overlap); len(asked) != 1 || !asked[0].Equal(want) {
		t.Errorf("lists are asked for since %v, want %v", asked, want)
	}

	f.source.Listed = func(context.Context, time.Time) (Listed[int], error) { return Listed[int]{Full: true}, nil }
	next()
	r.get(t, f, []int{1, 2}, "1", "2", "changed")
	r.now = r.now.Add(ListenAgain / 2)
	r.get(t, f, []int{1, 2}, "1", "2")
}

// A list concerns a value that is being read.
func TestListedWhileItIsRead(t *testing.T) {
	t.Parallel()
	r, f := newRecord()
	lists := map[int]time.Time{}
	f.source.Listed = func(context.Context, time.Time) (Listed[int], error) {
		return Listed[int]{At: lists, Until: r.server()}, nil
	}
	r.listening(t, f, 1)
	begun, end := make(chan struct{}), make(chan struct{})
	load := f.load
	f.load = func(ctx context.Context, keys []int) (map[int]value, error) {
		values, err := load(ctx, keys)
		if slices.Contains(keys, 2) {
			close(begun)
			<-end
		}
		return values, err
	}
	done := make(chan error)
	go func() {
		_, err := f.Get(context.Background(), []int{2})
		done <- err
	}()
	<-begun
	r.now = r.now.Add(time.Second)
	r.changed[2] = change{at: r.server()}
	lists[2] = r.server()
	r.now = r.now.Add(time.Minute)
	r.get(t, f, []int{1}, "changed")
	close(end)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	f.load = load
	r.wants(t, r.get(t, f, []int{2}, "2"), 2)
}
