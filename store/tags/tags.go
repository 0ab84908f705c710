// Package tags reads tags: which there are, who uses them, and the tweets that have them.
package tags

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Reader reads tags. Its methods may be called concurrently. Their errors are those of package
// errs.
type Reader struct {
	db    *db.DB
	facts *facts.Store
}

// New returns the tags of a database.
func New(d *db.DB, f *facts.Store) *Reader { return &Reader{db: d, facts: f} }

// Tag reads a tag by its key. A tag that no tweet has is errs.NotFound.
//
// Cost: 1 read.
func (r *Reader) Tag(ctx context.Context, name string) (_ *model.Tag, err error) {
	defer errs.Wrap(&err, "tags.Tag")
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

// List lists the tags in use, the most used first.
//
// Cost: 1 read for each tag, at least 1.
func (r *Reader) List(ctx context.Context, from model.Cursor, limit int) (_ model.Page[model.Tag], err error) {
	defer errs.Wrap(&err, "tags.List")
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
func (r *Reader) UsedBy(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.TagUse], err error) {
	defer errs.Wrap(&err, "tags.UsedBy(%q)", uid)
	q := r.db.Client.Collection(model.TagUses).Where("userId", "==", uid).Where(model.TweetCount, ">", 0)
	return db.Page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit, useOf)
}

// useOf reads a tag use, and its place in a list by count.
func useOf(snap *firestore.DocumentSnapshot) (u model.TagUse, at model.Cursor, err error) {
	err = snap.DataTo(&u)
	return u, model.Cursor{Count: u.TweetCount, ID: snap.Ref.ID}, err
}

// Tweets lists the tweets of a tag, newest first. The query needs no composite index,
// because the field tags.{tag} of a tweet holds the tweet's time.
//
// Cost: 1 read for each tweet, at least 1.
func (r *Reader) Tweets(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "tags.Tweets")
	return r.tweets(ctx, "tags", name, from, limit)
}

// RootTweets is [Reader.Tweets] without replies.
func (r *Reader) RootTweets(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "tags.RootTweets")
	return r.tweets(ctx, "rootTags", name, from, limit)
}

func (r *Reader) tweets(ctx context.Context, field, name string, from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
	return db.Page(ctx, r.db.Client.Collection(model.Tweets).Query, firestore.FieldPath{field, name}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := r.facts.KeepTweet(snap)
			return t, model.Cursor{At: t.Tags[name], ID: snap.Ref.ID}, err
		})
}
