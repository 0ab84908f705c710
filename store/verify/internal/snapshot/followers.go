package snapshot

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Pages are the documents with an author's followers.
type Pages struct {
	Hashed int                           // how many hashed pages there are; 0 if the followers are on the first page
	Pages  map[string]model.FollowerList // by document id; the hashed pages only if they count
	Active map[model.UserID]bool         // users who are marked as dormant, though they are active
}

// followerPages reads the pages of a user's followers, and the state of each user who is marked as dormant. The first
// page is read even if it does not count, because it must be empty then.
//
// Cost: 1 read a page, and 1 read a mark.
func (m moment) followerPages(ctx context.Context, u *User) error {
	put := func(id string, page *model.FollowerList) error {
		u.Pages.Pages[id] = *page
		for f := range page.Dormant {
			home, err := m.get(ctx, m.r.db.Home(f))
			if err != nil {
				return err
			}
			u.Pages.Active[f] = home.Exists()
		}
		return nil
	}
	first, err := db.As[model.FollowerList](m.get(ctx, m.r.db.FollowerPage(u.ID)))
	if err != nil {
		return err
	}
	u.Pages.Hashed = first.Doc.Pages
	if err := put(first.Snap.Ref.ID, &first.Doc); err != nil || first.Doc.Pages == 0 {
		return err
	}
	return each(ctx, m, m.r.buckets(model.FollowerPages, u.ID), func(snap *firestore.DocumentSnapshot,
		page *model.FollowerList) error {
		return put(snap.Ref.ID, page)
	})
}

// Following lists the relationships in which a user is the follower.
//
// Cost: 1 read, and 1 read a relationship.
func (r *Reader) Following(ctx context.Context, uid model.UserID) (rels []model.Relationship, err error) {
	defer errs.Wrap(&err, "snapshot.Following(%q)", uid)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	return rels, list(ctx, m, r.db.Client.Collection(model.Relationships).Where(fields.FollowerID, "==", uid), &rels)
}
