// Package mentions finds the users whom a text may mention, and the name of its author.
package mentions

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Local is the username here of a handle with a host, as ann of ann@hibana.example; ok is false for a handle of another
// server. It is nil for an installation without handles.
type Local func(handle string) (username string, ok bool)

// key is the username of a name in a text; "" for a name that no user can have.
func (l Local) key(name string) string {
	if l == nil || !strings.Contains(name, "@") {
		return name
	}
	username, ok := l(name)
	switch {
	case !ok:
		return name
	case model.ValidateUsernameForm(username) != nil:
		return ""
	}
	return username
}

// Find returns the users whom an author may mention by names in the form of usernames, or of handles with a host. A
// name without a user is absent. So is the name of a user who blocks the author or whom the author blocks.
//
// Cost: 1 read for each name, and 2 reads for each other user who has one.
func Find(ctx context.Context, d *db.DB, local Local, author model.UserID, names []string) (
	found map[string]model.UserID, err error) {
	defer errs.Wrap(&err, "mentions.Find(%q)", author)
	if len(names) == 0 {
		return nil, nil
	}
	var keys []string
	for _, name := range names {
		if key := local.key(name); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	have, err := db.ReadAll(ctx, d, model.Usernames, keys, func(string, *model.Username) {})
	if err != nil {
		return nil, err
	}
	found = map[string]model.UserID{}
	var l db.Lookup
	blocks := map[*db.Found[struct{}]]model.UserID{} // of whom each block is
	for _, key := range keys {
		has := have[key]
		if has == nil || has.UID == "" || has.UID == author {
			continue
		}
		blocks[db.Find[struct{}](&l, d.Block(has.UID, author))] = has.UID
		blocks[db.Find[struct{}](&l, d.Block(author, has.UID))] = has.UID
	}
	if err := d.Read(ctx, &l); err != nil {
		return nil, err
	}
	apart := map[model.UserID]bool{}
	for block, uid := range blocks {
		apart[uid] = apart[uid] || block.Found
	}
	for _, name := range names {
		// a free name has no user, and neither has one of a deleted account
		if has := have[local.key(name)]; has != nil && has.UID != "" && !apart[has.UID] {
			found[name] = has.UID
		}
	}
	return found, nil
}

// Start is Find in the background: it returns at once, and its result waits for the end. A caller that does not need
// the result calls it too, so that the request pays for the reads.
func Start(ctx context.Context, d *db.DB, local Local, author model.UserID, names []string) func() (
	map[string]model.UserID, error) {
	find := sync.OnceValues(func() (map[string]model.UserID, error) { return Find(ctx, d, local, author, names) })
	if len(names) > 0 {
		// the caller of the result gets the error, and the panic
		safely.Go(func() error { _, err := find(); return err }, nil)
	}
	return find
}

// Anew gives a new tweet the present name and avatar of its author's profile, unless the tweet was written before a
// time. Until then no propagation of a rename that the tweet may have missed has ended: a propagation waits until no
// cache has the former profile, and for as long again. The tweet is posted already, so a failure is only logged.
//
// Cost: nothing in time. Otherwise 1 read, and 1 write if the author was renamed.
func Anew(ctx context.Context, d *db.DB, log *slog.Logger, t *model.Tweet, before time.Time) {
	if !d.Now().After(before) {
		return
	}
	var author model.User
	found, err := d.Get(ctx, d.User(t.AuthorID), &author)
	if err == nil && found && author.Author() != t.Author {
		t.Author = author.Author()
		_, err = d.Tweet(t.ID).Update(ctx, []firestore.Update{{Path: fields.Author, Value: t.Author}})
	}
	if err != nil && !db.NotFound(err) {
		log.WarnContext(ctx, "a tweet may have its author's former name", "tweet", t.ID, "error", err)
	}
}
