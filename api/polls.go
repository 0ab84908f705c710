package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// NewPoll is a poll in the request for a new tweet.
type NewPoll struct {
	Options []string `json:"options" minItems:"2" maxItems:"4" nullable:"false" doc:"Texts of 1 to 80 characters, no two the same"`
	Minutes int      `json:"minutes" minimum:"5" maximum:"10080" doc:"How long the poll takes votes, from the tweet's time on"`
}

// Poll is the poll of a tweet as one viewer sees it.
type Poll struct {
	Options  []PollOption `json:"options" nullable:"false"`
	ClosesAt time.Time    `json:"closesAt"`
	Closed   bool         `json:"closed"`
	Total    *int64       `json:"total,omitempty" doc:"How many users voted, for everybody; absent from a list but a batch with polls=true"`
	Voted    *int         `json:"voted,omitempty" doc:"The option that the caller chose, from 1 on; absent if there is none, and from a list but a batch with polls=true"`
}

// PollOption is an option of a poll.
type PollOption struct {
	Text  string `json:"text"`
	Votes *int64 `json:"votes,omitempty" doc:"How often it was chosen. The tweet's author sees it always, others when they have voted or the poll has closed; absent until then, and from a list but a batch with polls=true"`
}

// pollOf returns the poll of a tweet as lists show it; nil for none.
func pollOf(p *model.Poll) *Poll {
	if p == nil {
		return nil
	}
	return &Poll{Options: each(p.Options, func(text string) PollOption { return PollOption{Text: text} }),
		ClosesAt: p.ClosesAt, Closed: p.Closed(time.Now())}
}

// resultOf returns a poll with the caller's choice and the counts that the caller may see.
func resultOf(r *tweets.PollResult) *Poll {
	p := pollOf(r.Poll)
	p.Closed, p.Total, p.Voted = r.Closed, &r.Total, &r.Voted
	if r.Voted == 0 {
		p.Voted = nil
	}
	for i := range r.Votes {
		p.Options[i].Votes = &r.Votes[i]
	}
	return p
}

type voteInput struct {
	TweetPath
	Body struct {
		Option int `json:"option" minimum:"1" maximum:"4" doc:"The option to choose, from 1 on"`
	}
}

// polls adds the operation that casts a vote.
func (s *service) polls() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/tweets/{id}/vote", OperationID: "vote", Tags: []string{"polls"},
		Summary: "Choose an option in the poll of a tweet",
		Description: "A user has one vote, and it stays: to choose the same option again answers 200, and to choose " +
			"another 409 already_voted. " +
			"The answer has the counts as they are; the vote is in them within about a second. " +
			"Authors do not vote in polls of their own. A poll that has closed, by the clock of the database, answers 409 " +
			"poll_closed. " +
			"A vote that is on its way when the poll closes may count for nothing; it is removed then.",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone},
	}, ofTweet(func(ctx context.Context, in *voteInput, id model.TweetID) (*struct{ Body Poll }, error) {
		r, err := s.Polls.Vote(ctx, server.Caller(ctx).UID, id, in.Body.Option)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Poll }{*resultOf(r)}, nil
	}))
}
