package readcache

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// texts loads texts of given lengths.
func texts(lengths map[int]int) func(context.Context, []int) (map[int]string, error) {
	return func(_ context.Context, keys []int) (map[int]string, error) {
		all := map[int]string{}
		for _, k := range keys {
			all[k] = strings.Repeat("x", lengths[k])
		}
		return all, nil
	}
}

// A cache stays within its budget, and a value that is too large drives out no other.
func TestBudget(t *testing.T) {
	t.Parallel()
	const budget, small = 100_000, 1_000
	lengths := map[int]int{-1: budget / 2}
	for k := range 1_000 {
		lengths[k] = small
	}
	c := New(time.Now, time.Hour, budget, Size, texts(lengths))
	for k := range 1_000 {
		if k%2 == 0 {
			c.Put(k, strings.Repeat("x", small))
		} else if _, _, err := c.One(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		if c.weight > budget {
			t.Fatalf("the cache holds %d bytes after %d values, its budget is %d", c.weight, k+1, budget)
		}
	}
	kept := c.entries.Len()
	if want := budget / (small + overhead + 16); kept < want-1 || kept > want {
		t.Errorf("the cache holds %d values, want %d", kept, want)
	}
	if v, ok, err := c.One(t.Context(), -1); err != nil || !ok || len(v) != budget/2 {
		t.Errorf("the large value has %d bytes, %v, %v", len(v), ok, err)
	}
	c.Put(-1, strings.Repeat("x", budget/2))
	if _, ok := c.Peek(-1); ok || c.entries.Len() < kept-1 {
		t.Errorf("the large value is kept: %v, and %d of %d others", ok, c.entries.Len(), kept)
	}

	// A value that grew is not kept, and its former version neither.
	c.Put(999, strings.Repeat("x", budget/2))
	if _, ok := c.Peek(999); ok {
		t.Error("the former version of a value that grew is kept")
	}
	for _, k := range c.entries.Keys() {
		c.Forget(k)
	}
	if c.weight != 0 {
		t.Errorf("an empty cache weighs %d bytes", c.weight)
	}
}

// A cache that is busy stays within its budget too, and its weight is that of its entries.
func TestBudgetAtOnce(t *testing.T) {
	t.Parallel()
	const budget = 20_000
	lengths := map[int]int{}
	for k := range 200 {
		lengths[k] = 20 * k
	}
	c := New(time.Now, time.Microsecond, budget, Size, texts(lengths))
	c.Stale = time.Millisecond
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 2_000 {
				k := (i*7 + n*31) % 200
				switch i % 5 {
				case 0:
					c.Put(k, strings.Repeat("y", lengths[k]))
				case 1:
					c.Forget(k)
				default:
					if _, err := c.All(context.Background(), []int{k, (k + 1) % 200}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	weight := 0
	for _, e := range c.entries.Values() {
		weight += e.weight
	}
	if weight != c.weight || weight > budget {
		t.Errorf("the entries weigh %d bytes and the cache says %d, its budget is %d", weight, c.weight, budget)
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	type pair struct {
		Name string
		More *pair
		At   time.Time
	}
	const own = 48 // a string, a pointer and a time
	tests := []struct {
		name string
		got  int
		want int
	}{
		{"nothing", Size(pair{}), own},
		{"text", Size(pair{Name: "spark"}), own + 5},
		{"time", Size(pair{At: time.Now()}), own},
		{"pointer", Size(&pair{Name: "spark", More: &pair{Name: "fire"}}), 8 + 2*own + 9},
		{"slice", Size(make([]string, 3, 4)), 24 + 4*16},
		{"texts", Size([]string{"spark"}), 24 + 16 + 5},
		{"interface", Size([]any{"spark", nil}), 24 + 2*16 + 16 + 5},
		{"no map", Size(map[string]int(nil)), 8},
		{"empty map", Size(map[string]int{}), 8 + 48},
		{"small map", Size(map[string]int{"spark": 1}), 8 + 48 + 8*(1+16+8) + 5},
		{"map", Size(map[int8]int8{1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1}), 8 + 48 + 16*3},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: Size = %d, want %d", test.name, test.got, test.want)
		}
	}
}

// slowly is a database of one number, which counts up. Reading it takes until the test says
// so.
type slowly struct {
	mu    sync.Mutex
	now   time.Time
	loads int
	gate  chan error // a load in the background waits for the gate
}

func (s *slowly) load(ctx context.Context, keys []int) (map[int]int, error) {
	s.mu.Lock()
	s.loads++
	n := s.loads
	s.mu.Unlock()
	if InBackground(ctx) {
		if err := <-s.gate; err != nil {
			return nil, err
		}
	}
	return map[int]int{keys[0]: n}, nil
}

func (s *slowly) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *slowly) pass(d time.Duration) {
	s.mu.Lock()
	s.now = s.now.Add(d)
	s.mu.Unlock()
}

func (s *slowly) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads
}

// Nobody waits while a value is refreshed, and one refresh runs at a time. A refresh that
// fails, or is lost because its process was frozen, does not keep the next from beginning.
func TestStale(t *testing.T) {
	t.Parallel()
	s := &slowly{now: time.Now(), gate: make(chan error)}
	c := New(s.clock, time.Second, 1<<20, Size, s.load)
	c.Stale = 10 * time.Second
	get := func(want int) {
		t.Helper()
		begun := time.Now()
		got, ok, err := c.One(t.Context(), 1)
		if err != nil || !ok || got != want {
			t.Errorf("the value is %d, %v, %v, want %d", got, ok, err, want)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("a caller waited for %v", took)
		}
	}
	loads := func(want int) {
		t.Helper()
		wait(t, fmt.Sprint(want, " loads"), func() bool { return s.count() >= want })
		if got := s.count(); got != want {
			t.Errorf("%d loads, want %d", got, want)
		}
	}
	peeked := func(want int) {
		t.Helper()
		wait(t, fmt.Sprint("the value ", want), func() bool { got, _ := c.Peek(1); return got == want })
	}

	get(1)
	s.pass(1500 * time.Millisecond)
	for range 100 {
		get(1)
	}
	loads(2)
	s.gate <- nil
	peeked(2)
	get(2)

	// A refresh fails. The next begins after a TTL.
	s.pass(1500 * time.Millisecond)
	get(2)
	loads(3)
	s.gate <- errors.New("down")
	wait(t, "the failure", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		e, _ := c.entries.Peek(1)
		return e.refused
	})
	get(2)
	loads(3)
	s.pass(time.Second)
	get(2)
	loads(4)

	// This refresh is lost. The next begins a little later.
	s.pass(4 * time.Second)
	get(2)
	loads(4)
	s.pass(time.Second)
	get(2)
	loads(5)
	s.gate <- nil // one of the two ends, and it does not matter which
	wait(t, "a refreshed value", func() bool { got, _ := c.Peek(1); return got == 4 || got == 5 })
	s.gate <- nil

	// What is too old is waited for.
	s.pass(time.Hour)
	get(6)
}

// wait waits until something is so.
func wait(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not come", what)
		}
	}
}

// BenchmarkStale measures callers of a value that takes 100 ms to read, while it is read
// anew again and again. A caller who waits for a reading takes as long. Without Stale one
// would for each reading.
func BenchmarkStale(b *testing.B) {
	var readings atomic.Int64
	c := New(time.Now, 50*time.Millisecond, 1<<20, Size, func(_ context.Context, keys []int) (map[int]int, error) {
		readings.Add(1)
		time.Sleep(100 * time.Millisecond)
		return map[int]int{keys[0]: 1}, nil
	})
	c.Stale = time.Minute
	if _, _, err := c.One(b.Context(), 1); err != nil {
		b.Fatal(err)
	}
	waited := 0
	for b.Loop() {
		begun := time.Now()
		if _, _, err := c.One(b.Context(), 1); err != nil {
			b.Fatal(err)
		}
		if time.Since(begun) > 90*time.Millisecond {
			waited++
		}
	}
	b.ReportMetric(float64(waited)/float64(readings.Load()), "waited/reading")
}

// A load that panics fails for its callers, and holds up nobody who comes later.
func TestPanickingLoad(t *testing.T) {
	t.Parallel()
	mistaken := true
	c := New(time.Now, time.Hour, 1000, Size, func(context.Context, []int) (map[int]string, error) {
		if mistaken {
			panic("a programmer's mistake")
		}
		return map[int]string{1: "value"}, nil
	})
	if _, _, err := c.One(t.Context(), 1); err == nil {
		t.Error("the panic is no error")
	}
	mistaken = false
	if v, ok, err := c.One(t.Context(), 1); err != nil || !ok || v != "value" {
		t.Errorf("the next caller gets %q, %v, %v", v, ok, err)
	}
}

// What is forgotten while it is refreshed stays so: the refresh may have read it before it changed.
func TestForgottenWhileRefreshed(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} { // whether another caller has read it meanwhile
		s := &slowly{now: time.Now(), gate: make(chan error)}
		c := New(s.clock, time.Second, 1<<20, Size, s.load)
		c.Stale = 10 * time.Second
		get := func(want int) {
			t.Helper()
			if got, ok, err := c.One(t.Context(), 1); err != nil || !ok || got != want {
				t.Errorf("the value is %d, %v, %v, want %d", got, ok, err, want)
			}
		}
		get(1)
		s.pass(2 * time.Second)
		get(1)
		wait(t, "the refresh", func() bool { return s.count() == 2 })
		c.Forget(1)
		if again {
			get(3)
		}
		s.gate <- nil
		for range 50 { // nothing signals the end of the refresh
			if got, ok := c.Peek(1); ok != again || ok && got != 3 {
				t.Fatalf("read again %v: the cache has %d, %v", again, got, ok)
			}
			time.Sleep(time.Millisecond)
		}
		get(3)
	}
}
