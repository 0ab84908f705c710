package graph

import (
	"context"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// FollowedTags reads the tags that a user follows. The result is not nil unless there is an error.
//
// Cost: 1 read.
func (s *Store) FollowedTags(ctx context.Context, uid model.UserID) (_ *model.FollowedTags, err error) {
	defer errs.Wrap(&err, "graph.FollowedTags(%q)", uid)
	is := &model.FollowedTags{}
	_, err = s.db.Get(ctx, s.db.FollowedTags(uid), is)
	return is, err
}

// FollowTag makes a user follow a tag, in any spelling. A followed tag stays as it is. A text that cannot be a tag is
// errs.Invalid, a user without a profile errs.Forbidden, and more than [model.MaxFollowedTags] are errs.Conflict.
//
// Cost: 1 read, and 2 writes if the user did not follow the tag; 1 read more for a user whose profile this process has
// not cached.
func (s *Store) FollowTag(ctx context.Context, uid model.UserID, typed string) (err error) {
	defer errs.Wrap(&err, "graph.FollowTag(%q)", uid)
	key, err := model.NormalizeTag(typed)
	if err != nil {
		return err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	tag := model.FollowedTag{Content: words.TrimHash(typed), FollowedAt: s.db.Time()}
	if utf8.RuneCountInString(tag.Content) > model.MaxTagLength { // with invisible characters
		tag.Content = key
	}
	_, err = viewers.Change(ctx, s.db, uid, s.db.FollowedTags(uid), viewers.FollowedTags,
		func(is *model.FollowedTags) (bool, error) { return is.Put(key, tag) })
	return err
}

// UnfollowTag ends that a user follows a tag, in any spelling. Without the follow, as of a user without a profile,
// UnfollowTag changes nothing.
//
// Cost: 1 read, and 2 writes if the user followed the tag.
func (s *Store) UnfollowTag(ctx context.Context, uid model.UserID, typed string) (err error) {
	defer errs.Wrap(&err, "graph.UnfollowTag(%q)", uid)
	key, err := model.NormalizeTag(typed)
	if err != nil {
		return err
	}
	_, err = viewers.Change(ctx, s.db, uid, s.db.FollowedTags(uid), viewers.FollowedTags,
		func(is *model.FollowedTags) (bool, error) { return is.Remove(key), nil })
	return err
}

// FollowsTag reports whether a user follows a tag, by the user's graph. An empty user follows none.
//
// Cost: that of [viewers.Store.Peek]; without a whole or partial graph 1 read more, and for a graph without copies that
// of [viewers.Store.Complete], once.
func (s *Store) FollowsTag(ctx context.Context, uid model.UserID, key string) (_ bool, err error) {
	defer errs.Wrap(&err, "graph.FollowsTag(%q)", uid)
	if uid == "" {
		return false, nil
	}
	v, err := s.viewers.Peek(ctx, uid)
	if err != nil {
		return false, err
	}
	if !v.Whole && !v.Partial {
		is, err := s.FollowedTags(ctx, uid)
		if err != nil {
			return false, err
		}
		_, ok := is.Tags[key]
		return ok, nil
	}
	if v, err = s.viewers.Complete(ctx, uid, v); err != nil {
		return false, err
	}
	_, ok := v.FollowedTags[key]
	return ok, nil
}
