package verify

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// head compares a user's head with the user's tweets and shares. A head may begin at any time, and must have everything
// from then on. With fewer items than model.HeadRefill it must be whole. Every user has a head: without it, a home page
// opens the user's months.
func head(a *Auditor, u *snapshot.User) (ds []Difference) {
	rebuild := &fix{"head of " + string(u.ID), func(ctx context.Context) error {
		return a.timelines.RebuildHead(ctx, u.ID)
	}}
	path, want := at(model.Heads, string(u.ID)), model.NewHead(u.ID)
	legacy := false
	for id, t := range u.Tweets {
		want.PutTweet(id, &t.Doc)
	}
	for _, l := range u.Done {
		if position := l.Position(); position != "" {
			want.PutShare(position, l.AuthorID)
		} else {
			legacy = true // no head can have a share without an id
		}
	}
	differ := func(field string, have, want any) {
		if have != want {
			add(&ds, model.Heads, path, field, have, want, rebuild)
		}
	}
	if !u.HasHead {
		if u.User != nil || want.Len() > 0 {
			differ("", nil, "head")
		}
		return ds
	}
	if !u.Head.Whole {
		if want.Cut(u.Head.Since); want.Len() < model.HeadRefill && !legacy {
			differ("whole", false, true)
		}
	}
	if u.Head.Len() > model.HeadItems {
		if want.Trim(); u.Head.Whole && !want.Whole {
			differ("whole", true, false)
		}
	}
	differ("changeShard", u.Head.ChangeShard, want.ChangeShard)
	if u.Head.WrittenAt().IsZero() { // no process hears of the head
		differ(db.ChangedAt, nil, "time")
	}
	for _, id := range model.Newest(merged(want.Tweets, u.Head.Tweets), 0) {
		ds = append(ds, comparePreview(model.Heads, string(u.ID), id, entry(u.Head.Tweets, id), entry(want.Tweets, id),
			rebuild)...)
	}
	for _, id := range model.Newest(merged(want.ForFollowers, u.Head.ForFollowers), 0) {
		differ("forFollowers."+string(id), present(u.Head.ForFollowers, id), present(want.ForFollowers, id))
	}
	for _, position := range model.Newest(merged(want.Shares, u.Head.Shares), 0) {
		differ(model.SharesField+"."+string(position), present(u.Head.Shares, position), present(want.Shares, position))
	}
	return ds
}

// entry returns an entry of a map, or nil.
func entry[K comparable, V any](m map[K]V, key K) *V {
	if v, ok := m[key]; ok {
		return &v
	}
	return nil
}

// present returns the value of an entry of a map, or nil.
func present[K comparable, V any](m map[K]V, key K) any {
	if v, ok := m[key]; ok {
		return v
	}
	return nil
}

// merged has the keys of two maps.
func merged[K comparable, V any](a, b map[K]V) map[K]bool {
	keys := make(map[K]bool, len(a)+len(b))
	for key := range a {
		keys[key] = true
	}
	for key := range b {
		keys[key] = true
	}
	return keys
}
