package snapshot

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// ShareDifference is a position at which a month of shares differs from the shares.
type ShareDifference struct {
	Document   string // id
	Position   model.Position
	Have, Want any // the author of the tweet, or nil
}

// CompareShares compares the months of a user's shares with the shares. A share that was taken back may stay in an
// overflow document, because readers check the source document. A month before the window of home timelines may have
// expired.
func (u *User) CompareShares(now time.Time) (ds []ShareDifference) {
	is := map[model.Position]model.UserID{}
	for _, l := range u.Done {
		if position := l.Position(); position != "" && model.TimelineExpiry(position.Month()).After(now) {
			is[position] = l.AuthorID
		}
	}
	seen := map[model.Position]bool{}
	// a month comes before its overflow documents, and prevails
	for _, document := range slices.Sorted(maps.Keys(u.ShareMonths)) {
		for _, position := range model.Newest(u.ShareMonths[document].Shares, 0) {
			if !model.TimelineExpiry(position.Month()).After(now) {
				continue // the month has expired, and is deleted within days
			}
			author := u.ShareMonths[document].Shares[position]
			own := strings.HasPrefix(document, model.MonthKey(u.ID, position.Month()))
			switch want, ok := is[position]; {
			case ok && own && !seen[position]:
				if seen[position] = true; author != want {
					ds = append(ds, ShareDifference{document, position, author, want})
				}
			case !own || !ok && document == model.MonthKey(u.ID, position.Month()):
				ds = append(ds, ShareDifference{document, position, author, nil})
			}
		}
	}
	for _, position := range model.Newest(is, 0) {
		if !seen[position] {
			ds = append(ds, ShareDifference{model.MonthKey(u.ID, position.Month()), position, nil, is[position]})
		}
	}
	return ds
}
