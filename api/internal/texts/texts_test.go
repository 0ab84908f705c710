package texts

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Many callers who want one text at once, and later again, have it rendered once. A text that was
// edited is rendered anew. All texts together keep within their bytes.
func TestTextIsRenderedOnce(t *testing.T) {
	t.Parallel()
	var rendered atomic.Int64
	c := New(func(nodes []markdown.Node) string {
		rendered.Add(1)
		return markdown.Text(nodes) + strings.Repeat(".", 1<<18)
	})
	text := func(id model.TweetID, revision int, content string) *tweets.FullTweet {
		return &tweets.FullTweet{Tweet: &model.Tweet{ID: id, Revision: revision}, Content: content}
	}
	first, edited := text("a", 0, "first"), text("a", 1, "edited")
	var wg sync.WaitGroup
	for range 20 {
		for _, t1 := range []*tweets.FullTweet{first, edited} {
			wg.Go(func() {
				if got := c.HTML(t1); !strings.HasPrefix(got, t1.Content) {
					t.Errorf("the HTML of %q is %q", t1.Content, got[:10])
				}
				if got := c.Introduction(t1.Content + " self"); !strings.HasPrefix(got, t1.Content+" self") {
					t.Errorf("the HTML of the introduction %q is %q", t1.Content+" self", got[:15])
				}
			})
		}
	}
	wg.Wait()
	if n := rendered.Load(); n != 4 {
		t.Errorf("two texts and two introductions were rendered %d times", n)
	}
	for n := range 3 * maxBytes >> 18 {
		c.HTML(text("b", n, "b"))
		c.Introduction(fmt.Sprint(n))
	}
	kept := 0
	for _, text := range c.kept.Values() {
		kept += text.size
	}
	if kept > maxBytes || kept < maxBytes/2 || kept != c.bytes {
		t.Errorf("%d bytes are kept and %d are counted, at most %d may be", kept, c.bytes, maxBytes)
	}
}

// A text whose rendering panics is not kept, and the next caller has it rendered again.
func TestTextThatPanics(t *testing.T) {
	t.Parallel()
	broken := true
	c := New(func(nodes []markdown.Node) string {
		if broken {
			panic("broken")
		}
		return markdown.Text(nodes)
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the caller does not hear of the panic")
			}
		}()
		c.Introduction("hello")
	}()
	broken = false
	if got := c.Introduction("hello"); got != "hello" || c.kept.Len() != 1 || len(c.turns) != 0 {
		t.Errorf("the text is %q, want hello; %d texts are kept, and %d rendered", got, c.kept.Len(), len(c.turns))
	}
}
