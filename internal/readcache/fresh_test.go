package readcache

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// record is a database of numbers. It notes in reads what the cache asks for.
type record struct {
	now     time.Time
	changed map[int]time.Time
	removed map[int]time.Time
	reads   []string
}

func (r *record) load(_ context.Context, keys []int) (map[int]string, error) {
	all := map[int]string{}
	for _, k := range keys {
		r.reads = append(r.reads, fmt.Sprint(k))
		if _, gone := r.removed[k]; !gone {
			all[k] = r.changed[k].String()
		}
	}
	return all, nil
}

func (r *record) source() Source[int, string] {
	return Source[int, string]{
		Changed: func(_ context.Context, since time.Time) (map[int]string, error) {
			r.reads = append(r.reads, "changed")
			all := map[int]string{}
			for k, at := range r.changed {
				if at.After(since) && len(all) < Limit {
					all[k] = at.String()
				}
			}
			return all, nil
		},
		Removed: func(_ context.Context, since time.Time) (keys []int, _ error) {
			r.reads = append(r.reads, "removed")
			for k, at := range r.removed {
				if at.After(since) {
					keys = append(keys, k)
				}
			}
			return keys, nil
		},
	}
}

func TestFresh(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	r := &record{changed: map[int]time.Time{}, removed: map[int]time.Time{}}
	f := NewFresh(New(func() time.Time { return r.now }, 2*time.Second, 100, r.load), r.source())
	steps := []struct {
		at    time.Duration
		get   []int
		reads []string
	}{
		{0, []int{1, 2, 3}, []string{"1", "2", "3"}},
		{time.Second, []int{1, 2, 3, 4}, []string{"4"}},                     // 1, 2 and 3 were just read
		{time.Minute, []int{1, 2, 3}, []string{"1", "2", "3"}},              // only now the cache begins to ask
		{2 * time.Minute, []int{1, 2, 3}, []string{"changed"}},              // nothing changed
		{2*time.Minute + time.Second, []int{1, 2, 3}, nil},                  // the process asked a moment ago
		{3 * time.Minute, []int{1, 5}, []string{"5", "changed"}},            // 1 and 2 changed, 5 is new
		{4 * time.Minute, []int{1, 2, 3, 5}, []string{"changed"}},           // the last answer held 2
		{7 * time.Minute, []int{1, 3}, []string{"3", "changed", "removed"}}, // 3 was removed
		{20 * time.Minute, []int{1, 2}, []string{"1", "2"}},                 // the process did not ask for longer than Memory
		{21 * time.Minute, []int{1, 2}, []string{"changed"}},
		{22 * time.Minute, []int{1, 2}, []string{"1", "2", "changed"}}, // too many changes
		{22*time.Minute + 30*time.Second, []int{1}, []string{"1"}},     // so the process does not listen
	}
	for _, step := range steps {
		r.now, r.reads = start.Add(step.at), nil
		switch step.at {
		case 3 * time.Minute:
			r.changed[1], r.changed[2] = start.Add(150*time.Second), start.Add(151*time.Second)
		case 7 * time.Minute:
			r.removed[3] = start.Add(6 * time.Minute)
		case 22 * time.Minute:
			for k := range Limit {
				r.changed[1000+k] = r.now.Add(-time.Second)
			}
		}
		values, err := f.Get(t.Context(), step.get)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(r.reads)
		if !slices.Equal(r.reads, step.reads) {
			t.Errorf("at %v, %v reads %q, want %q", step.at, step.get, r.reads, step.reads)
		}
		for _, k := range step.get {
			value, ok := values[k]
			if _, gone := r.removed[k]; ok == gone || ok && value != r.changed[k].String() {
				t.Errorf("at %v, %d is %q, %v, want what it is now", step.at, k, value, ok)
			}
		}
	}
}
