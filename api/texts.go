package api

import (
	"context"
	"runtime"

	"github.com/maypok86/otter/v2"

	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
)

// texts are the whole texts that this process has rendered.
var texts = newTextCache(func(t *facts.FullTweet) string { return render.HTML(t.Nodes(t.Content)) })

// textsBytes is how many bytes of HTML are kept. A text has at most some 400 KB of HTML.
const textsBytes = 16 << 20

// textCache keeps the HTML of whole texts. A revision of a tweet is never written again, so its HTML is right for ever.
// Callers who ask for one text at once wait for one rendering.
type textCache struct {
	render func(*facts.FullTweet) string
	kept   *otter.Cache[textKey, string]

	// turns are the texts that are rendered at a time. A text that somebody made to be slow takes half a second; half of
	// the processors are left for everybody else.
	turns chan struct{}
}

type textKey struct {
	id       model.TweetID
	revision int
}

func newTextCache(render func(*facts.FullTweet) string) *textCache {
	return &textCache{render: render, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), kept: otter.Must(&otter.Options[textKey, string]{
		MaximumWeight: textsBytes,
		Weigher:       func(key textKey, html string) uint32 { return uint32(len(key.id) + len(html) + 100) },
	})}
}

// html returns the HTML of a tweet's whole text.
func (c *textCache) html(t *facts.FullTweet) string {
	// The text is at hand and rendering does not fail, so neither does Get. No caller's end stops it for the others.
	html, _ := c.kept.Get(context.Background(), textKey{t.ID, t.Revision}, otter.LoaderFunc[textKey, string](func(context.Context, textKey) (string, error) {
		c.turns <- struct{}{}
		defer func() { <-c.turns }()
		return c.render(t), nil
	}))
	return html
}
