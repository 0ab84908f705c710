package readcache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
)

// A second call within the TTL reads nothing. The process that changes a value forgets
// the value.
func ExampleCache() {
	names := map[string]string{"ann": "Ann", "bob": "Bob"}
	load := func(_ context.Context, uids []string) (map[string]string, error) {
		fmt.Println("load", uids)
		found := map[string]string{}
		for _, uid := range uids {
			if name, ok := names[uid]; ok {
				found[uid] = name
			}
		}
		return found, nil
	}
	ctx := context.Background()
	c := readcache.New(time.Now, time.Minute, 100, load)

	all, err := c.All(ctx, []string{"ann", "bob"})
	fmt.Println(all, err)
	name, ok, err := c.One(ctx, "ann")
	fmt.Println(name, ok, err)

	names["ann"] = "Annie"
	c.Forget("ann")
	name, ok, err = c.One(ctx, "ann")
	fmt.Println(name, ok, err)

	// Output:
	// load [ann bob]
	// map[ann:Ann bob:Bob] <nil>
	// Ann true <nil>
	// load [ann]
	// Annie true <nil>
}

// A page of unchanged values costs one question, and a changed value comes with the
// answer. The first page is read twice, because a process begins to listen when a value
// grows old that it has shown before.
func ExampleFresh() {
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	type tweet struct {
		likes   int
		changed time.Time
	}
	tweets := map[string]tweet{"a": {1, now}, "b": {2, now}}
	load := func(_ context.Context, ids []string) (map[string]int, error) {
		fmt.Println("load", ids)
		found := map[string]int{}
		for _, id := range ids {
			if t, ok := tweets[id]; ok {
				found[id] = t.likes
			}
		}
		return found, nil
	}
	changed := func(_ context.Context, since time.Time) (map[string]int, error) {
		found := map[string]int{}
		for id, t := range tweets {
			if t.changed.After(since) {
				found[id] = t.likes
			}
		}
		fmt.Println("changed", found)
		return found, nil
	}
	removed := func(context.Context, time.Time) ([]string, error) { return nil, nil }

	clock := func() time.Time { return now }
	f := readcache.NewFresh(
		readcache.New(clock, 2*time.Second, 100, load),
		readcache.Source[string, int]{Changed: changed, Removed: removed},
	)
	show := func() {
		page, err := f.Get(context.Background(), []string{"a", "b"})
		fmt.Println(page, err)
		now = now.Add(time.Minute)
	}
	show()
	show()
	show()
	tweets["b"] = tweet{3, now}
	show()

	// Output:
	// load [a b]
	// map[a:1 b:2] <nil>
	// load [a b]
	// map[a:1 b:2] <nil>
	// changed map[]
	// map[a:1 b:2] <nil>
	// changed map[b:3]
	// map[a:1 b:3] <nil>
}
