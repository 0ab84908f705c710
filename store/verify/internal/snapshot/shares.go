package snapshot

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// ShareDifference is a place where a month of shares is not as the shares say.
type ShareDifference struct {
	Document   string // id
	Place      model.TweetID
	Have, Want any // the author of the tweet, or nil
}

// CompareShares compares the months of what a user shares with the shares. A share that was taken
// back may stay in an overflow document, because whoever shows a share asks the fact. A month
// that no home timeline reaches back to may have expired.
func (u *User) CompareShares(now time.Time) (ds []ShareDifference) {
	is := map[model.TweetID]model.UserID{}
	for _, l := range u.Done {
		if place := l.Place(); place != "" && model.TimelineExpiry(place.Month()).After(now) {
			is[place] = l.AuthorID
		}
	}
	seen := map[model.TweetID]bool{}
	for _, document := range slices.Sorted(maps.Keys(u.ShareMonths)) { // a month comes before its overflow documents, and prevails
		for _, place := range model.Newest(u.ShareMonths[document].Shares, 0) {
			if !model.TimelineExpiry(place.Month()).After(now) {
				continue // the month has expired, and is deleted within days
			}
			author := u.ShareMonths[document].Shares[place]
			own := strings.HasPrefix(document, model.MonthKey(u.ID, place.Month()))
			switch want, ok := is[place]; {
			case ok && own && !seen[place]:
				if seen[place] = true; author != want {
					ds = append(ds, ShareDifference{document, place, author, want})
				}
			case !own || !ok && document == model.MonthKey(u.ID, place.Month()):
				ds = append(ds, ShareDifference{document, place, author, nil})
			}
		}
	}
	for _, place := range model.Newest(is, 0) {
		if !seen[place] {
			ds = append(ds, ShareDifference{model.MonthKey(u.ID, place.Month()), place, nil, is[place]})
		}
	}
	return ds
}
