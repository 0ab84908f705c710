// This file makes readers dormant after a long time without a visit to their home timelines, and rebuilds the timelines
// when they come back. Fan-outs do not push to dormant readers.
//
// Sweep finds these readers. MarkDormant marks each of them as dormant on the pages of the followed authors. Rebuild
// rebuilds the home timeline. Each works in steps, see [db.DB.Begin].

package timelines

import (
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/profiles"
)

// Rebuilder makes readers dormant and rebuilds their timelines. Its methods may be called concurrently. Their errors
// are errors of package errs.
type Rebuilder struct {
	db        *db.DB
	graph     *graph.Store
	previews  *profiles.Reader
	timelines *Writer
}

// NewRebuilder returns the Rebuilder of a database. Only packages below store have a [db.DB].
func NewRebuilder(d *db.DB, g *graph.Store, c *profiles.Reader, t *Writer) *Rebuilder {
	return &Rebuilder{d, g, c, t}
}
