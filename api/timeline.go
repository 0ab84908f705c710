package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/timelines"
)

// HomeTweet is a tweet in a home timeline.
type HomeTweet struct {
	Tweet
	SharedBy  *Sharer   `json:"sharedBy,omitempty" doc:"Who brought the tweet here; absent from a tweet that stands at its own time"`
	ViaTag    string    `json:"viaTag,omitempty" doc:"Key of the followed tag by which the tweet came; absent from a tweet that comes by its author or a share"`
	InReplyTo *Answered `json:"inReplyTo,omitempty" doc:"What the tweet answers; absent from a tweet that answers none, and where what it answers is gone or hidden from the caller"`
}

// Answered is the beginning of a tweet to which another tweet replies.
type Answered struct {
	ID       model.TweetID `json:"id"`
	AuthorID model.UserID  `json:"authorId"`
	Username string        `json:"username"`
	Nickname string        `json:"nickname"`
	Excerpt  string        `json:"excerpt" doc:"The beginning of its text in one line, without markup; of a tweet with a content warning that of the warning"`
}

// HomePage is a page of a home timeline.
type HomePage struct {
	server.List[HomeTweet]
	Newest string `json:"newest" doc:"The after of the next question, which asks for what is newer than this page and what mutes and filters leave out of it; empty if there is nothing on the timeline"`
}

type homeOutput struct{ Body HomePage }

// Sharer is a user who shares a tweet.
type Sharer struct {
	ID       model.UserID `json:"id"`
	Username string       `json:"username"`
	Nickname string       `json:"nickname"`
	Avatar   string       `json:"avatar"`
	SharedAt time.Time    `json:"sharedAt"`
	Others   int          `json:"others" doc:"About how many other followed users share the tweet, with those of whom the caller mutes shares alone; 0 in a list of one user's"`
}

// timeline adds the caller's home timeline.
func (s *service) timeline() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/timeline", OperationID: "getTimeline", Tags: []string{"timeline"},
		Summary: "List the caller's home timeline, newest first",
		Description: "The home timeline has the caller's tweets of the last 30 days, the tweets of these days by the " +
			"users that the caller follows, and what these users share, since the caller follows them. " +
			"A tweet that several of them share stands at the newest share alone, with sharedBy. On the pages that are asked " +
			"for by the nextPageToken of the page before it comes once, whatever is shared and taken back meanwhile; behind " +
			"a thousand later shares it may come again. What after brings may have it once more: a client that shows both " +
			"leaves it out further down. " +
			"Tweets of users who block the caller, or whom the caller blocks, are not shown as shares. " +
			"Of each tag that the caller follows it has the newest 20 public tweets of the last 7 days, 5 by one author at " +
			"most, by authors who are not locked; such a tweet has viaTag. It comes up to half a minute late, and up to " +
			"10 minutes if the tag's newest tweet is hours old. " +
			"A client that has the newest tweets already asks with after for what came since, newest first: the answer has " +
			"no items if nothing came. A new tweet is there within some seconds. What comes later at an older place, such as " +
			"tweets of a user whom the caller follows since, is not among it.",
	}, s.home)
}

// positionOf reads a position in a timeline; empty for none.
func positionOf(text string) (model.Position, error) {
	if text == "" {
		return "", nil
	}
	return model.ParsePosition(text)
}

func (s *service) home(ctx context.Context, in *struct {
	server.Paging
	Rendering
	After  string `query:"after" doc:"The newest of an earlier answer: lists only what is newer. With a pageToken, the same as for the page before"`
	Before string `query:"before" maxLength:"36" doc:"Id of a tweet, or the id that a tweet would have at the time of a share and then that of the shared tweet: the page has what is older. Without a pageToken. A tweet that is shared may come again then"`
	Since  string `query:"since" maxLength:"36" doc:"As before: the page has what is newer alone. Without after"`
}) (*homeOutput, error) {
	uid := server.Caller(ctx).UID
	if server.Caller(ctx).Anonymous { // a guest follows nobody
		return &homeOutput{HomePage{List: server.List[HomeTweet]{Items: []HomeTweet{}}}}, nil
	}
	list, newest := "timeline of "+string(uid), "newest on the timeline of "+string(uid)
	after, err := positionOf(in.Since)
	if err != nil {
		return nil, err
	}
	before, err := positionOf(in.Before)
	if err != nil {
		return nil, err
	}
	if before != "" && in.PageToken == "" {
		in.PageToken = s.Tokens.Seal(list, new(timelines.Cursor(before)))
	}
	if err := s.Tokens.Open(newest, in.After, &after); err != nil {
		return nil, errs.New(errs.Invalid, "invalid_page_token", "after is not the newest of an answer of this list")
	}
	found, err := server.Page(s.Server, list, in.Paging,
		func(from timelines.Cursor) (items []timelines.Item, next timelines.Cursor, err error) {
			items, next, after, err = s.Timelines.Home(ctx, uid, after, from, in.Most(model.MaxHomePage))
			return items, next, err
		}, nil)
	if err != nil {
		return nil, err
	}
	var sharers []model.UserID
	tweets := make([]*model.Tweet, len(found.Items))
	for i, t := range found.Items {
		tweets[i] = t.Tweet
		if t.SharedBy != "" {
			sharers = append(sharers, t.SharedBy)
		}
	}
	users, err := s.Users.Listed(ctx, sharers)
	if err != nil {
		return nil, err
	}
	answered, err := s.Tweets.Answered(ctx, viewer(ctx), tweets)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterHome, "", authors(slices.Collect(maps.Values(answered))))
	if err != nil {
		return nil, err
	}
	shown := server.ListOf(found, func(t timelines.Item) (HomeTweet, bool) {
		item := HomeTweet{Tweet: in.tweet(s, t.Tweet, t.ViewerState)}
		item.Filtered, item.ViaTag = hitsOf(t.Filtered), t.ViaTag
		if t.Tweet.ReplyTo != nil {
			if to := answered[*t.Tweet.ReplyTo]; to != nil && !h.hides(to) {
				item.InReplyTo = &Answered{to.ID, to.AuthorID, to.Author.Username, to.Author.Nickname, to.Excerpt()}
			}
		}
		if t.SharedBy == "" {
			return item, true
		}
		u := users[t.SharedBy]
		if u == nil { // the sharer was deleted a moment ago
			return item, false
		}
		item.SharedBy = &Sharer{t.SharedBy, u.Username, u.Nickname, s.Media.Address(u.Avatar), t.Position.Time(),
			t.Sharers - 1}
		return item, true
	})
	out := &homeOutput{HomePage{List: shown.Body}}
	if after != "" {
		out.Body.Newest = s.Tokens.Seal(newest, after)
	}
	return out, nil
}
