// This file puts readers to sleep who have not opened their home timelines for long, and
// wakes them when they come back. Nothing is pushed to a reader who is dormant.
//
// Sweep finds such readers, Sleep marks each of them with the authors whom the reader follows,
// and Wake rebuilds the home timeline. Each works in steps, see [db.DB.Begin].

package timelines

import (
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/profiles"
)

// Rebuilder puts readers to sleep and wakes them. Its methods may be called concurrently. Their
// errors are errors of package errs.
type Rebuilder struct {
	db        *db.DB
	facts     *facts.Store
	previews  *profiles.Reader
	timelines *Writer
}

// NewRebuilder returns what puts the readers of a database to sleep. Only packages below store
// have a [db.DB].
func NewRebuilder(d *db.DB, f *facts.Store, c *profiles.Reader, t *Writer) *Rebuilder {
	return &Rebuilder{d, f, c, t}
}
