package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// TrendReview is what administrators decided about trends, and what rises.
type TrendReview struct {
	Needed  bool            `json:"needed" doc:"Whether a tag or tweet is a trend only after an administrator allowed it"`
	Waiting []ReviewedTrend `json:"waiting" nullable:"false" doc:"At most 50 tags and 50 tweets that rise and wait for a decision"`
	Shown   []ReviewedTrend `json:"shown" nullable:"false" doc:"The tags and tweets that are trends, of all languages together"`
	Allowed []string        `json:"allowed" nullable:"false" doc:"Tags that may be trends; with the refused ones at most 200"`
	Refused []string        `json:"refused" nullable:"false" doc:"Tags that never are trends"`
}

// ReviewedTrend is a tag or a tweet that rises.
type ReviewedTrend struct {
	Tag     string        `json:"tag,omitempty" doc:"Key of the tag; absent for a tweet"`
	Content string        `json:"content,omitempty" doc:"The tag as one of its authors typed it"`
	TweetID model.TweetID `json:"tweetId,omitempty" doc:"Absent for a tag"`
	TrendUses
}

func reviewOf(r *model.TrendReview, now *model.TrendsNow) TrendReview {
	tag := func(t model.Trend) ReviewedTrend {
		return ReviewedTrend{Tag: t.Name, Content: t.Label, TrendUses: usesOf(t)}
	}
	tweet := func(t model.Trend) ReviewedTrend {
		return ReviewedTrend{TweetID: model.TweetID(t.Name), TrendUses: usesOf(t)}
	}
	still := func(tags, tweets []model.Trend, waiting bool) []ReviewedTrend {
		return append(each(model.StillTrends(tags, r.Tags, waiting), tag),
			each(model.StillTrends(tweets, r.Tweets, waiting), tweet)...)
	}
	out := TrendReview{Needed: r.Needed, Allowed: []string{}, Refused: []string{},
		Waiting: still(now.WaitingTags, now.WaitingTweets, true),
		Shown:   still(now.Tags[model.AnyLanguage], now.Tweets[model.AnyLanguage], false)}
	for name, allowed := range r.Tags {
		if allowed {
			out.Allowed = append(out.Allowed, name)
		} else {
			out.Refused = append(out.Refused, name)
		}
	}
	slices.Sort(out.Allowed)
	slices.Sort(out.Refused)
	return out
}

type trendDecisionBody struct {
	Decision model.TrendDecision `json:"decision" enum:"allowed,refused,undecided" doc:"undecided takes a decision back"`
}

// trendReview adds the operations with which administrators decide what may be a trend.
func (s *service) trendReview() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/trends", OperationID: "getTrendReview", Tags: []string{"admin"},
		Summary:     "Read the decisions about trends, and what waits for one",
		Description: "The lists are of the last ranking, which the clock makes each minute.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body TrendReview }, error) {
		r, now, err := s.Moderation.TrendReview(ctx)
		if err != nil {
			return nil, err
		}
		return &struct{ Body TrendReview }{reviewOf(r, now)}, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/trends/review", OperationID: "needTrendReview", Tags: []string{"admin"},
		Summary:     "Say whether trends need review",
		Description: "With review, only what an administrator allowed is a trend. Lists follow after two minutes.",
	}, func(ctx context.Context, in *struct {
		Body struct {
			Needed bool `json:"needed"`
		}
	}) (*struct{}, error) {
		return nil, s.Moderation.NeedTrendReview(ctx, actorOf(server.Caller(ctx), ""), in.Body.Needed)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/trends/tags/{tag}", OperationID: "reviewTag", Tags: []string{"admin"},
		Summary: "Decide whether a tag may be a trend",
		Description: "A refused tag is none, with and without review. Lists follow after two minutes. There are decisions " +
			"about at most 200 tags: 409 trend_review_full.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		TagPath
		Body trendDecisionBody
	}) (*struct{}, error) {
		return nil, s.Moderation.ReviewTag(ctx, actorOf(server.Caller(ctx), ""), in.Tag, in.Body.Decision)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/trends/tweets/{id}", OperationID: "reviewTweet", Tags: []string{"admin"},
		Summary: "Decide whether a tweet may be a trend",
		Description: "Lists follow after two minutes. Decisions about the newest 200 tweets are kept: older ones rise no " +
			"more.",
	}, func(ctx context.Context, in *struct {
		TweetPath
		Body trendDecisionBody
	}) (*struct{}, error) {
		id, err := in.tweetID()
		if err != nil {
			return nil, err
		}
		return nil, s.Moderation.ReviewTweet(ctx, actorOf(server.Caller(ctx), ""), id, in.Body.Decision)
	})
}
