package timelines_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A page that begins in an earlier month does not read the month of today. A sleeper gets
// this page from the facts, too.
func TestSleepersLaterPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.October, 20))
	follow(t, e.Store, "bob", "ann")
	var want []model.TweetID
	for range 4 {
		want = slices.Insert(want, 0, e.Publish(t, "ann", "not pushed").ID)
	}
	e.Clock.Set(storetest.Date(time.November, 15))
	_, err := e.Raw.Doc("homes/bob").Delete(t.Context())
	testenv.Must(t, err)
	items, _, err := e.Timelines.Home(t.Context(), "bob", "", want[0], 20)
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

// A sleeper who follows authors with very many tweets reads page after page, each tweet
// once.
func TestSleeperPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CardsPerBucket: 20})
	authors := []model.UserID{"bob", "cat", "dan"}
	e.Users(t, append(authors, "ann")...)
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
