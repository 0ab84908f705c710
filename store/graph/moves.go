package graph

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// AskMove makes the followers of an account follow another one, by the work document of [Store.Move].
//
// Cost: 1 write.
func (s *Store) AskMove(ctx context.Context, from, to model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.AskMove(%q, %q)", from, to)
	_, err = s.db.Ask(ctx, s.db.Doc(model.RemoteMoves, string(from)), model.RemoteMove{From: from, To: to,
		ExpireAt: s.db.WorkExpiry()})
	return err
}

// Move goes on with the followers of an account that moved: each of this installation follows the new account, or asks
// to, and the former one no more. A follower whom the new account refuses, or who follows as many as the limit allows,
// keeps the former one. Followers of other servers move by themselves.
//
// Cost: 1 read, and 1 write a step; 1 read for each follower, and for each of this installation that of [Store.Follow]
// and of [Store.Unfollow].
func (s *Store) Move(ctx context.Context, m *model.RemoteMove) (err error) {
	defer errs.Wrap(&err, "graph.Move(%q, %q)", m.From, m.To)
	const together = 20
	step, ok, err := s.db.Begin(ctx, s.db.Doc(model.RemoteMoves, m.ID), m.WrittenAt)
	if err != nil || !ok {
		return err
	}
	after := m.After
	for !step.Over() {
		q := s.db.Client.Collection(model.Relationships).Where(fields.FollowedID, "==", m.From).
			OrderBy(firestore.DocumentID, firestore.Asc).Limit(together)
		if after != "" {
			q = q.StartAfter(after)
		}
		found, err := s.db.All(ctx, q)
		if err != nil {
			return err
		}
		for _, snap := range found {
			after = snap.Ref.ID
			var r model.Relationship
			if err := snap.DataTo(&r); err != nil {
				return err
			}
			if r.FollowerID.Remote() || r.FollowerID == m.To {
				continue
			}
			err := s.Follow(ctx, r.FollowerID, m.To)
			if err != nil && slices.Contains([]errs.Kind{errs.Forbidden, errs.NotFound, errs.Gone, errs.Invalid},
				errs.KindOf(err)) {
				continue
			}
			if err == nil {
				err = s.Unfollow(ctx, r.FollowerID, m.From)
			}
			if err != nil {
				return err
			}
		}
		if len(found) < together {
			return step.End(ctx, nil)
		}
	}
	return step.Save(ctx, map[string]any{fields.After: after}, nil)
}

// FollowedHere reports whether somebody of this installation follows a user.
//
// Cost: 1 read.
func (s *Store) FollowedHere(ctx context.Context, uid model.UserID) (_ bool, err error) {
	defer errs.Wrap(&err, "graph.FollowedHere(%q)", uid)
	found, err := s.db.All(ctx, s.db.Client.Collection(model.Relationships).Where(fields.FollowedID, "==", uid).Limit(1))
	return len(found) > 0, err
}
