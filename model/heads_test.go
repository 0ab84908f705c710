package model_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// headAt is a head with posts and shares at some times after the start of a day, in milliseconds.
func headAt(posts, shares []int) (model.Head, func(ms int) time.Time) {
	at := func(ms int) time.Time {
		return time.Date(2026, time.November, 3, 0, 0, 0, 0, time.UTC).Add(time.Duration(ms) * time.Millisecond)
	}
	h := model.NewHead("ann")
	for i, ms := range posts {
		id := model.NewTweetIDs(func() time.Time { return at(ms) }).Next("ann")
		t := &model.Tweet{ID: id, AuthorID: "ann", Visibility: model.Public}
		if i%3 == 1 {
			t.Visibility = model.Followers
		}
		h.PutTweet(id, t)
	}
	for i, ms := range shares {
		shared := model.NewTweetIDs(func() time.Time { return at(-1000 - i) }).Next("bob")
		h.PutShare(model.SharePosition(model.NewTweetIDs(func() time.Time { return at(ms) }).Next("ann"), shared), "bob")
	}
	return h, at
}

// A head that is too long loses whole milliseconds, so that it has everything from its beginning on.
func TestTrim(t *testing.T) {
	t.Parallel()
	var posts []int
	for ms := range model.HeadItems - 1 {
		posts = append(posts, 10+ms)
	}
	h, _ := headAt(posts, []int{5})
	if h.Trim(); !h.Whole || h.Len() != model.HeadItems {
		t.Errorf("a full head has %d items, whole %v", h.Len(), h.Whole)
	}
	h, at := headAt(posts, []int{5, 5, 5})
	if h.Trim(); h.Whole || h.Len() != model.HeadItems-1 || !h.Since.Equal(at(6)) {
		t.Errorf("the head has %d items since %v, whole %v", h.Len(), h.Since, h.Whole)
	}
	if h.Reaches(at(5)) || !h.Reaches(at(6)) || h.Ends(at(1<<40)) {
		t.Error("the head reaches to what it lacks, or not to what it has")
	}
}

// A page of a head continues after each of its items: shares first at the same time.
func TestAfter(t *testing.T) {
	t.Parallel()
	h, at := headAt([]int{1, 2, 3, 4}, []int{0, 2, 2, 5})
	all := h.After("ann", model.Cursor{})
	shares := 0
	for n, i := range all {
		c := model.Cursor{At: i.Position.Time(), ID: string(i.Position)}
		if i.Position.IsShare() {
			c.ID = model.ReactionKey("ann", i.Position.Tweet())
			shares++
		} else if c.At.Equal(at(2)) && shares != 3 {
			t.Errorf("%d shares come before the tweet of the same time, want 3", shares)
		}
		if n > 0 && c.At.After(all[n-1].Position.Time()) {
			t.Errorf("item %d is newer than the one before", n)
		}
		var got, want []model.Position
		for _, left := range h.After("ann", c) {
			got = append(got, left.Position)
		}
		for _, left := range all[n+1:] {
			want = append(want, left.Position)
		}
		if !slices.Equal(got, want) {
			t.Errorf("after item %d come %v, want %v", n, got, want)
		}
	}
	if len(all) != 8 {
		t.Errorf("%d items, want 8", len(all))
	}
}

// Only an old head proves that there is nothing older.
func TestEnds(t *testing.T) {
	t.Parallel()
	h, at := headAt([]int{0, 10}, nil)
	h.ChangedAt = at(20)
	empty := model.NewHead("ann")
	empty.ChangedAt = at(0)
	for _, test := range []struct {
		after time.Duration
		want  bool
	}{{time.Minute, false}, {2 * time.Hour, true}} {
		if got := h.Ends(at(0).Add(test.after)); got != test.want {
			t.Errorf("after %v the head ends: %v, want %v", test.after, got, test.want)
		}
		if got := empty.Ends(at(0).Add(test.after)); got != test.want {
			t.Errorf("after %v the empty head ends: %v, want %v", test.after, got, test.want)
		}
	}
}
