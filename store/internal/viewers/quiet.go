package viewers

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// Quiet returns what a viewer does not see of some users, now: by the viewer's graph, which every mute and block by the
// viewer writes in its own commit, and by the viewer's filters. A block by another user is there some seconds late. The
// result is nil for a viewer without an account.
//
// A graph that lacks entries says nothing of mutes and blocks. Then Quiet reads the source documents, and builds
// nothing.
//
// Cost: 1 read. Without a whole graph also, of each 30 others, 1 read for each block and mute, at least 1 of each of
// the four kinds.
func (s *Store) Quiet(ctx context.Context, v model.Viewer, others []model.UserID) (*model.Quiet, error) {
	uid := v.Account()
	if uid == "" {
		return nil, nil
	}
	graph, err := s.Peek(ctx, uid)
	if err != nil {
		return nil, err
	}
	return s.QuietBy(ctx, uid, graph, others)
}

// QuietBy is [Store.Quiet] for a caller who has read the graph.
//
// Cost: nothing for a whole graph.
func (s *Store) QuietBy(ctx context.Context, uid model.UserID, graph *model.ViewerGraph,
	others []model.UserID) (*model.Quiet, error) {
	now := s.db.Now()
	if graph.Whole {
		return graph.Quiet(uid, now), nil
	}
	var asked []model.UserID
	for _, o := range others {
		if o != uid && o != "" && !slices.Contains(asked, o) {
			asked = append(asked, o)
		}
	}
	known := &model.ViewerGraph{Filters: graph.Filters, Mutes: map[model.UserID]bool{},
		Blocks: map[model.UserID]bool{}, BlockedBy: map[model.UserID]bool{}}
	g, ctx := safely.WithContext(ctx)
	there := func(collection string, key func(model.UserID) string, found map[model.UserID]bool) {
		keys := make([]string, len(asked))
		for i, o := range asked {
			keys[i] = key(o)
		}
		g.Go(func() error {
			are, err := s.db.There(ctx, collection, keys)
			for i, o := range asked {
				if are[keys[i]] {
					found[o] = true
				}
			}
			return err
		})
	}
	there(model.Blocks, func(o model.UserID) string { return model.BlockKey(uid, o) }, known.Blocks)
	there(model.Blocks, func(o model.UserID) string { return model.BlockKey(o, uid) }, known.BlockedBy)
	there(model.MutedSharers, func(o model.UserID) string { return model.MutedSharerKey(uid, o) }, known.Mutes)
	g.Go(func() (err error) {
		known.Muted, err = s.Muted(ctx, uid, asked)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return known.Quiet(uid, now), nil
}

// mutesTogether is the number of values that a query with in may have.
const mutesTogether = 30

// Muted returns which of some users a user mutes, by the source documents.
//
// Cost: of each 30 users, 1 read for each mute, at least 1.
func (s *Store) Muted(ctx context.Context, uid model.UserID, others []model.UserID) (map[model.UserID]model.Mute,
	error) {
	muted := map[model.UserID]model.Mute{}
	for some := range slices.Chunk(others, mutesTogether) {
		refs := make([]*firestore.DocumentRef, len(some))
		for i, o := range some {
			refs[i] = s.db.MutedUser(uid, o)
		}
		snaps, err := s.db.Client.Collection(model.MutedUsers).Where(firestore.DocumentID, "in", refs).Documents(ctx).
			GetAll()
		if err != nil {
			return nil, err
		}
		for _, snap := range snaps {
			var m model.MutedUser
			if err := snap.DataTo(&m); err != nil {
				return nil, err
			}
			muted[m.MutedID] = m.Mute()
		}
	}
	return muted, nil
}
