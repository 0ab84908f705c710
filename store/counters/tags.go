package counters

import (
	"cmp"
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// ensureTags creates the documents of tags that have none. Labels are the tags as their
// author typed them.
//
// Cost: 1 read for each tag, and 1 write for each new tag.
func (s *Store) ensureTags(ctx context.Context, tags []string, labels map[string]string) error {
	known, err := db.ReadAll(ctx, s.db, model.Tags, tags, func(string, *model.Tag) {})
	if err != nil {
		return err
	}
	for _, name := range tags {
		if known[name] != nil {
			continue
		}
		if err := s.createTag(ctx, name, labels[name]); err != nil {
			return err
		}
	}
	return nil
}

// makeTag creates the document of a tag that has shards, with the label that a shard has.
// The result tells whether the tag has shards.
//
// Cost: 1 read a shard, at least 1, and 1 write.
func (s *Store) makeTag(ctx context.Context, name string) (bool, error) {
	snaps, err := s.db.Tag(name).Collection(model.Shards).Documents(ctx).GetAll()
	if err != nil || len(snaps) == 0 {
		return false, err
	}
	label := ""
	for _, snap := range snaps {
		if typed, ok := snap.Data()[labelField].(string); ok {
			label = typed
		}
	}
	return true, s.createTag(ctx, name, label)
}

// createTag creates the document of a tag, unless the tag has one. An empty label stands for
// the name.
//
// Cost: 1 write.
func (s *Store) createTag(ctx context.Context, name, label string) error {
	_, err := s.db.Tag(name).Create(ctx, model.Tag{Content: cmp.Or(label, name)})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}
