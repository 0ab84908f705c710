package verify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// viewerGraph compares a reader's document of the graph with the relationships, mutes and blocks, and its copies with
// the settings, the profile, the filters, the followed tags and the exclusive lists. A document that is neither whole
// nor partial may lack entries and copies: the next page that needs it builds it. The next page also adds the copies of
// the followed tags and exclusive lists to a document that does not say that it has them. A partial document has the
// newest follows alone, and is wrong once all entries have room in it again. A user without a profile has no document.
func viewerGraph(a *Auditor, u *snapshot.User) (ds []Difference) {
	path := at(model.Viewers, string(u.ID))
	restore := &fix{path, func(ctx context.Context) error { return a.viewers.Restore(ctx, u.ID) }}
	follows, mutes := map[model.UserID]time.Time{}, map[model.UserID]bool{}
	for _, rel := range u.Following {
		follows[rel.FollowedID] = rel.CreatedAt
	}
	for _, m := range u.Mutes {
		mutes[m.SharerID] = true
	}
	muted := map[model.UserID]model.Mute{}
	for _, m := range u.Muted {
		muted[m.MutedID] = m.Mute()
	}
	is := u.Viewer
	if u.User == nil {
		if u.HasViewer {
			add(&ds, model.Viewers, path, "", "graph", nil, restore)
		}
		return ds
	}
	built := is.Whole || is.Partial
	switch c := is.Choice; {
	case c == nil && built:
		add(&ds, model.Viewers, path, fields.Choice, nil, u.Choice, restore)
	case c != nil && (!slices.Equal(c.Off, u.Choice.Off) || !maps.EqualFunc(c.Muted, u.Choice.Muted, time.Time.Equal) ||
		!c.SamePolicy(&u.Choice)):
		add(&ds, model.Viewers, path, fields.Choice, *c, u.Choice, restore)
	}
	switch b, want := is.BlockStrangers, u.User.Doc.BlockStrangers; {
	case b == nil && built:
		add(&ds, model.Viewers, path, fields.BlockStrangers, nil, want, restore)
	case b != nil && *b != want:
		add(&ds, model.Viewers, path, fields.BlockStrangers, *b, want, restore)
	}
	if !model.EqualFilters(is.Filters, u.Filters.Filters) {
		add(&ds, model.Viewers, path, fields.Filters, is.Filters, u.Filters.Filters, restore)
	}
	if is.HasCopies && !model.EqualFollowedTags(is.FollowedTags, u.FollowedTags.Tags) {
		add(&ds, model.Viewers, path, fields.FollowedTags, is.FollowedTags, u.FollowedTags.Tags, restore)
	}
	if is.HasCopies && !model.EqualExclusive(is.Exclusive, u.Exclusive) {
		add(&ds, model.Viewers, path, fields.Exclusive, is.Exclusive, u.Exclusive, restore)
	}
	if is.Partial {
		compareEntries(&ds, path, "follows", is.Follows, a.viewers.Newest(follows), time.Time.Equal, restore)
		if n := len(follows) + len(mutes) + len(muted) + len(u.Blocks) + len(u.BlockedBy); n <= a.viewers.Roomy() {
			add(&ds, model.Viewers, path, "partial", true, false, restore)
		}
		return ds
	}
	if !is.Whole {
		return ds
	}
	compareEntries(&ds, path, "follows", is.Follows, follows, time.Time.Equal, restore)
	same := func(a, b bool) bool { return a == b }
	compareEntries(&ds, path, "mutes", is.Mutes, mutes, same, restore)
	compareEntries(&ds, path, "muted", is.Muted, muted, func(a, b model.Mute) bool { return a == b }, restore)
	compareEntries(&ds, path, "blocks", is.Blocks, u.Blocks, same, restore)
	compareEntries(&ds, path, "blockedBy", is.BlockedBy, u.BlockedBy, same, restore)
	return ds
}

// compareEntries compares a map of a reader's document of the graph.
func compareEntries[V any](ds *[]Difference, path, field string, have, want map[model.UserID]V, same func(a, b V) bool,
	restore *fix) {
	all := maps.Clone(want)
	maps.Copy(all, have)
	for _, other := range slices.Sorted(maps.Keys(all)) {
		var is, should any
		h, has := have[other]
		if has {
			is = h
		}
		w, wants := want[other]
		if wants {
			should = w
		}
		if has != wants || has && !same(h, w) {
			add(ds, model.Viewers, path, field+"."+string(other), is, should, restore)
		}
	}
}
