package snapshot

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// Month is a month of an author's tweets in an audience partition as readers see it. In lists the documents that hold a
// preview: first the month's own document, whose preview prevails, and then overflow documents.
type Month struct {
	Previews  map[model.TweetID]model.TweetPreview
	In        map[model.TweetID][]string // document ids
	Followers bool                       // of an open month: it says that there is a month for followers
	Shares    bool                       // of an open month: it says that there is a month of shares
}

// Months are an author's months in each audience partition.
type Months map[model.AudiencePartition]map[model.Month]*Month

func newMonths() Months {
	return Months{model.OpenAudiencePartition: {}, model.FollowersAudiencePartition: {}}
}

// months reads all months of an author.
//
// Cost: 1 read a month, and 1 read an overflow document.
func (m moment) months(ctx context.Context, author model.UserID, all Months) error {
	for audiencePartition, to := range all {
		if err := m.audiencePartition(ctx, author, audiencePartition, to); err != nil {
			return err
		}
	}
	return nil
}

// audiencePartition reads all months of an author on an audience partition.
func (m moment) audiencePartition(ctx context.Context, author model.UserID, audiencePartition model.AudiencePartition,
	to map[model.Month]*Month) error {
	put := func(month model.Month, document string, previews map[model.TweetID]model.TweetPreview) {
		for id, preview := range previews {
			if _, ok := to[month].Previews[id]; !ok {
				to[month].Previews[id] = preview
			}
			to[month].In[id] = append(to[month].In[id], document)
		}
	}
	var roots []model.TweetMonth
	pages := map[string]map[model.TweetID]model.TweetPreview{}
	err := each(ctx, m, m.r.buckets(audiencePartition.Months(), author), func(snap *firestore.DocumentSnapshot,
		month *model.TweetMonth) error {
		if strings.Count(snap.Ref.ID, "_") > 1 {
			pages[snap.Ref.ID] = month.Tweets
			return nil
		}
		roots = append(roots, *month)
		to[month.Month] = &Month{map[model.TweetID]model.TweetPreview{}, map[model.TweetID][]string{}, month.Followers,
			month.Shares}
		put(month.Month, snap.Ref.ID, month.Tweets)
		return nil
	})
	for _, root := range roots {
		for n := range root.Pages {
			document := model.MonthKey(author, root.Month) + "_" + n
			put(root.Month, document, pages[document])
		}
	}
	return err
}

// shareMonths reads all months of a user's shares.
//
// Cost: 1 read a month, and 1 read an overflow document.
func (m moment) shareMonths(ctx context.Context, u *User) error {
	all := map[string]model.ShareMonth{}
	err := each(ctx, m, m.r.buckets(model.ShareMonths, u.ID), func(snap *firestore.DocumentSnapshot,
		month *model.ShareMonth) error {
		all[snap.Ref.ID] = *month
		return nil
	})
	for id, month := range all {
		if strings.Count(id, "_") > 1 {
			continue
		}
		u.ShareMonths[id] = month
		for n := range month.Pages {
			if page, ok := all[id+"_"+n]; ok {
				u.ShareMonths[id+"_"+n] = page
			}
		}
	}
	return err
}
