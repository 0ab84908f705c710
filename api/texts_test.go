package api

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
)

// Many callers who want one text at once, and later again, have it rendered once. A text that was edited is rendered anew.
// All texts together keep within their bytes.
func TestTextIsRenderedOnce(t *testing.T) {
	t.Parallel()
	var rendered atomic.Int64
	c := newTextCache(func(nodes []markdown.Node) string {
		rendered.Add(1)
		return markdown.Text(nodes) + strings.Repeat(".", 1<<18)
	})
	text := func(id model.TweetID, revision int, content string) *facts.FullTweet {
		return &facts.FullTweet{Tweet: &model.Tweet{ID: id, Revision: revision}, Content: content}
	}
	first, edited := text("a", 0, "first"), text("a", 1, "edited")
	var wg sync.WaitGroup
	for range 20 {
		for _, t1 := range []*facts.FullTweet{first, edited} {
			wg.Go(func() {
				if got := c.html(t1); !strings.HasPrefix(got, t1.Content) {
					t.Errorf("the HTML of %q is %q", t1.Content, got[:10])
				}
				if got := c.introduction(t1.Content + " self"); !strings.HasPrefix(got, t1.Content+" self") {
					t.Errorf("the HTML of the introduction %q is %q", t1.Content+" self", got[:15])
				}
			})
		}
	}
	wg.Wait()
	if n := rendered.Load(); n != 4 {
		t.Errorf("two texts and two introductions were rendered %d times", n)
	}
	for n := range 3 * textsBytes >> 18 {
		c.html(text("b", n, "b"))
		c.introduction(fmt.Sprint(n))
	}
	c.kept.CleanUp()
	if n := c.kept.WeightedSize(); n > textsBytes {
		t.Errorf("%d bytes are kept, at most %d may be", n, textsBytes)
	}
}
