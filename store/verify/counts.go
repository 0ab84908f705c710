package verify

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// counts compares the counts of a document with the sources of truth, by field. An increment in a shard belongs to its
// count. Such an increment is a difference too: if no process moves it between two snapshots, a roll-up was lost.
func counts[T any](a *Auditor, kind, id string, c *snapshot.Counted[T], have, want map[string]int64) (ds []Difference) {
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
				Kind: model.Shards, Document: c.Path, Field: "rolled." + field, Have: should - pending, Want: should,
				Version: c.Version,
				fix: &fix{"roll up " + c.Path, func(ctx context.Context) error {
					_, err := a.counters.RollUpNow(ctx, model.RollUpWork{Collection: kind, ID: id})
					return err
				}},
			})
		}
	}
	return ds
}

// onlyCount compares the only count of a document that restore creates if it is missing.
func onlyCount[T any](a *Auditor, kind, id, field string, c *snapshot.Counted[T], have, want int64,
	restore func(context.Context) error) []Difference {
	ds := counts(a, kind, id, c, map[string]int64{field: have}, map[string]int64{field: want})
	for i := range ds {
		if d := &ds[i]; c.Missing && d.count != nil {
			d.Have, d.count, d.fix = nil, nil, &fix{"restore " + c.Path, restore}
		}
	}
	return ds
}

// tag is the unit of one tag.
func (v *verifier) tag(name string) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		t, err := v.read.Tag(ctx, name)
		if err != nil {
			return nil, err
		}
		return onlyCount(v.Auditor, model.Tags, name, model.TweetCount, t.Tag, t.Tag.Doc.TweetCount, t.Tweets,
			func(ctx context.Context) error {
				return v.counters.RestoreTag(ctx, name, t.Tweets, t.Tag.Pending)
			}), nil
	}}
}

// tagUsages compares how many of a user's tweets have each tag.
func tagUsages(a *Auditor, u *snapshot.User) (ds []Difference) {
	want, labels := map[string]int64{}, map[string]string{}
	for _, id := range model.Newest(u.Tweets, 0) {
		t := &u.Tweets[id].Doc
		for tag := range t.Tags {
			key := model.TagUsageKey(u.ID, tag)
			want[key]++
			labels[key] = cmp.Or(labels[key], t.TagLabels[tag])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(u.TagUsages)) {
		is := u.TagUsages[key]
		ds = append(ds, onlyCount(a, model.TagUsages, key, model.TweetCount, is, is.Doc.TweetCount, want[key],
			func(ctx context.Context) error {
				_, tag := model.SplitTagUsageKey(key)
				use := model.TagUsage{UserID: u.ID, Name: tag, Content: cmp.Or(labels[key], tag), TweetCount: want[key]}
				return a.counters.RestoreTagUsage(ctx, use, is.Pending)
			})...)
	}
	return ds
}

// strayShards is the unit of the shards of a deleted document. A document that is never deleted has shards that were
// not rolled up yet, and a roll-up creates the document.
func (v *verifier) strayShards(collection, id string) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		stray, err := v.counters.HasStrayShards(ctx, collection, id)
		if stray {
			path := at(collection, id, model.Shards)
			add(&ds, model.Shards, path, "", true, nil, &fix{path, func(ctx context.Context) error {
				if !counters.MadeOfShards(collection) {
					return v.counters.RemoveStrayShards(ctx, collection, id)
				}
				_, err := v.counters.RollUpNow(ctx, model.RollUpWork{Collection: collection, ID: id})
				return err
			}})
		}
		return ds, err
	}}
}
