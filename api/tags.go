package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Tag is a tag in use.
type Tag struct {
	Name       string `json:"name" doc:"Key of the tag" example:"hibana"`
	Content    string `json:"content" doc:"The tag as its first author typed it" example:"Hibana"`
	TweetCount int64  `json:"tweetCount"`
}

// ReadTag is a tag as one caller reads it.
type ReadTag struct {
	Tag
	IsFollowing *bool `json:"isFollowing,omitempty" doc:"Whether the caller follows the tag; absent without a signed-in caller"`
}

type tagOutput struct{ Body ReadTag }

// UsedTag is a tag that a user uses.
type UsedTag struct {
	Name       string `json:"name" doc:"Key of the tag" example:"hibana"`
	Content    string `json:"content" doc:"The tag as the user typed it" example:"Hibana"`
	TweetCount int64  `json:"tweetCount" doc:"Number of the user's tweets with the tag"`
}

// TagPath is the part of a request that names a tag.
type TagPath struct {
	Tag string `path:"tag" doc:"A tag in any spelling, of at most 50 characters"`
}

// tags adds the operations that read tags.
func (s *service) tags() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags", OperationID: "listTags", Tags: []string{"tags"},
		Summary:     "List the tags, most used first",
		Description: "Callers of the first page share what was read within 10 minutes.",
	}, s.listTags)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags/{tag}", OperationID: "getTag", Tags: []string{"tags"},
		Summary: "Read a tag", Errors: []int{http.StatusNotFound},
	}, s.getTag)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags/{tag}/tweets", OperationID: "listTagTweets", Tags: []string{"tags"},
		Summary: "List the tweets of a tag, newest first", Errors: []int{http.StatusNotFound},
	}, s.listTagTweets)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags/{tag}/users", OperationID: "listTagUsers", Tags: []string{"tags"},
		Summary: "List the users who use a tag",
		Description: "By tweetCount: the users with the most public tweets with the tag first, some seconds after each " +
			"tweet. By newest: who wrote last first, each with the newest tweet; " +
			"a page may have fewer users than asked for, and a nextPageToken, because it has each author of its tweets once. " +
			"GET /v1/users/{uid}/tweets?tag= lists a user's tweets with the tag.",
		Errors: []int{http.StatusNotFound},
	}, s.listTagUsers)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/tags", OperationID: "listUserTags", Tags: []string{"tags"},
		Summary:     "List the tags that a user uses, most used first",
		Description: "A tag of no tweet of the user is left out.", Errors: []int{http.StatusNotFound},
	}, ofUser(s.listUserTags))
}

func (s *service) listTags(ctx context.Context, in *struct {
	OrderBy string `query:"orderBy" enum:"tweetCount" default:"tweetCount"`
	server.Paging
}) (*server.ListOutput[Tag], error) {
	const list = "tags by tweetCount"
	found, err := server.CursorPage(s.Server, list, in.Paging, func(from model.Cursor) (model.Page[model.Tag], error) {
		return s.Tags.List(ctx, from, in.PageSize)
	}, nil)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(t model.Tag) (Tag, bool) { return Tag(t), true }), nil
}

func (s *service) listUserTags(ctx context.Context, in *userListInput, uid model.UserID) (*server.ListOutput[UsedTag],
	error) {
	found, err := server.CursorPage(s.Server, "tags of user "+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[model.TagUsage], error) {
			return s.Tags.UsedBy(ctx, uid, from, in.PageSize)
		}, func() error { return s.userExists(ctx, uid) })
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(u model.TagUsage) (UsedTag, bool) {
		return UsedTag{u.Name, u.Content, u.TweetCount}, true
	}), nil
}

func (s *service) getTag(ctx context.Context, in *TagPath) (*tagOutput, error) {
	name, err := model.NormalizeTag(in.Tag)
	if err != nil {
		return nil, err
	}
	t, err := s.Tags.Tag(ctx, name)
	if err != nil {
		return nil, err
	}
	read := ReadTag{Tag: Tag(*t)}
	if uid := viewer(ctx).Account(); uid != "" {
		follows, err := s.Graph.FollowsTag(ctx, uid, name)
		if err != nil {
			return nil, err
		}
		read.IsFollowing = &follows
	}
	return &tagOutput{read}, nil
}

// TagUser is a user who uses a tag.
type TagUser struct {
	User       UserSummary `json:"user"`
	TweetCount *int64      `json:"tweetCount,omitempty" doc:"Number of the user's public tweets with the tag; present by tweetCount"`
	Tweet      *Tweet      `json:"tweet,omitempty" doc:"The user's newest tweet with the tag that everybody sees; present by newest"`
}

func (s *service) listTagUsers(ctx context.Context, in *struct {
	TagPath
	OrderBy string `query:"orderBy" enum:"tweetCount,newest" default:"tweetCount"`
	server.Paging
	Rendering
}) (*server.ListOutput[TagUser], error) {
	name, err := model.NormalizeTag(in.Tag)
	if err != nil {
		return nil, err
	}
	exists := func() error {
		_, err := s.Tags.Tag(ctx, name)
		return err
	}
	if in.OrderBy == "newest" {
		return s.listNewestUsers(ctx, name, in.Paging, in.Rendering, exists)
	}
	found, err := quietPage(ctx, s, "users of tag "+name, in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[model.TagUsage], error) {
			return s.Tags.Users(ctx, name, from, limit)
		}, exists)
	if err != nil {
		return nil, err
	}
	users, err := s.Users.Listed(ctx, each(found.Items, func(u model.TagUsage) model.UserID { return u.UserID }))
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterPublic, "", each(found.Items, func(u model.TagUsage) model.UserID {
		return u.UserID
	}))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(u model.TagUsage) (item TagUser, ok bool) {
		if users[u.UserID] == nil || h.user(u.UserID) {
			return item, false
		}
		return TagUser{User: in.summary(s, users[u.UserID]), TweetCount: &u.TweetCount}, true
	}), nil
}

func (s *service) listNewestUsers(ctx context.Context, name string, paging server.Paging, r Rendering,
	exists func() error) (*server.ListOutput[TagUser], error) {
	found, err := quietPage(ctx, s, "newest users of tag "+name, paging, model.MaxNewestUsers,
		func(from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
			return s.Tags.NewestUsers(ctx, name, from, limit)
		}, exists)
	if err != nil {
		return nil, err
	}
	users, err := s.Users.Listed(ctx, each(found.Items, func(t *model.Tweet) model.UserID { return t.AuthorID }))
	if err != nil {
		return nil, err
	}
	viewerState, err := s.Tweets.ViewerState(ctx, viewer(ctx).Account(),
		each(found.Items, func(t *model.Tweet) model.TweetID { return t.ID }))
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterPublic, "", authors(found.Items))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(t *model.Tweet) (item TagUser, ok bool) {
		hits, hidden := h.tweet(t)
		if users[t.AuthorID] == nil || hidden {
			return item, false
		}
		to := r.tweet(s, t, viewerState[t.ID])
		to.Filtered = hits
		return TagUser{User: r.summary(s, users[t.AuthorID]), Tweet: &to}, true
	}), nil
}

func (s *service) listTagTweets(ctx context.Context, in *struct {
	TagPath
	RootOnly bool `query:"rootOnly" doc:"Leave replies out"`
	server.Paging
	Before
	Rendering
}) (*server.ListOutput[Tweet], error) {
	name, err := model.NormalizeTag(in.Tag)
	if err != nil {
		return nil, err
	}
	list, read := "tweets of tag "+name, s.Tags.Tweets
	if in.RootOnly {
		list, read = "root tweets of tag "+name, s.Tags.RootTweets
	}
	if err := in.startAt(s, &in.Paging, list, atTime); err != nil {
		return nil, err
	}
	found, err := quietPage(ctx, s, list, in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
			return read(ctx, name, from, limit)
		}, func() error {
			_, err := s.Tags.Tag(ctx, name)
			return err
		})
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, in.Rendering, model.FilterPublic)
}
