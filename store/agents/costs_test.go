package agents_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// What the comments of RunDue and of its steps claim. A home page costs a reader 2 reads more until its process knows
// the authors.
func TestAgentCosts(t *testing.T) {
	t.Parallel()
	like := undone[0]
	e, by, id := like.open(t)
	decide := by.decide
	turn := func(what string, reads, writes, deletes int64, choices ...model.AgentChoice) {
		t.Helper()
		by.decide = func(v model.AgentView) (model.AgentDecision, error) {
			if choices == nil {
				return decide(v)
			}
			return model.AgentDecision{Acts: choices}, nil
		}
		testenv.Must(t, storetest.Costs(t, what, reads, writes, deletes, func(ctx context.Context) error {
			_, err := e.Agents.RunDue(ctx, never)
			return err
		}))
		e.Clock.Add(10 * time.Minute)
	}
	nothing := model.AgentChoice{Kind: model.AgentNothing}
	turn("a turn with a cold process", 0, 0, 0, nothing)
	turn("a turn without an act", 0, 0, 0, nothing)
	turn("a like", 0, 0, 0, model.AgentChoice{Kind: model.AgentLike, TweetID: id})
	turn("a follow", 0, 0, 0, model.AgentChoice{Kind: model.AgentFollow, UserID: "bob"})
	turn("a post", 0, 0, 0, model.AgentChoice{Kind: model.AgentPost, Text: "Sparks"})
	turn("a reply", 0, 0, 0, model.AgentChoice{Kind: model.AgentReply, TweetID: id, Text: "Bright!"})
	turn("a refused act", 0, 0, 0, model.AgentChoice{Kind: model.AgentFollow, UserID: "root"})
	set := plenty
	set.Budget = model.AgentSpending{}
	_, err := e.Moderation.PutAgent(t.Context(), admin, "bot", set)
	testenv.Must(t, err)
	by.tokens = 10
	turn("a turn without a budget", 0, 0, 0, nothing)
	by.tokens = 0
	_, err = e.Moderation.RunAgent(t.Context(), admin, "bot", false, false)
	testenv.Must(t, err)
	turn("a tick without agents that are due", 1, 0, 0)
	silent := e.Again(t, store.Options{})
	testenv.Must(t, storetest.Costs(t, "a tick without a decider", 0, 0, 0, func(ctx context.Context) error {
		_, err := silent.Agents.RunDue(ctx, never)
		return err
	}))
}
