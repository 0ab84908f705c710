package timelines_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

func TestHomeCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "eve")
	follow(t, e, "bob", "ann", "cat")
	ids := deliver(t, e, "ann", model.HeadItems)
	more := deliver(t, e, "cat", 2)
	testenv.Must(t, e.Again(t, store.Options{}).Reactions.Like(t.Context(), "bob", ids[3]))
	page := func(from timelines.Cursor, limit, want int) func(context.Context) error {
		return func(ctx context.Context) error {
			items, _, _, err := e.Timelines.Home(ctx, "bob", "", from, limit)
			if len(items) != want {
				t.Errorf("%d items, want %d", len(items), want)
			}
			for _, item := range items {
				if item.Liked != (item.ID == ids[3]) || item.Tweet.ID != item.ID || item.SharedBy != "" {
					t.Errorf("item = %+v", item)
				}
			}
			return err
		}
	}
	const base = 2 // the graph, and the reactions of the month
	// Home enqueues a sweep. It reads the heads of both authors and of the reader.
	testenv.Must(t, storetest.Costs(t, "first page of the day, cold", base+3+20, 1, 0, page("", 20, 20)))
	testenv.Must(t, storetest.Costs(t, "home page, warm", base, 0, 0, page("", 20, 20)))
	from := timelines.Cursor(ids[7])
	testenv.Must(t, storetest.Costs(t, "page half cached", base+10, 0, 0, page(from, 20, 20)))
	testenv.Must(t, storetest.Costs(t, "last page", base+12, 0, 0, page(timelines.Cursor(ids[27]), 20, 12)))
	e.Clock.Add(forget) // the process now begins to hear of changes, and reads all once more
	testenv.Must(t, storetest.Costs(t, "after the TTL, the first time", base+3+20, 0, 0, page("", 20, 20)))
	e.Clock.Add(2 * forget)
	// A query for changes of heads, and one for changes of tweets.
	testenv.Must(t, storetest.Costs(t, "after the TTL", base+1+1, 0, 0, page("", 20, 20)))
	e.Clock.Add(2 * forget)
	newest := deliver(t, e, "ann", 1)[0]
	testenv.Must(t, storetest.Costs(t, "a post more", base+1+1+1, 0, 0, page("", 20, 20)))
	items, _, _, err := e.Timelines.Home(t.Context(), "bob", "", "", 3)
	testenv.Must(t, err)
	if len(items) != 3 || items[0].ID != newest || items[1].ID != more[0] {
		t.Errorf("the page begins with %v, want %s and %s", items, newest, more[0])
	}
	testenv.Must(t, storetest.Costs(t, "a reader who follows nobody", base+1, 0, 0, func(ctx context.Context) error {
		items, next, _, err := e.Timelines.Home(ctx, "eve", "", "", 20)
		if len(items) != 0 || next != "" {
			t.Errorf("the page has %v, %q", items, next)
		}
		return err
	}))
}

// A reader with the newest tweets requests newer ones, page by page. A page without newer tweets costs no read.
func TestHomeAfter(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.October, 30))
	follow(t, e, "bob", "ann")
	old := deliver(t, e, "ann", 3)
	e.Clock.Set(storetest.Date(time.November, 2))
	ids := deliver(t, e, "ann", model.HeadItems-1) // the head ends within October
	since := func(after model.TweetID, from timelines.Cursor, limit int) (got []model.TweetID, next timelines.Cursor) {
		t.Helper()
		items, next, _, err := e.Timelines.Home(t.Context(), "bob", after.Position(), from, limit)
		testenv.Must(t, err)
		for _, item := range items {
			got = append(got, item.ID)
		}
		return got, next
	}
	everything := append(slices.Clone(ids), old...)
	for _, test := range []struct {
		what  string
		after model.TweetID
		want  []model.TweetID
	}{
		{"the newest", ids[0], nil},
		{"the third", ids[2], ids[:2]},
		{"the last of the month", old[0], ids},
		{"one of the month before", old[2], everything[:len(everything)-1]},
		{"none", "", everything},
	} {
		for _, limit := range []int{1, 2, 7, 50} {
			var all []model.TweetID
			for from := timelines.Cursor(""); ; {
				got, next := since(test.after, from, limit)
				if all = append(all, got...); next == "" {
					break
				}
				from = next
			}
			if !slices.Equal(all, test.want) {
				t.Errorf("%s, by %d: the timeline has %v, want %v", test.what, limit, all, test.want)
			}
		}
	}
	if got, next := since(ids[4], "", 4); next != "" || len(got) != 4 {
		t.Errorf("a page that ends at after has %v, and a next one %q", got, next)
	}
	testenv.Must(t, storetest.Costs(t, "nothing new", 0, 0, 0, func(ctx context.Context) error {
		_, _, _, err := e.Timelines.Home(ctx, "bob", ids[0].Position(), "", 20)
		return err
	}))
}

// A reader likes more tweets than a month of reactions holds.
func TestHomeFullMonth(t *testing.T) {
	t.Parallel()
	const held, liked, n = 2, 5, 10
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour, ReactionsPerMonth: held})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	ids := deliver(t, e, "ann", n)
	for _, id := range ids[:liked] {
		testenv.Must(t, e.Reactions.Like(t.Context(), "bob", id))
	}
	_, _, _, err := e.Timelines.Home(t.Context(), "bob", "", "", n) // enqueues the sweep
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "home page, full month", 2+liked-held, 0, 0, func(ctx context.Context) error {
		items, _, _, err := e.Timelines.Home(ctx, "bob", "", "", n)
		if len(items) != n {
			t.Errorf("%d items, want %d", len(items), n)
		}
		for i, item := range items {
			if item.Liked != (i < liked) {
				t.Errorf("item %d is liked: %v", i, item.Liked)
			}
		}
		return err
	}))
}

// Home pages of any size have the tweets of the last 30 days, over the end of a month, also if many are deleted and no
// event has come.
func TestHomePages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	e.Clock.Set(storetest.Date(time.November, 28))
	follow(t, e, "bob", "ann", "cat")
	deliver(t, e, "ann", 3) // too old for the window below
	e.Clock.Set(storetest.Date(time.November, 30))
	november := deliver(t, e, "ann", 25)
	e.Clock.Set(storetest.Date(time.December, 1))
	december := deliver(t, e, "ann", 25)
	cats := deliver(t, e, "cat", 2)
	e.Clock.Set(storetest.Date(time.December, 29)) // the window begins on 29 November
	left := slices.Concat(cats, december, november)
	check := func(what string) {
		t.Helper()
		e.CoolDown()
		for _, limit := range []int{1, 3, 20, 21, 80} {
			if got := home(t, e, "bob", limit); !slices.Equal(got, left) {
				t.Errorf("%s, by %d: %v, want %v", what, limit, got, left)
			}
		}
	}
	check("all")
	deleted := append(slices.Clone(left[2:5]), left[15:23]...)
	for _, id := range append(deleted, november[:8]...) {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "", true, id))
		left = slices.DeleteFunc(left, func(other model.TweetID) bool { return other == id })
	}
	check("some deleted")
	for _, id := range december {
		if slices.Contains(left, id) {
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "", true, id))
			left = slices.DeleteFunc(left, func(other model.TweetID) bool { return other == id })
		}
	}
	check("a head of tweets that are gone")
}

func TestHomeWindowMoves(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.January, 30).Add(-time.Second))
	follow(t, e, "bob", "ann")
	var ids []model.TweetID
	for _, at := range []time.Time{storetest.Date(time.January, 30), storetest.Date(time.January, 31),
		storetest.Date(time.February, 14), storetest.Date(time.March, 1)} {
		e.Clock.Set(at)
		ids = slices.Concat(deliver(t, e, "ann", 1), ids)
	}
	for _, test := range []struct {
		what string
		now  time.Time
		want []model.TweetID
	}{
		{"1 March, three months", storetest.Date(time.March, 1), ids},
		{"a moment later", storetest.Date(time.March, 1).Add(1), ids[:3]},
		{"10 March", storetest.Date(time.March, 10), ids[:2]},
		{"1 May", storetest.Date(time.May, 1), []model.TweetID{}},
	} {
		e.Clock.Set(test.now.Add(-forget))
		wantHome(t, test.what, e, "bob", test.want)
	}
}

// A home timeline has the reader's own tweets between the tweets of others, with pages of any size. They include tweets
// for everybody and for followers, but neither tweets for the mentioned alone, nor hidden or gone tweets, nor the
// reader's shares.
func TestOwnTweets(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 4})
	e.CreateUsers(t, "ann", "bob", "eve")
	e.Clock.Set(storetest.Date(time.October, 31))
	follow(t, e, "bob", "ann")
	var want []model.TweetID
	mine := func(d model.Draft) {
		t.Helper()
		e.Clock.Add(time.Minute)
		tweet := e.Draft(t, "bob", d)
		testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
		if tweet.AudiencePartition() != model.NoAudiencePartition {
			want = slices.Insert(want, 0, tweet.ID)
		}
	}
	for _, date := range []time.Time{storetest.Date(time.October, 31), storetest.Date(time.November, 2)} {
		e.Clock.Set(date)
		for i := range 24 { // more than the head has
			mine(model.Draft{Content: "for everybody"})
			switch i {
			case 2, 3:
				mine(model.Draft{Content: "for followers", Visibility: model.Followers})
				mine(model.Draft{Content: "for nobody else", Visibility: model.Mentioned})
			case 5:
				share(t, e, "bob", deliver(t, e, "eve", 1)[0])
			case 7, 8:
				e.Clock.Add(time.Minute)
				want = slices.Concat(deliver(t, e, "ann", 1), want)
			}
		}
		overflow(t, e)
	}
	check := func(what string) {
		t.Helper()
		for _, limit := range []int{1, 7, 20} {
			if got := home(t, e, "bob", limit); !slices.Equal(got, want) {
				t.Errorf("%s, by pages of %d: %v, want %v", what, limit, got, want)
			}
		}
	}
	check("all")
	gone := want[1]
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, gone))
	want = slices.Delete(want, 1, 2)
	check("one is deleted")
	testenv.Must(t, e.Tweets.Flag(t.Context(), want[len(want)-1], true))
	want = want[:len(want)-1]
	check("one is flagged")
	items, _, _, err := e.Timelines.Home(t.Context(), "bob", want[4].Position(), "", 20)
	testenv.Must(t, err)
	if len(items) != 4 || items[3].ID != want[3] {
		t.Errorf("what came since is %v, want %v", items, want[:4])
	}
}
