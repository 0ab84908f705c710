package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
)

// fediversePost answers a post: a Note, or a Question. One that was deleted, and of which everybody may know, is a
// Tombstone.
//
// Cost: that of publicTweet; 1 read for a poll; 1 for each mentioned user whose profile is not cached, at most 11; that
// of publicTweet for a quoted post.
func (s *service) fediversePost(ctx context.Context, in *FediversePost) (*fediverseAnswer, error) {
	t, u, err := s.ownTweet(ctx, in.ID)
	if at, gone := deleted(err); gone {
		stone := s.documents().Tombstone(model.TweetID(in.ID), at)
		stone.Context = activitypub.Context
		return answered(http.StatusGone, stone)
	}
	if err != nil {
		return nil, err
	}
	p, err := s.documents().Post(ctx, t, u)
	if err != nil {
		return nil, err
	}
	p.Context = activitypub.Context
	return answered(http.StatusOK, p)
}

// postActivity answers the activity by which a public post was made.
//
// Cost: that of publicTweet.
func (s *service) postActivity(ctx context.Context, in *FediversePost) (*fediverseAnswer, error) {
	t, u, err := s.ownTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if visibilityOf(t.Visibility) != string(model.Public) {
		return nil, model.NoTweet(t.ID)
	}
	a := s.documents().PublicCreation(u.ID, t.ID)
	a.Context = activitypub.Context
	return answered(http.StatusOK, a)
}

// postReplies answers the replies of a post that everybody may see, oldest first, by address.
//
// Cost: that of publicTweet; for a page that of [tweets.Store.Replies], 20 reads at most.
func (s *service) postReplies(ctx context.Context, in *fediversePostPage) (*fediverseAnswer, error) {
	t, _, err := s.ownTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	site := s.fediverse()
	return listOf(s, fediverse.Of(site.Post(t.ID), "replies"), in.Page, t.ReplyCount, false,
		func(from model.Cursor) (items []any, next model.Cursor, err error) {
			found, err := s.Tweets.Replies(ctx, t.ID, from, fediversePage)
			if err != nil {
				return nil, next, err
			}
			visible, _, err := s.Tweets.Visible(ctx, model.Viewer{}, found.Items)
			if err != nil {
				return nil, next, err
			}
			uids := make([]model.UserID, 0, len(found.Items))
			for _, r := range found.Items {
				uids = append(uids, r.AuthorID)
			}
			slices.Sort(uids)
			authors, err := s.Users.Listed(ctx, slices.Compact(uids))
			for _, r := range found.Items {
				// A post of a locked user has no document of its own.
				if by := authors[r.AuthorID]; visible[r.ID] && by != nil && !by.Locked {
					items = append(items, s.documents().TweetIRI(r))
				}
			}
			return items, found.Next, err
		})
}

// postCount answers how many users liked or shared a post, and not who.
//
// Cost: that of publicTweet.
func (s *service) postCount(ctx context.Context, in *FediversePost, part string,
	count func(*model.Tweet) int64) (*fediverseAnswer, error) {
	t, _, err := s.ownTweet(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	total := count(t.Tweet)
	return answered(http.StatusOK, activitypub.Collection{Context: activitypub.Context,
		ID: fediverse.Of(s.fediverse().Post(t.ID), part), Type: "Collection", TotalItems: &total})
}
