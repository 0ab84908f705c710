package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// shownHome is a reader's home page as one process shows it.
type shownHome struct {
	*env
	ids []model.TweetID // newest first
}

// showHome fills a reader's home page, and shows it: 22 reads.
func showHome(t *testing.T) *shownHome {
	t.Helper()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob", "cat")
	h := &shownHome{env: e, ids: e.tweets(t, "ann", 20)}
	for _, id := range h.ids {
		must(t, e.Deliver(t.Context(), id, "ann", 0, []model.UserID{"bob", "cat"}))
	}
	h.page(t)
	e.clock.add(time.Minute)
	// Nothing was cached before, so it was of no use to hear of changes until now.
	must(t, h.costs(t, "the page a minute later", 22))
	return h
}

func (h *shownHome) costs(t *testing.T, what string, reads int64) error {
	t.Helper()
	return costs(t, what, reads, 0, 0, func(ctx context.Context) error {
		_, _, err := h.Home(ctx, "bob", "", 20)
		return err
	})
}

// page is what is shown now.
func (h *shownHome) page(t *testing.T) map[model.TweetID]*model.Tweet {
	t.Helper()
	items, _, err := h.Home(t.Context(), "bob", "", 20)
	must(t, err)
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
		h.clock.add(time.Minute)
		must(t, h.costs(t, "a page of which nothing changed", 3))
		must(t, h.costs(t, "the same again at once", 2))
	}
	h.clock.add(5 * time.Minute)
	must(t, h.costs(t, "a page, and what was deleted", 4))
}

func TestChangesAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.again(t, store.Options{RollUpEvery: time.Millisecond})

	h.clock.add(time.Minute)
	_, err := other.CountLike(t.Context(), store.Effect{EventID: "1", Function: "CountLike"}, h.ids[3], 1)
	must(t, err)
	must(t, h.costs(t, "a page of which one tweet changed", 3))
	if got := h.page(t)[h.ids[3]].LikeCount; got != 1 {
		t.Errorf("likeCount = %d, want 1", got)
	}

	h.clock.add(time.Minute)
	must(t, other.UpdateUser(t.Context(), "ann", store.UserPatch{Nickname: to("Annie")}))
	must(t, other.SpreadProfile(t.Context(), "ann"))
	must(t, h.costs(t, "a page of which everything changed", 22))
	for id, tweet := range h.page(t) {
		if tweet.Author.Nickname != "Annie" {
			t.Errorf("the author of %s is %q, want Annie", id, tweet.Author.Nickname)
		}
	}

	// A hot counter changes the tweet by a roll-up.
	h.clock.add(time.Minute)
	for n := range 5 {
		_, err := other.CountLike(t.Context(), store.Effect{EventID: fmt.Sprint("hot", n), Function: "CountLike"}, h.ids[5], 1)
		must(t, err)
	}
	_, err = other.RollUp(t.Context(), store.RollUpWork{Collection: model.Tweets, ID: string(h.ids[5])})
	must(t, err)
	if got := h.page(t)[h.ids[5]].LikeCount; got != 5 {
		t.Errorf("likeCount = %d, want 5", got)
	}
}

// A tweet that was deleted stays out of a page, though its entry is still there.
func TestDeletionsAreHeard(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.again(t, store.Options{})
	h.clock.add(time.Minute)
	must(t, h.DeleteTweet(t.Context(), "ann", false, h.ids[1]))
	must(t, other.DeleteTweet(t.Context(), "ann", false, h.ids[2]))
	if page := h.page(t); page[h.ids[1]] != nil {
		t.Error("what this process deleted is shown")
	}
	h.clock.add(5 * time.Minute)
	if page := h.page(t); page[h.ids[2]] != nil || len(page) != 18 {
		t.Errorf("%d tweets are shown, want the 18 that are left", len(page))
	}
}

// Who did not listen for long reads anew, and so does who would hear too much.
func TestListeningEnds(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	other := h.again(t, store.Options{})
	h.clock.add(11 * time.Minute)
	must(t, h.costs(t, "a page after a long silence", 22))
	h.clock.add(time.Minute)
	must(t, h.costs(t, "the page after that", 3))

	h.clock.add(time.Minute)
	noisy := make([]model.TweetID, 200)
	for _, err := range atOnce(len(noisy), func(n int) error {
		tweet, err := other.CreateTweet(t.Context(), "cat", model.Draft{Content: "noise"}, store.Request{})
		if err == nil {
			noisy[n] = tweet.ID
		}
		return err
	}) {
		must(t, err)
	}
	must(t, h.costs(t, "a page after 200 changes", 2+200+20))
	for range 2 {
		h.clock.add(10 * time.Second)
		must(t, h.costs(t, "a page while nothing is heard", 22))
	}
	h.clock.add(time.Minute)
	must(t, h.costs(t, "a page when listening begins again", 22))
	h.clock.add(10 * time.Second)
	must(t, h.costs(t, "the page after that", 3))
}

// Many who look at once make one query.
func TestOneListens(t *testing.T) {
	t.Parallel()
	h := showHome(t)
	h.clock.add(time.Minute)
	m := meter.New()
	for _, err := range atOnce(20, func(n int) error {
		items, _, err := h.Home(meter.With(t.Context(), m), []model.UserID{"bob", "cat"}[n%2], "", 20)
		if err == nil && !slices.EqualFunc(items, h.ids, func(s store.Seen, id model.TweetID) bool { return s.ID == id }) {
			err = fmt.Errorf("%d tweets, want %d", len(items), len(h.ids))
		}
		return err
	}) {
		must(t, err)
	}
	if got := m.Reads(); got != 20*2+1 {
		t.Errorf("20 pages at once cost %d reads, want 2 each and 1", got)
	}
}
