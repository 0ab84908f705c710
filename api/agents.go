package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// AgentSpending counts the acts of an agent in a day, and what its decisions take.
type AgentSpending struct {
	Posts        int   `json:"posts,omitempty" minimum:"0" maximum:"200" doc:"Replies count, too"`
	Likes        int   `json:"likes,omitempty" minimum:"0" maximum:"1000"`
	Follows      int   `json:"follows,omitempty" minimum:"0" maximum:"200"`
	Tokens       int64 `json:"tokens,omitempty" minimum:"0" maximum:"10000000"`
	MicroDollars int64 `json:"microDollars,omitempty" minimum:"0" maximum:"100000000"`
}

// Agent lets the service act for a user that is marked as a bot.
type Agent struct {
	UserID       model.UserID  `json:"userId"`
	By           model.UserID  `json:"by" doc:"The administrator who made it"`
	Model        string        `json:"model" doc:"Label of an AI model"`
	EveryMinutes int           `json:"everyMinutes" doc:"Minutes between two turns"`
	Budget       AgentSpending `json:"budget" doc:"Of a day in UTC"`
	Day          string        `json:"day" doc:"Day of spent; empty before the first turn"`
	Spent        AgentSpending `json:"spent"`
	Running      bool          `json:"running"`
	StoppedBy    model.UserID  `json:"stoppedBy,omitempty"`
	Problem      string        `json:"problem,omitempty" doc:"Why the last turn did nothing: budget, decider, or the code of an error"`
	NextAt       *time.Time    `json:"nextAt" doc:"When the next turn begins, at the earliest; null for a stopped agent"`
	CreatedAt    time.Time     `json:"createdAt"`
	ChangedAt    time.Time     `json:"changedAt"`
}

func agentOf(a *model.Agent) Agent {
	out := Agent{UserID: a.UserID, By: a.By, Model: a.Model, EveryMinutes: a.EveryMinutes, Budget: AgentSpending(a.Budget),
		Day: a.Day, Spent: AgentSpending(a.Spent), Running: a.Running, StoppedBy: a.StoppedBy, Problem: a.Problem,
		CreatedAt: a.CreatedAt, ChangedAt: a.ChangedAt}
	if !a.DueAt.IsZero() {
		out.NextAt = &a.DueAt
	}
	return out
}

// AgentAct is an act of an agent.
type AgentAct struct {
	ID           string              `json:"id"`
	Kind         model.AgentActKind  `json:"kind" enum:"post,reply,like,follow,nothing"`
	State        model.AgentActState `json:"state" enum:"planned,begun,done,refused,stopped,lost" doc:"begun and lost acts may have happened; stopped ones have not"`
	Problem      string              `json:"problem,omitempty" doc:"Code of why it was refused"`
	TweetID      model.TweetID       `json:"tweetId,omitempty" doc:"The tweet that it answers or likes"`
	Target       model.UserID        `json:"target,omitempty" doc:"The author of that tweet, or who is followed"`
	Text         string              `json:"text,omitempty"`
	Made         model.TweetID       `json:"made,omitempty" doc:"The tweet that it posted"`
	At           time.Time           `json:"at"`
	Tokens       int64               `json:"tokens" doc:"Of the decision of its turn; in the turn's first act"`
	MicroDollars int64               `json:"microDollars"`
}

func agentActOf(a *model.AgentAct) (AgentAct, bool) {
	return AgentAct{a.ID, a.Kind, a.State, a.Problem, a.TweetID, a.Target, a.Text, a.Made, a.At, a.Tokens,
		a.MicroDollars}, true
}

type agentOutput struct{ Body Agent }

// newAgent is an agent as an administrator puts it.
type newAgent struct {
	Model        string        `json:"model" maxLength:"50" doc:"Label of an enabled AI model"`
	EveryMinutes int           `json:"everyMinutes,omitempty" minimum:"1" maximum:"1440" default:"60"`
	Budget       AgentSpending `json:"budget" doc:"Of a day in UTC; what is absent is 0"`
	Running      bool          `json:"running,omitempty"`
}

type runAgent struct {
	Running bool `json:"running" doc:"false stops the agent: when the answer is there, no act begins any more"`
}

// agents adds the operations on agents.
func (s *service) agents() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/agents/{uid}", OperationID: "putAgent", Tags: []string{"admin"},
		Summary: "Make or change the agent of a user",
		Description: "The profile says bot: 409 not_a_bot otherwise. With running false no act begins after the answer. " +
			"The " +
			"audit log has the act.", Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Body newAgent
	}, uid model.UserID) (*agentOutput, error) {
		b := in.Body
		return agentAnswer(s.Moderation.PutAgent(ctx, actorOf(server.Caller(ctx), ""), uid, model.AgentSettings{
			Model: b.Model, EveryMinutes: b.EveryMinutes, Budget: model.AgentSpending(b.Budget), Running: b.Running}))
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/agents", OperationID: "listAgents", Tags: []string{"admin"},
		Summary: "List agents, newest first",
	}, func(ctx context.Context, in *struct{ server.Paging }) (*server.ListOutput[Agent], error) {
		found, err := server.CursorPage(s.Server, "agents", in.Paging,
			func(from model.Cursor) (model.Page[*model.Agent], error) {
				return s.Moderation.Agents(ctx, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, func(a *model.Agent) (Agent, bool) { return agentOf(a), true }), nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/agents/{uid}/acts", OperationID: "listAgentActs", Tags: []string{"admin"},
		Summary: "List the acts of an agent, newest first", Description: "The database keeps them for 90 days.",
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		server.Paging
	}, uid model.UserID) (*server.ListOutput[AgentAct], error) {
		return s.agentActs(ctx, uid, in.Paging)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/agent", OperationID: "getAgent", Tags: []string{"users"},
		Summary: "Read the agent that acts for the caller", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, _ *nothing) (*agentOutput, error) {
		return agentAnswer(s.Moderation.Agent(ctx, server.Caller(ctx).UID))
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/agent/acts", OperationID: "listOwnAgentActs", Tags: []string{"users"},
		Summary: "List what the agent of the caller did, newest first", Description: "The database keeps it for 90 days.",
	}, func(ctx context.Context, in *struct{ server.Paging }) (*server.ListOutput[AgentAct], error) {
		return s.agentActs(ctx, server.Caller(ctx).UID, in.Paging)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/agent", OperationID: "runAgent", Tags: []string{"users"},
		Summary:     "Stop or start the agent that acts for the caller",
		Description: "An agent that an administrator stopped is 403 agent_stopped. The audit log has the act.",
		Errors:      []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct{ Body runAgent }) (*agentOutput, error) {
		by := actorOf(server.Caller(ctx), "")
		by.Role = model.RoleUser
		return agentAnswer(s.Moderation.RunAgent(ctx, by, by.UID, in.Body.Running, true))
	})
}

// agentActs answers a page of the acts of an agent.
//
// Cost: 1 read for each act, at least 1.
func (s *service) agentActs(ctx context.Context, uid model.UserID, p server.Paging) (*server.ListOutput[AgentAct],
	error) {
	found, err := server.CursorPage(s.Server, "agentActs "+string(uid), p,
		func(from model.Cursor) (model.Page[*model.AgentAct], error) {
			return s.Moderation.AgentActs(ctx, uid, from, p.PageSize)
		}, nil)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, agentActOf), nil
}

func agentAnswer(a *model.Agent, err error) (*agentOutput, error) {
	if err != nil {
		return nil, err
	}
	return &agentOutput{agentOf(a)}, nil
}
