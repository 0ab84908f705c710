package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// A page that begins in an earlier month does not read the month of today. A dormant follower gets this page from the
// source documents, too.
func TestDormantFollowersLaterPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.October, 20))
	follow(t, e.Store, "bob", "ann")
	var want []model.TweetID
	for range 4 {
		want = slices.Insert(want, 0, e.Publish(t, "ann", "not pushed").ID)
	}
	e.Clock.Set(storetest.Date(time.November, 15))
	_, err := e.Raw.Doc("homes/bob").Delete(t.Context())
	testenv.Must(t, err)
	items, _, err := e.Timelines.Home(t.Context(), "bob", "", timelines.Cursor(want[0]), 20)
	testenv.Must(t, err)
	got := []model.TweetID{}
	for _, item := range items {
		got = append(got, item.ID)
	}
	if !slices.Equal(got, want[1:]) {
		t.Errorf("the page has %v, want %v", got, want[1:])
	}
	if e.Doc(t, "wakes/bob") == nil {
		t.Error("nobody is asked to wake the reader")
	}
}

// A dormant follower of authors with very many tweets reads page after page, and gets each tweet once.
func TestDormantFollowerPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 20})
	authors := []model.UserID{"bob", "cat", "dan"}
	e.CreateUsers(t, append(authors, "ann")...)
	for _, author := range authors {
		follow(t, e.Store, "ann", author)
	}
	_, err := e.Raw.Doc("homes/ann").Delete(t.Context())
	testenv.Must(t, err)
	var want []model.TweetID
	for i := range 75 {
		e.Clock.Add(time.Second)
		want = slices.Insert(want, 0, e.Publish(t, authors[i%3], "a spark").ID)
	}
	for _, limit := range []int{7, 20, 50} {
		if got := home(t, e.Store, "ann", limit); !slices.Equal(got, want) {
			t.Errorf("by pages of %d: %d tweets, want %d, each once: %v", limit, len(got), len(want), got)
		}
	}
}

// A dormant follower's page has no shares. The timeline is rebuilt between two pages. The reader still gets each tweet
// on one of the two pages, even a tweet that is shared above the first page.
func TestRebuildBetweenPages(t *testing.T) {
	t.Parallel()
	for _, pages := range []int{1, 2} { // without shares
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
			e.CreateUsers(t, "ann", "bob", "dan")
			follow(t, e.Store, "dan", "ann")
			follow(t, e.Store, "dan", "bob")
			want := fanOut(t, e, "ann", 6)
			slices.SortFunc(want, func(a, b model.TweetID) int { return b.Compare(a) })
			e.Clock.Add(time.Second)
			for _, shared := range []int{0, 4, 5} {
				share(t, e, "bob", want[shared])
			}
			_, err := e.Raw.Doc("homes/dan").Delete(t.Context())
			testenv.Must(t, err)
			var got []model.TweetID
			for before, n := timelines.Cursor(""), 1; n == 1 || before != ""; n++ {
				var items []timelines.Item
				items, before, err = e.Timelines.Home(t.Context(), "dan", "", before, 1)
				testenv.Must(t, err)
				for _, item := range items {
					got = append(got, item.ID)
				}
				if n == pages {
					asked, err := e.Raw.Doc("wakes/dan").Get(t.Context())
					testenv.Must(t, err)
					testenv.Must(t, e.Rebuilding.Rebuild(t.Context(), model.RebuildWork{UserID: "dan", WrittenAt: asked.UpdateTime}))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("the pages have %v, want %v", got, want)
			}
			if now := lines(t, e.Store, "dan", 2); len(now) != 6 || now[0].By != "bob" {
				t.Errorf("read anew, the timeline has %v", now)
			}
		})
	}
}
