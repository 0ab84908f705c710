package api

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/cards"
	"github.com/hibana-sns/hibana/store/facts"
)

// AuthoredTweet is a tweet in the list of its author.
type AuthoredTweet struct {
	Card
	LikeCount  *int64 `json:"likeCount,omitempty" doc:"Present with view=full"`
	ReplyCount *int64 `json:"replyCount,omitempty" doc:"Present with view=full"`
	ShareCount *int64 `json:"shareCount,omitempty" doc:"Present with view=full"`
	Liked      *bool  `json:"liked,omitempty" doc:"Whether the caller likes the tweet; present with view=full"`
	Shared     *bool  `json:"shared,omitempty" doc:"Whether the caller shared the tweet; present with view=full"`
	Bookmarked *bool  `json:"bookmarked,omitempty" doc:"Whether the caller keeps the tweet as a bookmark; present with view=full"`
}

type authoredInput struct {
	UserPath
	Paging
	Rendering
	RootOnly  bool   `query:"rootOnly" doc:"Leave replies out"`
	MediaOnly bool   `query:"mediaOnly" doc:"Leave tweets without an image out"`
	Tag       string `query:"tag" doc:"Leave tweets without this tag out; a tag in any spelling, of at most 50 characters"`
	View      string `query:"view" enum:"basic,full" default:"basic" doc:"full adds the counts and what the caller did with each tweet; a page has at most 30 items then"`
}

func (s *server) listUserTweets(ctx context.Context, in *authoredInput, uid model.UserID) (_ *listOutput[AuthoredTweet], err error) {
	filter, list, limit := cards.Filter{Roots: in.RootOnly, Media: in.MediaOnly}, "tweets of "+string(uid), in.PageSize
	if in.Tag != "" {
		if filter.Tag, err = model.NormalizeTag(in.Tag); err != nil {
			return nil, err
		}
	}
	if filter != (cards.Filter{}) {
		list = fmt.Sprintf("%s, roots %t, media %t, tag %s", list, filter.Roots, filter.Media, filter.Tag)
	}
	if in.View == "full" {
		limit = in.most(model.MaxFullCards)
	}
	found, err := page(s, list, in.Paging, func(before model.TweetID) ([]cards.CardOf, model.TweetID, error) {
		return s.Cards.Only(filter).TweetsBy(ctx, viewer(ctx), uid, before, limit)
	}, func() error { return s.userExists(ctx, uid) })
	if err != nil {
		return nil, err
	}
	if in.View != "full" {
		return listOf(found, func(c cards.CardOf) (AuthoredTweet, bool) { return AuthoredTweet{Card: in.card(uid, c)}, true }), nil
	}
	full, err := s.fullOf(ctx, each(found.items, func(c cards.CardOf) model.TweetID { return c.ID }))
	if err != nil {
		return nil, err
	}
	return listOf(found, func(c cards.CardOf) (AuthoredTweet, bool) {
		t := full[c.ID]
		t.Card = in.card(uid, c)
		return t, t.Liked != nil
	}), nil
}

// fullOf returns what view=full adds to some tweets. A tweet that was deleted or hidden a moment ago is left out.
//
// Cost: what [facts.Store.Batch] costs.
func (s *server) fullOf(ctx context.Context, ids []model.TweetID) (map[model.TweetID]AuthoredTweet, error) {
	seen, err := s.Facts.Batch(ctx, ids, viewer(ctx))
	if err != nil {
		return nil, err
	}
	there := map[model.TweetID]facts.Seen{}
	for _, t := range seen {
		if t.Tweet != nil {
			there[t.ID] = t
		}
	}
	full := map[model.TweetID]AuthoredTweet{}
	for id, t := range there {
		full[id] = AuthoredTweet{
			LikeCount: &t.Tweet.LikeCount, ReplyCount: &t.Tweet.ReplyCount, ShareCount: &t.Tweet.ShareCount,
			Liked: new(t.Liked), Shared: new(t.Shared), Bookmarked: new(t.Bookmarked),
		}
	}
	return full, nil
}
