package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/followers"
)

// audience is the followers to whom a tweet of a month goes.
type audience struct {
	followers []model.UserID // followers who are awake; none if pages is not zero
	pages     int            // hashed pages on which the followers are instead
	pull      bool           // readers pull the author's tweets of the month: there are too many followers to push to
	pulled    bool           // every follower knows, or will by a work document, that the month is pulled
}

// audience reads an author's first page of followers. Once a month is pulled it stays
// pulled, even if followers leave.
//
// Cost: 1 read; for an author with hashed pages whose month is not pulled yet, 1 read of
// the profile more.
func (w *Writer) audience(ctx context.Context, author model.UserID, m model.Month) (a audience, err error) {
	first, err := w.pages.First(ctx, author)
	if err != nil {
		return a, err
	}
	state := first.PulledMonths[string(m)]
	a.pulled, a.pull = state == followers.PullMarked, state != ""
	if first.Pages == 0 {
		a.followers = first.Awake()
		a.pull = a.pull || len(first.Followers) > w.pullAbove
		return a, nil
	}
	a.pages = first.Pages
	if !a.pull {
		var u model.User
		if _, err := w.db.Get(ctx, w.db.User(author), &u); err != nil {
			return a, err
		}
		a.pull = u.FollowerCount > int64(w.pullAbove)
	}
	return a, nil
}
