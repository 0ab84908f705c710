package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// home reads all of a home timeline by pages of limit.
func home(t *testing.T, s *store.Store, uid model.UserID, limit int) []model.TweetID {
	t.Helper()
	ids := []model.TweetID{}
	for before := model.TweetID(""); ; {
		items, next, err := s.Home(t.Context(), uid, before, limit)
		must(t, err)
		if len(items) > limit || next != "" && (len(items) != limit || items[limit-1].ID != next) {
			t.Errorf("a page of %d tweets, want %d; next is %q", len(items), limit, next)
		}
		for _, item := range items {
			ids = append(ids, item.ID)
		}
		if before = next; next == "" {
			return ids
		}
		if len(ids) > 10_000 {
			t.Fatal("the timeline has no end")
		}
	}
}

func wantHome(t *testing.T, what string, s *store.Store, uid model.UserID, want []model.TweetID) {
	t.Helper()
	if got := home(t, s, uid, 20); !slices.Equal(got, want) {
		t.Errorf("%s: the timeline has %v, want %v", what, got, want)
	}
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "reader_0", "reader_99", "reader_100", "reader_249")
	id := e.tweet(t, "ann", "x").ID
	const n = 250 // three slices
	followers := make([]model.UserID, n)
	for i := range followers {
		followers[i] = model.UserID(fmt.Sprint("reader_", i))
	}
	deliver := func(ctx context.Context) error { return e.Deliver(ctx, id, "ann", 0, followers) }
	must(t, costs(t, "Deliver", 0, n, 0, deliver))
	must(t, costs(t, "Deliver again", 0, n, 0, deliver))
	if got := len(e.ids(t, model.Timelines)); got != n {
		t.Errorf("%d timelines, want %d", got, n)
	}
	for _, reader := range []model.UserID{"reader_0", "reader_99", "reader_100", "reader_249"} {
		want := map[string]any{
			"userId": string(reader), "month": "2026-11", "expireAt": time.Date(2026, time.December, 31, 0, 0, 0, 0, time.UTC),
			"entries": map[string]any{string(id): map[string]any{"authorId": "ann", "at": e.clock.now()}}, "size": int64(2),
		}
		if diff := cmp.Diff(want, e.doc(t, "timelines/"+model.MonthKey(reader, "2026-11"))); diff != "" {
			t.Errorf("timeline of %s (-want +got):\n%s", reader, diff)
		}
		wantHome(t, "delivered", e.Store, reader, []model.TweetID{id})
	}
	must(t, costs(t, "Withdraw", 0, n-1, 0, func(ctx context.Context) error { return e.Withdraw(ctx, id, "ann", 0, followers[1:]) }))
	must(t, e.Withdraw(t.Context(), id, "ann", 0, followers[1:]))
	wantHome(t, "withdrawn", e.Store, "reader_249", []model.TweetID{})
	wantHome(t, "not withdrawn", e.Store, "reader_0", []model.TweetID{id})
	must(t, costs(t, "Deliver to nobody", 0, 0, 0, func(ctx context.Context) error { return e.Deliver(ctx, id, "ann", 0, nil) }))
}

func TestHomeCosts(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{CacheTTL: time.Hour})
	e.users(t, "ann", "bob")
	ids := e.tweets(t, "ann", 40)
	for _, id := range ids {
		must(t, e.Deliver(t.Context(), id, "ann", 0, []model.UserID{"bob"}))
	}
	must(t, e.again(t, store.Options{}).Like(t.Context(), "bob", ids[3]))
	page := func(before model.TweetID, limit int) func(context.Context) error {
		return func(ctx context.Context) error {
			items, _, err := e.Home(ctx, "bob", before, limit)
			for _, item := range items {
				if item.Liked != (item.ID == ids[3]) || item.Tweet.ID != item.ID || item.Tweet.AuthorID != "ann" {
					t.Errorf("item = %+v", item)
				}
			}
			return err
		}
	}
	must(t, costs(t, "first page of the day", 22, 3, 0, page("", 20))) // notes that bob looked, and asks for a sweep
	e.clock.add(2 * time.Hour)
	must(t, costs(t, "home page, cold", 22, 0, 0, page("", 20)))
	must(t, costs(t, "home page, warm", 2, 0, 0, page("", 20)))
	must(t, costs(t, "page half cached", 2+10, 0, 0, page(ids[9], 20)))
	must(t, costs(t, "last page, looking into the month before", 4+10, 0, 0, page(ids[19], 30)))
	must(t, costs(t, "empty timeline", 4, 2, 0, func(ctx context.Context) error {
		items, next, err := e.Home(ctx, "ann", "", 20)
		if len(items) != 0 || next != "" {
			t.Errorf("the timeline of one who follows nobody = %v, %q", items, next)
		}
		return err
	}))
}

func TestHomePages(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob", "cat")
	e.clock.set(date(time.November, 28))
	tooOld := e.tweets(t, "ann", 3)
	e.clock.set(date(time.November, 30))
	november := e.tweets(t, "ann", 10)
	e.clock.set(date(time.December, 1))
	december := e.tweets(t, "ann", 10)
	cats := e.tweets(t, "cat", 2)
	e.clock.set(date(time.December, 29)) // the window begins on 29 November
	for _, id := range slices.Concat(tooOld, november, december, cats) {
		must(t, e.Deliver(t.Context(), id, "ann", 0, []model.UserID{"bob"}))
	}
	check := func(what string, want []model.TweetID) {
		t.Helper()
		e.coolDown()
		for _, limit := range []int{1, 3, 7, 10, 12, 20, 22, 50} {
			if got := home(t, e.Store, "bob", limit); !slices.Equal(got, want) {
				t.Errorf("%s, by %d: %v, want %v", what, limit, got, want)
			}
		}
	}
	all := slices.Concat(cats, december, november)
	check("all", all)

	// Tweets that were deleted a moment ago, on both sides of the month's border, do
	// not shorten a page.
	left := slices.Clone(all)
	for _, id := range []model.TweetID{all[2], all[3], all[4], all[10], all[11], all[12], all[13], all[21]} {
		must(t, e.DeleteTweet(t.Context(), "", true, id))
		left = slices.DeleteFunc(left, func(other model.TweetID) bool { return other == id })
	}
	check("some deleted", left)
	for _, id := range december {
		if slices.Contains(left, id) {
			must(t, e.DeleteTweet(t.Context(), "", true, id))
			left = slices.DeleteFunc(left, func(other model.TweetID) bool { return other == id })
		}
	}
	check("most of a month deleted", left)
}

func TestHomeWindowMoves(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	var ids []model.TweetID
	for _, at := range []time.Time{date(time.January, 30), date(time.January, 31), date(time.February, 14), date(time.March, 1)} {
		e.clock.set(at)
		ids = slices.Insert(ids, 0, e.tweet(t, "ann", "x").ID)
		must(t, e.Deliver(t.Context(), ids[0], "ann", 0, []model.UserID{"bob"}))
	}
	wantHome(t, "1 March, three months", e.Store, "bob", ids)
	e.clock.add(1)
	wantHome(t, "a moment later", e.Store, "bob", ids[:3])
	e.clock.set(date(time.March, 10))
	wantHome(t, "10 March", e.Store, "bob", ids[:2])
	e.clock.set(date(time.May, 1))
	wantHome(t, "1 May", e.Store, "bob", []model.TweetID{})
}

// Tweets that an author writes at once, and authors whom somebody follows at once, come into
// a timeline by a few writes.
func TestTimelineWritesAreJoined(t *testing.T) {
	t.Parallel()
	var w writes
	e := open(t, store.Options{RollUpEvery: time.Second, Meter: meter.Options{OnWrite: w.add}})
	e.users(t, "ann", "bob", "cat")
	must(t, e.Follow(t.Context(), "bob", "ann"))
	must(t, e.LinkTimeline(t.Context(), "bob", "ann"))
	timeline := func(uid model.UserID) string { return "timelines/" + model.MonthKey(uid, "2026-11") }
	w.check(t, map[string]int{timeline("bob"): 1})

	ids := e.tweets(t, "ann", 30)
	for _, err := range atOnce(len(ids), func(i int) error {
		return e.Deliver(t.Context(), ids[i], "ann", 0, []model.UserID{"bob", "cat"})
	}) {
		must(t, err)
	}
	w.check(t, map[string]int{timeline("bob"): 3, timeline("cat"): 3}) // one alone, and the others, who may come in two parts
	wantHome(t, "delivered together", e.Store, "bob", ids)
	for _, err := range atOnce(10, func(i int) error {
		return e.Withdraw(t.Context(), ids[i], "ann", 0, []model.UserID{"bob"})
	}) {
		must(t, err)
	}
	wantHome(t, "withdrawn together", e.Store, "bob", ids[10:])
	w.check(t, map[string]int{timeline("bob"): 2})

	var want []model.TweetID
	authors := make([]model.UserID, 30)
	for i := range authors {
		authors[i] = model.UserID(fmt.Sprint("author", i))
		e.users(t, authors[i])
		tweet := e.tweet(t, authors[i], "a spark")
		must(t, e.PutCard(t.Context(), tweet))
		must(t, e.Follow(t.Context(), "cat", authors[i]))
		want = append([]model.TweetID{tweet.ID}, want...)
	}
	clear(w.of)
	must(t, e.Unfollow(t.Context(), "cat", authors[29]))
	for _, err := range atOnce(len(authors), func(i int) error { return e.LinkTimeline(t.Context(), "cat", authors[i]) }) {
		must(t, err)
	}
	w.check(t, map[string]int{timeline("cat"): 4}) // one alone, the others, and who is left
	wantHome(t, "followed together", e.Store, "cat", append(want[1:], ids...))
}
