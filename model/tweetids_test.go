package model_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/model"
)

func TestTweetIDsHoldTheirTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// 43 bits of milliseconds: until 2248.
		at := time.UnixMilli(rapid.Int64Range(0, 1<<43-1).Draw(t, "ms")).UTC()
		id := model.NewTweetIDs(func() time.Time { return at }).Next("alice")
		if parsed, err := model.ParseTweetID(string(id)); err != nil || parsed != id {
			t.Fatalf("ParseTweetID(%q) = %q, %v", id, parsed, err)
		}
		if got := id.Time(); !got.Equal(at) || got.Location() != time.UTC {
			t.Errorf("TweetID(%q).Time() = %v, want %v", id, got, at)
		}
		if got, want := id.Month(), model.MonthOf(at); got != want {
			t.Errorf("TweetID(%q).Month() = %v, want %v", id, got, want)
		}
	})
}

// The clock may stand still, jump and step back; ids of one generator grow all
// the same.
func TestTweetIDsGrow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
		ids := model.NewTweetIDs(func() time.Time { return now })
		steps := rapid.SliceOfN(rapid.Int64Range(-5_000, 5_000), 2, 200).Draw(t, "milliseconds")
		last := ids.Next("alice")
		for i, step := range steps {
			now = now.Add(time.Duration(step) * time.Millisecond)
			id := ids.Next(model.UserID(fmt.Sprint("author", i%3)))
			if id.Compare(last) <= 0 || last.Compare(id) >= 0 {
				t.Fatalf("step %d: %q comes after %q", i, id, last)
			}
			if id.Time().Before(now.Truncate(time.Millisecond)) {
				t.Fatalf("step %d: %q is of %v, before the clock's %v", i, id, id.Time(), now)
			}
			last = id
		}
	})
}

// More ids in one millisecond than the sequence has room for run into the next.
func TestTweetIDsOverflow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	ids := model.NewTweetIDs(func() time.Time { return now })
	last := ids.Next("alice")
	for i := range 3 * 4096 {
		id := ids.Next("alice")
		if id <= last { // one author's sort as strings
			t.Fatalf("id %d: %q comes after %q", i, id, last)
		}
		last = id
	}
	if got, want := last.Time(), now.Add(3*time.Millisecond); !got.Equal(want) {
		t.Errorf("after 3 × 4,096 more ids, Time() = %v, want %v", got, want)
	}
}

func TestTweetIDsConcurrently(t *testing.T) {
	t.Parallel()
	ids := model.NewTweetIDs(time.Now)
	const goroutines, each = 16, 2_000
	made := make([][]model.TweetID, goroutines)
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() {
			for range each {
				made[i] = append(made[i], ids.Next("alice"))
			}
		})
	}
	wg.Wait()
	for i, list := range made {
		if !slices.IsSorted(list) {
			t.Errorf("goroutine %d got ids that do not grow", i)
		}
	}
	all := slices.Concat(made...)
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != goroutines*each {
		t.Errorf("%d different ids, want %d", n, goroutines*each)
	}
}

func TestTweetIDsPropagate(t *testing.T) {
	t.Parallel()
	ids := model.NewTweetIDs(time.Now)
	ranges, shards, changes := map[model.TweetID]int{}, map[int]int{}, map[int]int{}
	for i := range 10_000 {
		author := model.UserID(fmt.Sprint("author-", i))
		id := ids.Next(author)
		if again := ids.Next(author); again[:2] != id[:2] {
			t.Fatalf("tweets %q and %q of one author begin differently", id, again)
		}
		ranges[id[:2]]++
		shards[id.PublicShard()]++
		changes[id.ChangeShard()]++
	}
	if len(ranges) != 256 {
		t.Errorf("tweets of 10,000 authors begin in %d ways, want 256", len(ranges))
	}
	for n := range model.PublicShards {
		if got := shards[n]; got < 2_200 || got > 2_800 { // 2,500 ± 7 standard deviations
			t.Errorf("shard %d has %d of 10,000 tweets", n, got)
		}
	}
	for n := range model.ChangeShards {
		if got := changes[n]; got < 455 || got > 795 { // 625 ± 7 standard deviations
			t.Errorf("shard %d of the changes has %d of 10,000 tweets", n, got)
		}
	}
	if len(shards) != model.PublicShards {
		t.Errorf("%d shards, want %d", len(shards), model.PublicShards)
	}
}

func TestTweetIDCompare(t *testing.T) {
	t.Parallel()
	older, newer, twin := model.TweetID("ff019a5b6c7d8e9f01"), model.TweetID("00019a5b6c7d8e9f02"),
		model.TweetID("fe019a5b6c7d8e9f01")
	tests := []struct {
		a, b model.TweetID
		want int
	}{
		{older, newer, -1}, {newer, older, 1}, {older, older, 0}, {older, twin, 1}, {twin, older, -1},
	}
	for _, test := range tests {
		if got := test.a.Compare(test.b); got != test.want {
			t.Errorf("%q.Compare(%q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestTweetIDTimePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Time of something that is no tweet id did not panic")
		}
	}()
	model.TweetID("00not a snowflake").Time()
}
