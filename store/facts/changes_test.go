package facts_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/facts"
)

// shownHome is a reader's home page as one process shows it.
type shownHome struct {
	*storetest.Env
	ids []model.TweetID // newest first
}

// showHome fills a reader's home page and shows the page twice, for 22 reads each.
func showHome(t *testing.T) *shownHome {
	t.Helper()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob", "cat")
	h := &shownHome{Env: e}
	for _, reader := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Facts.Follow(t.Context(), reader, "ann"))
		testenv.Must(t, e.Timelines.Link(t.Context(), reader, "ann"))
	}
	for range 20 {
		tweet := e.Tweet(t, "ann", "a spark")
		testenv.Must(t, e.Timelines.FanOut(t.Context(), tweet))
		h.ids = slices.Insert(h.ids, 0, tweet.ID)
	}
	h.page(t)
	e.Clock.Add(time.Minute)
	// The process begins to listen only now, because it had nothing cached before.
	testenv.Must(t, h.costs(t, "the page a minute later", 22))
	return h
}

// costs checks how many reads the page costs.
func (h *shownHome) costs(t *testing.T, what string, reads int64) error {
	t.Helper()
	return storetest.Costs(t, what, reads, 0, 0, func(ctx context.Context) error {
		_, _, err := h.Timelines.Home(ctx, "bob", "", 20)
		return err
	})
}

// page returns the tweets that the page shows now.
func (h *shownHome) page(t *testing.T) map[model.TweetID]*model.Tweet {
	t.Helper()
	items, _, err := h.Timelines.Home(t.Context(), "bob", "", 20)
	testenv.Must(t, err)
	shown := map[model.TweetID]*model.Tweet{}
	for _, item := range items {
		shown[item.ID] = item.Tweet
	}
	return shown
}

func TestUnchangedTweetsCostNothing(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	for range 3 {
		h.Clock.Add(time.Minute)
		testenv.Must(t, h.costs(t, "a page of which nothing changed", 3))
		testenv.Must(t, h.costs(t, "the same again at once", 2))
	}
	h.Clock.Add(5 * time.Minute)
	testenv.Must(t, h.costs(t, "a page, and what was deleted", 4))
}

func TestChangesAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.Again(t, store.Options{WriteEvery: time.Millisecond})

	h.Clock.Add(time.Minute)
	err := other.Counters.CountLike(t.Context(), counters.Effect{EventID: "1", Function: "CountLike"}, &model.Like{UserID: "cat", TweetID: h.ids[3]}, 1)
	testenv.Must(t, err)
	testenv.Must(t, h.costs(t, "a page of which one tweet changed", 3))
	if got := h.page(t)[h.ids[3]].LikeCount; got != 1 {
		t.Errorf("likeCount = %d, want 1", got)
	}

	h.Clock.Add(time.Minute)
	testenv.Must(t, other.Facts.UpdateUser(t.Context(), "ann", facts.UserPatch{Nickname: new("Annie")}))
	testenv.Must(t, other.Cards.SpreadProfile(t.Context(), "ann"))
	testenv.Must(t, h.costs(t, "a page of which everything changed", 22))
	for id, tweet := range h.page(t) {
		if tweet.Author.Nickname != "Annie" {
			t.Errorf("the author of %s is %q, want Annie", id, tweet.Author.Nickname)
		}
	}

	// A hot counter changes the tweet by a roll-up.
	h.Clock.Add(time.Minute)
	for n := range 5 {
		err := other.Counters.CountLike(t.Context(), counters.Effect{EventID: fmt.Sprint("hot", n), Function: "CountLike"}, &model.Like{UserID: "cat", TweetID: h.ids[5]}, 1)
		testenv.Must(t, err)
	}
	_, err = other.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(h.ids[5])})
	testenv.Must(t, err)
	if got := h.page(t)[h.ids[5]].LikeCount; got != 5 {
		t.Errorf("likeCount = %d, want 5", got)
	}
}

// A tweet that was deleted stays out of a page, though its entry is still there.
func TestDeletionsAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.Again(t, store.Options{})
	h.Clock.Add(time.Minute)
	testenv.Must(t, h.Facts.DeleteTweet(t.Context(), "ann", false, h.ids[1]))
	testenv.Must(t, other.Facts.DeleteTweet(t.Context(), "ann", false, h.ids[2]))
	if page := h.page(t); page[h.ids[1]] != nil {
		t.Error("what this process deleted is shown")
	}
	h.Clock.Add(5 * time.Minute)
	if page := h.page(t); page[h.ids[2]] != nil || len(page) != 18 {
		t.Errorf("%d tweets are shown, want the 18 that are left", len(page))
	}
}

// A process that did not listen for long reads anew, and so does a process that would hear
// too much.
func TestListeningEnds(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.Again(t, store.Options{})
	h.Clock.Add(11 * time.Minute)
	testenv.Must(t, h.costs(t, "a page after a long silence", 22))
	h.Clock.Add(time.Minute)
	testenv.Must(t, h.costs(t, "the page after that", 3))

	h.Clock.Add(time.Minute)
	noisy := make([]model.TweetID, 200)
	for _, err := range testenv.AtOnce(len(noisy), func(n int) error {
		tweet, err := other.Facts.CreateTweet(t.Context(), "cat", model.Draft{Content: "noise"}, facts.Request{})
		if err == nil {
			noisy[n] = tweet.ID
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	testenv.Must(t, h.costs(t, "a page after 200 changes", 2+200+20))
	for range 2 {
		h.Clock.Add(10 * time.Second)
		testenv.Must(t, h.costs(t, "a page while nothing is heard", 22))
	}
	h.Clock.Add(time.Minute)
	testenv.Must(t, h.costs(t, "a page when listening begins again", 22))
	h.Clock.Add(10 * time.Second)
	testenv.Must(t, h.costs(t, "the page after that", 3))
}

// Many readers at once cause one query for changes.
func TestOneListens(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	h.Clock.Add(time.Minute)
	m := meter.New()
	for _, err := range testenv.AtOnce(20, func(n int) error {
		items, _, err := h.Timelines.Home(meter.With(t.Context(), m), []model.UserID{"bob", "cat"}[n%2], "", 20)
		if err == nil && !slices.EqualFunc(items, h.ids, func(s facts.Seen, id model.TweetID) bool { return s.ID == id }) {
			err = fmt.Errorf("%d tweets, want %d", len(items), len(h.ids))
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	if got := m.Reads(); got != 20*2+1 {
		t.Errorf("20 pages at once cost %d reads, want 2 each and 1", got)
	}
}
