// Package mentions finds the users whom a text may mention, and the name of its author.
package mentions

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Find returns the users whom an author may mention by names in the form of usernames. A name without a user is absent.
// So is the name of a user who blocks the author or whom the author blocks.
//
// Cost: 1 read for each name, and 2 reads for each that another user has.
func Find(ctx context.Context, d *db.DB, author model.UserID, names []string) (found map[string]model.UserID,
	err error) {
	defer errs.Wrap(&err, "mentions.Find(%q)", author)
	if len(names) == 0 {
		return nil, nil
	}
	refs := make([]*firestore.DocumentRef, len(names))
	for i, name := range names {
		refs[i] = d.Doc(model.Usernames, name)
	}
	snaps, err := d.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	found = map[string]model.UserID{}
	var others []string
	var blocks []*firestore.DocumentRef
	for i, name := range names {
		var has model.Username
		if _, err := db.Decode(snaps[i], nil)(&has); err != nil {
			return nil, err
		}
		if has.UID == "" { // a free name, or one of a deleted account
			continue
		}
		if found[name] = has.UID; has.UID != author {
			others = append(others, name)
			blocks = append(blocks, d.Block(has.UID, author), d.Block(author, has.UID))
		}
	}
	if len(others) == 0 {
		return found, nil
	}
	if snaps, err = d.Client.GetAll(ctx, blocks); err != nil {
		return nil, err
	}
	for i, name := range others {
		if snaps[2*i].Exists() || snaps[2*i+1].Exists() {
			delete(found, name)
		}
	}
	return found, nil
}

// Start is Find in the background: it returns at once, and its result waits for the end. A caller that does not need
// the result calls it too, so that the request pays for the reads.
func Start(ctx context.Context, d *db.DB, author model.UserID, names []string) func() (map[string]model.UserID, error) {
	find := sync.OnceValues(func() (map[string]model.UserID, error) { return Find(ctx, d, author, names) })
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
