package api

import (
	"context"
	"crypto/sha256"
	"runtime"

	"github.com/maypok86/otter/v2"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
)

// texts are the whole texts that this process has rendered.
var texts = newTextCache(render.HTML)

// textsBytes is how many bytes of HTML are kept. A text has at most some 400 KB of HTML.
const textsBytes = 16 << 20

// textCache keeps the HTML of whole texts. A revision of a tweet is never written again, so its HTML is right for ever, and
// so is that of an introduction under the digest of its text.
// Callers who ask for one text at once wait for one rendering.
type textCache struct {
	render func([]markdown.Node) string
	kept   *otter.Cache[textKey, string]

	// turns are the texts that are rendered at a time. A text that somebody made to be slow takes half a second; half of
	// the processors are left for everybody else.
	turns chan struct{}
}

type textKey struct {
	id       model.TweetID
	revision int // of the tweet, whose mentions are links
	former   int // the revision whose text it is; 0 for that of the tweet

	introduction [sha256.Size]byte // the digest of an introduction, which has none of the others
}

func newTextCache(render func([]markdown.Node) string) *textCache {
	return &textCache{render: render, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), kept: otter.Must(&otter.Options[textKey, string]{
		MaximumWeight: textsBytes,
		Weigher:       func(key textKey, html string) uint32 { return uint32(len(key.id) + len(html) + 132) },
	})}
}

// html returns the HTML of a tweet's whole text.
func (c *textCache) html(t *facts.FullTweet) string {
	return c.get(textKey{id: t.ID, revision: t.Revision}, func() []markdown.Node { return t.Nodes(t.Content) })
}

// former returns the HTML of a revision's whole text, with the mentions of the tweet as it is: a mention
// that an edit took away is none.
func (c *textCache) former(t *model.Tweet, r *model.Revision) string {
	return c.get(textKey{id: t.ID, revision: t.Revision, former: r.Number}, func() []markdown.Node { return t.Nodes(r.Content) })
}

// introduction returns the HTML of a whole introduction.
func (c *textCache) introduction(text string) string {
	return c.get(textKey{introduction: sha256.Sum256([]byte(text))}, func() []markdown.Node { return model.IntroductionNodes(text) })
}

func (c *textCache) get(key textKey, nodes func() []markdown.Node) string {
	// The text is at hand and rendering does not fail, so neither does Get. No caller's end stops it for the others.
	html, _ := c.kept.Get(context.Background(), key, otter.LoaderFunc[textKey, string](func(context.Context, textKey) (string, error) {
		c.turns <- struct{}{}
		defer func() { <-c.turns }()
		return c.render(nodes()), nil
	}))
	return html
}
