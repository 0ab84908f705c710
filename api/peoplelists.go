package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// PeopleList is a list of people.
type PeopleList struct {
	ID            string               `json:"id"`
	OwnerID       model.UserID         `json:"ownerId"`
	Title         string               `json:"title"`
	Description   string               `json:"description" doc:"Plain text"`
	Visibility    model.ListVisibility `json:"visibility" enum:"private,public"`
	RepliesPolicy model.RepliesPolicy  `json:"repliesPolicy" enum:"followed,list,none"`
	Exclusive     bool                 `json:"exclusive,omitempty" doc:"Whether the owner's home timeline leaves the members out; only the owner sees it"`
	MemberCount   int                  `json:"memberCount"`
	CreatedAt     time.Time            `json:"createdAt"`
}

// peopleListOf is a list as a viewer sees it.
func peopleListOf(viewer model.UserID) func(l *model.PeopleList) PeopleList {
	return func(l *model.PeopleList) PeopleList {
		return PeopleList{ID: l.ID, OwnerID: l.UserID, Title: l.Title, Description: l.Description,
			Visibility:    cmp.Or(l.Visibility, model.PrivateList),
			RepliesPolicy: cmp.Or(l.RepliesPolicy, model.RepliesToList),
			Exclusive:     l.Exclusive && l.UserID == viewer, MemberCount: len(l.Members), CreatedAt: l.CreatedAt}
	}
}

// ListFields is what the caller may say of a list besides its title.
type ListFields struct {
	Description   *string               `json:"description,omitempty" maxLength:"500" doc:"Plain text for those who see a public list, of at most 500 characters"`
	Visibility    *model.ListVisibility `json:"visibility,omitempty" enum:"private,public" doc:"private, which is the default: nobody else learns of the list. public: everybody may read it and its members, but for those with a block between them and the caller"`
	RepliesPolicy *model.RepliesPolicy  `json:"repliesPolicy,omitempty" enum:"followed,list,none" doc:"Which replies of members the timeline has: to users whom its reader follows, to members of the list, which is the default, or none. Replies of members to themselves and to the reader are always there"`
	Exclusive     *bool                 `json:"exclusive,omitempty" doc:"Whether the caller's home timeline leaves out what the members write and share. 5 lists at most are exclusive; beyond that the answer is 409 too_many_exclusive_lists"`
}

// NewList is what the caller says of a new list.
type NewList struct {
	Title string `json:"title" minLength:"1" maxLength:"60" doc:"Plain text that shows something, of 1 to 60 characters"`
	ListFields
}

// ListChange is what the caller changes of a list.
type ListChange struct {
	Title *string `json:"title,omitempty" minLength:"1" maxLength:"60" doc:"Plain text that shows something, of 1 to 60 characters"`
	ListFields
}

func (f ListFields) patch(title *string) model.ListPatch {
	return model.ListPatch{Title: title, Description: f.Description, Visibility: f.Visibility,
		RepliesPolicy: f.RepliesPolicy, Exclusive: f.Exclusive}
}

// PeopleListPath is the part of a request that names a list of the caller.
type PeopleListPath struct {
	ID string `path:"id" doc:"Id of the list: 20 lower-case hexadecimal digits"`
}

func (p PeopleListPath) listID() (string, error) { return model.ParseListID(p.ID) }

// ListMemberPath names a user on a list of the caller, or beside it.
type ListMemberPath struct {
	PeopleListPath
	UserPath
}

type createListInput struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Lets the caller repeat the request"`
	Body           NewList
}

type updateListInput struct {
	PeopleListPath
	Body ListChange
}

type listOfPeopleInput struct {
	PeopleListPath
	Rendering
}

type listTimelineInput struct {
	PeopleListPath
	server.Paging
	Before
	Rendering
}

type createdList struct {
	Location string `header:"Location"`
	Body     PeopleList
}

// peopleLists adds the operations on the caller's lists of people.
func (s *service) peopleLists() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/lists", OperationID: "createList", Tags: []string{"lists"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Make a list of people",
		Description: "A list is the caller's alone, unless it is public. Its members get no notification. A user has 50 " +
			"lists at most; beyond that the answer is 409 too_many_lists.\n\n" +
			"The caller may repeat a request with an Idempotency-Key as long as the list is there. A different request with " +
			"the same key answers 409 idempotency_key_reused.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *createListInput) (*createdList, error) {
		l, err := s.Lists.Create(ctx, server.Caller(ctx).UID, in.Body.patch(&in.Body.Title),
			model.Request{Key: in.IdempotencyKey, Hash: hashOf(in.Body)})
		if err != nil {
			return nil, err
		}
		return &createdList{Location: "/v1/lists/" + l.ID, Body: peopleListOf(l.UserID)(l)}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/lists", OperationID: "listLists", Tags: []string{"lists"},
		Summary: "List the lists of the caller, newest first",
		Description: "The answer has all of them, or with member all " +
			"that have the member.",
	}, func(ctx context.Context, in *struct {
		Member string `query:"member" maxLength:"128" doc:"User id, for only those lists that this user is on"`
	}) (*server.ListOutput[PeopleList], error) {
		all, err := s.Lists.Of(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		if in.Member != "" {
			uid, err := userID(ctx, in.Member)
			if err != nil {
				return nil, err
			}
			all = slices.DeleteFunc(all, func(l *model.PeopleList) bool { return !slices.Contains(l.Members, uid) })
		}
		return &server.ListOutput[PeopleList]{Body: server.List[PeopleList]{Items: each(all,
			peopleListOf(server.Caller(ctx).UID))}}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/lists/{id}", OperationID: "getList", Tags: []string{"lists"},
		Summary: "Read a list of the caller", Errors: []int{http.StatusNotFound},
	}, ofList(func(ctx context.Context, _ *PeopleListPath, id string) (*struct{ Body PeopleList }, error) {
		l, err := s.Lists.List(ctx, server.Caller(ctx).UID, id)
		if err != nil {
			return nil, err
		}
		return &struct{ Body PeopleList }{peopleListOf(l.UserID)(l)}, nil
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/lists/{id}", OperationID: "updateList", Tags: []string{"lists"},
		Summary: "Change a list of the caller", Description: "What the request does not name stays as it is.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofList(func(ctx context.Context, in *updateListInput, id string) (*nothing, error) {
		_, err := s.Lists.Change(ctx, server.Caller(ctx).UID, id, in.Body.patch(in.Body.Title))
		return nil, err
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/lists/{id}", OperationID: "deleteList", Tags: []string{"lists"},
		Summary: "Delete a list of the caller",
	}, ofList(func(ctx context.Context, _ *PeopleListPath, id string) (*nothing, error) {
		return nil, s.Lists.Delete(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/lists/{id}/members", OperationID: "listListMembers", Tags: []string{"lists"},
		Summary:     "List the members of a list of the caller, newest first",
		Description: "The answer has all of them, also those who block the caller meanwhile.",
		Errors:      []int{http.StatusNotFound},
	}, ofList(s.listListMembers))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/lists/{id}/members/{uid}", OperationID: "addListMember", Tags: []string{"lists"},
		Summary: "Put a user on a list of the caller",
		Description: "The member gets no notification. Doing it again changes nothing. A list has 30 members at most: " +
			"beyond that the answer is 409 too_many_list_members. While one of the two blocks the other it is 403 not_allowed.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofList(func(ctx context.Context, in *ListMemberPath, id string) (*nothing, error) {
		uid, err := in.userID(ctx)
		if err != nil {
			return nil, err
		}
		return nil, s.Lists.Add(ctx, server.Caller(ctx).UID, id, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/lists/{id}/members/{uid}", OperationID: "removeListMember",
		Tags:    []string{"lists"},
		Summary: "Take a user off a list of the caller", Errors: []int{http.StatusNotFound},
	}, ofList(func(ctx context.Context, in *ListMemberPath, id string) (*nothing, error) {
		uid, err := in.userID(ctx)
		if err != nil {
			return nil, err
		}
		return nil, s.Lists.Remove(ctx, server.Caller(ctx).UID, id, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/lists/{id}/timeline", OperationID: "getListTimeline", Tags: []string{"lists"},
		Summary: "List what the members of a list of the caller wrote, newest first",
		Description: "The timeline has the members' tweets of the last 30 days that the caller may see, and not what " +
			"members share. repliesPolicy says which replies. While a member blocks the caller, or the caller blocks the " +
			"member, the member's tweets are left " +
			"out. A page has 20 tweets at most. It may have fewer, or none, and a nextPageToken.",
		Errors: []int{http.StatusNotFound},
	}, ofList(s.getListTimeline))
}

// ofList gives a handler the id of the list in the path.
func ofList[I interface{ listID() (string, error) }, O any](handler func(context.Context, I, string) (*O,
	error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		id, err := in.listID()
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, id)
	}
}

func (s *service) listListMembers(ctx context.Context, in *listOfPeopleInput,
	id string) (*server.ListOutput[UserSummary], error) {
	l, err := s.Lists.List(ctx, server.Caller(ctx).UID, id)
	if err != nil {
		return nil, err
	}
	return s.membersOf(ctx, l, in.Rendering)
}

// membersOf lists the members of a list that the caller sees.
func (s *service) membersOf(ctx context.Context, l *model.PeopleList, r Rendering) (*server.ListOutput[UserSummary],
	error) {
	members, err := s.Lists.SeenMembers(ctx, viewer(ctx).Account(), l)
	if err != nil {
		return nil, err
	}
	users, err := s.Users.Listed(ctx, members)
	if err != nil {
		return nil, err
	}
	return server.ListOf(server.Rows[model.UserID]{Items: members}, func(uid model.UserID) (UserSummary, bool) {
		if users[uid] == nil { // has left a moment ago
			return UserSummary{}, false
		}
		return r.summary(s, users[uid]), true
	}), nil
}

func (s *service) getListTimeline(ctx context.Context, in *listTimelineInput, id string) (*server.ListOutput[Tweet],
	error) {
	owner := server.Caller(ctx).UID
	if err := in.startAt(s, &in.Paging, timelineOfList(owner, id), atID); err != nil {
		return nil, err
	}
	return s.timelineOf(ctx, owner, id, in.Paging, in.Rendering)
}

// timelineOfList names the timeline of a list.
func timelineOfList(owner model.UserID, id string) string {
	return "list " + id + " of " + string(owner)
}

// timelineOf lists the timeline of a list of a user.
func (s *service) timelineOf(ctx context.Context, owner model.UserID, id string, paging server.Paging,
	r Rendering) (*server.ListOutput[Tweet], error) {
	uid := server.Caller(ctx).UID
	found, err := server.Page(s.Server, timelineOfList(owner, id), paging,
		func(before model.TweetID) ([]*model.Tweet, model.TweetID, error) {
			l, err := s.Lists.Seen(ctx, uid, owner, id)
			if err != nil {
				return nil, "", err
			}
			limit, err := s.fewer(ctx, paging.Most(model.MaxListPage), model.MaxPartialList)
			if err != nil {
				return nil, "", err
			}
			return s.Timelines.List(ctx, uid, l, before, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, r, model.FilterHome)
}
