package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/fielddiff"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// months compares the previews in an author's months with the author's tweets.
func months(a *Auditor, author model.UserID, tweets map[model.TweetID]*snapshot.Counted[model.Tweet],
	have snapshot.Months) []Difference {
	ds := slices.Concat(
		audiencePartition(a, author, tweets, have[model.OpenAudiencePartition], model.OpenAudiencePartition),
		audiencePartition(a, author, tweets, have[model.FollowersAudiencePartition], model.FollowersAudiencePartition))
	marked := map[model.Month]bool{}
	for _, id := range model.Newest(tweets, 0) {
		m := id.Month()
		if tweets[id].Doc.AudiencePartition() != model.FollowersAudiencePartition || marked[m] {
			continue
		}
		marked[m] = true
		if open := have[model.OpenAudiencePartition][m]; open == nil || !open.Followers {
			document := model.MonthKey(author, m)
			add(&ds, model.TweetMonths, at(model.TweetMonths, document), "followers", false, true, mark(a, author, id))
		}
	}
	return ds
}

// mark is the fix of a missing mark that the author has tweets for followers. id is one of them.
func mark(a *Auditor, author model.UserID, id model.TweetID) *fix {
	return &fix{"mark " + string(id), func(ctx context.Context) error {
		_, err := a.previews.ReconcilePreview(ctx, author, id, model.FollowersAudiencePartition)
		return err
	}}
}

// audiencePartition compares the previews in an author's months on an audience partition with the author's tweets.
func audiencePartition(a *Auditor, author model.UserID, tweets map[model.TweetID]*snapshot.Counted[model.Tweet],
	have map[model.Month]*snapshot.Month, on model.AudiencePartition) (ds []Difference) {
	restore := func(id model.TweetID, in []string) *fix {
		return &fix{"card " + on.Months() + " " + string(id), func(ctx context.Context) error {
			return a.restorePreview(ctx, author, id, on, in)
		}}
	}
	for _, id := range model.Newest(tweets, 0) {
		m := id.Month()
		var preview *model.TweetPreview
		var in []string
		document := model.MonthKey(author, m)
		if have[m] != nil {
			if c, ok := have[m].Previews[id]; ok {
				preview, in = &c, have[m].In[id]
				document = in[0]
			}
		}
		var want *model.TweetPreview
		if tweets[id].Doc.AudiencePartition() == on {
			want = new(tweets[id].Doc.Preview())
		}
		ds = append(ds, comparePreview(on.Months(), document, id, preview, want, restore(id, in))...)
	}
	for _, m := range slices.Sorted(maps.Keys(have)) {
		for _, id := range model.Newest(have[m].Previews, 0) {
			if tweets[id] == nil || id.Month() != m {
				in := have[m].In[id]
				ds = append(ds, comparePreview(on.Months(), in[0], id, new(have[m].Previews[id]), nil, restore(id, in))...)
			}
		}
	}
	return ds
}

// comparePreview compares one preview. Either side may lack the preview.
func comparePreview(kind, document string, id model.TweetID, have, want *model.TweetPreview, f *fix) (ds []Difference) {
	path, field := at(kind, document), "tweets."+string(id)
	switch {
	case have == nil && want == nil: // of a tweet that is not public
	case have == nil || want == nil:
		what := func(c *model.TweetPreview) any {
			if c == nil {
				return nil
			}
			return "card"
		}
		add(&ds, kind, path, field, what(have), what(want), f)
	case !have.Equal(*want):
		for name, v := range fielddiff.Of(*have, *want) {
			add(&ds, kind, path, field+"."+name, v[0], v[1], f)
		}
	}
	return ds
}
