package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/reactions"
	"github.com/hibana-sns/hibana/store/tweets"
)

// AuthoredTweet is a tweet in the list of its author, or of a user who shares it.
type AuthoredTweet struct {
	Card
	Author     *Author     `json:"author,omitempty" doc:"Of a tweet that the user shares; absent from the user's own"`
	SharedBy   *Sharer     `json:"sharedBy,omitempty" doc:"That the user shares the tweet, and since when; absent from the user's own"`
	LikeCount  *int64      `json:"likeCount,omitempty" doc:"Present with view=full"`
	ReplyCount *int64      `json:"replyCount,omitempty" doc:"Present with view=full"`
	ShareCount *int64      `json:"shareCount,omitempty" doc:"Present with view=full"`
	Liked      *bool       `json:"liked,omitempty" doc:"Whether the caller likes the tweet; present with view=full"`
	Shared     *bool       `json:"shared,omitempty" doc:"Whether the caller shared the tweet; present with view=full"`
	Poll       *Poll       `json:"poll,omitempty" doc:"The tweet's poll without what the caller chose and without counts; present with view=full if the tweet has one"`
	Filtered   []FilterHit `json:"filtered,omitempty" nullable:"false" doc:"The caller's filters that the tweet matches, the 5 oldest at most; absent if there are none"`
	Bookmarked *bool       `json:"bookmarked,omitempty" doc:"Whether the caller keeps the tweet as a bookmark; present with view=full"`
}

type authoredInput struct {
	UserPath
	server.Paging
	Before
	Rendering
	OwnOnly   bool   `query:"ownOnly" doc:"Leave out what the user shares"`
	RootOnly  bool   `query:"rootOnly" doc:"Leave replies out, and what the user shares"`
	MediaOnly bool   `query:"mediaOnly" doc:"Leave tweets without an image out, and what the user shares"`
	Tag       string `query:"tag" doc:"Leave tweets without this tag out, and what the user shares; a tag in any spelling, of at most 50 characters"`
	View      string `query:"view" enum:"basic,full" default:"basic" doc:"full adds the counts and what the caller did with each tweet; a page has at most 30 items then"`
}

func (s *service) listUserTweets(ctx context.Context, in *authoredInput,
	uid model.UserID) (_ *server.ListOutput[AuthoredTweet], err error) {
	filter, list, limit := profiles.Filter{Roots: in.RootOnly, Media: in.MediaOnly}, "tweets of "+string(uid), in.PageSize
	if in.Tag != "" {
		if filter.Tag, err = model.NormalizeTag(in.Tag); err != nil {
			return nil, err
		}
	}
	if filter != (profiles.Filter{}) {
		list = fmt.Sprintf("%s, roots %t, media %t, tag %s", list, filter.Roots, filter.Media, filter.Tag)
	}
	if in.View == "full" {
		limit = in.Most(model.MaxFullPreviews)
	}
	exists := func() error { return s.userExists(ctx, uid) }
	if filter == (profiles.Filter{}) && !in.OwnOnly {
		if err := in.startAt(s, &in.Paging, "profile of "+string(uid), atTime); err != nil {
			return nil, err
		}
		found, err := server.CursorPage(s.Server, "profile of "+string(uid), in.Paging,
			func(from model.Cursor) (model.Page[reactions.ShareEntry], error) {
				return s.Shares.Profile(ctx, viewer(ctx), uid, from, limit)
			}, exists)
		if err != nil {
			return nil, err
		}
		return s.listEntries(ctx, in, uid, found)
	}
	if err := in.startAt(s, &in.Paging, list, atID); err != nil {
		return nil, err
	}
	found, err := server.Page(s.Server, list, in.Paging,
		func(before model.TweetID) ([]profiles.PreviewOf, model.TweetID, error) {
			return s.Cards.Only(filter).TweetsBy(ctx, viewer(ctx), uid, before, limit)
		}, exists)
	if err != nil {
		return nil, err
	}
	return s.listEntries(ctx, in, uid, server.Rows[reactions.ShareEntry]{
		Items: each(found.Items, func(c profiles.PreviewOf) reactions.ShareEntry { return reactions.ShareEntry{Own: c} }),
		Next:  found.Next,
	})
}

// listEntries converts tweets of a user and tweets that the user shares.
// Cost: 1 read for the sharer's profile if it is needed and not cached; with view=full also the cost of
// [service.fullOf].
func (s *service) listEntries(ctx context.Context, in *authoredInput, uid model.UserID,
	found server.Rows[reactions.ShareEntry]) (*server.ListOutput[AuthoredTweet], error) {
	var sharers []model.UserID
	if slices.ContainsFunc(found.Items, func(e reactions.ShareEntry) bool { return e.Shared != nil }) {
		sharers = append(sharers, uid)
	}
	users, err := s.Users.Listed(ctx, sharers)
	if err != nil {
		return nil, err
	}
	full := map[model.TweetID]AuthoredTweet{}
	if in.View == "full" {
		if full, err = s.fullOf(ctx, each(found.Items, reactions.ShareEntry.ID)); err != nil {
			return nil, err
		}
	}
	h, err := s.hidingIn(ctx, model.FilterProfile, uid, each(found.Items, func(e reactions.ShareEntry) model.UserID {
		if e.Shared != nil {
			return e.Shared.AuthorID
		}
		return uid
	}))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(e reactions.ShareEntry) (AuthoredTweet, bool) {
		t, there := full[e.ID()]
		if in.View == "full" && !there || h.all() {
			return t, false
		}
		if e.Shared == nil {
			hits, hidden := h.text(uid, e.Own.FilterText())
			t.Card, t.Filtered = in.card(s, uid, e.Own), hits
			return t, !hidden
		}
		hits, hidden := h.tweet(e.Shared)
		if hidden {
			return t, false
		}
		t.Filtered = hits
		u := users[uid]
		if u == nil { // the sharer was deleted a moment ago
			return t, false
		}
		t.Card = in.card(s, e.Shared.AuthorID, profiles.PreviewOf{ID: e.Shared.ID, TweetPreview: e.Shared.Preview()})
		t.Author = new(s.authorOf(e.Shared.Author))
		t.SharedBy = &Sharer{uid, u.Username, u.Nickname, s.Media.Address(u.Avatar), e.SharedAt, 0}
		return t, true
	}), nil
}

// fullOf returns the parts that view=full adds to tweets. It leaves out a tweet that was deleted or hidden a moment
// ago.
// Cost: the cost of [tweets.Store.Batch].
func (s *service) fullOf(ctx context.Context, ids []model.TweetID) (map[model.TweetID]AuthoredTweet, error) {
	seen, err := s.Tweets.Batch(ctx, ids, viewer(ctx))
	if err != nil {
		return nil, err
	}
	there := map[model.TweetID]tweets.Seen{}
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
			Poll: pollOf(t.Tweet.Poll),
		}
	}
	return full, nil
}
