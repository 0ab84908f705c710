package moderation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
)

// CreateUser makes a profile for an administrator, and its entry of the audit log in the same commit. n.Imported has
// the digest of the request. A repetition gets the profile as it is by then, and makes no entry. Other failures are
// those of [users.Store.CreateUser].
//
// Cost: 1 write more than that of users.Store.CreateUser; a repetition also that of [users.Store.Imported].
func (s *Store) CreateUser(ctx context.Context, by Actor, uid model.UserID, n model.NewUser) (u *users.FullUser,
	err error) {
	defer errs.Wrap(&err, "moderation.CreateUser(%q)", uid)
	entry := s.entry(by, model.ActCreateUser, uid)
	entry.After = map[string]string{"username": n.Username}
	u, err = s.users.CreateUser(ctx, uid, n, s.logIn(entry))
	if errs.CodeOf(err) == "user_exists" {
		return s.users.Imported(ctx, uid, n.Imported)
	}
	s.done(ctx, entry, err)
	return u, err
}

// ImportTweet posts a tweet in the name of a user, with its entry of the audit log in the same commit. A repetition
// makes no entry. Failures are those of [tweets.Store.Import].
//
// Cost: 1 write more than that of tweets.Store.Import.
func (s *Store) ImportTweet(ctx context.Context, by Actor, i tweets.Import) (t *tweets.FullTweet, err error) {
	defer errs.Wrap(&err, "moderation.ImportTweet(%q)", i.Author)
	var entry *model.Action
	t, err = s.tweets.Import(ctx, i, func(tx *firestore.Transaction, id model.TweetID) error {
		if entry == nil {
			entry = s.entry(by, model.ActPostFor, i.Author)
		}
		entry.TweetID = id
		return s.logIn(entry)(tx)
	})
	s.done(ctx, entry, err)
	return t, err
}

// EditTweet edits a tweet of any author for an administrator. The audit log has the changed texts, before and after.
// Failures are those of [tweets.Edits.EditFor].
//
// Cost: 1 write more than that of EditFor.
func (s *Store) EditTweet(ctx context.Context, by Actor, edits *tweets.Edits, id model.TweetID, p model.TweetPatch,
	from []int) (t *tweets.FullTweet, err error) {
	defer errs.Wrap(&err, "moderation.EditTweet(%q)", id)
	var entry *model.Action
	t, err = edits.EditFor(ctx, id, p, from, func(b *db.Batch, before, after *tweets.FullTweet) {
		entry = s.entry(by, model.ActEditTweet, after.AuthorID)
		entry.TweetID, entry.Revision = id, &after.Revision
		entry.Before, entry.After = map[string]string{}, map[string]string{}
		for _, f := range []struct{ field, before, after string }{
			{"content", before.Content, after.Content}, {"summary", before.Summary, after.Summary},
			{"visibility", string(before.Visibility), string(after.Visibility)},
		} {
			if f.before != f.after {
				entry.Before[f.field], entry.After[f.field] = f.before, f.after
			}
		}
		s.log(b, entry)
	})
	s.done(ctx, entry, err)
	return t, err
}

// logIn adds an entry of the audit log to a transaction, which may run several times.
func (s *Store) logIn(a *model.Action) func(*firestore.Transaction) error {
	shorten(a)
	return func(tx *firestore.Transaction) error { return tx.Set(s.db.Doc(model.AdminActions, a.ID), a) }
}
