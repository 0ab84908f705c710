package counters

import (
	"context"
	"maps"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// CorrectCounts changes counts of the document at path, and rolls its shards up, in one write. by is how far each count
// is off, shards included. pending is how far the shards are ahead of the document. Both have only counters of
// [model.Counters], so the write changes at most eight fields. CorrectCounts changes nothing and returns false if a
// process wrote the document since updated, or if the document is gone.
//
// Cost: 1 write, unless the result is false.
func (s *Store) CorrectCounts(ctx context.Context, path string, updated time.Time, by,
	pending map[string]int64) (done bool, err error) {
	defer errs.Wrap(&err, "counters.CorrectCounts(%q)", path)
	moved := maps.Clone(pending)
	maps.Copy(moved, by)
	var updates []firestore.Update
	for field := range moved {
		updates = append(updates, firestore.Update{Path: field, Value: firestore.Increment(by[field] + pending[field])})
		if n := pending[field]; n != 0 {
			updates = append(updates, firestore.Update{FieldPath: rolled(field), Value: firestore.Increment(n)})
		}
	}
	ref := s.db.Client.Doc(path)
	_, err = ref.Update(ctx, s.db.Stamped(ref, updates), firestore.LastUpdateTime(updated))
	if db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// RestoreTag creates the missing document of a tag, with its count. pending is what the shards held when the count was
// right, and adds nothing to the count. Later increments of the shards are left to a roll-up. If the document exists,
// RestoreTag changes nothing.
//
// Cost: 1 write.
func (s *Store) RestoreTag(ctx context.Context, name string, tweets int64, pending map[string]int64) (err error) {
	defer errs.Wrap(&err, "counters.RestoreTag(%q)", name)
	return create(ctx, s.db.Tag(name), map[string]any{labelField: name, model.TweetCount: tweets, fields.Rolled: pending})
}

// RestoreTagUsage creates the document of a user's usage of a tag, as [Store.RestoreTag] does for a tag.
//
// Cost: 1 write.
func (s *Store) RestoreTagUsage(ctx context.Context, u model.TagUsage, pending map[string]int64) (err error) {
	defer errs.Wrap(&err, "counters.RestoreTagUsage(%q, %q)", u.UserID, u.Name)
	return create(ctx, s.db.TagUsage(u.UserID, u.Name), map[string]any{
		fields.UserID: u.UserID, fields.Tag: u.Name, labelField: u.Content, model.TweetCount: u.TweetCount,
		fields.Rolled: pending,
	})
}
