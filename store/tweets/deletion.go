package tweets

import (
	"context"
	"errors"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// DeleteTweet replaces a tweet with a tombstone. A caller other than the author is errs.Forbidden, unless the caller is
// an administrator. A deleted tweet is errs.Gone. An unknown tweet is errs.NotFound, and so is a hidden tweet of
// another author. If the caller is not the author, the commit includes the writes that also adds.
//
// Cost: 1 read, 1 write and 2 deletes; 1 delete more with a poll, and for each of its media; 1 write more for a post of
// another server that an administrator deletes; 2 reads if the tweet is gone or hidden.
func (s *Store) DeleteTweet(ctx context.Context, by model.UserID, admin bool, id model.TweetID,
	also ...func(b *db.Batch, author model.UserID)) (err error) {
	defer errs.Wrap(&err, "tweets.DeleteTweet(%q)", id)
	viewer := model.Viewer{ID: by, Role: model.Member}
	if admin {
		viewer.Role = model.Administrator
	}
	t := model.Tweet{ID: id}
	found, err := s.db.Get(ctx, s.db.Tweet(id), &t)
	if err != nil {
		return err
	}
	if !found {
		return s.Gone(ctx, viewer, id)
	}
	if err := s.RequireVisible(ctx, viewer, &t); err != nil {
		return err
	}
	if t.AuthorID != by && !admin {
		return errs.New(errs.Forbidden, "not_author", "only its author may delete a tweet")
	}
	at := s.db.Time()
	b := s.db.Batch()
	// The batch uses Set and not Create. A commit of CreateTweet may lose its answer, and its repetition may arrive after
	// the deletion. Then the tweet stands beside its tombstone and is deleted once more.
	b.Set(s.db.Doc(model.Tombstones, string(id)), t.Tombstone(at))
	b.Delete(s.db.Tweet(id), firestore.Exists) // after the tombstone, see db.Batch
	b.Delete(s.db.Doc(model.TweetDetails, string(id)))
	if t.Poll != nil {
		b.Delete(s.db.Doc(model.Polls, string(id)))
	}
	for _, m := range t.Media {
		b.Delete(s.db.Media(m.ID)) // its files follow, see [media.Writer.Remove]
	}
	if t.Remote != nil && t.AuthorID != by { // no later activity of its server brings it back
		b.Set(s.mark(t.Remote.IRI), model.RemotePostMark{IRI: t.Remote.IRI, AuthorID: t.AuthorID, TweetID: id, Deleted: true})
	}
	for _, add := range also {
		if t.AuthorID != by {
			add(b, t.AuthorID)
		}
	}
	_, err = b.Commit(ctx)
	s.ForgetTweet(id)
	if db.NotFound(err) {
		err = s.Gone(ctx, viewer, id)
		// If the answer to a commit is lost, the client itself sends the commit again.
		if d, ok := errors.AsType[*access.Deleted](err); ok && d.AuthorID == t.AuthorID && d.DeletedAt.Equal(at) {
			return nil
		}
	}
	return err
}
