package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// BookmarkedTweet is a tweet in the caller's bookmarks.
type BookmarkedTweet struct {
	Tweet
	BookmarkedAt time.Time `json:"bookmarkedAt"`
}

// bookmarks adds the operations on the caller's bookmarks.
func (s *service) bookmarks() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/tweets/{id}/bookmark", OperationID: "bookmark", Tags: []string{"bookmarks"},
		Summary: "Bookmark a tweet",
		Description: "A bookmark is the caller's alone: nobody else sees it, it is in no count, and nobody is notified. " +
			"Whoever sees a tweet may bookmark it. " +
			"A tweet that is bookmarked already keeps its place.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Bookmarks.Bookmark(ctx, viewer(ctx), id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tweets/{id}/bookmark", OperationID: "unbookmark", Tags: []string{"bookmarks"},
		Summary: "Remove a bookmark",
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Bookmarks.Unbookmark(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/bookmarks", OperationID: "listBookmarks", Tags: []string{"bookmarks"},
		Summary: "List the tweets that the caller has bookmarked, newest bookmark first",
		Description: "Tweets that are gone, or hidden from the caller, are left out: a page may have fewer items than " +
			"asked for, and a nextPageToken.",
	}, func(ctx context.Context, in *struct {
		server.Paging
		Rendering
	}) (*server.ListOutput[BookmarkedTweet], error) {
		uid := server.Caller(ctx).UID
		kept, err := quietPage(ctx, s, "bookmarks of "+string(uid), in.Paging, model.MaxLikesPage,
			func(from model.Cursor, limit int) (model.Page[model.Bookmark], error) {
				return s.Bookmarks.Of(ctx, uid, from, limit)
			}, nil)
		if err != nil {
			return nil, err
		}
		return listMarked(ctx, s, kept, in.Rendering, uid, "", func(b model.Bookmark) model.TweetID { return b.TweetID },
			func(b model.Bookmark, t Tweet) BookmarkedTweet { return BookmarkedTweet{t, b.CreatedAt} })
	})
}
