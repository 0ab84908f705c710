package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Details returns what a user keeps of others besides the relationships, and which of them ask to follow the user:
// those without any of it are absent. known has the relationships, from [Store.ViewerRelationshipsOf].
//
// Cost: 1 read, which is nothing for a context from [Remember]; of each 30 others 1 read for each subscription, note
// and request, at least 1 a kind. Without the graph as much for the sharers whom the user hides, and 1 read for each
// subscription.
func (s *Store) Details(ctx context.Context, uid model.UserID, others []model.UserID,
	known map[model.UserID]model.ViewerRelationship) (_ map[model.UserID]model.RelationshipDetail, err error) {
	defer errs.Wrap(&err, "graph.Details(%q, %d)", uid, len(others))
	found := map[model.UserID]model.RelationshipDetail{}
	v, err := s.viewers.Peek(ctx, uid)
	if err != nil || len(others) == 0 {
		return found, err
	}
	var followed, strangers []model.UserID
	for _, o := range others {
		if known[o].Follows {
			followed = append(followed, o)
		}
		if !known[o].Followed {
			strangers = append(strangers, o)
		}
	}
	hidden := map[string]bool{}
	var requests map[string]bool
	var notes map[string]*model.PersonNote
	var subscribed map[model.UserID]bool
	mutedSharer := func(o model.UserID) string { return model.MutedSharerKey(uid, o) }
	g, ctx := safely.WithContext(ctx)
	if !v.Whole {
		g.Go(func() (err error) {
			hidden, err = s.there(ctx, model.MutedSharers, others, mutedSharer)
			return err
		})
	}
	g.Go(func() (err error) {
		requests, err = s.there(ctx, model.FollowRequests, strangers, func(o model.UserID) string {
			return model.FollowRequestKey(o, uid)
		})
		return err
	})
	g.Go(func() (err error) {
		keys := make([]string, len(others))
		for i, o := range others {
			keys[i] = model.PersonNoteKey(uid, o)
		}
		notes, err = db.ReadThere[model.PersonNote](ctx, s.db, model.PersonNotes, keys)
		return err
	})
	g.Go(func() (err error) {
		subscribed, err = s.subscribed(ctx, uid, followed, v)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, o := range others {
		d := model.RelationshipDetail{HidesShares: v.Mutes[o] || hidden[mutedSharer(o)], Subscribed: subscribed[o],
			RequestedBy: requests[model.FollowRequestKey(o, uid)]}
		if n := notes[model.PersonNoteKey(uid, o)]; n != nil {
			d.Note = n.Text
		}
		if d != (model.RelationshipDetail{}) {
			found[o] = d
		}
	}
	return found, nil
}

// subscribed returns of whose posts a user is notified, among users whom the user follows.
//
// Cost: of each 30 users 1 read for each subscription, at least 1; without the graph 2.
func (s *Store) subscribed(ctx context.Context, uid model.UserID, followed []model.UserID,
	v *model.ViewerGraph) (map[model.UserID]bool, error) {
	keys, all := make([]string, len(followed)), map[model.UserID]bool{}
	for i, o := range followed {
		keys[i] = model.SubscriptionKey(uid, o)
	}
	subs, err := db.ReadThere[model.Subscription](ctx, s.db, model.Subscriptions, keys)
	if err != nil {
		return nil, err
	}
	relationships := map[string]*model.Relationship{}
	if v.Whole {
		for _, o := range followed {
			relationships[model.RelationshipKey(uid, o)] = &model.Relationship{CreatedAt: v.Follows[o]}
		}
	} else {
		keys = keys[:0]
		for _, sub := range subs {
			keys = append(keys, model.RelationshipKey(uid, sub.AuthorID))
		}
		if relationships, err = db.ReadThere[model.Relationship](ctx, s.db, model.Relationships, keys); err != nil {
			return nil, err
		}
	}
	for _, sub := range subs {
		all[sub.AuthorID] = sub.Holds(relationships[model.RelationshipKey(uid, sub.AuthorID)])
	}
	return all, nil
}
