package store

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Tag reads a tag by its key: 1 read. One that no tweet has is errs.NotFound.
func (s *Store) Tag(ctx context.Context, name string) (_ *model.Tag, err error) {
	defer errs.Wrap(&err, "store.Tag(%q)", name)
	t := &model.Tag{Name: name}
	_, err = s.get(ctx, s.tag(name), t)
	if err != nil || t.TweetCount <= 0 {
		return nil, errOr(err, errs.New(errs.NotFound, "tag_not_found", "no tweet has the tag %q", name))
	}
	return t, nil
}

// Tags lists the tags in use, the most used first: a read each.
func (s *Store) Tags(ctx context.Context, from Cursor, limit int) (_ Page[model.Tag], err error) {
	defer errs.Wrap(&err, "store.Tags")
	q := s.fs.Collection(model.Tags).Where(model.TweetCount, ">", 0)
	return page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (t model.Tag, at Cursor, err error) {
			err = snap.DataTo(&t)
			t.Name = snap.Ref.ID
			return t, Cursor{Count: t.TweetCount, ID: t.Name}, err
		})
}

// TagTweets lists the tweets of a tag, newest first: a read each. It needs no
// composite index, because tags.{tag} holds the time by which to order.
func (s *Store) TagTweets(ctx context.Context, name string, from Cursor, limit int) (_ Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "store.TagTweets(%q)", name)
	return s.tagTweets(ctx, "tags", name, from, limit)
}

// TagRootTweets is TagTweets without replies.
func (s *Store) TagRootTweets(ctx context.Context, name string, from Cursor, limit int) (_ Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "store.TagRootTweets(%q)", name)
	return s.tagTweets(ctx, "rootTags", name, from, limit)
}

func (s *Store) tagTweets(ctx context.Context, field, name string, from Cursor, limit int) (Page[*model.Tweet], error) {
	return page(ctx, s.fs.Collection(model.Tweets).Query, firestore.FieldPath{field, name}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, Cursor, error) {
			t, err := s.keepTweet(snap)
			return t, Cursor{At: t.Tags[name], ID: snap.Ref.ID}, err
		})
}

// ensureTags creates the documents of tags that have none: a read each, and a write
// for each that is new. Labels are the tags as typed.
func (s *Store) ensureTags(ctx context.Context, tags []string, labels map[string]string) error {
	known, err := readAll(ctx, s, model.Tags, tags, func(string, *model.Tag) {})
	if err != nil {
		return err
	}
	for _, name := range tags {
		if known[name] != nil {
			continue
		}
		content := labels[name]
		if content == "" {
			content = name
		}
		if _, err := s.tag(name).Create(ctx, model.Tag{Content: content}); err != nil && !exists(err) {
			return err
		}
	}
	return nil
}

func (s *Store) tag(name string) *firestore.DocumentRef { return s.doc(model.Tags, name) }
