package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// Suggestion is somebody whom the caller may want to follow, and why.
type Suggestion struct {
	User   UserSummary      `json:"user"`
	Reason SuggestionReason `json:"reason"`
}

// SuggestionReason is why somebody is suggested. Clients make a sentence of it. Without any part the person is in the
// directory.
type SuggestionReason struct {
	FollowedBy []NamedUser `json:"followedBy" nullable:"false" doc:"Up to 3 users whom the caller follows, and who follow the person"`
	Others     int         `json:"others" doc:"About how many more of those whom the caller follows do"`
	Tags       []string    `json:"tags" nullable:"false" doc:"Up to 3 tags that both use"`
	Language   string      `json:"language,omitempty" doc:"Language that both write; absent if they differ, or do not say"`
}

// NamedUser is the name of a user.
type NamedUser struct {
	ID       model.UserID `json:"id"`
	Username string       `json:"username"`
	Nickname string       `json:"nickname"`
}

func namedUserOf(u *model.User) NamedUser {
	return NamedUser{ID: u.ID, Username: u.Username, Nickname: u.Nickname}
}

// Suggestions are people whom the caller may want to follow.
type Suggestions struct {
	Items []Suggestion `json:"items" nullable:"false"`
}

// FamiliarFollowers are followers of a user whom the caller follows.
type FamiliarFollowers struct {
	Items    []UserSummary `json:"items" nullable:"false" doc:"Up to 10 of them, those whom the caller followed last first"`
	Count    int           `json:"count" doc:"How many were found"`
	Complete bool          `json:"complete" doc:"False if there may be more than were found: the user has more than 200 followers, and the caller follows many"`
}

// maxFamiliar is how many familiar followers an answer has.
const maxFamiliar = 10

type suggestionsInput struct {
	Limit    int    `query:"limit" minimum:"1" maximum:"20" default:"10" doc:"Number of people at most"`
	Language string `query:"language" maxLength:"35" doc:"BCP 47 tag of the caller's language, for people of the directory; that of the profile if empty" example:"ja"`
	Rendering
}

type directoryInput struct {
	Order    string `query:"order" enum:"new,popular" default:"new" doc:"new: the newest accounts first; popular: those with the most followers first"`
	Language string `query:"language" maxLength:"35" doc:"BCP 47 tag, of which the first part counts; every language if empty" example:"ja"`
	server.Paging
	Rendering
}

// people adds the operations that find people to follow.
func (s *service) people() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/suggestions", OperationID: "listSuggestions", Tags: []string{"people"},
		Summary: "List people whom the caller may want to follow",
		Description: "The people are followed by those whom the caller follows, or use the same tags; for a caller " +
			"without follows they are popular people of the directory. A list is computed once a day for callers who asked " +
			"within a week, and some minutes after their first follows. It has nobody whom the caller follows, asks to " +
			"follow, mutes, has a block with or dismissed, and nobody who is locked, suspended, or does not want it. " +
			"The reasons say what everybody may see: who follows whom, and which tags are in public tweets.",
	}, s.listSuggestions)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/suggestions/{uid}", OperationID: "dismissSuggestion", Tags: []string{"people"},
		Summary: "Do not suggest a user to the caller again",
		Description: "The user is not told. Doing it again changes nothing. Of more than 500 users the one who was " +
			"dismissed first may be suggested again.",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Suggestions.Dismiss(ctx, server.Caller(ctx).UID, uid)
	}))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/directory", OperationID: "listDirectory", Tags: []string{"people"},
		Summary: "List the people who want to be found",
		Description: "Users put themselves into the directory, with discoverable of their profile. Somebody who leaves it " +
			"may show for a minute. A page may have fewer people than asked for, and a nextPageToken.",
	}, s.listDirectory)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/familiarFollowers", OperationID: "listFamiliarFollowers",
		Tags: []string{"people"}, Summary: "List the followers of a user whom the caller follows",
		Description: "Muted users are left out. With a block between the user and the caller the list is empty.",
		Errors:      []int{http.StatusNotFound},
	}, ofUser(s.listFamiliarFollowers))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users", OperationID: "listUsers", Tags: []string{"admin"},
		Summary: "List all users, the newest account first",
		Description: "For administrators alone: to users and moderators a list of everybody would only serve to copy it, " +
			"and they find people by name, in the directory, and in reports.",
	}, s.listUsers)
}

// baseLanguage returns the language of a parameter, of two or three letters; empty stays empty.
func baseLanguage(tag string) (string, error) {
	if tag == "" {
		return "", nil
	}
	tag, err := model.ParseLanguage(tag)
	if err != nil {
		return "", err
	}
	return model.BaseLanguage(tag), nil
}

func (s *service) listSuggestions(ctx context.Context, in *suggestionsInput) (*struct{ Body Suggestions }, error) {
	language, err := baseLanguage(in.Language)
	if err != nil {
		return nil, err
	}
	all, err := s.Suggestions.For(ctx, viewer(ctx), language, in.Limit)
	if err != nil {
		return nil, err
	}
	return &struct{ Body Suggestions }{Suggestions{each(all, func(is discovery.Suggestion) Suggestion {
		return Suggestion{in.summary(s, is.User), SuggestionReason{FollowedBy: each(is.FollowedBy, namedUserOf),
			Others: is.Others, Tags: each(is.Tags, func(tag string) string { return tag }), Language: is.Language}}
	})}}, nil
}

func (s *service) listDirectory(ctx context.Context, in *directoryInput) (*server.ListOutput[UserSummary], error) {
	language, err := baseLanguage(in.Language)
	if err != nil {
		return nil, err
	}
	order := discovery.DirectoryOrder(in.Order)
	found, err := quietPage(ctx, s, "directory "+in.Order+" "+language, in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[*model.User], error) {
			return s.Directory.List(ctx, order, language, from, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, "", "", each(found.Items, func(u *model.User) model.UserID { return u.ID }))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(u *model.User) (UserSummary, bool) { return in.summary(s, u), !h.user(u.ID) }), nil
}

func (s *service) listFamiliarFollowers(ctx context.Context, in *struct {
	UserPath
	Rendering
}, uid model.UserID) (*struct{ Body FamiliarFollowers }, error) {
	if err := s.userExists(ctx, uid); err != nil {
		return nil, err
	}
	found, err := s.Graph.Familiar(ctx, viewer(ctx), uid)
	if err != nil {
		return nil, err
	}
	some := found.Users[:min(len(found.Users), maxFamiliar)]
	users, err := s.Users.Listed(ctx, some)
	if err != nil {
		return nil, err
	}
	out := FamiliarFollowers{Items: []UserSummary{}, Count: len(found.Users), Complete: found.Complete}
	for _, id := range some {
		if u := users[id]; u != nil {
			out.Items = append(out.Items, in.summary(s, u))
		} else {
			out.Count-- // has left a moment ago
		}
	}
	return &struct{ Body FamiliarFollowers }{out}, nil
}

func (s *service) listUsers(ctx context.Context, in *peopleInput) (*server.ListOutput[User], error) {
	found, err := server.CursorPage(s.Server, "all users", in.Paging,
		func(from model.Cursor) (model.Page[*model.User], error) {
			return s.Directory.AllUsers(ctx, from, in.PageSize)
		}, nil)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(u *model.User) (User, bool) { return in.user(s, u), true }), nil
}
