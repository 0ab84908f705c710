package audit

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
)

// counts compares the counts of a document with the facts, by field. An increment that
// stands in a shard belongs to its count. Such an increment is a difference too: if no
// process moves it between two snapshots, a roll-up was lost.
func counts[T any](a *Auditor, kind, id string, c *countedDoc[T], have, want map[string]int64) (ds []Difference) {
	fields := maps.Clone(have)
	maps.Copy(fields, want)
	maps.Copy(fields, c.Pending)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		is, should, pending := have[field]+c.Pending[field], want[field], c.Pending[field]
		switch {
		case is != should:
			ds = append(ds, Difference{
				Kind: kind, Document: c.Path, Field: field, Have: is, Want: should, Version: c.Version,
				count: &count{updated: c.Updated, by: should - is, pending: c.Pending},
			})
		case pending != 0:
			ds = append(ds, Difference{
				Kind: model.Shards, Document: c.Path, Field: "rolled." + field, Have: should - pending, Want: should, Version: c.Version,
				fix: &fix{"roll up " + c.Path, func(ctx context.Context) error {
					_, err := a.counters.RollUpNow(ctx, model.RollUpWork{Collection: kind, ID: id})
					return err
				}},
			})
		}
	}
	return ds
}

// tag is the unit of one tag.
func (v *verifier) tag(name string) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		t, err := v.readTag(ctx, name)
		if err != nil {
			return nil, err
		}
		if t.Tag != nil {
			return counts(v.Auditor, model.Tags, name, t.Tag,
				map[string]int64{model.TweetCount: t.Tag.Doc.TweetCount}, map[string]int64{model.TweetCount: t.Tweets}), nil
		}
		if t.Tweets > 0 {
			add(&ds, model.Tags, at(model.Tags, name), model.TweetCount, nil, t.Tweets, &fix{"tag " + name, func(ctx context.Context) error {
				return v.counters.RestoreTag(ctx, name, t.Tweets)
			}})
		}
		return ds, nil
	}}
}

// strayShards is the unit of the shards that a document left behind when it was deleted.
func (v *verifier) strayShards(collection, id string) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		stray, err := v.counters.HasStrayShards(ctx, collection, id)
		if stray {
			path := at(collection, id, model.Shards)
			add(&ds, model.Shards, path, "", true, nil, &fix{path, func(ctx context.Context) error {
				return v.counters.RemoveStrayShards(ctx, collection, id)
			}})
		}
		return ds, err
	}}
}
