package moderation

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Flag flags a tweet as violative, or removes the flag. Failures are those of [tweets.Store.Flag]. Flagging again is no
// act.
//
// The entry of the audit log has the revision that Flag read. If seen is not empty, it must contain that revision, or
// the flag is errs.Outdated. A concurrent edit may still replace the text: then the tweet has a higher revision than
// the entry.
//
// Cost: 1 read and 2 writes; 1 read if nothing changes; 2 reads if the tweet is gone.
func (s *Store) Flag(ctx context.Context, by Actor, id model.TweetID, flagged bool, seen []int) (err error) {
	defer errs.Wrap(&err, "moderation.Flag(%q, %t)", id, flagged)
	var entry *model.Action
	defer func() { s.done(ctx, entry, err) }()
	return s.tweets.Flag(ctx, id, flagged, func(b *db.Batch, t *model.Tweet) error {
		if len(seen) > 0 && !slices.Contains(seen, t.Revision) {
			return model.TweetEdited(t)
		}
		act := model.ActFlag
		if !flagged {
			act = model.ActUnflag
		}
		entry = s.entry(by, act, t.AuthorID)
		entry.TweetID, entry.Revision = id, &t.Revision
		s.log(b, entry)
		return nil
	})
}

// DeleteTweet deletes a tweet for an administrator. Failures are those of [tweets.Store.Delete]. Deleting one's
// own tweet is no administrative act, and may keep its media.
//
// Cost: 1 read, 2 writes and 2 deletes; 1 write less for the administrator's own tweet. Media as in
// [tweets.Store.Delete].
func (s *Store) DeleteTweet(ctx context.Context, by Actor, id model.TweetID, keepOwnMedia bool) (err error) {
	defer errs.Wrap(&err, "moderation.DeleteTweet(%q)", id)
	var entry *model.Action
	defer func() { s.done(ctx, entry, err) }()
	also := func(b *db.Batch, author model.UserID) {
		entry = s.entry(by, model.ActDelete, author)
		entry.TweetID = id
		s.log(b, entry)
	}
	return s.tweets.Delete(ctx, id, tweets.Deletion{By: by.UID, Admin: true, KeepMedia: keepOwnMedia, Also: also})
}
