package tweets

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Deletion says how a tweet is deleted.
type Deletion struct {
	By    model.UserID
	Admin bool // By may delete the tweets of others
	// KeepMedia makes the media of By's own tweet uploads that no tweet has: their owner may post them anew within
	// [model.MediaWindow]. They get the descriptions that the tweet has. Otherwise, and those of another author's tweet,
	// they are deleted with it.
	KeepMedia bool
	// Also adds writes to the commit that deletes another author's tweet; nil for none.
	Also func(b *db.Batch, author model.UserID)
}

// DeleteTweet replaces a tweet with a tombstone, and deletes its media, see [Store.Delete].
func (s *Store) DeleteTweet(ctx context.Context, by model.UserID, admin bool, id model.TweetID) error {
	return s.Delete(ctx, id, Deletion{By: by, Admin: admin})
}

// Delete replaces a tweet with a tombstone. A caller other than the author is errs.Forbidden, unless the caller is an
// administrator. A deleted tweet is errs.Gone, and its media stay as they are. An unknown tweet is errs.NotFound, and
// so is a hidden tweet of another author.
//
// Cost: 1 read, 1 write and 2 deletes; 1 delete more with a poll, and for each of its media; 1 write more for a post of
// another server that an administrator deletes; 2 reads if the tweet is gone or hidden. Media that are kept cost 1 read
// and 1 write each in the place of the delete, and 1 read more in all if one has a long description.
func (s *Store) Delete(ctx context.Context, id model.TweetID, d Deletion) (err error) {
	defer errs.Wrap(&err, "tweets.Delete(%q)", id)
	at, sent := s.db.Time(), false
	return s.db.Update(ctx, func(ctx context.Context) error {
		viewer := model.Viewer{ID: d.By, Role: model.Member}
		if d.Admin {
			viewer.Role = model.Administrator
		}
		t := &model.Tweet{ID: id}
		found, err := s.db.Get(ctx, s.db.Tweet(id), t)
		if err != nil {
			return err
		}
		if !found {
			return deletedAt(s.Gone(ctx, viewer, id), d.By, at, sent)
		}
		if err := s.RequireVisible(ctx, viewer, t); err != nil {
			return err
		}
		if t.AuthorID != d.By && !d.Admin {
			return errs.New(errs.Forbidden, "not_author", "only its author may delete a tweet")
		}
		kept := d.KeepMedia && t.AuthorID == d.By && len(t.Media) > 0
		b, err := s.deletion(ctx, t, d, kept, at)
		if err != nil {
			return err
		}
		_, err = b.Commit(ctx)
		s.ForgetTweet(id)
		sent = true
		switch {
		case kept:
			return db.Late(err) // another deletion came first, or the answer to this commit was lost
		case db.NotFound(err):
			return deletedAt(s.Gone(ctx, viewer, id), t.AuthorID, at, sent)
		}
		return err
	})
}

// deletedAt is the error about a tweet that is gone; nil if this deletion has deleted it. If the answer to a commit is
// lost, the client itself sends the commit again.
func deletedAt(gone error, author model.UserID, at time.Time, sent bool) error {
	d, ok := errors.AsType[*access.Deleted](gone)
	if ok && sent && d.AuthorID == author && d.DeletedAt.Equal(at) {
		return nil
	}
	return gone
}

// deletion is the commit that deletes a tweet.
//
// Cost: nothing, or what [Store.release] costs if its media are kept.
func (s *Store) deletion(ctx context.Context, t *model.Tweet, d Deletion, kept bool, at time.Time) (*db.Batch, error) {
	b := s.db.Batch()
	// The batch uses Set and not Create. A commit of CreateTweet may lose its answer, and its repetition may arrive after
	// the deletion. Then the tweet stands beside its tombstone and is deleted once more.
	b.Set(s.db.Doc(model.Tombstones, string(t.ID)), t.Tombstone(at))
	b.Delete(s.db.Tweet(t.ID), firestore.Exists) // after the tombstone, see db.Batch
	b.Delete(s.db.Doc(model.TweetDetails, string(t.ID)))
	if t.Poll != nil {
		b.Delete(s.db.Doc(model.Polls, string(t.ID)))
	}
	if kept {
		if err := s.release(ctx, b, t, at.Add(model.MediaWindow)); err != nil {
			return nil, err
		}
	} else {
		for _, m := range t.Media {
			b.Delete(s.db.Media(m.ID)) // its files follow, see [media.Writer.Remove]
		}
	}
	if t.Remote != nil && t.AuthorID != d.By { // no later activity of its server brings it back
		b.Set(s.mark(t.Remote.IRI), model.RemotePostMark{IRI: t.Remote.IRI, AuthorID: t.AuthorID, TweetID: t.ID,
			Deleted: true})
	}
	if d.Also != nil && t.AuthorID != d.By {
		d.Also(b, t.AuthorID)
	}
	return b, nil
}
