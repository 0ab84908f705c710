package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/fielddiff"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// user is the unit of one user.
func (v *verifier) user(uid model.UserID) *unit {
	return &unit{func(ctx context.Context) ([]Difference, error) {
		u, err := v.read.User(ctx, uid)
		if err != nil {
			return nil, err
		}
		v.noteTags(u)
		media, err := tweetMedia(ctx, v.Auditor, u)
		return slices.Concat(media,
			userCounts(v.Auditor, u), profileText(v.Auditor, u), tagUsages(v.Auditor, u), usernames(v.Auditor, u),
			tweets(v.Auditor, u),
			months(v.Auditor, uid, u.Tweets, u.Months), head(v.Auditor, u), shareMonths(v.Auditor, u),
			viewerGraph(v.Auditor, u), followerList(v.Auditor, u), reactionMonths(v.Auditor, u), diffNotifications(v.Auditor, u),
		), err
	}}
}

// noteTags records the tags of a user's tweets, for the units of tags.
func (v *verifier) noteTags(u *snapshot.User) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, t := range u.Tweets {
		for tag := range t.Doc.Tags {
			if v.tags != nil {
				v.tags[tag] = true
			}
		}
	}
}

// userCounts compares the counts of a user's profile.
func userCounts(a *Auditor, u *snapshot.User) []Difference {
	if u.User == nil {
		return nil
	}
	is := u.User.Doc
	have := map[string]int64{model.FollowerCount: is.FollowerCount, model.FollowedCount: is.FollowedCount,
		model.TweetCount: is.TweetCount}
	want := map[string]int64{
		model.FollowerCount: int64(len(u.Followers)), model.FollowedCount: int64(len(u.Following)),
		model.TweetCount: int64(len(u.Tweets)),
	}
	return counts(a, model.Users, string(u.ID), u.User, have, want)
}

// profileText compares the fields that follow from the nickname and the introduction of a profile.
func profileText(a *Auditor, u *snapshot.User) (ds []Difference) {
	if u.Profile == nil {
		return nil
	}
	path := at(model.Users, string(u.ID))
	restore := &fix{"text of " + path, func(ctx context.Context) error { return a.restoreProfile(ctx, u.ID) }}
	for field, v := range fielddiff.Of(u.User.Doc, *u.Profile) {
		add(&ds, model.Users, path, field, v[0], v[1], restore)
	}
	return ds
}

// usernames compares the name in a user's profile with the reservations of names for the
// user.
func usernames(a *Auditor, u *snapshot.User) (ds []Difference) {
	own := ""
	if u.User != nil {
		own = u.User.Doc.Username
		if _, ok := u.Names[own]; !ok {
			u.Names[own] = ""
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.Names)) {
		var have, want any
		if u.Names[name] != "" {
			have = u.Names[name]
		}
		if name == own {
			want = u.ID
		}
		if have != want {
			path := at(model.Usernames, name)
			add(&ds, model.Usernames, path, "uid", have, want, &fix{path, func(ctx context.Context) error {
				return a.reconcileUsername(ctx, name, u.ID)
			}})
		}
	}
	return ds
}

// reactionMonths compares the tweets that a user likes, shares and bookmarks with the months of the user's reactions. A
// saturated month need not hold all of them.
func reactionMonths(a *Auditor, u *snapshot.User) (ds []Difference) {
	for _, of := range []struct {
		kind  model.ReactionKind
		field string
		marks []model.Reaction
	}{{model.ReactionLike, "tweets.", bases(u.Likes)}, {model.ReactionShare, "shares.", bases(u.Done)},
		{model.ReactionBookmark, "bookmarks.", bases(u.Keeps)}} {
		compare := func(document string, id model.TweetID, have, want bool) {
			add(&ds, model.Reactions, at(model.Reactions, document), of.field+string(id), have, want,
				&fix{string(of.kind) + " in the reactions of " + string(u.ID) + " " + string(id), func(ctx context.Context) error {
					return a.reactions.Reconcile(ctx, of.kind, u.ID, id)
				}})
		}
		there := map[model.TweetID]bool{}
		for _, l := range of.marks {
			there[l.TweetID] = true
			document := model.MonthKey(u.ID, l.TweetID.Month())
			month := u.Reactions[document]
			if is, known := month.Has(of.kind, l.TweetID); known && !is {
				compare(document, l.TweetID, false, true)
			}
		}
		for _, document := range slices.Sorted(maps.Keys(u.Reactions)) {
			month := u.Reactions[document]
			held, _ := month.Held(of.kind)
			for _, id := range model.Newest(held, 0) {
				if !there[id] {
					compare(document, id, true, false)
				}
			}
		}
	}
	return ds
}

// bases have what likes, shares or bookmarks have alike.
func bases[R model.AnyReaction](all []R) []model.Reaction {
	some := make([]model.Reaction, len(all))
	for i, r := range all {
		some[i] = r.Base()
	}
	return some
}
