package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Tag reads a tag by its key. A tag that no tweet has is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) Tag(ctx context.Context, name string) (_ *model.Tag, err error) {
	defer errs.Wrap(&err, "facts.Tag")
	t := &model.Tag{Name: name}
	_, err = s.db.Get(ctx, s.db.Tag(name), t)
	if err != nil {
		return nil, err
	}
	if t.TweetCount <= 0 {
		return nil, errs.New(errs.NotFound, "tag_not_found", "no tweet has the tag %q", name)
	}
	return t, nil
}

// Tags lists the tags in use, the most used first.
//
// Cost: 1 read for each tag, at least 1.
func (s *Store) Tags(ctx context.Context, from model.Cursor, limit int) (_ model.Page[model.Tag], err error) {
	defer errs.Wrap(&err, "facts.Tags")
	q := s.db.Client.Collection(model.Tags).Where(model.TweetCount, ">", 0)
	return db.Page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (t model.Tag, at model.Cursor, err error) {
			err = snap.DataTo(&t)
			t.Name = snap.Ref.ID
			return t, model.Cursor{Count: t.TweetCount, ID: t.Name}, err
		})
}

// TagsOf lists the tags that a user uses, the most used first.
//
// Cost: 1 read for each tag, at least 1.
func (s *Store) TagsOf(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.TagUse], err error) {
	defer errs.Wrap(&err, "facts.TagsOf(%q)", uid)
	q := s.db.Client.Collection(model.TagUses).Where("userId", "==", uid).Where(model.TweetCount, ">", 0)
	return db.Page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (u model.TagUse, at model.Cursor, err error) {
			err = snap.DataTo(&u)
			return u, model.Cursor{Count: u.TweetCount, ID: snap.Ref.ID}, err
		})
}

// TagTweets lists the tweets of a tag, newest first. The query needs no composite index,
// because the field tags.{tag} of a tweet holds the tweet's time.
//
// Cost: 1 read for each tweet, at least 1.
func (s *Store) TagTweets(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "facts.TagTweets")
	return s.tagTweets(ctx, "tags", name, from, limit)
}

// TagRootTweets is [Store.TagTweets] without replies.
func (s *Store) TagRootTweets(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "facts.TagRootTweets")
	return s.tagTweets(ctx, "rootTags", name, from, limit)
}

func (s *Store) tagTweets(ctx context.Context, field, name string, from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
	return db.Page(ctx, s.db.Client.Collection(model.Tweets).Query, firestore.FieldPath{field, name}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := s.keepTweet(snap)
			return t, model.Cursor{At: t.Tags[name], ID: snap.Ref.ID}, err
		})
}
