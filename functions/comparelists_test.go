package functions_test

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// compareBookmarks compares the bookmarks of each user. Those of deleted tweets are gone.
func (h *history) compareBookmarks() {
	h.t.Helper()
	for _, u := range h.world.users {
		want, got := map[model.TweetID]bool{}, map[model.TweetID]bool{}
		for id, tw := range h.world.tweets {
			if tw.kept[u] {
				want[id] = true
			}
		}
		page, err := h.store.Bookmarks.Of(h.t.Context(), u, model.Cursor{}, 1_000)
		h.must(err)
		for _, b := range page.Items {
			got[b.TweetID] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			h.t.Errorf("bookmarks of %s (-want +got):\n%s", u, diff)
		}
	}
}

// comparePins compares the pins of each user. Pins of deleted tweets may stay.
func (h *history) comparePins() {
	h.t.Helper()
	for _, u := range h.world.users {
		want, got := map[model.TweetID]bool{}, map[model.TweetID]bool{}
		for id, tw := range h.world.tweets {
			if tw.pinned && tw.author == u {
				want[id] = true
			}
		}
		pins, err := h.store.Pins.Of(h.t.Context(), u)
		h.must(err)
		for _, p := range pins {
			if h.world.tweets[p.TweetID] != nil {
				got[p.TweetID] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(pins) > model.MaxPins {
			h.t.Errorf("%d pins of %s (-want +got):\n%s", len(pins), u, diff)
		}
	}
}

// compareShares compares who shares what, as a user's list and as a tweet's list have it. The
// shares of deleted tweets are gone.
func (h *history) compareShares() {
	h.t.Helper()
	got, want := map[string]int{}, map[string]int{}
	note := func(page model.Page[model.Share], err error) {
		h.t.Helper()
		h.must(err)
		for _, s := range page.Items {
			got[string(s.UserID)+" shares "+string(s.TweetID)]++
		}
	}
	for _, u := range h.world.users {
		note(h.store.Shares.By(h.t.Context(), u, model.Cursor{}, 1_000))
	}
	for id, tw := range h.world.tweets {
		note(h.store.Shares.Of(h.t.Context(), id, model.Cursor{}, 1_000))
		for u := range tw.shares {
			want[string(u)+" shares "+string(id)] = 2
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("in how many lists each share is (-want +got):\n%s", diff)
	}
}

// compareQuotes compares which tweets quote each tweet, newest first, for every viewer. Those of a deleted tweet stay
// in the list of its id.
func (h *history) compareQuotes() {
	h.t.Helper()
	want := map[model.TweetID][]model.TweetID{}
	for id := range h.world.tweets {
		want[id] = nil
	}
	for id, tw := range h.world.tweets {
		if tw.doc.QuoteOf != "" {
			want[tw.doc.QuoteOf] = append(want[tw.doc.QuoteOf], id)
		}
	}
	for quoted, quotes := range want {
		slices.SortFunc(quotes, func(a, b model.TweetID) int {
			if c := h.world.tweets[b].doc.CreatedAt.Compare(h.world.tweets[a].doc.CreatedAt); c != 0 {
				return c
			}
			return strings.Compare(string(b), string(a))
		})
		var got []model.TweetID
		for from := (model.Cursor{}); ; {
			page, err := h.store.Shares.Quotes(h.t.Context(), quoted, from, 2)
			h.must(err)
			for _, t := range page.Items {
				got = append(got, t.ID)
			}
			if from = page.Next; from.IsZero() {
				break
			}
		}
		if !slices.Equal(got, quotes) {
			h.t.Errorf("quotes of %s: %v, want %v", quoted, got, quotes)
		}
	}
}

// compareMentions compares which tweets mention each user.
func (h *history) compareMentions() {
	h.t.Helper()
	for _, u := range h.world.users {
		want, got := map[model.TweetID]bool{}, map[model.TweetID]bool{}
		for id, tw := range h.world.tweets {
			if tw.mentions == u {
				want[id] = true
			}
		}
		page, err := h.store.Mentions.Of(h.t.Context(), u, model.Cursor{}, 1_000)
		h.must(err)
		for _, t := range page.Items {
			got[t.ID] = true
		}
		page, err = h.store.Mentions.WrittenFor(h.t.Context(), u, model.Cursor{}, 1_000)
		h.must(err)
		if own := h.world.count(func(_ model.TweetID, t *tweet) bool {
			return t.author == u &&
				t.doc.Visibility == model.Mentioned
		}); own != int64(len(page.Items)) {
			h.t.Errorf("%s finds %d tweets for the mentioned, want %d", u, len(page.Items), own)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			h.t.Errorf("mentions of %s (-want +got):\n%s", u, diff)
		}
	}
}

// compareSearch compares what searches find with what the tweets say.
func (h *history) compareSearch() {
	h.t.Helper()
	for _, u := range h.world.users {
		for word, has := range map[string]func(*tweet) bool{
			"spark": func(t *tweet) bool { return strings.HasPrefix(t.content, "a spark") },
			"edit":  func(t *tweet) bool { return strings.HasPrefix(t.content, "edit") },
			"火花":    func(t *tweet) bool { return strings.Contains(t.content, "火花") },
			"#go":   func(t *tweet) bool { return strings.Contains(t.content, "#go") },
		} {
			user, err := h.store.Users.User(h.t.Context(), u)
			h.must(err)
			q, err := discovery.ParseSearch("from:" + user.Username + " " + word)
			h.must(err)
			want := slices.DeleteFunc(h.world.by(u), func(id model.TweetID) bool {
				t := h.world.tweets[id]
				return !has(t) || t.flagged || t.doc.Visibility != model.Public
			})
			var got []model.TweetID
			for from := ""; ; {
				found, next, err := h.store.Search.Tweets(h.t.Context(), model.Viewer{}, q, false, from, 100)
				h.must(err)
				for _, f := range found {
					got = append(got, f.ID)
				}
				if from = next; next == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				h.t.Errorf("%s by %s finds %v, want %v", word, u, got, want)
			}
		}
	}
}

// comparePolls compares the votes in every poll, and that no others are there.
func (h *history) comparePolls() {
	h.t.Helper()
	votes := 0
	for id, t := range h.world.tweets {
		if t.doc.Poll == nil {
			continue
		}
		want := make([]int64, 3)
		for _, option := range t.votes {
			want[option-1]++
		}
		votes += len(t.votes)
		r, err := h.store.Polls.Of(h.t.Context(), model.Viewer{ID: t.author, Role: model.Member}, t.doc)
		if err != nil || !slices.Equal(r.Votes, want) {
			h.t.Errorf("the poll of %s has %+v, %v, want %v", id, r, err, want)
		}
	}
	if got := len(h.ids(model.Votes)); got != votes {
		h.t.Errorf("there are %d votes, want %d", got, votes)
	}
	if got := h.ids(model.Drafts); len(got) > 0 {
		h.t.Errorf("the drafts %v are left", got)
	}
}
