package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// ViewerRelationshipsOf returns the relationships between a user and others, as far as the user may know them. They say
// whom the user follows, whom the user blocks and whom the user requests to follow. They also say which of the others
// follow the user. They do not say which of the others block the user: Blocked is false. An empty user is signed out
// and has no relationships. No user has a relationship with themselves.
//
// Cost: 4 reads for one other user; of 30 others 1 read for each document that exists, at least 1 a kind.
func (s *Store) ViewerRelationshipsOf(ctx context.Context, uid model.UserID,
	others []model.UserID) (_ map[model.UserID]model.ViewerRelationship, err error) {
	defer errs.Wrap(&err, "graph.ViewerRelationshipsOf(%q, %d)", uid, len(others))
	viewerRelationships := make(map[model.UserID]model.ViewerRelationship, len(others))
	for _, o := range others {
		if o != uid {
			viewerRelationships[o] = model.ViewerRelationship{}
		}
	}
	if uid == "" || len(viewerRelationships) == 0 {
		return viewerRelationships, nil
	}
	var asked []model.UserID
	var follows, followed, requests, blocks []string
	for o := range viewerRelationships {
		asked = append(asked, o)
		follows, followed = append(follows, model.RelationshipKey(uid, o)), append(followed, model.RelationshipKey(o, uid))
		requests, blocks = append(requests, model.FollowRequestKey(uid, o)), append(blocks, model.BlockKey(uid, o))
	}
	var there [4]map[string]bool
	g, ctx := safely.WithContext(ctx)
	for i, of := range []struct {
		collection string
		keys       []string
	}{{model.Relationships, follows}, {model.Relationships, followed}, {model.FollowRequests, requests},
		{model.Blocks, blocks}} {
		g.Go(func() (err error) {
			there[i], err = s.db.There(ctx, of.collection, of.keys)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, o := range asked {
		viewerRelationships[o] = model.ViewerRelationship{Follows: there[0][follows[i]], Followed: there[1][followed[i]],
			Requested: there[2][requests[i]], Blocks: there[3][blocks[i]]}
	}
	return viewerRelationships, nil
}
