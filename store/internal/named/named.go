// Package named finds the users whom a text may mention.
package named

import (
	"context"
	"sync"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Find finds the users whom an author may mention by names in the form of usernames. A name
// that nobody has is absent, and so is the name of a user who blocks the author or whom the
// author blocks.
//
// Cost: 1 read for each name, and 2 reads for each that another user has.
func Find(ctx context.Context, d *db.DB, author model.UserID, names []string) (found map[string]model.UserID, err error) {
	defer errs.Wrap(&err, "named.Find(%q)", author)
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
		if has.UID == "" { // of nobody, or of a user who left
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

// Start is Find beside other work: it returns at once, and the result waits for the end. Who does
// not need the result waits too, so that the request pays for what it reads.
func Start(ctx context.Context, d *db.DB, author model.UserID, names []string) func() (map[string]model.UserID, error) {
	find := sync.OnceValues(func() (map[string]model.UserID, error) { return Find(ctx, d, author, names) })
	if len(names) > 0 {
		go func() { _, _ = find() }()
	}
	return find
}
