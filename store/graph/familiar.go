package graph

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// Familiar are the followers of a user whom another user follows.
type Familiar struct {
	Users []model.UserID // those whom the reader followed last first
	// Complete reports that there are no others. A user with more followers than the list of newest ones may have older
	// ones whom the reader follows, beyond those that were looked for.
	Complete bool
}

// maxFamiliarReads is how many relationships one request looks for beyond the list of newest followers.
const maxFamiliarReads = 60

// Familiar returns the followers of a user whom a reader follows and does not mute, nobody for a reader without an
// account, by the reader's graph and the list of the user's newest followers. If the list lacks followers, Familiar
// asks for the relationships of the rest of whom the reader follows: of 60 at most, the newest. With a block between
// the two the result is empty.
//
// Cost: 2 reads; with an incomplete list 1 read more for each of 60 followed users who follows the user, at least 1 for
// each 30. Without a whole graph also the cost of [Store.Quiet] of the result.
func (s *Store) Familiar(ctx context.Context, by model.Viewer, of model.UserID) (f Familiar, err error) {
	reader := by.Account()
	defer errs.Wrap(&err, "graph.Familiar(%q, %q)", reader, of)
	if reader == "" {
		return Familiar{Complete: true}, nil
	}
	var list model.FollowerList
	var v *model.ViewerGraph
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		_, err = s.db.Get(side, s.db.FollowerList(of), &list)
		return err
	})
	g.Go(func() (err error) {
		v, err = s.viewers.Peek(side, reader)
		return err
	})
	if err := g.Wait(); err != nil {
		return f, err
	}
	mine := make([]model.Relationship, 0, len(v.Follows))
	for other, since := range v.Follows {
		if other != of {
			mine = append(mine, model.Relationship{FollowerID: reader, FollowedID: other, CreatedAt: since})
		}
	}
	slices.SortFunc(mine, model.CompareNewest)
	var found, unknown []model.UserID
	listed := map[model.UserID]bool{}
	for _, r := range mine {
		if _, listed[r.FollowedID] = list.Followers[r.FollowedID]; !listed[r.FollowedID] && !list.Whole {
			unknown = append(unknown, r.FollowedID)
		}
	}
	f.Complete = v.Whole && len(unknown) <= maxFamiliarReads
	unknown = unknown[:min(len(unknown), maxFamiliarReads)]
	there, err := s.there(ctx, model.Relationships, unknown, func(o model.UserID) string {
		return model.RelationshipKey(o, of)
	})
	if err != nil {
		return f, err
	}
	for _, r := range mine {
		if listed[r.FollowedID] || there[model.RelationshipKey(r.FollowedID, of)] {
			found = append(found, r.FollowedID)
		}
	}
	if !v.Whole { // a large graph has the newest follows alone
		found = found[:min(len(found), model.MaxPartialPage)]
	}
	q, err := s.viewers.QuietBy(ctx, reader, v, append([]model.UserID{of}, found...))
	if err != nil || q.Blocks(of) {
		return Familiar{Complete: err == nil}, err
	}
	f.Users = slices.DeleteFunc(found, q.Hides)
	return f, nil
}
