package api

import (
	"crypto/sha256"
	"math"
	"runtime"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// texts caches the full texts that this process has rendered.
var texts = newTextCache(render.HTML)

// textsBytes is the size of the cache in bytes of HTML. A text has at most about 400 KB of HTML.
const textsBytes = 16 << 20

// textCache caches the HTML of full texts. A revision of a tweet never changes, so its HTML stays valid forever. The
// same holds for an introduction under the digest of its text. Concurrent callers of one text wait for one rendering.
type textCache struct {
	render func([]markdown.Node) string

	// turns limits the concurrent renderings. A text that was made to be slow takes half a second, so half of the
	// processors stay free for other work.
	turns chan struct{}

	mu    sync.Mutex
	kept  *simplelru.LRU[textKey, *keptText] // limited by bytes only
	bytes int                                // of all rendered texts
}

// keptText is a text that is rendered or is being rendered.
type keptText struct {
	once sync.Once
	html string
	ok   bool // false if the rendering panicked
	size int  // in bytes, approximately; guarded by the mutex of the cache
}

type textKey struct {
	id       model.TweetID
	revision int // of the tweet, whose mentions are links
	former   int // the revision of the text; 0 for the tweet's own

	introduction [sha256.Size]byte // the digest of an introduction, for which the other fields are zero
}

func newTextCache(html func([]markdown.Node) string) *textCache {
	kept, err := simplelru.NewLRU[textKey, *keptText](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &textCache{render: html, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), kept: kept}
}

// html returns the HTML of a tweet's full text.
func (c *textCache) html(t *tweets.FullTweet) string {
	return c.get(textKey{id: t.ID, revision: t.Revision}, func() []markdown.Node { return t.Nodes(t.Content) })
}

// former returns the HTML of a revision's full text, with the mentions of the current tweet. A mention that an edit
// removed is not a link.
func (c *textCache) former(t *model.Tweet, r *model.Revision) string {
	return c.get(textKey{id: t.ID, revision: t.Revision, former: r.Number},
		func() []markdown.Node { return t.Nodes(r.Content) })
}

// introduction returns the HTML of a full introduction.
func (c *textCache) introduction(text string) string {
	return c.get(textKey{introduction: sha256.Sum256([]byte(text))},
		func() []markdown.Node { return model.IntroductionNodes(text) })
}

func (c *textCache) get(key textKey, nodes func() []markdown.Node) string {
	c.mu.Lock()
	text, ok := c.kept.Get(key)
	if !ok {
		text = &keptText{}
		c.kept.Add(key, text)
	}
	c.mu.Unlock()
	text.once.Do(func() {
		defer func() { c.weigh(key, text) }()
		c.turns <- struct{}{}
		defer func() { <-c.turns }()
		text.html = c.render(nodes())
		text.ok = true
	})
	if !text.ok { // the rendering of another caller panicked
		return c.render(nodes())
	}
	return text.html
}

// weigh adds the size of a rendered text to the cache, and evicts the least recently used texts until the cache is
// within textsBytes. It removes a text that could not be rendered.
func (c *textCache) weigh(key textKey, text *keptText) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if is, ok := c.kept.Peek(key); !ok || is != text { // it was evicted meanwhile
		return
	}
	if !text.ok {
		c.kept.Remove(key)
		return
	}
	text.size = len(key.id) + len(text.html) + 232
	for c.bytes += text.size; c.bytes > textsBytes; {
		_, oldest, _ := c.kept.RemoveOldest()
		c.bytes -= oldest.size
	}
}
