// This file keeps the list of authors whom a dormant follower followed when falling dormant, with
// the newest tweet of each. So the dormant follower's first page does not read every relationship.

package timelines

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// DayOf is the beginning of a day in UTC, as homes note a look. The index of a time that only
// grows would take all its writes at one end; a day has its end for each document id.
func dormantDay(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// read reads a dormant follower's list: since when the user sleeps, and the authors, those first who
// wrote last. Without a list the result has no pages. A list of which a page is gone counts as
// none: the user has just become active, and the list is deleted.
//
// Cost: 1 read, and 1 read a page.
func read(ctx context.Context, d *db.DB, uid model.UserID) (s model.DormantFollower, authors []model.UserID,
	err error) {
	if _, err := d.Get(ctx, root(d, uid), &s); err != nil || s.Pages == 0 {
		return s, nil, err
	}
	snaps, err := d.Client.GetAll(ctx, dormantPages(d, uid, s.Pages))
	if err != nil {
		return s, nil, err
	}
	last := map[model.UserID]model.TweetID{}
	for _, snap := range snaps {
		var page model.DormantFollowerPage
		if found, err := db.Decode(snap, nil)(&page); err != nil {
			return s, nil, err
		} else if !found {
			return model.DormantFollower{}, nil, nil
		}
		for author, newest := range page.Authors {
			last[model.UserID(author)] = newest
		}
	}
	for author := range last {
		authors = append(authors, author)
	}
	slices.SortFunc(authors, func(a, b model.UserID) int {
		if last[a] == "" || last[b] == "" {
			return len(last[b]) - len(last[a])
		}
		return last[b].Compare(last[a])
	})
	return s, authors, nil
}

// SetPage adds a page of authors to a batch.
func setDormantPage(b *db.Batch, d *db.DB, uid model.UserID, n int, authors map[string]model.TweetID) {
	b.Set(dormantPages(d, uid, n+1)[n], model.DormantFollowerPage{UserID: uid, Authors: authors})
}

// SetRoot completes a list of some pages.
func setDormantRoot(b *db.Batch, d *db.DB, s model.DormantFollower) { b.Set(root(d, s.UserID), s) }

// Refs names the documents of a user's list. While Sleep still makes the list, Refs also
// names Sleep's work document: whoever deletes that document, too, makes Sleep's last commit
// fail. Otherwise a Sleep that is slow would leave the list of a user who is active.
//
// Cost: 2 reads.
func dormantRefs(ctx context.Context, d *db.DB, uid model.UserID) ([]*firestore.DocumentRef, error) {
	list, work := root(d, uid), d.Doc(model.Dormancies, string(uid))
	snaps, err := d.Client.GetAll(ctx, []*firestore.DocumentRef{list, work})
	if err != nil {
		return nil, err
	}
	var s model.DormantFollower
	var w model.DormancyWork
	found, err := db.Decode(snaps[0], nil)(&s)
	if err != nil {
		return nil, err
	}
	falling, err := db.Decode(snaps[1], nil)(&w)
	if err != nil {
		return nil, err
	}
	var refs []*firestore.DocumentRef
	if found || falling { // Sleep may complete the list before the caller deletes it
		refs = append(refs, list)
	}
	if falling {
		refs = append(refs, work)
		w.Pages++ // a step may save one more before it sees that the user is back
	}
	return append(refs, dormantPages(d, uid, max(s.Pages, w.Pages))...), nil
}

// Pages names the first n pages of a user's list.
func dormantPages(d *db.DB, uid model.UserID, n int) []*firestore.DocumentRef {
	refs := make([]*firestore.DocumentRef, n)
	for i := range refs {
		refs[i] = d.Doc(model.DormantFollowers, model.DormantFollowerPageKey(uid, i))
	}
	return refs
}

func root(d *db.DB, uid model.UserID) *firestore.DocumentRef {
	return d.Doc(model.DormantFollowers, string(uid))
}
