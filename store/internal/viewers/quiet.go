package viewers

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// QuietBy returns what a user does not see of some others, now: by the user's graph, which every mute and block by the
// user writes in its own commit, and by the user's filters. A block by another user is there some seconds late.
//
// A graph that lacks entries says nothing of mutes and blocks. Then QuietBy reads the source documents, and builds
// nothing. It asks first whom the user blocks, then who of the others blocks the user, and then whom of the rest the
// user mutes. So each of the others costs at most 1 read. QuietBy does not ask whose shares the user hides.
//
// Cost: nothing for a whole graph. Otherwise of each 30 others, 1 read for each who is blocked, blocks or is muted, at
// least 1 of each of the three kinds. With a context from [Remember], nothing for what was read before.
func (s *Store) QuietBy(ctx context.Context, uid model.UserID, graph *model.ViewerGraph,
	others []model.UserID) (*model.Quiet, error) {
	return s.quietBy(ctx, uid, graph, others, others)
}

// BlocksBy is [Store.QuietBy] for a place in which mutes hide nothing: it asks for no mutes.
func (s *Store) BlocksBy(ctx context.Context, uid model.UserID, graph *model.ViewerGraph,
	others []model.UserID) (*model.Quiet, error) {
	return s.quietBy(ctx, uid, graph, others, nil)
}

// quietBy asks whether there are blocks with others, and for the mutes of mutes.
func (s *Store) quietBy(ctx context.Context, uid model.UserID, graph *model.ViewerGraph, others,
	mutes []model.UserID) (*model.Quiet, error) {
	now := s.db.Now()
	if graph.Whole {
		return graph.Quiet(uid, now), nil
	}
	k := knownOf(ctx, uid)
	asked := unknown(uid, others, k.blocks)
	mine, err := s.blocks(ctx, asked, func(o model.UserID) string { return model.BlockKey(uid, o) })
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(asked), func(o model.UserID) bool { return mine[o] })
	theirs, err := s.BlockedBy(ctx, uid, rest)
	if err != nil {
		return nil, err
	}
	for _, o := range asked {
		k.blocks[o] = mine[o] || theirs[o]
	}
	asked = slices.DeleteFunc(unknown(uid, mutes, k.mutes), func(o model.UserID) bool { return k.blocks[o] })
	muted, err := s.Muted(ctx, uid, asked)
	if err != nil {
		return nil, err
	}
	for _, o := range asked {
		k.mutes[o] = muted[o]
	}
	noteKnown(ctx, uid, k)
	return (&model.ViewerGraph{Filters: graph.Filters, Muted: k.mutes, Blocks: k.blocks}).Quiet(uid, now), nil
}

// unknown returns the others of whom a map has no entry, each once.
func unknown[V any](uid model.UserID, others []model.UserID, known map[model.UserID]V) (asked []model.UserID) {
	for _, o := range others {
		if _, ok := known[o]; !ok && o != uid && o != "" && !slices.Contains(asked, o) {
			asked = append(asked, o)
		}
	}
	return asked
}

// BlockedBy returns which of some users block a user, by the source documents.
//
// Cost: of each 30 users, 1 read for each block, at least 1.
func (s *Store) BlockedBy(ctx context.Context, uid model.UserID, others []model.UserID) (map[model.UserID]bool, error) {
	return s.blocks(ctx, others, func(o model.UserID) string { return model.BlockKey(o, uid) })
}

// blocks returns of which users there is a block with a key.
//
// Cost: of each 30 users, 1 read for each block, at least 1.
func (s *Store) blocks(ctx context.Context, others []model.UserID,
	key func(model.UserID) string) (map[model.UserID]bool, error) {
	keys := make([]string, len(others))
	for i, o := range others {
		keys[i] = key(o)
	}
	there, err := s.db.There(ctx, model.Blocks, keys)
	if err != nil {
		return nil, err
	}
	found := map[model.UserID]bool{}
	for i, o := range others {
		found[o] = there[keys[i]]
	}
	return found, nil
}

// HidesShares returns whether a user hides the shares of another, by the source document.
//
// Cost: 1 read.
func (s *Store) HidesShares(ctx context.Context, uid, other model.UserID) (bool, error) {
	return s.db.Get(ctx, s.db.MutedSharer(uid, other), nil)
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
