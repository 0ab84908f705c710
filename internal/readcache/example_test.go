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
	c := readcache.New(time.Now, time.Minute, 1<<20, readcache.Size, load)

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
		likes         int
		changed, read time.Time
	}
	tweets := map[string]tweet{"a": {1, now, now}, "b": {2, now, now}}
	load := func(_ context.Context, ids []string) (map[string]tweet, error) {
		fmt.Println("load", ids)
		found := map[string]tweet{}
		for _, id := range ids {
			if t, ok := tweets[id]; ok {
				found[id] = tweet{t.likes, t.changed, now}
			}
		}
		return found, nil
	}
	clock := func() time.Time { return now } // of the process, and of the database
	source := readcache.Source[string, tweet]{
		Now:     clock,
		Version: func(t tweet) readcache.Version { return readcache.Version{Updated: t.changed, Read: t.read} },
		Changed: func(_ context.Context, since time.Time) (map[string]tweet, error) {
			found := map[string]tweet{}
			for id, t := range tweets {
				if t.changed.After(since) {
					fmt.Println("changed", id)
					found[id] = tweet{t.likes, t.changed, now}
				}
			}
			return found, nil
		},
		Removed:  func(context.Context, time.Time) ([]string, error) { return nil, nil },
		Outdated: func(context.Context, time.Time) (func(tweet) bool, bool, error) { return nil, false, nil },
	}
	f := readcache.NewFresh(readcache.New(clock, 2*time.Second, 1<<20, readcache.Size, load), source)
	f.Patience = time.Minute
	show := func() {
		page, err := f.Get(context.Background(), []string{"a", "b"})
		fmt.Println(page["a"].likes, page["b"].likes, err)
		now = now.Add(time.Minute)
	}
	show()
	show()
	show()
	tweets["b"] = tweet{3, now, now}
	show()

	// Output:
	// load [a b]
	// 1 2 <nil>
	// load [a b]
	// 1 2 <nil>
	// 1 2 <nil>
	// changed b
	// 1 3 <nil>
}
