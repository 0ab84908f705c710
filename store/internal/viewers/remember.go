package viewers

import (
	"context"
	"sync"

	"github.com/hibana-sns/hibana/model"
)

type memoryKey struct{}

// memory has the documents that one request has read.
type memory struct {
	mu     sync.Mutex
	graphs map[model.UserID]*model.ViewerGraph
}

// Remember returns a context for one request that only reads. [Store.Peek] reads each document once with it.
func Remember(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoryKey{}, &memory{graphs: map[model.UserID]*model.ViewerGraph{}})
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
