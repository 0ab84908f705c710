package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Relationship states that one user follows another.
type Relationship struct {
	FollowerID model.UserID `json:"followerId"`
	FollowedID model.UserID `json:"followedId"`
	CreatedAt  time.Time    `json:"createdAt"`
}

// Person is a user in a list. CreatedAt is the time at which the user was added to the list.
type Person struct {
	User      UserSummary `json:"user"`
	CreatedAt time.Time   `json:"createdAt"`
}

// Ties is the relationship between the caller and a user, as far as the caller may know it.
type Ties struct {
	ID         model.UserID `json:"id"`
	Following  bool         `json:"following" doc:"Whether the caller follows the user"`
	Requested  bool         `json:"requested" doc:"Whether the caller asks to follow the user, who has not answered"`
	FollowedBy bool         `json:"followedBy" doc:"Whether the user follows the caller"`
	Blocking   bool         `json:"blocking" doc:"Whether the caller blocks the user"`
	Muting     *Muting      `json:"muting,omitempty" doc:"The caller's mute of the user; absent if there is none, or if it has ended"`

	HidesShares bool   `json:"hidesShares,omitempty" doc:"Whether the caller hides what the user shares; this and the following are there with view=full, and absent for no"`
	Notify      bool   `json:"notify,omitempty" doc:"Whether the posts of the user make notifications for the caller"`
	RequestedBy bool   `json:"requestedBy,omitempty" doc:"Whether the user asks to follow the caller, who has not answered"`
	Note        string `json:"note,omitempty" doc:"The caller's private note on the user"`
}

// AllTies has one item for each uid in the order of the request, and the remaining uids.
type AllTies struct {
	Items []Ties         `json:"items" nullable:"false"`
	Rest  []model.UserID `json:"rest" nullable:"false" doc:"The last uids of the request, of which the answer says nothing because the others cost enough: ask again with them. Empty for 30 uids or fewer, and with view=full for 15"`
}

type relationshipOutput struct{ Body Relationship }

// relationships adds the operations that follow and block users.
func (s *service) relationships() {
	toUser := func(method, path, id, summary, more string, do func(ctx context.Context, caller, uid model.UserID) error,
		failures ...int) {
		server.Register(s.Server, server.SignedIn, huma.Operation{
			Method: method, Path: path, OperationID: id, Summary: summary, Description: more, Tags: []string{"relationships"},
			Errors: failures,
		}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
			return nil, do(ctx, server.Caller(ctx).UID, uid)
		}))
	}
	toUser(http.MethodDelete, "/v1/users/{uid}/follow", "unfollow",
		"Stop following a user, or withdraw a request to follow", "", s.Graph.Unfollow)
	toUser(http.MethodDelete, "/v1/users/me/followers/{uid}", "removeFollower", "Remove a follower of the caller",
		"It is as if the user had stopped following the caller: the user is not told, and may follow again. A request of "+
			"the user to follow is refused, too. Without either nothing changes.", s.Graph.RemoveFollower)
	toUser(http.MethodPut, "/v1/users/{uid}/block", "block", "Block a user",
		"A block refuses the user's likes, replies and shares, and ends the following between the two and requests for "+
			"it, in both directions. Wherever the two are signed in, it hides each from the other in lists, threads, searches, "+
			"trends, the lists of likes, shares, quotes and followers, and notifications; with the user, some seconds later. "+
			"A profile, and a tweet that is read by itself, stay visible, and so does everything public to visitors who are "+
			"not signed in. A request of one to the other for a conversation of two is refused. The user is not told.",
		s.block, http.StatusNotFound)
	toUser(http.MethodDelete, "/v1/users/{uid}/block", "unblock", "Stop blocking a user", "", s.Graph.Unblock)
	toUser(http.MethodPut, "/v1/users/{uid}/hideShares", "hideShares", "Hide what a user shares",
		"The caller's home timeline, and the user's profile, show the caller nothing that the user shares, and the user's "+
			"own tweets as before, until the caller takes it back. The user gets no notification.",
		s.Shares.Hide, http.StatusNotFound)
	toUser(http.MethodDelete, "/v1/users/{uid}/hideShares", "showShares", "Show what a user shares again", "",
		s.Shares.Unhide)

	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/hiddenSharers", OperationID: "listHiddenSharers",
		Tags:        []string{"relationships"},
		Summary:     "List the users whose shares the caller hides, newest first",
		Description: "The users in the list cannot see that they are on it.",
	}, s.listMutedSharers)

	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/blocks", OperationID: "listBlocks", Tags: []string{"relationships"},
		Summary:     "List the users whom the caller blocks, newest first",
		Description: "A user cannot see who blocks them, but may notice that somebody is missing from lists.",
	}, s.listBlocks)
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/users/{uid}/blockers", OperationID: "listBlockers", Tags: []string{"admin"},
		Summary:     "List the users who block a user, newest first",
		Description: "Nobody else learns who blocks a user. For an unknown user the list is empty.",
	}, ofUser(s.listBlockers))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/relationships/{followerId}/{followedId}", OperationID: "getRelationship",
		Tags:    []string{"relationships"},
		Summary: "Check that one user follows another", Description: "The answer is 404 not_following if the first user " +
			"does not follow the second.", Errors: []int{http.StatusNotFound},
	}, s.getRelationship)

	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/relationships", OperationID: "listRelationships", Tags: []string{"relationships"},
		Summary: "What stands between the caller and up to 100 users",
		Description: "The answer has one item for each uid, in the order of the uids. If the first 50 uids are of many " +
			"who follow the caller, or users that the caller follows, asks to follow or blocks, the last uids are not looked " +
			"up and come back in rest; for a caller with more than 5,000 follows, mutes and " +
			"blocks already after 30; with view=full after 25, and after 15. Of an unknown user, and of the caller, all is " +
			"false. Whether a user blocks the caller is not in the answer, except that neither follows the other, because a block ends that.",
	}, s.listRelationships)

	people := func(path, id, summary, more string, read func(context.Context, model.UserID, model.Cursor,
		int) (model.Page[model.Relationship], error), who func(model.Relationship) model.UserID) {
		server.Register(s.Server, server.Anybody, huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: id, Summary: summary, Description: more,
			Tags: []string{"relationships"}, Errors: []int{http.StatusNotFound},
		}, ofUser(func(ctx context.Context, in *renderedListInput, uid model.UserID) (*server.ListOutput[Person], error) {
			list := id + " of " + string(uid)
			found, err := quietPage(ctx, s, list, in.Paging, model.MaxJoinedPage,
				func(from model.Cursor, limit int) (model.Page[model.Relationship], error) {
					return read(ctx, uid, from, limit)
				}, func() error { return s.userExists(ctx, uid) })
			if err != nil {
				return nil, err
			}
			return listOthers(ctx, s, found, in.Rendering, uid, func(r model.Relationship) (model.UserID, time.Time) {
				return who(r),
					r.CreatedAt
			})
		}))
	}
	people("/v1/users/{uid}/followers", "listFollowers", "List the followers of a user, newest first",
		"A follow, unfollow or block shows a moment later, as in the counts.", s.Graph.Followers,
		func(r model.Relationship) model.UserID { return r.FollowerID })
	people("/v1/users/{uid}/following", "listFollowing", "List the users whom a user follows, newest first", "",
		s.Graph.Following,
		func(r model.Relationship) model.UserID { return r.FollowedID })
}

func (s *service) getRelationship(ctx context.Context, in *struct {
	FollowerID string `path:"followerId" doc:"User id of the follower; me is the caller"`
	FollowedID string `path:"followedId" doc:"User id of the followed; me is the caller"`
}) (*relationshipOutput, error) {
	follower, err := userID(ctx, in.FollowerID)
	if err != nil {
		return nil, err
	}
	followed, err := userID(ctx, in.FollowedID)
	if err != nil {
		return nil, err
	}
	r, err := s.Graph.Relationship(ctx, follower, followed)
	if err != nil {
		return nil, err
	}
	return &relationshipOutput{Relationship{r.FollowerID, r.FollowedID, r.CreatedAt}}, nil
}

func (s *service) listRelationships(ctx context.Context, in *struct {
	IDs  []string `query:"ids,explode" required:"true" nullable:"false" doc:"Up to 100 user ids, separated by commas or in several parameters"`
	View string   `query:"view" enum:"basic,full" default:"basic" doc:"full adds what the caller keeps of each user, and whether the user asks to follow"`
}) (*struct{ Body AllTies }, error) {
	var ids []model.UserID
	for text := range strings.SplitSeq(strings.Join(in.IDs, ","), ",") {
		uid, err := userID(ctx, text)
		if err != nil {
			return nil, err
		}
		if ids = append(ids, uid); len(ids) > maxViewerRelationships {
			return nil, errs.New(errs.Invalid, "too_many_ids", "ids may hold at most %d", maxViewerRelationships)
		}
	}
	out := &struct{ Body AllTies }{AllTies{Items: []Ties{}, Rest: ids}}
	whole, err := s.Graph.Whole(ctx, viewer(ctx))
	if err != nil {
		return nil, err
	}
	n, more, each, kinds := model.MaxJoinedPage, moreViewerRelationships, 2, 4
	if !whole { // the graph does not have the mutes either
		n, more, each, kinds = model.MaxPartialTies, model.MaxPartialTies/2, 3, 5
	}
	full := in.View == "full"
	switch {
	case full && whole:
		n, more, each, kinds = n/2, more/2, each+2, kinds+3
	case full: // nor the hidden sharers
		n, more, each, kinds = n/2, more/2, each+4, kinds+5
	}
	for reads := 0; len(out.Body.Rest) > 0 && reads+viewerRelationshipsCost(n, each*n, kinds) <=
		viewerRelationshipsReads; n = more {
		some := out.Body.Rest[:min(n, len(out.Body.Rest))]
		items, there, err := s.tiesTo(ctx, viewer(ctx).Account(), some, full)
		if err != nil {
			return nil, err
		}
		out.Body.Items = append(out.Body.Items, items...)
		reads += viewerRelationshipsCost(len(some), there, kinds)
		out.Body.Rest = out.Body.Rest[len(some):]
	}
	return out, nil
}

// tiesTo reads the relationships between a user and others, and counts the documents that exist.
//
// Cost: that of [graph.Store.ViewerRelationshipsOf], and for full that of [graph.Store.Details].
func (s *service) tiesTo(ctx context.Context, uid model.UserID, others []model.UserID, full bool) (items []Ties,
	there int, err error) {
	known, err := s.Graph.ViewerRelationshipsOf(ctx, uid, others)
	if err != nil {
		return nil, 0, err
	}
	details := map[model.UserID]model.RelationshipDetail{}
	if full && uid != "" {
		asked := slices.Collect(maps.Keys(known)) // each once, and nobody's own
		if details, err = s.Graph.Details(ctx, uid, asked, known); err != nil {
			return nil, 0, err
		}
	}
	for _, o := range others {
		t, d := known[o], details[o]
		for _, is := range []bool{t.Follows, t.Requested, t.Followed, t.Blocks, t.Muted != 0, d.HidesShares, d.Subscribed,
			d.Subscribed, d.RequestedBy, d.Note != ""} {
			if is {
				there++
			}
		}
		items = append(items, Ties{ID: o, Following: t.Follows, Requested: t.Requested, FollowedBy: t.Followed,
			Blocking: t.Blocks, Muting: mutingOf(t.Muted), HidesShares: d.HidesShares, Notify: d.Subscribed,
			RequestedBy: d.RequestedBy, Note: d.Note})
	}
	return items, there, nil
}

// A request reads the relationships to at most maxViewerRelationships users. It always reads the first
// model.MaxJoinedPage. It then reads moreViewerRelationships at a time, as long as the ceiling of
// viewerRelationshipsReads would hold if all of them followed the caller and were followed back. For a caller without a
// whole graph it reads the first model.MaxPartialTies, and then half as many at a time, as if all were muted as well.
// With what the caller keeps of the users it reads half as many at a time.
const (
	maxViewerRelationships   = 100
	moreViewerRelationships  = 25
	viewerRelationshipsReads = 120
)

// viewerRelationshipsCost returns the largest cost of reading the relationships to n users, for whom so many documents
// exist: 1 read for the graph, and a query of each of the kinds for 30 users that finds nothing.
func viewerRelationshipsCost(n, documents, kinds int) int { return 1 + documents + kinds*((n+29)/30) }

type peopleInput struct {
	server.Paging
	Rendering
}

func (s *service) listBlocks(ctx context.Context, in *peopleInput) (*server.ListOutput[Person], error) {
	uid := server.Caller(ctx).UID
	found, err := server.CursorPage(s.Server, "blocks of "+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[model.Block], error) {
			return s.Graph.Blocks(ctx, uid, from, in.Most(model.MaxJoinedPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	return listPeople(ctx, s, found, in.Rendering, func(b model.Block) (model.UserID, time.Time) {
		return b.BlockeeID,
			b.CreatedAt
	})
}

func (s *service) listBlockers(ctx context.Context, in *renderedListInput,
	uid model.UserID) (*server.ListOutput[Person], error) {
	found, err := server.CursorPage(s.Server, "blockers of "+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[model.Block], error) {
			return s.Graph.Blockers(ctx, uid, from, in.Most(model.MaxJoinedPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	return listPeople(ctx, s, found, in.Rendering, func(b model.Block) (model.UserID, time.Time) {
		return b.BlockerID, b.CreatedAt
	})
}

func (s *service) listMutedSharers(ctx context.Context, in *peopleInput) (*server.ListOutput[Person], error) {
	uid := server.Caller(ctx).UID
	found, err := server.CursorPage(s.Server, "hidden sharers of "+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[model.MutedSharer], error) {
			return s.Shares.Hidden(ctx, uid, from, in.Most(model.MaxJoinedPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	return listPeople(ctx, s, found, in.Rendering, func(h model.MutedSharer) (model.UserID, time.Time) {
		return h.SharerID,
			h.CreatedAt
	})
}

// listPeople converts the users of a page. It leaves out a user without a profile.
func listPeople[F any](ctx context.Context, s *service, found server.Rows[F], r Rendering,
	who func(F) (model.UserID, time.Time)) (*server.ListOutput[Person], error) {
	return listSeen(ctx, s, found, r, hiding{}, who)
}

// listOthers is listPeople for a list of everybody's, or of owner's: it leaves out whom the caller does not want to
// see.
func listOthers[F any](ctx context.Context, s *service, found server.Rows[F], r Rendering, owner model.UserID,
	who func(F) (model.UserID, time.Time)) (*server.ListOutput[Person], error) {
	h, err := s.hidingIn(ctx, "", owner, each(found.Items, func(f F) model.UserID {
		id, _ := who(f)
		return id
	}))
	if err != nil {
		return nil, err
	}
	return listSeen(ctx, s, found, r, h, who)
}

func listSeen[F any](ctx context.Context, s *service, found server.Rows[F], r Rendering, h hiding,
	who func(F) (model.UserID, time.Time)) (*server.ListOutput[Person], error) {
	ids := each(found.Items, func(f F) model.UserID {
		id, _ := who(f)
		return id
	})
	users, err := s.Users.Listed(ctx, ids)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(f F) (Person, bool) {
		id, at := who(f)
		if users[id] == nil || h.all() || h.user(id) {
			return Person{}, false
		}
		return Person{r.summary(s, users[id]), at}, true
	}), nil
}

// block blocks a user, and refuses the request for a conversation between the two, also if the caller hangs up
// meanwhile: it would stay in the list of the one, who does not see it.
func (s *service) block(ctx context.Context, caller, uid model.UserID) error {
	if err := s.Graph.Block(ctx, caller, uid); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refusal)
	defer cancel()
	return s.Messages.RefuseBetween(ctx, caller, uid)
}

const refusal = 5 * time.Second
