package timelines

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
)

// graphTTL is how long a process keeps a reader's graph to answer that nothing is new. Each page with tweets reads the
// graph and renews the cached one. So only a client that asks for news alone may hear so much later of the tweets of a
// new follow, or of a user whom the reader mutes no more.
const graphTTL = 5 * time.Minute

// newGraphs returns a cache of readers' graphs that takes at most so many bytes.
func (r *Reader) newGraphs(bytes int) *readcache.Cache[model.UserID, *model.ViewerGraph] {
	graphs := readcache.New(r.db.Now, graphTTL, bytes, readcache.Size, r.readGraphs)
	graphs.Name = "graphs"
	return graphs
}

// readGraphs loads graphs for the cache.
//
// Cost: the cost of [viewers.Store.Read] each.
func (r *Reader) readGraphs(ctx context.Context, uids []model.UserID) (map[model.UserID]*model.ViewerGraph, error) {
	graphs := make(map[model.UserID]*model.ViewerGraph, len(uids))
	for _, uid := range uids {
		graph, err := r.viewers.Read(ctx, uid)
		if err != nil {
			return nil, err
		}
		graphs[uid] = graph
	}
	return graphs, nil
}

// quiet reports whether a home timeline certainly has nothing newer than a position. Clients ask this again and again
// while they show a home page, so the answer comes from memory.
//
// Cost: 1 read in 5 minutes. 1 read for each head that is not cached, for the process 1 read a changed head, and
// the cost of [tagLists.Get].
func (r *Reader) quiet(ctx context.Context, uid model.UserID, after model.Position) (bool, error) {
	graph, ok, err := r.graphs.One(ctx, uid)
	if err != nil || !ok {
		return false, err
	}
	now := r.db.Now()
	excluded := graph.Excluded()
	muted := func(author model.UserID) bool {
		return excluded[author] && author != uid || graph.Whole && graph.Muted[author].HidesAll(now)
	}
	heads, err := r.heads.Get(ctx, append(slices.DeleteFunc(slices.Collect(maps.Keys(graph.Follows)), muted), uid))
	if err != nil {
		return false, err
	}
	for author, h := range heads {
		if h.from != "" && h.from.Compare(after) > 0 { // the head has only newer items, and there may be more
			return false, nil
		}
		sharesCount := author != uid && !(graph.Whole && (graph.Mutes[author] || graph.Muted[author].HidesShares(now)))
		for _, position := range h.positions {
			if position.Compare(after) <= 0 {
				break
			}
			if !position.IsShare() || sharesCount {
				return false, nil
			}
		}
	}
	for _, list := range r.tags.Get(ctx, slices.Sorted(maps.Keys(graph.FollowedTags))) {
		for _, p := range list.picked {
			if p.id.Position().Compare(after) <= 0 {
				break
			}
			if !muted(p.author) && !(graph.Whole && graph.BlockWith(p.author)) {
				return false, nil
			}
		}
	}
	return true, nil
}
