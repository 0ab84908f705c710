package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Remember returns a context for one request that only reads: it reads each user's graph once.
func Remember(ctx context.Context) context.Context { return viewers.Remember(ctx) }

// Quiet returns what a viewer does not see of some users, now: blocks in either direction, mutes and filters, see
// [model.Quiet]. A list leaves it out. The result is nil for a viewer without an account.
//
// Cost: 1 read, or nothing if the context is from [Remember] and the graph was read. Without a whole graph also, of
// each 30 users, 1 read for each block and mute, at least 1 of each of the four kinds.
func (s *Store) Quiet(ctx context.Context, v model.Viewer, others []model.UserID) (_ *model.Quiet, err error) {
	defer errs.Wrap(&err, "graph.Quiet(%q, %d)", v.ID, len(others))
	return s.viewers.Quiet(ctx, v, others)
}
