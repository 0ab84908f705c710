package counters

import (
	"cmp"
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// MadeOfShards reports whether documents of a collection may have shards before the document exists. Such a document is
// never deleted.
func MadeOfShards(collection string) bool {
	return collection == model.Tags || collection == model.TagUsages
}

// makeOfShards creates the document of a tag or tag usage, with the label that a shard has. The result says
// whether there are shards.
//
// Cost: 1 read a shard, at least 1, and 1 write.
func (s *Store) makeOfShards(ctx context.Context, parent *firestore.DocumentRef) (bool, error) {
	snaps, err := s.db.All(ctx, parent.Collection(model.Shards).Query)
	if err != nil || len(snaps) == 0 {
		return false, err
	}
	label := ""
	for _, snap := range snaps {
		if typed, ok := snap.Data()[labelField].(string); ok {
			label = typed
		}
	}
	if parent.Parent.ID == model.Tags {
		return true, create(ctx, parent, model.Tag{Content: cmp.Or(label, parent.ID)})
	}
	user, tag := model.SplitTagUsageKey(parent.ID)
	return true, create(ctx, parent, model.TagUsage{UserID: user, Name: tag, Content: cmp.Or(label, tag)})
}

// tagUsageMerge returns the delta of a tag usage as a merge, which creates a missing tag usage.
func tagUsageMerge(m delta) map[string]any {
	merge := m.merge()
	merge[fields.UserID], merge[fields.Tag] = model.SplitTagUsageKey(m.ref.ID)
	return merge
}

// create creates a document, unless it exists.
//
// Cost: 1 write.
func create(ctx context.Context, ref *firestore.DocumentRef, data any) error {
	_, err := ref.Create(ctx, data)
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}
