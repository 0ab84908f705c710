package verify

import (
	"context"
	"maps"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/fielddiff"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// tweet is the unit of a single tweet.
func (v *verifier) tweet(id model.TweetID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		t, err := v.read.Tweet(ctx, id)
		if err != nil {
			return nil, err
		}
		ds = searched(v.Auditor, t.Found, t.Wanted)
		if t.Tweet == nil {
			ds = append(ds, strayMarks(v.Auditor, model.ReactionLike, t.Liked, nil)...)
			ds = append(ds, strayMarks(v.Auditor, model.ReactionBookmark, t.Kept, nil)...)
			ds = append(ds, strayMarks(v.Auditor, model.ReactionShare, t.Shared, nil)...)
			if t.Revised > 0 {
				ds = append(ds, strayRevisions(v.Auditor, id, t.Revised)...)
			}
			return ds, nil
		}
		ds = append(ds, tweetCounts(v.Auditor, t.Tweet, t.Author,
			sourceCounts{int64(len(t.Liked)), int64(len(t.Replies)), int64(len(t.Shared)), int64(len(t.Quotes))})...)
		ds = append(ds, tweetText(v.Auditor, t.Tweet, t.Written)...)
		own := map[model.TweetID]*snapshot.Counted[model.Tweet]{id: t.Tweet}
		return append(ds, months(v.Auditor, t.Tweet.Doc.AuthorID, own, t.Months)...), nil
	}}
}

// tweets compares the counts of a user's tweets, and finds likes, shares, bookmarks and
// revisions of tweets that are gone.
func tweets(a *Auditor, u *snapshot.User) []Difference {
	ds := searched(a, u.Found, u.Wanted)
	likes, shares, replies, quotes := map[model.TweetID]int64{}, map[model.TweetID]int64{}, map[model.TweetID]int64{},
		map[model.TweetID]int64{}
	for _, l := range u.Liked {
		likes[l.TweetID]++
	}
	ds = append(ds, strayMarks(a, model.ReactionLike, u.Liked, u.Tweets)...)
	ds = append(ds, strayMarks(a, model.ReactionBookmark, u.Kept, u.Tweets)...)
	ds = append(ds, strayMarks(a, model.ReactionShare, u.Shared, u.Tweets)...)
	for id, n := range u.Revised {
		if u.Tweets[id] == nil {
			ds = append(ds, strayRevisions(a, id, n)...)
		}
	}
	for _, m := range u.Shared {
		shares[m.TweetID]++
	}
	for _, r := range u.Replies {
		replies[*r.ReplyTo]++
	}
	for _, q := range u.Quotes {
		quotes[q.QuoteOf]++
	}
	var author *model.User
	if u.User != nil {
		author = &u.User.Doc
	}
	for _, id := range model.Newest(u.Tweets, 0) {
		ds = append(ds, tweetCounts(a, u.Tweets[id], author, sourceCounts{likes[id], replies[id], shares[id], quotes[id]})...)
		ds = append(ds, tweetText(a, u.Tweets[id], u.Written[id])...)
	}
	return ds
}

// sourceCounts are the numbers of source documents about a tweet.
type sourceCounts struct{ likes, replies, shares, quotes int64 }

// tweetCounts compares the counts of a tweet. If the author has a profile, tweetCounts also compares the tweet's
// embedded author.
func tweetCounts(a *Auditor, t *snapshot.Counted[model.Tweet], author *model.User, want sourceCounts) []Difference {
	ds := counts(a, model.Tweets, string(t.Doc.ID), t,
		map[string]int64{model.LikeCount: t.Doc.LikeCount, model.ShareCount: t.Doc.ShareCount,
			model.ReplyCount: t.Doc.ReplyCount, model.QuoteCount: t.Doc.QuoteCount},
		map[string]int64{model.LikeCount: want.likes, model.ShareCount: want.shares, model.ReplyCount: want.replies,
			model.QuoteCount: want.quotes})
	if author == nil {
		return ds
	}
	restore := &fix{"author of " + t.Path, func(ctx context.Context) error {
		return a.previews.RestoreAuthor(ctx, t.Doc.AuthorID, t.Doc.ID)
	}}
	for field, v := range fielddiff.Of(t.Doc.Author, author.Author()) {
		add(&ds, model.Tweets, t.Path, "author."+field, v[0], v[1], restore)
	}
	return ds
}

// tweetText compares the fields that follow from the text of a tweet: snippet, length and tags. want is the tweet as
// computed from its text.
func tweetText(a *Auditor, t *snapshot.Counted[model.Tweet], want *model.Tweet) (ds []Difference) {
	if want == nil {
		return nil
	}
	restore := &fix{"text of " + t.Path, func(ctx context.Context) error { return a.restoreText(ctx, t.Doc.ID) }}
	for field, v := range fielddiff.Of(t.Doc, *want) {
		add(&ds, model.Tweets, t.Path, field, v[0], v[1], restore)
	}
	return ds
}

// searched compares the digests of the search documents of tweets with the digests computed from the texts. Documents
// in an engine are not of the moment; [discovery.SearchWriter.Rebuild] repairs them.
func searched(a *Auditor, have, want map[model.TweetID]any) (ds []Difference) {
	if a.search.Engine() {
		return nil
	}
	all := maps.Clone(want)
	maps.Copy(all, have)
	for _, id := range model.Newest(all, 0) {
		if path := at(model.SearchDocs, model.SearchKey(id)); have[id] != want[id] {
			add(&ds, model.SearchDocs, path, "", have[id], want[id],
				&fix{path, func(ctx context.Context) error { return a.search.Index(ctx, id) }})
		}
	}
	return ds
}

// strayMarks are the differences of likes, shares or bookmarks whose tweets are gone.
func strayMarks(a *Auditor, kind model.ReactionKind, marks []model.Reaction,
	there map[model.TweetID]*snapshot.Counted[model.Tweet]) (ds []Difference) {
	for _, m := range marks {
		if there[m.TweetID] == nil {
			path := at(kind.Collection(), model.ReactionKey(m.UserID, m.TweetID))
			add(&ds, kind.Collection(), path, "", m.CreatedAt, nil, &fix{path, func(ctx context.Context) error {
				return a.removeStrayMark(ctx, kind, m.UserID, m.TweetID)
			}})
		}
	}
	return ds
}

// strayRevisions is the difference of the revisions of a tweet that is gone.
func strayRevisions(a *Auditor, id model.TweetID, n int) (ds []Difference) {
	path := at(model.Tweets, string(id), model.Revisions)
	add(&ds, model.Revisions, path, "", n, nil, &fix{path, func(ctx context.Context) error {
		return a.removeStrayRevisions(ctx, id)
	}})
	return ds
}
