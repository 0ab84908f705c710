package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// Audience is the followers to whom a tweet of a month goes.
type Audience struct {
	Followers []model.UserID // followers who are active; none if Pages is not zero
	Pages     int            // hashed pages on which the followers are instead
	Pull      bool           // readers pull the author's tweets of the month: there are too many followers to push to
	Pulled    bool           // every follower knows, or will by a work document, that the month is pulled
}

// Audience reads an author's first page of followers. The tweets of an author with more than
// pullAbove followers are pulled. Once a month is pulled it stays
// pulled, even if followers leave.
//
// Cost: 1 read; for an author with hashed pages whose month is not pulled yet, 1 read of
// the profile more.
func (p *followerPages) Audience(ctx context.Context, author model.UserID, m model.Month, pullAbove int) (a Audience,
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
