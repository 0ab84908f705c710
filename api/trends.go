package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/discovery"
)

// TagTrend is a tag that more accounts use than usual.
type TagTrend struct {
	Name    string `json:"name" doc:"Key of the tag" example:"hibana"`
	Content string `json:"content" doc:"The tag as one of its authors typed it" example:"Hibana"`
	TrendUses
}

// TweetTrend is a tweet that more accounts like, share, answer and quote than usual.
type TweetTrend struct {
	Tweet Tweet `json:"tweet"`
	TrendUses
}

// TrendUses are the counts of a trend's usage.
type TrendUses struct {
	UseCount   int64   `json:"useCount" doc:"Number of accounts in this hour and each of the two before; an account counts once an hour"`
	Estimated  bool    `json:"estimated" doc:"True if more than 64 uses an hour make useCount an estimate"`
	UsualCount float64 `json:"usualCount" doc:"How many would be usual, by the last days"`
}

func usesOf(t model.Trend) TrendUses { return TrendUses{t.Uses, t.Estimated, t.Usual} }

// Trends lists tags and tweets with unusual usage, the largest increase first.
type Trends struct {
	Tags     []TagTrend   `json:"tags" nullable:"false" doc:"At most 10"`
	Tweets   []TweetTrend `json:"tweets" nullable:"false" doc:"At most 10"`
	Language string       `json:"language,omitempty" doc:"The language that was asked for, without region and script"`
	At       time.Time    `json:"at" doc:"When this was counted, about two minutes ago at most"`
}

// trends adds the operation that lists trends.
func (s *service) trends() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/trends", OperationID: "listTrends", Tags: []string{"trends"},
		Summary: "List the tags and tweets that more accounts use than usual",
		Description: "Tags count by the public tweets that have them, and tweets by likes, shares, replies and quotes. An " +
			"account counts once an hour for each, and with at most 30 tags and 30 tweets; " +
			"authors do not count for their own tweets, and nothing is a trend that only one account uses. Tweets that not " +
			"everybody sees are not counted, nor are accounts that were frozen or suspended meanwhile. " +
			"Where a tag or tweet has more than 64 uses an hour, a sample of the accounts is counted. Uses count within " +
			"three minutes after they are made. There are lists for the 50 languages that are used most.",
	}, s.listTrends)
}

func (s *service) listTrends(ctx context.Context, in *struct {
	Only     string `query:"only" enum:"tags" doc:"Leaves the tweets out, which then cost nothing"`
	Language string `query:"language" maxLength:"35" doc:"Uses in this language alone, given by a BCP 47 tag without regard to region and script; und for tweets of an unknown language" example:"ja"`
	Rendering
}) (*struct{ Body Trends }, error) {
	language := ""
	if in.Language != "" {
		tag, err := model.ParseLanguage(in.Language)
		if err != nil {
			return nil, err
		}
		language = model.BaseLanguage(tag)
	}
	list := s.Trends.Trends
	if in.Only == "tags" {
		list = s.Trends.Tags
	}
	l, err := list(ctx, viewer(ctx), language)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, model.FilterPublic, "", each(l.Tweets, func(t discovery.TrendTweet) model.UserID {
		return t.Tweet.AuthorID
	}))
	if err != nil {
		return nil, err
	}
	tweets := []TweetTrend{}
	for _, t := range l.Tweets {
		hits, hidden := h.tweet(t.Tweet)
		if hidden {
			continue
		}
		to := in.tweet(s, t.Tweet, t.ViewerState)
		to.Filtered = hits
		tweets = append(tweets, TweetTrend{to, usesOf(t.Trend)})
	}
	return &struct{ Body Trends }{Trends{
		Tags:   each(l.Tags, func(t model.Trend) TagTrend { return TagTrend{t.Name, t.Label, usesOf(t)} }),
		Tweets: tweets, Language: language, At: l.At,
	}}, nil
}
