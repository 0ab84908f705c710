package graph

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// ViewerRelationshipsOf returns the relationships between a user and others, as far as the user may know them. They say
// whom the user follows, whom the user blocks and mutes, and whom the user requests to follow. They also say which of
// the others follow the user. They do not say which of the others block the user: Blocked is false. An empty user is
// signed out and has no relationships. No user has a relationship with themselves.
//
// Whom the user follows and blocks is in the user's graph, whose document every follow, unfollow and block writes in
// its own commit. A document that lacks entries says nothing, and the source documents are read.
//
// Cost: 1 read, 1 read for each other who follows the user, at least 1 for each 30, and as much for each request to
// others whom the user neither follows nor blocks. Without the graph 6 reads for one other user; of 30 others 1 read,
// and 1 read for each document that exists, at least 1 a kind.
func (s *Store) ViewerRelationshipsOf(ctx context.Context, uid model.UserID,
	others []model.UserID) (_ map[model.UserID]model.ViewerRelationship, err error) {
	defer errs.Wrap(&err, "graph.ViewerRelationshipsOf(%q, %d)", uid, len(others))
	found := make(map[model.UserID]model.ViewerRelationship, len(others))
	var asked []model.UserID
	for _, o := range others {
		if _, ok := found[o]; !ok && o != uid {
			found[o] = model.ViewerRelationship{}
			asked = append(asked, o)
		}
	}
	if uid == "" || len(asked) == 0 {
		return found, nil
	}
	var v *model.ViewerGraph
	var followed map[string]bool
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		v, err = s.viewers.Peek(side, uid)
		return err
	})
	g.Go(func() (err error) {
		followed, err = s.there(side, model.Relationships, asked, func(o model.UserID) string {
			return model.RelationshipKey(o, uid)
		})
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	muted := v.Muted
	if !v.Whole {
		if muted, err = s.viewers.Muted(ctx, uid, asked); err != nil {
			return nil, err
		}
	}
	follows, blocks, requested, err := s.own(ctx, uid, asked, v)
	if err != nil {
		return nil, err
	}
	now := s.db.Now()
	for _, o := range asked {
		mute := muted[o]
		if !mute.Holds(now) {
			mute = 0
		}
		found[o] = model.ViewerRelationship{Follows: follows(o), Followed: followed[model.RelationshipKey(o, uid)],
			Requested: requested[model.FollowRequestKey(uid, o)], Blocks: blocks(o),
			Muted: mute}
	}
	return found, nil
}

// own returns which of some users a user follows, blocks and requests to follow, by the user's graph or by the source
// documents. It asks for no request to a user whom the graph has: two users never have a request and a relationship at
// once, nor a request and a block.
//
// Cost: 1 read for each request, at least 1 for each 30 users who are not in the graph. Without the graph 1 read for
// each document that exists, at least 1 of each kind for each 30 users.
func (s *Store) own(ctx context.Context, uid model.UserID, others []model.UserID, v *model.ViewerGraph) (follows,
	blocks func(model.UserID) bool, requested map[string]bool, err error) {
	follows, blocks = func(o model.UserID) bool { return !v.Follows[o].IsZero() }, func(o model.UserID) bool {
		return v.Blocks[o]
	}
	unknown := others
	g, ctx := safely.WithContext(ctx)
	if v.Whole {
		unknown = slices.DeleteFunc(slices.Clone(others), func(o model.UserID) bool { return follows(o) || blocks(o) })
	} else {
		var relationships, blocked map[string]bool
		g.Go(func() (err error) {
			relationships, err = s.there(ctx, model.Relationships, others, func(o model.UserID) string {
				return model.RelationshipKey(uid, o)
			})
			return err
		})
		g.Go(func() (err error) {
			blocked, err = s.there(ctx, model.Blocks, others, func(o model.UserID) string { return model.BlockKey(uid, o) })
			return err
		})
		follows = func(o model.UserID) bool { return relationships[model.RelationshipKey(uid, o)] }
		blocks = func(o model.UserID) bool { return blocked[model.BlockKey(uid, o)] }
	}
	g.Go(func() (err error) {
		requested, err = s.there(ctx, model.FollowRequests, unknown, func(o model.UserID) string {
			return model.FollowRequestKey(uid, o)
		})
		return err
	})
	return follows, blocks, requested, g.Wait()
}

// there returns which documents of a collection exist, one for each of some users.
//
// Cost: of each 30 users, 1 read for each document that exists, at least 1.
func (s *Store) there(ctx context.Context, collection string, others []model.UserID,
	key func(model.UserID) string) (map[string]bool, error) {
	keys := make([]string, len(others))
	for i, o := range others {
		keys[i] = key(o)
	}
	return s.db.There(ctx, collection, keys)
}
