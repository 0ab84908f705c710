package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Remember returns a context for one request that only reads: it reads each user's graph once, and asks of each user
// once.
func Remember(ctx context.Context) context.Context { return viewers.Remember(ctx) }

// Quiet returns what a viewer does not see of some users, now: blocks in either direction, mutes and filters, see
// [model.Quiet]. A list leaves it out. The result is nil for a viewer without an account.
//
// Cost: 1 read. Without a whole graph also, of each 30 users, 1 read for each who is blocked, blocks or is muted, at
// least 1 of each of the three kinds. Nothing for what was read before, if the context is from [Remember].
func (s *Store) Quiet(ctx context.Context, v model.Viewer, others []model.UserID) (_ *model.Quiet, err error) {
	defer errs.Wrap(&err, "graph.Quiet(%q, %d)", v.ID, len(others))
	return s.quiet(ctx, v, others, s.viewers.QuietBy)
}

// QuietBlocks is [Store.Quiet] for a place in which mutes hide nothing.
//
// Cost: that of [Store.Quiet], without the mutes.
func (s *Store) QuietBlocks(ctx context.Context, v model.Viewer, others []model.UserID) (_ *model.Quiet, err error) {
	defer errs.Wrap(&err, "graph.QuietBlocks(%q, %d)", v.ID, len(others))
	return s.quiet(ctx, v, others, s.viewers.BlocksBy)
}

func (s *Store) quiet(ctx context.Context, v model.Viewer, others []model.UserID, by func(context.Context, model.UserID,
	*model.ViewerGraph, []model.UserID) (*model.Quiet, error)) (*model.Quiet, error) {
	uid := v.Account()
	if uid == "" {
		return nil, nil
	}
	graph, err := s.viewers.Peek(ctx, uid)
	if err != nil {
		return nil, err
	}
	return by(ctx, uid, graph, others)
}

// Whole reports whether one document has all follows, mutes and blocks of a viewer. Otherwise each user on a page may
// cost a read more. Nothing is lacking of a viewer without an account.
//
// Cost: 1 read, or nothing if the context is from [Remember] and the graph was read.
func (s *Store) Whole(ctx context.Context, v model.Viewer) (_ bool, err error) {
	defer errs.Wrap(&err, "graph.Whole(%q)", v.ID)
	if v.Account() == "" {
		return true, nil
	}
	graph, err := s.viewers.Peek(ctx, v.Account())
	return err == nil && graph.Whole, err
}
