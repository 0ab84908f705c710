package viewers

import (
	"context"
	"maps"
	"sync"

	"github.com/hibana-sns/hibana/model"
)

type memoryKey struct{}

// memory has the documents that one request has read.
type memory struct {
	mu     sync.Mutex
	graphs map[model.UserID]*model.ViewerGraph
	known  map[model.UserID]*known
}

// Remember returns a context for one request that only reads. With it, [Store.Peek] reads each document once, and
// [Store.QuietBy] asks of each user once. A context from Remember is returned as it is.
func Remember(ctx context.Context) context.Context {
	if _, ok := ctx.Value(memoryKey{}).(*memory); ok {
		return ctx
	}
	return context.WithValue(ctx, memoryKey{}, &memory{graphs: map[model.UserID]*model.ViewerGraph{},
		known: map[model.UserID]*known{}})
}

// Note remembers a document that was read otherwise. It does nothing if the context is not from [Remember].
func Note(ctx context.Context, uid model.UserID, v *model.ViewerGraph) {
	if m, ok := ctx.Value(memoryKey{}).(*memory); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.graphs[uid] = v
	}
}

func remembered(ctx context.Context, uid model.UserID) *model.ViewerGraph {
	m, ok := ctx.Value(memoryKey{}).(*memory)
	if !ok {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.graphs[uid]
}

// known has what source documents say of some users: an entry of a map says that the source documents were read.
type known struct {
	blocks map[model.UserID]bool
	mutes  map[model.UserID]model.Mute
}

func (k *known) clone() *known { return &known{maps.Clone(k.blocks), maps.Clone(k.mutes)} }

// knownOf returns a copy of what the request knows of users by source documents.
func knownOf(ctx context.Context, uid model.UserID) *known {
	if m, ok := ctx.Value(memoryKey{}).(*memory); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		if k := m.known[uid]; k != nil {
			return k.clone()
		}
	}
	return &known{map[model.UserID]bool{}, map[model.UserID]model.Mute{}}
}

// noteKnown remembers what the request knows, if the context is from [Remember].
func noteKnown(ctx context.Context, uid model.UserID, k *known) {
	if m, ok := ctx.Value(memoryKey{}).(*memory); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.known[uid] = k.clone()
	}
}
