package audit

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
)

// counts compares the counts of a document, by field. What is in the shards belongs to
// a count. It is wrong only if nobody moves it: then a roll-up was lost.
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

// tweetCounts compares the counts of a tweet and its copy of the author, if that has a
// profile.
func tweetCounts(a *Auditor, t *countedDoc[model.Tweet], author *model.User, likes, shares, replies int64) []Difference {
	ds := counts(a, model.Tweets, string(t.Doc.ID), t,
		map[string]int64{model.LikeCount: t.Doc.LikeCount, model.ShareCount: t.Doc.ShareCount, model.ReplyCount: t.Doc.ReplyCount},
		map[string]int64{model.LikeCount: likes, model.ShareCount: shares, model.ReplyCount: replies})
	if author == nil {
		return ds
	}
	restore := &fix{"author of " + t.Path, func(ctx context.Context) error {
		return a.cards.RestoreAuthor(ctx, t.Doc.AuthorID, t.Doc.ID)
	}}
	for field, v := range fields(t.Doc.Author, author.Author()) {
		add(&ds, model.Tweets, t.Path, "author."+field, v[0], v[1], restore)
	}
	return ds
}

// strayLike is a like of a tweet that is gone.
func strayLike(a *Auditor, l model.Like) (ds []Difference) {
	path := at(model.Likes, model.ReactionKey(l.UserID, l.TweetID))
	add(&ds, model.Likes, path, "", l.CreatedAt, nil, &fix{path, func(ctx context.Context) error {
		return a.removeStrayLike(ctx, l.UserID, l.TweetID)
	}})
	return ds
}

// tweet is one tweet by itself.
func (v *verifier) tweet(id model.TweetID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		t, err := v.readTweet(ctx, id)
		if err != nil {
			return nil, err
		}
		if t.Tweet == nil {
			for _, l := range t.Liked {
				ds = append(ds, strayLike(v.Auditor, l)...)
			}
			return ds, nil
		}
		ds = tweetCounts(v.Auditor, t.Tweet, t.Author, int64(len(t.Liked)), int64(len(t.Shared)), int64(len(t.Replies)))
		own := map[model.TweetID]*countedDoc[model.Tweet]{id: t.Tweet}
		return append(ds, months(v.Auditor, t.Tweet.Doc.AuthorID, own, t.Months)...), nil
	}}
}

// tag is one tag.
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

// strayShards are what is left of the counts of a document that is gone.
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
