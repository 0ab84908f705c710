package agents_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// What the comments of RunDue and of its steps claim: a tick without agents, and what follows a decision. Before it a
// turn costs 7 reads and 1 write, and the home page.
func TestAgentCosts(t *testing.T) {
	t.Parallel()
	e, by, id := undone[0].open(t)
	run(t, e.Store, 1) // the process knows the users and the home page
	var before meter.Counts
	turn := func(what string, reads, writes, deletes int64, choices ...model.AgentChoice) {
		t.Helper()
		e.Clock.Add(10 * time.Minute)
		m := meter.New()
		by.decide = func(model.AgentView) (model.AgentDecision, error) {
			before = m.Snapshot()
			return model.AgentDecision{Acts: choices}, nil
		}
		_, err := e.Agents.RunDue(meter.With(t.Context(), m), never)
		testenv.Must(t, err)
		got, want := m.Snapshot(), meter.Counts{Reads: reads, Writes: writes, Deletes: deletes}
		got.Reads, got.Writes, got.Deletes = got.Reads-before.Reads, got.Writes-before.Writes, got.Deletes-before.Deletes
		if got != want {
			t.Errorf("%s costs %+v, want %+v", what, got, want)
		}
	}
	turn("nothing", 4, 3, 0)
	if want := (meter.Counts{Reads: 7 + 4, Writes: 1}); before != want { // the home page costs 4
		t.Errorf("what precedes a decision costs %+v, want %+v", before, want)
	}
	turn("what was not shown", 4, 3, 0, model.AgentChoice{Kind: model.AgentFollow, UserID: "root"})
	testenv.Must(t, e.Reactions.Unlike(t.Context(), "bot", id))
	turn("a like", 4+3, 4+3, 0, model.AgentChoice{Kind: model.AgentLike, TweetID: id})
	turn("a like that is there", 5+3, 5, 0, model.AgentChoice{Kind: model.AgentLike, TweetID: id})
	// of each act that the owner's profile is checked for, 1 read is of the profile
	turn("a follow", 4+3+1, 4+3, 1, model.AgentChoice{Kind: model.AgentFollow, UserID: "bob"})
	turn("a post", 5+1+1, 5+3, 0, model.AgentChoice{Kind: model.AgentPost, Text: "Sparks"})
	turn("a reply", 5+3+1, 5+3, 0, model.AgentChoice{Kind: model.AgentReply, TweetID: id, Text: "Bright!"})
	turn("two posts", 2+2*(3+1)+1, 2+2*(3+3), 0, model.AgentChoice{Kind: model.AgentPost, Text: "One"},
		model.AgentChoice{Kind: model.AgentPost, Text: "Two"})
	tick := func(what string, s *store.Store, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			_, err := s.Agents.RunDue(ctx, never)
			return err
		}))
	}
	tick("a tick without agents that are due", e.Store, 1, 0)
	tick("a tick without a decider", e.Again(t, store.Options{}), 0, 0)
	by.tokens = 1_001
	e.Clock.Add(10 * time.Minute)
	tick("a turn without a budget", e.Store, 3, 1)
}
