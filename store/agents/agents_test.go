package agents_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

var admin = moderation.Actor{UID: "root", Role: model.RoleAdministrator}

// script is a decider that a test writes.
type script struct {
	mu     sync.Mutex
	tokens int64
	decide func(model.AgentView) (model.AgentDecision, error)
	asked  int
}

func (s *script) Reserve() (input, output int64) { return s.tokens, s.tokens }

func (s *script) Decide(_ context.Context, v model.AgentView) (model.AgentDecision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	return s.decide(v)
}

// posts is a decider that posts a text.
func posts(text string) *script {
	return &script{decide: func(model.AgentView) (model.AgentDecision, error) {
		return model.AgentDecision{Acts: []model.AgentChoice{{Kind: model.AgentPost, Text: text}}}, nil
	}}
}

var plenty = model.AgentSettings{Model: "m", EveryMinutes: 10, Running: true,
	Budget: model.AgentSpending{Posts: 100, Likes: 100, Follows: 100, Tokens: 1_000, MicroDollars: 1_000}}

// open returns a store with a running agent bot, and the user ann.
func open(t *testing.T, by *script) *storetest.Env {
	t.Helper()
	e := storetest.Open(t, store.Options{Decider: by})
	e.CreateUsers(t, "bot", "ann")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "bot", model.UserPatch{Bot: new(true)}))
	_, err := e.Moderation.PutAIModel(t.Context(), admin, "m", model.AIModel{Input: 1_000_000, Output: 2_000_000,
		Enabled: true})
	testenv.Must(t, err)
	_, err = e.Moderation.PutAgent(t.Context(), admin, "bot", plenty)
	testenv.Must(t, err)
	return e
}

func never() bool { return false }

// run lets agents act, and wants a number of acts.
func run(t *testing.T, s *store.Store, want int) {
	t.Helper()
	if done, err := s.Agents.RunDue(t.Context(), never); err != nil || done != want {
		t.Errorf("RunDue = %d, %v, want %d", done, err, want)
	}
}

// acts returns the acts of bot, oldest first, each with its kind, state and problem.
func acts(t *testing.T, s *store.Store) (all []string) {
	t.Helper()
	page, err := s.Moderation.AgentActs(t.Context(), "bot", model.Cursor{}, 100)
	testenv.Must(t, err)
	for _, a := range slices.Backward(page.Items) {
		all = append(all, strings.TrimSpace(fmt.Sprint(a.Kind, " ", a.State, " ", a.Problem)))
	}
	return all
}

func wantActs(t *testing.T, s *store.Store, want ...string) {
	t.Helper()
	if got := acts(t, s); !slices.Equal(got, want) {
		t.Errorf("the acts are %q, want %q", got, want)
	}
}

// An agent acts when it is due, through the checks of every request, and only on what it was shown. What it may not do
// is recorded.
func TestAgentActs(t *testing.T) {
	t.Parallel()
	by := &script{}
	e := open(t, by)
	_, err := e.Graph.FollowOrAsk(t.Context(), "bot", "ann")
	testenv.Must(t, err)
	seen, closed := e.Publish(t, "ann", "Sparks #hibana"), e.Tweet(t, "ann", "not in the timeline")
	var shown []model.AgentViewPost
	next := func(choices ...model.AgentChoice) {
		by.decide = func(v model.AgentView) (model.AgentDecision, error) {
			shown = v.Posts
			return model.AgentDecision{Acts: choices}, nil
		}
		e.Clock.Add(10 * time.Minute)
	}
	next(model.AgentChoice{Kind: model.AgentLike, TweetID: seen.ID},
		model.AgentChoice{Kind: model.AgentReply, TweetID: seen.ID, Text: "Bright!"},
		model.AgentChoice{Kind: model.AgentPost, Text: "Good evening"},
		model.AgentChoice{Kind: model.AgentPost, Text: "one too many"})
	run(t, e.Store, 3)
	if len(shown) != 1 || shown[0].ID != seen.ID || shown[0].Text != "Sparks #hibana" {
		t.Errorf("the agent saw %+v", shown)
	}
	run(t, e.Store, 0) // not due
	next(model.AgentChoice{Kind: model.AgentLike, TweetID: closed.ID},
		model.AgentChoice{Kind: "delete", TweetID: seen.ID},
		model.AgentChoice{Kind: model.AgentPost, Text: "look, @ann"})
	run(t, e.Store, 0)
	next(model.AgentChoice{Kind: model.AgentFollow, UserID: "root"},
		model.AgentChoice{Kind: model.AgentPost, Text: "see https://example.com"},
		model.AgentChoice{Kind: model.AgentReply, TweetID: seen.ID, Text: " "})
	run(t, e.Store, 0)
	next()
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bot"))
	run(t, e.Store, 0)
	wantActs(t, e.Store, "like done", "reply done", "post done", "like refused not_shown", "nothing refused not_shown",
		"post refused mention", "follow refused not_shown", "post refused link", "reply refused content_required",
		"nothing done")
	if n := len(e.IDs(t, model.Likes)); n != 1 {
		t.Errorf("%d likes, want 1", n)
	}
	if n := len(e.IDs(t, model.Tweets)); n != 4 {
		t.Errorf("%d tweets, want 4", n)
	}
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "bot", model.UserPatch{Bot: new(false)}))
	next()
	run(t, e.Store, 0)
	if a, err := e.Moderation.Agent(t.Context(), "bot"); err != nil || a.Problem != "not_a_bot" || a.Fails != 1 {
		t.Errorf("the agent is %+v, %v", a, err)
	}
}

// Many ticks at once and lost answers double no act.
func TestAgentsAtOnce(t *testing.T) {
	t.Parallel()
	by := posts("once")
	e := open(t, by)
	lossy, _ := e.Lossy(t, 0.2)
	for range 5 {
		var all sync.WaitGroup
		for _, s := range []*store.Store{e.Store, lossy, lossy} {
			all.Go(func() {
				_, err := s.Agents.RunDue(t.Context(), never)
				if err != nil && errs.KindOf(err) != errs.Unavailable {
					t.Error(err)
				}
			})
		}
		all.Wait()
		e.Clock.Add(3 * time.Minute) // a lease ends, and no turn begins
	}
	e.Clock.Add(10 * time.Minute)
	run(t, e.Store, 1) // nothing is left open
	var made []string
	page, err := e.Moderation.AgentActs(t.Context(), "bot", model.Cursor{}, 100)
	testenv.Must(t, err)
	for _, a := range page.Items {
		switch a.State {
		case model.AgentActDone:
			made = append(made, string(a.Made))
		case model.AgentActLost: // the process did not learn that it had claimed the turn
			if a.Kind != model.AgentNothing {
				t.Errorf("an act was lost: %+v", a)
			}
		default:
			t.Errorf("an act is left: %+v", a)
		}
	}
	slices.Sort(made)
	there := e.IDs(t, model.Tweets)
	slices.Sort(there)
	if len(there) == 0 || !slices.Equal(made, there) {
		t.Errorf("the acts made the tweets %v, and there are %v", made, there)
	}
}

// A process ends in the middle of an act: the next one goes on after the lease, and the act has happened once.
func TestAgentKilled(t *testing.T) {
	t.Parallel()
	e := open(t, posts("once"))
	run(t, e.Store, 1)
	agent, act := e.Raw.Doc("agents/bot"), e.Raw.Doc("agentActs/bot_000000000001_0")
	// As the process leaves it that ends after the post, and before it writes so.
	is, was := e.Doc(t, "agents/bot"), e.Doc(t, "agentActs/bot_000000000001_0")
	is["acts"], is["dueAt"], was["state"] = 1, e.Clock.Now(), "begun"
	_, err := agent.Set(t.Context(), is)
	testenv.Must(t, err)
	_, err = act.Set(t.Context(), was)
	testenv.Must(t, err)
	run(t, e.Store, 1)
	wantActs(t, e.Store, "post done")
	if n := len(e.IDs(t, model.Tweets)); n != 1 {
		t.Errorf("%d tweets, want 1", n)
	}
	// It comes back much later: nobody knows whether the act happened.
	is["claim"], was["tries"] = 5, 1
	_, err = agent.Set(t.Context(), is)
	testenv.Must(t, err)
	_, err = act.Set(t.Context(), was)
	testenv.Must(t, err)
	e.Clock.Add(2 * time.Hour)
	run(t, e.Store, 0)
	wantActs(t, e.Store, "post lost interrupted")
	// It ended while it decided: what it reserved stays spent.
	is["acts"], is["deciding"], is["turn"], is["reservedTokens"], is["claim"], is["dueAt"] = 0, true, 2, 7, 9,
		e.Clock.Now()
	is["spent"], is["day"] = map[string]any{"tokens": 7}, e.Clock.Now().UTC().Format(time.DateOnly)
	_, err = agent.Set(t.Context(), is)
	testenv.Must(t, err)
	run(t, e.Store, 1)
	wantActs(t, e.Store, "post lost interrupted", "nothing lost interrupted", "post done")
	if a, err := e.Moderation.Agent(t.Context(), "bot"); err != nil || a.Spent.Tokens != 7 || a.Turn != 3 {
		t.Errorf("the agent is %+v, %v", a, err)
	}
}

// No act begins after a stop, also one that is planned, and only who stopped an agent starts it again.
func TestAgentStopped(t *testing.T) {
	t.Parallel()
	by := &script{}
	e := open(t, by)
	own := moderation.Actor{UID: "bot"}
	by.decide = func(model.AgentView) (model.AgentDecision, error) { // while the agent decides
		_, err := e.Moderation.RunAgent(t.Context(), own, "bot", false, true)
		return model.AgentDecision{Acts: []model.AgentChoice{{Kind: model.AgentPost, Text: "late"}}}, err
	}
	run(t, e.Store, 0)
	wantActs(t, e.Store, "post stopped")
	e.Clock.Add(time.Hour)
	run(t, e.Store, 0)
	if by.asked != 1 {
		t.Errorf("the decider was asked %d times, want once", by.asked)
	}
	by.decide = posts("again").decide
	_, err := e.Moderation.RunAgent(t.Context(), own, "bot", true, true)
	testenv.Must(t, err)
	run(t, e.Store, 1)
	// The stop comes after the plan.
	is := e.Doc(t, "agents/bot")
	is["acts"], is["dueAt"] = 1, e.Clock.Now()
	was := e.Doc(t, "agentActs/bot_000000000002_0")
	was["state"], was["text"] = "planned", "planned"
	_, err = e.Raw.Doc("agentActs/bot_000000000002_0").Set(t.Context(), was)
	testenv.Must(t, err)
	is["running"] = false // the due time is still there, as a process knows it that took the turn before
	_, err = e.Raw.Doc("agents/bot").Set(t.Context(), is)
	testenv.Must(t, err)
	run(t, e.Store, 0)
	if n := len(e.IDs(t, model.Tweets)); n != 1 {
		t.Errorf("%d tweets, want 1", n)
	}
	_, err = e.Moderation.RunAgent(t.Context(), admin, "bot", true, false)
	testenv.Must(t, err)
	_, err = e.Moderation.RunAgent(t.Context(), admin, "bot", false, false)
	testenv.Must(t, err)
	_, err = e.Moderation.RunAgent(t.Context(), own, "bot", true, true)
	storetest.WantErr(t, err, errs.Forbidden, "agent_stopped")
	if e.Doc(t, "agents/bot")["dueAt"] != nil {
		t.Error("a stopped agent is due")
	}
}

// The budget of a day bounds acts, tokens and money, and the next day begins anew.
func TestAgentBudget(t *testing.T) {
	t.Parallel()
	by := posts("x")
	e := open(t, by)
	decide := by.decide
	n := 0
	by.tokens, by.decide = 10, func(v model.AgentView) (model.AgentDecision, error) {
		n++
		d, _ := decide(v)
		d.Acts[0].Text, d.Input, d.Output = fmt.Sprint("x", n), 5, 2
		return d, nil
	}
	set := func(b model.AgentSpending) {
		s := plenty
		s.Budget = b
		_, err := e.Moderation.PutAgent(t.Context(), admin, "bot", s)
		testenv.Must(t, err)
		e.Clock.Add(10 * time.Minute)
	}
	spent := func(want model.AgentSpending, problem string) {
		t.Helper()
		if a, err := e.Moderation.Agent(t.Context(), "bot"); err != nil || a.Spent != want || a.Problem != problem {
			t.Errorf("the agent spent %+v with %q, %v, want %+v with %q", a.Spent, a.Problem, err, want, problem)
		}
	}
	set(model.AgentSpending{Posts: 1, Tokens: 27, MicroDollars: 1_000})
	run(t, e.Store, 1)
	spent(model.AgentSpending{Posts: 1, Tokens: 7, MicroDollars: 9}, "")
	e.Clock.Add(10 * time.Minute)
	run(t, e.Store, 0) // no post is left
	spent(model.AgentSpending{Posts: 1, Tokens: 14, MicroDollars: 18}, "")
	e.Clock.Add(10 * time.Minute)
	run(t, e.Store, 0) // 13 tokens are left, and a decision may take 20
	spent(model.AgentSpending{Posts: 1, Tokens: 14, MicroDollars: 18}, "budget")
	e.Clock.Add(24 * time.Hour)
	run(t, e.Store, 1)
	spent(model.AgentSpending{Posts: 1, Tokens: 7, MicroDollars: 9}, "")
	set(model.AgentSpending{Posts: 9, Tokens: 1_000, MicroDollars: 38}) // a decision may take 30, and 9 are spent
	run(t, e.Store, 0)
	spent(model.AgentSpending{Posts: 1, Tokens: 7, MicroDollars: 9}, "budget")
	// A failed decision takes all that was reserved, and the next turn comes later.
	by.decide = func(model.AgentView) (model.AgentDecision, error) {
		return model.AgentDecision{}, errors.New("no answer")
	}
	set(plenty.Budget)
	run(t, e.Store, 0)
	spent(model.AgentSpending{Posts: 1, Tokens: 27, MicroDollars: 39}, "decider")
	asked := by.asked
	e.Clock.Add(10 * time.Minute)
	run(t, e.Store, 0)
	if by.asked != asked {
		t.Error("a decider that failed was asked again at once")
	}
}

// A frozen bot does not act, and neither does one whose model is gone.
func TestAgentMayNot(t *testing.T) {
	t.Parallel()
	by := posts("x")
	e := open(t, by)
	_, err := e.Raw.Doc("standings/bot").Set(t.Context(), map[string]any{"state": "frozen", "changedAt": e.Clock.Now()})
	testenv.Must(t, err)
	if done, err := e.Agents.RunDue(t.Context(), never); err != nil || len(e.IDs(t, model.Tweets)) != 0 {
		t.Errorf("a frozen bot did %d, %v", done, err)
	}
	_, err = e.Raw.Doc("standings/bot").Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, e.Moderation.RemoveAIModel(t.Context(), admin, "m"))
	e.Clock.Add(time.Hour)
	run(t, e.Store, 0)
	if a, err := e.Moderation.Agent(t.Context(), "bot"); err != nil || a.Problem != "unknown_ai_model" || by.asked != 0 {
		t.Errorf("the agent is %+v, %v, asked %d times", a, err, by.asked)
	}
	_, err = e.Moderation.PutAgent(t.Context(), admin, "bot", plenty)
	storetest.WantErr(t, err, errs.Invalid, "unknown_ai_model")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "bot", model.UserPatch{Bot: new(false)}))
	stop := plenty // without the model and the mark, too
	stop.Running = false
	is, err := e.Moderation.PutAgent(t.Context(), admin, "bot", stop)
	if err != nil || is.Running || !is.DueAt.IsZero() {
		t.Errorf("the stopped agent is %+v, %v", is, err)
	}
	_, err = e.Moderation.PutAIModel(t.Context(), admin, "m", model.AIModel{Enabled: true})
	testenv.Must(t, err)
	_, err = e.Moderation.PutAgent(t.Context(), admin, "ann", plenty)
	storetest.WantErr(t, err, errs.Conflict, "not_a_bot")
	_, err = e.Moderation.RunAgent(t.Context(), admin, "ann", true, false)
	storetest.WantErr(t, err, errs.NotFound, "no_agent")
}

// TestLargestAgent writes the largest documents of an agent.
func TestLargestAgent(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uid, now := model.UserID(strings.Repeat("𝕏", 128)), e.Clock.Now()
	wide := strings.Repeat("𝕏", model.MaxAgentText)
	docs := map[string]any{"agents/" + string(uid): model.Agent{By: uid, Model: strings.Repeat("𝕏", model.MaxAIModel),
		StoppedBy: uid, Day: "2026-11-28", Problem: "unknown_ai_model", DueAt: now, CreatedAt: now, ChangedAt: now},
		"agentActs/" + model.AgentActKey(uid, 999_999_999_999, 2): model.AgentAct{UserID: uid, Target: uid, Text: wide,
			At: now, ExpireAt: now, TweetID: "0000000000000000aa", Made: "0000000000000000aa", Problem: "content_required"}}
	for path, doc := range docs {
		_, err := e.Raw.Doc(path).Set(t.Context(), doc)
		testenv.Must(t, err)
		collection, id, _ := strings.Cut(path, "/")
		size := 200 + len(id)
		for field, value := range e.Doc(t, path) {
			size += len(field) + len(fmt.Sprint(value)) // of texts as many bytes as Firestore counts, of others more
		}
		if most := model.Row(collection).Bound.Bytes; size > most || size < most/2 {
			t.Errorf("%s has %d bytes, want at most %d", collection, size, most)
		}
	}
}

// A stop that comes after the plan, and before its act begins, is in time.
func TestAgentStoppedBetween(t *testing.T) {
	t.Parallel()
	by := posts("late")
	e := open(t, by)
	stops := 0
	s := e.Again(t, store.Options{Decider: by, Now: e.Clock.Now, Meter: meter.Options{
		OnCommit: func(_ context.Context, req *pb.CommitRequest, _ *pb.CommitResponse) {
			for _, w := range req.Writes {
				if strings.Contains(w.GetUpdate().GetName(), "/agentActs/") && stops == 0 { // the plan
					stops++
					_, err := e.Moderation.RunAgent(context.Background(), admin, "bot", false, false)
					testenv.Must(t, err)
				}
			}
		}}})
	run(t, s, 0)
	wantActs(t, s, "post stopped")
	if n := len(e.IDs(t, model.Tweets)); n != 0 || stops != 1 {
		t.Errorf("%d tweets after %d stops", n, stops)
	}
}
