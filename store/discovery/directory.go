// This file lists the people who want to be found: the directory, and for administrators all users.

package discovery

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Directory lists people who opted in. Its methods may be called concurrently. Their errors are those of package errs.
type Directory struct {
	db     *db.DB
	access *access.Store
	first  readcache.Values[directoryPage, model.Page[*model.User]]
}

// DirectoryOrder is the order of the directory.
type DirectoryOrder string

// The orders.
const (
	DirectoryNew     DirectoryOrder = "new"     // the newest accounts first
	DirectoryPopular DirectoryOrder = "popular" // those with the most followers first
)

// directoryPage names a first page.
type directoryPage struct {
	order    DirectoryOrder
	language string
	limit    int
}

// directoryEvery is for how many writes of a document a process shows a first page that it has read.
const directoryEvery = 60

// NewDirectory returns the directory of a database. every is about the time between two writes of a document.
func NewDirectory(d *db.DB, a *access.Store, every time.Duration) *Directory {
	r := &Directory{db: d, access: a}
	first := readcache.New(d.Now, directoryEvery*every, 1<<21, func(p model.Page[*model.User]) int {
		return 2_000 * len(p.Items)
	}, func(ctx context.Context, pages []directoryPage) (map[directoryPage]model.Page[*model.User], error) {
		found := map[directoryPage]model.Page[*model.User]{}
		for _, p := range pages {
			page, err := r.list(ctx, p, model.Cursor{})
			if err != nil {
				return nil, err
			}
			found[p] = page
		}
		return found, nil
	})
	first.Name = "directory"
	r.first = first
	return r
}

// List lists the people who opted in to the directory, in an order and, if language is not empty, of a language. It
// leaves out accounts that moderators froze or suspended, so a page may have fewer people than limit. Callers of a
// first page share it for up to a minute.
//
// Cost: 1 read for each of limit people, at least 1, and the cost of withheld; that alone for a first page that is
// shared.
func (r *Directory) List(ctx context.Context, order DirectoryOrder, language string, from model.Cursor,
	limit int) (page model.Page[*model.User], err error) {
	defer errs.Wrap(&err, "discovery.Directory.List(%q, %q)", order, language)
	p := directoryPage{order, language, limit}
	if from.IsZero() {
		page, _, err = r.first.One(ctx, p)
	} else {
		page, err = r.list(ctx, p, from)
	}
	if err != nil {
		return model.Page[*model.User]{}, err
	}
	ids := make([]model.UserID, len(page.Items))
	for i, u := range page.Items {
		ids[i] = u.ID
	}
	held, err := r.withheld(ctx, ids)
	if err != nil {
		return model.Page[*model.User]{}, err
	}
	shown := model.Page[*model.User]{Next: page.Next}
	for _, u := range page.Items { // the cached page stays as it is
		if !held[u.ID] {
			shown.Items = append(shown.Items, u)
		}
	}
	return shown, nil
}

// list is [Directory.List] past the cache, with everybody.
//
// Cost: 1 read for each user, at least 1.
func (r *Directory) list(ctx context.Context, p directoryPage, from model.Cursor) (model.Page[*model.User], error) {
	q := r.db.Client.Collection(model.Users).Where(fields.Discoverable, "==", true)
	if p.language != "" {
		q = q.Where(fields.Language, "==", p.language)
	}
	by := fields.CreatedAt
	if p.order == DirectoryPopular {
		by = model.FollowerCount
	}
	return db.Page(ctx, q, firestore.FieldPath{by}, firestore.Desc, from, p.limit,
		func(snap *firestore.DocumentSnapshot) (*model.User, model.Cursor, error) {
			u, err := listedUser(snap)
			at := model.Cursor{At: u.CreatedAt, ID: snap.Ref.ID}
			if p.order == DirectoryPopular {
				at = model.Cursor{Count: u.FollowerCount, ID: snap.Ref.ID}
			}
			return u, at, err
		})
}

// AllUsers lists every user, the newest account first. It is for administrators alone.
//
// Cost: 1 read for each user, at least 1.
func (r *Directory) AllUsers(ctx context.Context, from model.Cursor, limit int) (_ model.Page[*model.User], err error) {
	defer errs.Wrap(&err, "discovery.AllUsers")
	return db.Page(ctx, r.db.Client.Collection(model.Users).Query, firestore.FieldPath{fields.CreatedAt}, firestore.Desc,
		from, limit, func(snap *firestore.DocumentSnapshot) (*model.User, model.Cursor, error) {
			u, err := listedUser(snap)
			return u, model.Cursor{At: u.CreatedAt, ID: snap.Ref.ID}, err
		})
}

func listedUser(snap *firestore.DocumentSnapshot) (*model.User, error) {
	u := &model.User{ID: model.UserID(snap.Ref.ID)}
	return u, snap.DataTo(u)
}

// withheldTogether is how many documents one query may name.
const withheldTogether = 30

// withheld returns which of some users moderators froze or suspended.
//
// Cost: of each 30 users, 1 read for each who ever had an account status, at least 1; nothing for no users.
func (r *Directory) withheld(ctx context.Context, uids []model.UserID) (map[model.UserID]bool, error) {
	held := map[model.UserID]bool{}
	for i := 0; i < len(uids); i += withheldTogether {
		some := uids[i:min(i+withheldTogether, len(uids))]
		refs := make([]*firestore.DocumentRef, len(some))
		for i, uid := range some {
			refs[i] = r.db.Doc(model.AccountStatuses, string(uid))
		}
		snaps, err := r.db.Client.Collection(model.AccountStatuses).Where(firestore.DocumentID, "in", refs).Documents(ctx).
			GetAll()
		if err != nil {
			return nil, err
		}
		for _, snap := range snaps {
			var s model.AccountStatus
			if err := snap.DataTo(&s); err != nil {
				return nil, err
			}
			held[model.UserID(snap.Ref.ID)] = slices.Contains(model.Withheld, s.State)
		}
	}
	return held, nil
}
