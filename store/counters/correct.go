package counters

import (
	"context"
	"maps"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// CorrectCounts moves counts of the document at path, and rolls its shards up, in one
// write. by is how far each count is off, shards included. pending is what the shards are
// ahead of the document. Both are by field, as [Sums.Pending] names fields. CorrectCounts
// changes nothing and answers false if a process wrote the document since updated, or if
// the document is gone.
//
// Cost: 1 write, unless the answer is false.
func (s *Store) CorrectCounts(ctx context.Context, path string, updated time.Time, by, pending map[string]int64) (done bool, err error) {
	defer errs.Wrap(&err, "counters.CorrectCounts(%q)", path)
	fields := maps.Clone(pending)
	maps.Copy(fields, by)
	var updates []firestore.Update
	for field := range fields {
		at := strings.SplitN(field, ".", 2) // a tag holds no dot
		updates = append(updates, firestore.Update{FieldPath: at, Value: firestore.Increment(by[field] + pending[field])})
		if n := pending[field]; n != 0 {
			updates = append(updates, firestore.Update{FieldPath: append(firestore.FieldPath{"rolled"}, at...), Value: firestore.Increment(n)})
		}
	}
	ref := s.db.Client.Doc(path)
	_, err = ref.Update(ctx, s.db.Stamped(ref, updates), firestore.LastUpdateTime(updated))
	if db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// RestoreTag creates the document of a tag that has none, with its count. Shards that were
// left over add nothing to the count. If the document is there already, RestoreTag changes
// nothing.
//
// Cost: 1 read for each shard, at least 1, and 1 write.
func (s *Store) RestoreTag(ctx context.Context, name string, tweets int64) (err error) {
	defer errs.Wrap(&err, "counters.RestoreTag(%q)", name)
	rolled, err := sumShards(ctx, s.db.Tag(name))
	if err != nil {
		return err
	}
	_, err = s.db.Tag(name).Create(ctx, map[string]any{"content": name, model.TweetCount: tweets, "rolled": map[string]any(rolled)})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}
