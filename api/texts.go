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
	"github.com/hibana-sns/hibana/store/facts"
)

// texts are the whole texts that this process has rendered.
var texts = newTextCache(render.HTML)

// textsBytes is how many bytes of HTML are kept. A text has at most some 400 KB of HTML.
const textsBytes = 16 << 20

// textCache keeps the HTML of whole texts. A revision of a tweet is never written again, so its
// HTML is right for ever, and so is that of an introduction under the digest of its text. Callers
// who ask for one text at once wait for one rendering.
type textCache struct {
	render func([]markdown.Node) string

	// turns are the texts that are rendered at a time. A text that somebody made to be slow takes half a second; half of
	// the processors are left for everybody else.
	turns chan struct{}

	mu    sync.Mutex
	kept  *simplelru.LRU[textKey, *keptText] // bounded by bytes alone
	bytes int                                // of all texts that were rendered
}

// keptText is a text that is rendered, or will be at once.
type keptText struct {
	once sync.Once
	html string
	ok   bool // false if the rendering panicked
	size int  // in bytes, about; the mutex of the cache guards it
}

type textKey struct {
	id       model.TweetID
	revision int // of the tweet, whose mentions are links
	former   int // the revision whose text it is; 0 for that of the tweet

	introduction [sha256.Size]byte // the digest of an introduction, which has none of the others
}

func newTextCache(html func([]markdown.Node) string) *textCache {
	kept, err := simplelru.NewLRU[textKey, *keptText](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &textCache{render: html, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), kept: kept}
}

// html returns the HTML of a tweet's whole text.
func (c *textCache) html(t *facts.FullTweet) string {
	return c.get(textKey{id: t.ID, revision: t.Revision}, func() []markdown.Node { return t.Nodes(t.Content) })
}

// former returns the HTML of a revision's whole text, with the mentions of the tweet as it is: a mention
// that an edit took away is none.
func (c *textCache) former(t *model.Tweet, r *model.Revision) string {
	return c.get(textKey{id: t.ID, revision: t.Revision, former: r.Number},
		func() []markdown.Node { return t.Nodes(r.Content) })
}

// introduction returns the HTML of a whole introduction.
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
	if !text.ok { // another caller's rendering panicked
		return c.render(nodes())
	}
	return text.html
}

// weigh adds a text that was rendered to the weight of the cache, and drops the texts that were not used
// for the longest time, so that all keep within textsBytes. It drops a text that could not be rendered.
func (c *textCache) weigh(key textKey, text *keptText) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if is, ok := c.kept.Peek(key); !ok || is != text { // it was dropped meanwhile
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
