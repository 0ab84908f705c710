package audit

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// pagesState is where an author's followers stand.
type pagesState struct {
	Hashed int                                   // how many hashed pages there are; 0 if the followers stand on the first page
	Pages  map[string]map[model.UserID]time.Time // when the followers followed, on the pages that count, by document id
	Asleep []model.UserID                        // followers who are marked as asleep, though their home timeline is kept up
}

// followerPages reads the pages of a user's followers, and whether each follower who is
// marked as asleep has a home timeline that is kept up.
//
// Cost: 1 read a page, and 1 read a follower who is marked as asleep.
func (m moment) followerPages(ctx context.Context, u *userState) error {
	var asleep []model.UserID
	put := func(id string, page *model.FollowerList) {
		u.Pages.Pages[id] = page.Followers
		for f := range page.Asleep {
			asleep = append(asleep, f)
		}
	}
	snap, err := m.get(ctx, m.a.db.FollowerPage(u.ID))
	var first model.FollowerList
	if _, err := db.Decode(snap, err)(&first); err != nil {
		return err
	}
	if u.Pages.Hashed = first.Pages; first.Pages == 0 {
		put(snap.Ref.ID, &first) // followers on hashed pages do not count yet
	} else {
		err := each(ctx, m, m.a.buckets(model.FollowerPages, u.ID), func(snap *firestore.DocumentSnapshot, page *model.FollowerList) error {
			put(snap.Ref.ID, page)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, f := range asleep {
		home, err := m.get(ctx, m.a.db.Home(f))
		if err != nil {
			return err
		}
		if home.Exists() {
			u.Pages.Asleep = append(u.Pages.Asleep, f)
		}
	}
	return nil
}

// following lists the relationships in which a user is the follower.
//
// Cost: 1 read, and 1 read a relationship.
func (a *Auditor) following(ctx context.Context, uid model.UserID) (rels []model.Relationship, err error) {
	defer errs.Wrap(&err, "audit.following(%q)", uid)
	m, err := a.moment(ctx)
	if err != nil {
		return nil, err
	}
	return rels, list(ctx, m, a.db.Client.Collection(model.Relationships).Where("followerId", "==", uid), &rels)
}
