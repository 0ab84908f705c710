package model_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/model"
)

// The keys of an author's tweets are in one shard. Their places are in the reverse order of the
// tweets, and tell the tweets.
func TestSearchKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Custom(func(t *rapid.T) model.TweetID {
			at := time.UnixMilli(rapid.Int64Range(0, 1<<42).Draw(t, "at"))
			author := model.UserID(rapid.SampledFrom([]string{"ann", "bob", "cat", "dan", "eve", "fay"}).Draw(t, "author"))
			id := model.NewTweetIDs(func() time.Time { return at }).Next(author)
			key := model.SearchKey(id)
			if !strings.HasPrefix(key, model.SearchKeyAt(model.SearchShard(author), "")) {
				t.Fatalf("%s of %s is not in shard %d", key, author, model.SearchShard(author))
			}
			position, is, ok := model.SearchPosition(key)
			if !ok || is != id {
				t.Fatalf("SearchPlace(%q) = %q, %v, want %q", key, is, ok, id)
			}
			if before := position > model.SearchPositionOf(at.Add(time.Millisecond)); !before {
				t.Fatalf("%s is not before %v", position, at.Add(time.Millisecond))
			}
			if position > model.SearchPositionOf(at) {
				t.Fatalf("%s is before %v", position, at)
			}
			return id
		})).Draw(t, "ids")
		slices.SortFunc(ids, func(a, b model.TweetID) int { return b.Compare(a) })
		var positions []string
		for _, id := range ids {
			position, _, _ := model.SearchPosition(model.SearchKey(id))
			positions = append(positions, position)
		}
		if !slices.IsSorted(positions) {
			t.Fatalf("newest first, the places are %q", positions)
		}
	})
	for _, key := range []string{"", "0", "0_", "0_ff", "9_fffffffffffffffffe", "1_zzzzzzzzzzzzzzzzzz",
		"0_ffffffffffffffffffff"} {
		if position, id, ok := model.SearchPosition(key); ok {
			t.Errorf("SearchPlace(%q) = %q, %q", key, position, id)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		summary, content, text string
		media                  bool
	}{
		{"", "# Sparks\n\n*bright* [link](https://example.com) `code` #go", "Sparks bright link code #go", false},
		{"fire ", "a\n\nb ![alt](https://example.com/a.png)", "fire a b", true},
		{"", "- 花火\n- > ![](/data/a.png)", "花火", true},
	} {
		got, media := (&model.Tweet{Summary: test.summary}).Plain(test.content)
		if got != test.text || media != test.media {
			t.Errorf("Plain(%q) = %q, %v, want %q, %v", test.content, got, media, test.text, test.media)
		}
	}
}
