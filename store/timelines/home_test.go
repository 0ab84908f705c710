package timelines_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// home reads all of a home timeline by pages of limit.
func home(t *testing.T, s *store.Store, uid model.UserID, limit int) []model.TweetID {
	t.Helper()
	ids := []model.TweetID{}
	for before := timelines.Cursor(""); ; {
		items, next, err := s.Timelines.Home(t.Context(), uid, "", before, limit)
		testenv.Must(t, err)
		// a page that skips many tweets that are gone is shorter
		if len(items) > limit || next != "" && len(items) == limit && !strings.HasPrefix(string(next),
			string(items[limit-1].ID)) {
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

func TestHomeCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	ids := fanOut(t, e, "ann", 40)
	testenv.Must(t, e.Again(t, store.Options{}).Reactions.Like(t.Context(), "bob", ids[3]))
	page := func(before timelines.Cursor, limit int) func(context.Context) error {
		return func(ctx context.Context) error {
			items, _, err := e.Timelines.Home(ctx, "bob", "", before, limit)
			for _, item := range items {
				if item.Liked != (item.ID == ids[3]) || item.Tweet.ID != item.ID || item.Tweet.AuthorID != "ann" {
					t.Errorf("item = %+v", item)
				}
			}
			return err
		}
	}
	// Home records bob's visit, and enqueues a sweep
	testenv.Must(t, storetest.Costs(t, "first page of the day", 23, 3, 0, page("", 20)))
	e.Clock.Add(2 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "home page, cold", 23, 0, 0, page("", 20)))
	testenv.Must(t, storetest.Costs(t, "home page, warm", 3, 0, 0, page("", 20)))
	testenv.Must(t, storetest.Costs(t, "page half cached", 3+10, 0, 0, page(timelines.Cursor(ids[9]), 20)))
	testenv.Must(t, storetest.Costs(t, "last page, looking into the month before", 6+10, 0, 0,
		page(timelines.Cursor(ids[19]), 30)))
	e.CreateUsers(t, "cat")
	testenv.Must(t, storetest.Costs(t, "empty timeline, first look of the hour", 7, 2, 0, func(ctx context.Context) error {
		items, next, err := e.Timelines.Home(ctx, "cat", "", "", 20)
		if len(items) != 0 || next != "" {
			t.Errorf("the timeline of one who follows nobody = %v, %q", items, next)
		}
		return err
	}))
}

// A reader with the newest tweets requests newer ones, page by page. A page without newer tweets costs three reads. A
// dormant reader gets the same list as an active reader.
func TestHomeAfter(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.October, 30))
	follow(t, e.Store, "bob", "ann")
	old := fanOut(t, e, "ann", 3)
	e.Clock.Set(storetest.Date(time.November, 2))
	ids := fanOut(t, e, "ann", 7)
	since := func(after model.TweetID, before timelines.Cursor, limit int) (got []model.TweetID, next timelines.Cursor) {
		t.Helper()
		items, next, err := e.Timelines.Home(t.Context(), "bob", after.Position(), before, limit)
		testenv.Must(t, err)
		for _, item := range items {
			if got = append(got, item.ID); item.Position != item.ID.Position() {
				t.Errorf("tweet %s stands at %s", item.ID, item.Position)
			}
		}
		return got, next
	}
	want := func(what string, after model.TweetID, limit int, want []model.TweetID) {
		t.Helper()
		var all []model.TweetID
		for before := timelines.Cursor(""); ; {
			got, next := since(after, before, limit)
			all = append(all, got...)
			if before = next; next == "" {
				break
			}
		}
		if !slices.Equal(all, want) {
			t.Errorf("%s: the timeline has %v, want %v", what, all, want)
		}
	}
	everything := append(slices.Clone(ids), old...)
	for _, dormant := range []bool{false, true} {
		if dormant {
			_, err := e.Raw.Doc("homes/bob").Delete(t.Context())
			testenv.Must(t, err)
			e.Clock.Add(25 * time.Hour) // the next visit is recorded, and finds bob dormant
		}
		for _, limit := range []int{1, 2, 4, 20} {
			want("the newest", ids[0], limit, nil)
			want("the third", ids[2], limit, ids[:2])
			want("the last of the month before", old[0], limit, ids)
			want("one of the month before", old[2], limit, everything[:9])
			want("none", "", limit, everything)
		}
		if got, next := since(ids[4], "", 4); next != "" || len(got) != 4 {
			t.Errorf("a page that ends at after has %v, and a next one %q", got, next)
		}
		if !dormant {
			testenv.Must(t, storetest.Costs(t, "nothing new", 3, 0, 0, func(ctx context.Context) error {
				_, _, err := e.Timelines.Home(ctx, "bob", ids[0].Position(), "", 20)
				return err
			}))
		}
	}
}

// A reader likes more tweets than a month of reactions holds.
func TestHomeFullMonth(t *testing.T) {
	t.Parallel()
	const held, liked, n = 2, 5, 10
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour, ReactionsPerMonth: held})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	ids := fanOut(t, e, "ann", n)
	for _, id := range ids[:liked] {
		testenv.Must(t, e.Reactions.Like(t.Context(), "bob", id))
	}
	home(t, e.Store, "bob", n) // once a day Home writes
	testenv.Must(t, storetest.Costs(t, "home page, full month", 3+liked-held, 0, 0, func(ctx context.Context) error {
		items, _, err := e.Timelines.Home(ctx, "bob", "", "", n)
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

func TestHomePages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	e.Clock.Set(storetest.Date(time.November, 28))
	follow(t, e.Store, "bob", "ann")
	follow(t, e.Store, "bob", "cat")
	fanOut(t, e, "ann", 3) // too old for the window below
	e.Clock.Set(storetest.Date(time.November, 30))
	november := fanOut(t, e, "ann", 10)
	e.Clock.Set(storetest.Date(time.December, 1))
	december := fanOut(t, e, "ann", 10)
	cats := fanOut(t, e, "cat", 2)
	e.Clock.Set(storetest.Date(time.December, 29)) // the window begins on 29 November
	check := func(what string, want []model.TweetID) {
		t.Helper()
		e.CoolDown()
		for _, limit := range []int{1, 3, 7, 10, 12, 20, 22, 50} {
			if got := home(t, e.Store, "bob", limit); !slices.Equal(got, want) {
				t.Errorf("%s, by %d: %v, want %v", what, limit, got, want)
			}
		}
	}
	all := slices.Concat(cats, december, november)
	check("all", all)

	// Tweets deleted a moment ago, on both sides of the month's border, do not shorten a page.
	left := slices.Clone(all)
	for _, id := range []model.TweetID{all[2], all[3], all[4], all[10], all[11], all[12], all[13], all[21]} {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "", true, id))
		left = slices.DeleteFunc(left, func(other model.TweetID) bool { return other == id })
	}
	check("some deleted", left)
	for _, id := range december {
		if slices.Contains(left, id) {
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "", true, id))
			left = slices.DeleteFunc(left, func(other model.TweetID) bool { return other == id })
		}
	}
	check("most of a month deleted", left)
}

func TestHomeWindowMoves(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.January, 30))
	follow(t, e.Store, "bob", "ann")
	var ids []model.TweetID
	for _, at := range []time.Time{storetest.Date(time.January, 30), storetest.Date(time.January, 31),
		storetest.Date(time.February, 14), storetest.Date(time.March, 1)} {
		e.Clock.Set(at)
		ids = slices.Concat(fanOut(t, e, "ann", 1), ids)
	}
	wantHome(t, "1 March, three months", e.Store, "bob", ids)
	e.Clock.Add(1)
	wantHome(t, "a moment later", e.Store, "bob", ids[:3])
	e.Clock.Set(storetest.Date(time.March, 10))
	wantHome(t, "10 March", e.Store, "bob", ids[:2])
	e.Clock.Set(storetest.Date(time.May, 1))
	wantHome(t, "1 May", e.Store, "bob", []model.TweetID{})
}

// A follower who unfollows or is blocked sees no more tweets for followers, even before any event. A page with such
// tweets costs a read for each of their authors.
func TestHomeAfterUnfollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	public := fanOut(t, e, "ann", 1)[0]
	var ids []model.TweetID
	for range 2 {
		tweet := e.Draft(t, "ann", model.Draft{Content: "for followers", Visibility: model.Followers})
		testenv.Must(t, storetest.Costs(t, "FanOut", 3, 4, 0, func(ctx context.Context) error {
			return e.Timelines.FanOut(ctx,
				tweet)
		}))
		ids = append([]model.TweetID{tweet.ID}, ids...)
	}
	wantHome(t, "follows", e.Store, "bob", append(ids, public))
	testenv.Must(t, storetest.Costs(t, "home page that looks into the month before, warm", 6+1, 0, 0,
		func(ctx context.Context) error {
			_, _, err := e.Timelines.Home(ctx, "bob", "", "", 20)
			return err
		}))
	secret := e.Draft(t, "ann", model.Draft{Content: "for nobody", Visibility: model.Mentioned})
	testenv.Must(t, storetest.Costs(t, "FanOut, for the mentioned", 0, 0, 0, func(ctx context.Context) error {
		return e.Timelines.FanOut(ctx, secret)
	}))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	wantHome(t, "blocked", e.Store, "bob", []model.TweetID{public}) // no event has come yet
	e.CoolDown()
	dormant, _, err := e.Again(t, store.Options{}).Timelines.Home(t.Context(), "bob", "", "", 20)
	testenv.Must(t, err)
	if len(dormant) != 1 {
		t.Errorf("another process shows %d tweets", len(dormant))
	}
}

// A reader who was away gets tweets for followers like other readers.
func TestDormantFollowerReadsForFollowers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e.Store, "bob", "ann")
	var want []model.TweetID
	for i := range 2*model.RecentTweets + 3 {
		draft := model.Draft{Content: "x"}
		if i%3 == 0 {
			draft.Visibility = model.Followers
		}
		tweet := e.Draft(t, "ann", draft)
		testenv.Must(t, e.Timelines.FanOut(t.Context(), tweet))
		want = slices.Insert(want, 0, tweet.ID)
	}
	_, err := e.Raw.Doc("homes/bob").Delete(t.Context())
	testenv.Must(t, err)
	wantHome(t, "asleep", e.Store, "bob", want)
	e.Clock.Add(time.Second)
	follow(t, e.Store, "cat", "ann")
	if got := home(t, e.Store, "cat", 7); !slices.Equal(got, want[:model.RecentTweets]) {
		t.Errorf("a new follower gets %v, want %v", got, want[:model.RecentTweets])
	}
}
