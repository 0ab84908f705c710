// This file reads tags, their users, and their tweets.

package discovery

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Tags reads tags. Its methods may be called concurrently. Their errors are those of package
// errs.
type Tags struct {
	db     *db.DB
	access *access.Store
	first  readcache.Values[int, model.Page[model.Tag]] // the first page of [Tags.List], by its limit
}

// tagsListEvery is for how many writes of a count a process shows the first page that it has read.
const tagsListEvery = 600

// NewTags returns the tags of a database. every is about the time between two writes of a count.
func NewTags(d *db.DB, a *access.Store, every time.Duration) *Tags {
	r := &Tags{db: d, access: a}
	first := readcache.New(d.Now, tagsListEvery*every, 1<<20, func(p model.Page[model.Tag]) int {
		return 200 * len(p.Items)
	}, func(ctx context.Context, limits []int) (map[int]model.Page[model.Tag], error) {
		pages := map[int]model.Page[model.Tag]{}
		for _, limit := range limits {
			page, err := r.list(ctx, model.Cursor{}, limit)
			if err != nil {
				return nil, err
			}
			pages[limit] = page
		}
		return pages, nil
	})
	first.Name = "tags"
	r.first = first
	return r
}

// Tag reads a tag by its key. A tag that no tweet has is errs.NotFound.
//
// Cost: 1 read.
func (r *Tags) Tag(ctx context.Context, name string) (_ *model.Tag, err error) {
	defer errs.Wrap(&err, "discovery.Tag")
	t := &model.Tag{Name: name}
	_, err = r.db.Get(ctx, r.db.Tag(name), t)
	if err != nil {
		return nil, err
	}
	if t.TweetCount <= 0 {
		return nil, errs.New(errs.NotFound, "tag_not_found", "no tweet has the tag %q", name)
	}
	return t, nil
}

// List lists the tags in use, the most used first. Callers of the first page share a result for up to 10
// minutes: so a page of 8 tags costs an instance less than 1 read a minute.
//
// Cost: 1 read for each tag, at least 1; nothing for a first page that is shared.
func (r *Tags) List(ctx context.Context, from model.Cursor, limit int) (_ model.Page[model.Tag], err error) {
	defer errs.Wrap(&err, "discovery.List")
	if from.IsZero() {
		page, _, err := r.first.One(ctx, limit)
		return page, err
	}
	return r.list(ctx, from, limit)
}

// list is [Tags.List] past the cache.
func (r *Tags) list(ctx context.Context, from model.Cursor, limit int) (model.Page[model.Tag], error) {
	q := r.db.Client.Collection(model.Tags).Where(model.TweetCount, ">", 0)
	return db.Page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (t model.Tag, at model.Cursor, err error) {
			err = snap.DataTo(&t)
			t.Name = snap.Ref.ID
			return t, model.Cursor{Count: t.TweetCount, ID: t.Name}, err
		})
}

// UsedBy lists the tags that a user uses, the most used first.
//
// Cost: 1 read for each tag, at least 1.
func (r *Tags) UsedBy(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.TagUsage], err error) {
	defer errs.Wrap(&err, "discovery.UsedBy(%q)", uid)
	q := r.db.Client.Collection(model.TagUsages).Where(fields.UserID, "==", uid).Where(model.TweetCount, ">", 0)
	return db.Page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit, useOf)
}

// Pinned returns the tags that a user shows on the profile, in the user's order and spelling, with the number of the
// user's tweets that have them. A user without a profile is errs.NotFound.
//
// Cost: 1 read, and 1 read for each tag.
func (r *Tags) Pinned(ctx context.Context, uid model.UserID) (all []model.TagUsage, err error) {
	defer errs.Wrap(&err, "discovery.Pinned(%q)", uid)
	u, err := r.access.User(ctx, uid)
	if err != nil {
		return nil, err
	}
	var l db.Lookup
	var found []*db.Found[model.TagUsage]
	for _, label := range u.PinnedTags {
		name, err := model.NormalizeTag(label)
		if err != nil {
			return nil, err
		}
		all = append(all, model.TagUsage{UserID: uid, Name: name, Content: label})
		found = append(found, db.Find[model.TagUsage](&l, r.db.TagUsage(uid, name)))
	}
	if len(all) == 0 {
		return nil, nil
	}
	if err := r.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	for i, f := range found {
		all[i].TweetCount = max(0, f.Doc.TweetCount)
	}
	return all, nil
}

// useOf reads a tag usage, and its position in a list by count.
func useOf(snap *firestore.DocumentSnapshot) (u model.TagUsage, at model.Cursor, err error) {
	err = snap.DataTo(&u)
	return u, model.Cursor{Count: u.TweetCount, ID: snap.Ref.ID}, err
}

// Tweets lists the tweets of a tag, newest first. The query needs no composite index,
// because the field tags.{tag} of a tweet holds the tweet's time.
//
// Cost: 1 read for each tweet, at least 1.
func (r *Tags) Tweets(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet],
	err error) {
	defer errs.Wrap(&err, "discovery.Tweets")
	return r.tweets(ctx, "tags", name, from, limit)
}

// RootTweets is [Tags.Tweets] without replies.
func (r *Tags) RootTweets(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet],
	err error) {
	defer errs.Wrap(&err, "discovery.RootTweets")
	return r.tweets(ctx, "rootTags", name, from, limit)
}

func (r *Tags) tweets(ctx context.Context, field, name string, from model.Cursor, limit int) (model.Page[*model.Tweet],
	error) {
	return db.Page(ctx, r.db.Client.Collection(model.Tweets).Query, firestore.FieldPath{field, name}, firestore.Desc, from,
		limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := r.access.KeepTweet(snap)
			return t, model.Cursor{At: t.Tags[name], ID: snap.Ref.ID}, err
		})
}
