package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/model"
)

// Tag is a tag in use.
type Tag struct {
	Name       string `json:"name" doc:"Key of the tag" example:"hibana"`
	Content    string `json:"content" doc:"The tag as its first author typed it" example:"Hibana"`
	TweetCount int64  `json:"tweetCount"`
}

type tagOutput struct{ Body Tag }

// TagPath is the part of a request that names a tag.
type TagPath struct {
	Tag string `path:"tag" doc:"A tag in any spelling, of at most 50 characters"`
}

// tags adds the operations that read tags.
func (s *server) tags() {
	register(s, anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags", OperationID: "listTags", Tags: []string{"tags"}, Summary: "List the tags, most used first",
	}, s.listTags)
	register(s, anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags/{tag}", OperationID: "getTag", Tags: []string{"tags"},
		Summary: "Read a tag", Errors: []int{http.StatusNotFound},
	}, s.getTag)
	register(s, anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tags/{tag}/tweets", OperationID: "listTagTweets", Tags: []string{"tags"},
		Summary: "List the tweets of a tag, newest first", Errors: []int{http.StatusNotFound},
	}, s.listTagTweets)
}

func (s *server) listTags(ctx context.Context, in *struct {
	OrderBy string `query:"orderBy" enum:"tweetCount" default:"tweetCount"`
	Paging
}) (*listOutput[Tag], error) {
	const list = "tags by tweetCount"
	found, err := cursorPage(s, list, in.Paging, func(from model.Cursor) (model.Page[model.Tag], error) {
		return s.Facts.Tags(ctx, from, in.PageSize)
	}, nil)
	if err != nil {
		return nil, err
	}
	return listOf(found, func(t model.Tag) (Tag, bool) { return Tag(t), true }), nil
}

func (s *server) getTag(ctx context.Context, in *TagPath) (*tagOutput, error) {
	name, err := model.NormalizeTag(in.Tag)
	if err != nil {
		return nil, err
	}
	t, err := s.Facts.Tag(ctx, name)
	if err != nil {
		return nil, err
	}
	return &tagOutput{Tag(*t)}, nil
}

func (s *server) listTagTweets(ctx context.Context, in *struct {
	TagPath
	RootOnly bool `query:"rootOnly" doc:"Leave replies out"`
	Paging
}) (*listOutput[Tweet], error) {
	name, err := model.NormalizeTag(in.Tag)
	if err != nil {
		return nil, err
	}
	list, read := "tweets of tag "+name, s.Facts.TagTweets
	if in.RootOnly {
		list, read = "root tweets of tag "+name, s.Facts.TagRootTweets
	}
	found, err := cursorPage(s, list, in.Paging, func(from model.Cursor) (model.Page[*model.Tweet], error) {
		return read(ctx, name, from, in.PageSize)
	}, func() error {
		_, err := s.Facts.Tag(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found)
}
