// This file stores a dormant follower's list: the authors whom the user followed at the start of the dormancy, with the
// newest tweet of each author. With the list, a dormant follower's first page need not read every relationship.

package timelines

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// dormantDay returns the beginning of a day in UTC, the resolution of a home's last visit. An index on an ever-growing
// time would take all its writes at one end. An index on days spreads the writes of a day over the document ids.
func dormantDay(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// read returns a dormant follower's list: the beginning of the dormancy and the authors, with the latest writers first.
// Without a list, s has no pages. A list with a missing page counts as no list: the user has just become active, and
// the list is being deleted.
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
		page, err := db.As[model.DormantFollowerPage](snap, nil)
		if err != nil || !page.Found {
			return model.DormantFollower{}, nil, err
		}
		for author, newest := range page.Doc.Authors {
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

// setDormantPage adds a page of authors to a batch.
func setDormantPage(b *db.Batch, d *db.DB, uid model.UserID, n int, authors map[string]model.TweetID) {
	b.Set(dormantPages(d, uid, n+1)[n], model.DormantFollowerPage{UserID: uid, Authors: authors})
}

// setDormantRoot adds the root document of a list to a batch. The root completes the list.
func setDormantRoot(b *db.Batch, d *db.DB, s model.DormantFollower) { b.Set(root(d, s.UserID), s) }

// dormantRefs returns the documents of a user's list. While MarkDormant still writes the list, dormantRefs also returns
// MarkDormant's work document. If the caller deletes that document too, MarkDormant's last commit fails. Otherwise a
// slow MarkDormant would leave a list for a user who is active.
//
// Cost: 2 reads.
func dormantRefs(ctx context.Context, d *db.DB, uid model.UserID) ([]*firestore.DocumentRef, error) {
	list, work := root(d, uid), d.Doc(model.Dormancies, string(uid))
	var l db.Lookup
	s, falling := db.Find[model.DormantFollower](&l, list), db.Find[model.DormancyWork](&l, work)
	if err := d.Read(ctx, &l); err != nil {
		return nil, err
	}
	var refs []*firestore.DocumentRef
	if s.Found || falling.Found { // MarkDormant may complete the list before the caller deletes it
		refs = append(refs, list)
	}
	if falling.Found {
		refs = append(refs, work)
		falling.Doc.Pages++ // a step may write one more page before it sees that the user is back
	}
	return append(refs, dormantPages(d, uid, max(s.Doc.Pages, falling.Doc.Pages))...), nil
}

// dormantPages returns the first n pages of a user's list.
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
