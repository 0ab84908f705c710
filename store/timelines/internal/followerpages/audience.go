package followerpages

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// Audience is the set of followers who get a tweet of a given month.
type Audience struct {
	Followers []model.UserID // followers who are active; none if Pages is not zero
	Pages     int            // number of hashed pages that hold the followers instead
	Pull      bool           // readers pull the author's tweets of the month, because a push would be too large
	Pulled    bool           // every follower is marked, or a work document will mark the follower
}

// Audience reads an author's first page of followers. Readers pull the tweets of an author with more than pullAbove
// followers. A pulled month stays pulled, even if the number of followers falls.
//
// Cost: 1 read; 1 more for an author with hashed pages whose month is not pulled yet.
func (p *Pages) Audience(ctx context.Context, author model.UserID, m model.Month, pullAbove int) (a Audience,
	err error) {
	first, err := p.readFirst(ctx, author)
	if err != nil {
		return a, err
	}
	state := first.PulledMonths[string(m)]
	a.Pulled, a.Pull = state == PullMarked, state != ""
	if first.Pages == 0 {
		a.Followers = active(first.FollowerList)
		a.Pull = a.Pull || len(first.Followers) > pullAbove
		return a, nil
	}
	a.Pages = first.Pages
	if !a.Pull {
		var u model.User
		if _, err := p.db.Get(ctx, p.db.User(author), &u); err != nil {
			return a, err
		}
		a.Pull = u.FollowerCount > int64(pullAbove)
	}
	return a, nil
}
