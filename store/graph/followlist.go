package graph

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// MemberFollow says what became of one member of a list whose members a user follows.
type MemberFollow struct {
	UserID model.UserID
	Result FollowResult
	New    bool   // this call made the follow or the request
	Reason string // of a skipped member: the code of the error of [Store.FollowOrAsk]
}

// FollowResult is what became of a follow.
type FollowResult string

// The results of a follow.
const (
	Followed        FollowResult = "followed"
	FollowRequested FollowResult = "requested" // the member is locked, and has to accept
	FollowedAlready FollowResult = "already"
	FollowSkipped   FollowResult = "skipped"
)

// FollowMembers makes a user follow some members of a list, the next ones after a uid in the order of uids, and at most
// most of them. It skips a member whom the user may not follow. next is where the next call goes on, and empty at the
// end. The uids have one order, so members who come or go meanwhile make no call repeat or miss another member. After
// an error the caller may call it again: who is followed stays followed.
//
// Cost: that of [Store.Whole], and without a graph 1 read for each relationship, block and request, at least 1 of each;
// for each member whom the user does not follow that of [Store.FollowOrAsk].
func (s *Store) FollowMembers(ctx context.Context, uid model.UserID, members []model.UserID, after model.UserID,
	most int) (results []MemberFollow, next model.UserID, err error) {
	defer errs.Wrap(&err, "graph.FollowMembers(%q)", uid)
	members = slices.DeleteFunc(slices.Sorted(slices.Values(members)), func(m model.UserID) bool {
		return m <= after || m == uid
	})
	if len(members) > most {
		members = members[:most]
		next = members[most-1]
	}
	if len(members) == 0 {
		return nil, "", nil
	}
	graph, err := s.viewers.Peek(ctx, uid)
	if err != nil {
		return nil, "", err
	}
	follows, _, requested, err := s.own(ctx, uid, members, graph)
	if err != nil {
		return nil, "", err
	}
	for _, member := range members {
		is := MemberFollow{UserID: member, Result: FollowedAlready}
		switch {
		case follows(member):
		case requested[model.FollowRequestKey(uid, member)]:
			is.Result = FollowRequested
		default:
			if is, err = s.followMember(ctx, uid, member); err != nil {
				return results, "", err
			}
		}
		results = append(results, is)
	}
	return results, next, nil
}

// followMember makes a user follow one member.
func (s *Store) followMember(ctx context.Context, uid, member model.UserID) (MemberFollow, error) {
	is := MemberFollow{UserID: member, Result: Followed, New: true}
	asked, err := s.FollowOrAsk(ctx, uid, member)
	switch kind := errs.KindOf(err); {
	case err == nil && asked:
		is.Result = FollowRequested
	case err == nil:
	case kind == errs.NotFound, kind == errs.Forbidden && errs.CodeOf(err) != "profile_required":
		is.Result, is.Reason, is.New = FollowSkipped, errs.CodeOf(err), false
	default:
		return is, err
	}
	return is, nil
}
