package cards

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SpreadProfile gives all tweets of a user the name and avatar that the profile has now.
// First it lets the former profile grow old in the caches of the API: then the API writes
// no tweet with the former name any more. At the end SpreadProfile reads the profile
// again, and starts again if it changed. So the last writer has written what the profile
// is now.
//
// Cost: 2 reads, 1 read a tweet, and 1 write a tweet that has another copy; for a profile
// that changed meanwhile, the same again.
func (w *Writer) SpreadProfile(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "cards.SpreadProfile(%q)", uid)
	if err := db.Pause(ctx, 2*w.cacheTTL); err != nil {
		return err
	}
	const pageSize = 200
	return w.withProfile(ctx, uid, func(a model.Author) error {
		from := w.db.Client.Collection(model.Tweets).Where("authorId", "==", uid).Select("author").
			OrderBy(firestore.DocumentID, firestore.Asc).Limit(pageSize)
		for q := from; ; {
			snaps, err := q.Documents(ctx).GetAll()
			if err != nil {
				return err
			}
			var differ []*firestore.DocumentRef
			for _, snap := range snaps {
				var t model.Tweet
				if err := snap.DataTo(&t); err != nil {
					return err
				}
				if t.Author != a {
					differ = append(differ, snap.Ref)
				}
			}
			if err := w.writeAuthor(ctx, differ, a); err != nil {
				return err
			}
			if len(snaps) < pageSize {
				return nil
			}
			q = from.StartAfter(snaps[len(snaps)-1].Ref.ID)
		}
	})
}

// RestoreAuthor writes the author copy of one tweet.
//
// Cost: 2 reads and 1 write.
func (w *Writer) RestoreAuthor(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "cards.RestoreAuthor(%q, %q)", uid, id)
	return w.withProfile(ctx, uid, func(a model.Author) error {
		return w.writeAuthor(ctx, []*firestore.DocumentRef{w.db.Tweet(id)}, a)
	})
}

// withProfile calls write with the author copy that a user's tweets should have. If the
// profile changed meanwhile, withProfile calls write again. Without a profile it does
// nothing.
//
// Cost: 1 read before the first call, and 1 read after each call.
func (w *Writer) withProfile(ctx context.Context, uid model.UserID, write func(model.Author) error) error {
	var written *model.Author
	for {
		var u model.User
		found, err := w.db.Get(ctx, w.db.Doc(model.Users, string(uid)), &u)
		if err != nil || !found {
			return err
		}
		a := u.Author()
		if written != nil && *written == a {
			return nil
		}
		if err := write(a); err != nil {
			return err
		}
		written = &a
	}
}

// writeAuthor writes the author copy into tweets, and leaves out tweets that are gone. It
// sets no stamp: home pages hear of a rename by the profile, because they would have to
// read each tweet of the author anew otherwise.
//
// Cost: 1 write a tweet.
func (w *Writer) writeAuthor(ctx context.Context, tweets []*firestore.DocumentRef, a model.Author) error {
	if len(tweets) == 0 {
		return nil
	}
	update := []firestore.Update{{Path: "author", Value: a}}
	b := w.db.Batch()
	for _, ref := range tweets {
		b.Update(ref, update)
	}
	_, err := b.Commit(ctx)
	if !db.NotFound(err) {
		return err
	}
	for _, ref := range tweets { // a tweet was deleted, so the batch failed whole
		if _, err := ref.Update(ctx, update); err != nil && !db.NotFound(err) {
			return err
		}
	}
	return nil
}
