package store

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// CacheTTL is how old a cached tweet or profile may be.
func (s *Store) CacheTTL() time.Duration { return s.users.ttl }

// SpreadProfile writes the author copy of all tweets of a user that have another one: a
// read for each tweet, and a write for each that differs. The profile is read again at the
// end, so that whoever wrote last has written what it is now.
func (s *Store) SpreadProfile(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "store.SpreadProfile(%q)", uid)
	const pageSize = 200
	return s.withProfile(ctx, uid, func(a model.Author) error {
		from := s.fs.Collection(model.Tweets).Where("authorId", "==", uid).Select("author").
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
			if err := s.writeAuthor(ctx, differ, a); err != nil {
				return err
			}
			if len(snaps) < pageSize {
				return nil
			}
			q = from.StartAfter(snaps[len(snaps)-1].Ref.ID)
		}
	})
}

// RestoreAuthor writes the author copy of one tweet: 2 reads and 1 write.
func (s *Store) RestoreAuthor(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.RestoreAuthor(%q, %q)", uid, id)
	return s.withProfile(ctx, uid, func(a model.Author) error {
		return s.writeAuthor(ctx, []*firestore.DocumentRef{s.tweet(id)}, a)
	})
}

// withProfile calls write with the author copy that a user's tweets should have, and
// again if it is another one afterwards. Without a profile it does nothing.
func (s *Store) withProfile(ctx context.Context, uid model.UserID, write func(model.Author) error) error {
	var written *model.Author
	for {
		var u model.User
		held, err := s.get(ctx, s.doc(model.Users, string(uid)), &u)
		if err != nil || !held {
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

// writeAuthor writes the author copy of tweets, leaving out those that are gone.
func (s *Store) writeAuthor(ctx context.Context, tweets []*firestore.DocumentRef, a model.Author) error {
	if len(tweets) == 0 {
		return nil
	}
	update := s.stamped(tweets[0], []firestore.Update{{Path: "author", Value: a}})
	b := s.batch()
	for _, ref := range tweets {
		b.Update(ref, update)
	}
	_, err := b.Commit(ctx)
	if !missing(err) {
		return err
	}
	for _, ref := range tweets { // one of them was deleted
		if _, err := ref.Update(ctx, update); err != nil && !missing(err) {
			return err
		}
	}
	return nil
}
