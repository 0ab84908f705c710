// Package texts caches the HTML of full texts.
package texts

import (
	"crypto/sha256"
	"math"
	"runtime"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// maxBytes is the size of the cache in bytes of HTML. A text has at most about 400 KB of HTML.
const maxBytes = 16 << 20

// Cache caches the HTML of full texts. A revision of a tweet never changes, so its HTML stays valid forever. The
// same holds for an introduction under the digest of its text. Concurrent callers of one text wait for one rendering.
type Cache struct {
	render func([]markdown.Node) string

	// turns limits the concurrent renderings. A text that was made to be slow takes half a second, so half of the
	// processors stay free for other work.
	turns chan struct{}

	mu    sync.Mutex
	kept  *simplelru.LRU[cacheKey, *rendered] // limited by bytes only
	bytes int                                 // of all rendered texts
}

// rendered is a text that is rendered or is being rendered.
type rendered struct {
	once sync.Once
	html string
	ok   bool // false if the rendering panicked
	size int  // in bytes, approximately; guarded by the mutex of the cache
}

type cacheKey struct {
	id       model.TweetID
	revision int // of the tweet, whose mentions are links
	former   int // the revision of the text; 0 for the tweet's own

	introduction [sha256.Size]byte // the digest of an introduction, for which the other fields are zero
}

// New returns a cache of what html renders, such as render.HTML.
func New(html func([]markdown.Node) string) *Cache {
	kept, err := simplelru.NewLRU[cacheKey, *rendered](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Cache{render: html, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), kept: kept}
}

// HTML returns the HTML of a tweet's full text.
func (c *Cache) HTML(t *tweets.FullTweet) string {
	return c.get(cacheKey{id: t.ID, revision: t.Revision}, func() []markdown.Node { return t.Nodes(t.Content) })
}

// Former returns the HTML of a revision's full text, with the mentions of the current tweet. A mention that an edit
// removed is not a link.
func (c *Cache) Former(t *model.Tweet, r *model.Revision) string {
	return c.get(cacheKey{id: t.ID, revision: t.Revision, former: r.Number},
		func() []markdown.Node { return t.Nodes(r.Content) })
}

// Introduction returns the HTML of a full introduction.
func (c *Cache) Introduction(text string) string {
	return c.get(cacheKey{introduction: sha256.Sum256([]byte(text))},
		func() []markdown.Node { return model.IntroductionNodes(text) })
}

func (c *Cache) get(key cacheKey, nodes func() []markdown.Node) string {
	c.mu.Lock()
	text, ok := c.kept.Get(key)
	if !ok {
		text = &rendered{}
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
// within maxBytes. It removes a text that could not be rendered.
func (c *Cache) weigh(key cacheKey, text *rendered) {
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
	for c.bytes += text.size; c.bytes > maxBytes; {
		_, oldest, _ := c.kept.RemoveOldest()
		c.bytes -= oldest.size
	}
}
