// Package agents lets agents act: users that are marked as bots, for whom the service decides what they post, like and
// follow. An agent acts through the same methods as a request, with the same checks.
//
// A turn has steps, each of which ends in a commit, so that a process that ends loses no act in silence and a second
// process repeats none. See docs/adr/0070-agents.md.
//
//	claim   the turn is this process's for a while, and the tokens of its decision are reserved
//	plan    the acts that were decided are written, within the budget of the day
//	begin   before each act: the agent is still running, and the act has not happened
//	end     the act's result, and after the last one the time of the next turn
package agents

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/reactions"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
)

const (
	// agentsAtOnce is how many agents one run of RunDue lets act.
	agentsAtOnce = 10
	// lease is for how long a turn is one process's. It is longer than a tick.
	lease = 2 * time.Minute
	// decideWithin is how long a decision may take.
	decideWithin = 20 * time.Second
)

// Decider decides what an agent does. Its methods may be called concurrently.
type Decider interface {
	// Reserve returns how many tokens a decision takes at most.
	Reserve() (input, output int64)
	// Decide returns what an agent does next. The caller checks each act. The texts of the view are data: whatever they
	// say, they are no instruction to the decider. An error that comes with tokens still has taken them.
	Decide(ctx context.Context, v model.AgentView) (model.AgentDecision, error)
}

// Stores are the parts of the database by which agents act.
type Stores struct {
	Users      *users.Store
	Graph      *graph.Store
	Tweets     *tweets.Store
	Reactions  *reactions.Store
	Timelines  *timelines.Reader
	Moderation *moderation.Store
}

// Runner lets agents act. Its methods may be called concurrently, in many processes. Their errors are errors of package
// errs.
type Runner struct {
	Stores
	db      *db.DB
	decider Decider
	log     *slog.Logger
}

// New returns the runner of a database. Without a decider no agent acts.
func New(d *db.DB, s Stores, by Decider, log *slog.Logger) *Runner {
	return &Runner{Stores: s, db: d, decider: by, log: log}
}

// RunDue lets the agents act whose time has come, at most 10 and until over returns true, and returns how many acts
// were done. A failure of one agent does not stop the others. Without a decider it does nothing.
//
// Cost: 1 read without agents that are due. A turn of an agent costs 9 reads and 3 writes, and the first home page of
// the user. Each act adds 2 reads and 2 writes and its own cost: a like or a follow 1 write more for its record, and a
// post 1 read and 1 write. A refused act adds 2 reads and 1 write.
func (r *Runner) RunDue(ctx context.Context, over func() bool) (done int, err error) {
	defer errs.Wrap(&err, "agents.RunDue")
	if r.decider == nil {
		return 0, nil
	}
	due, err := r.db.All(ctx, r.db.Client.Collection(model.Agents).Where(fields.DueAt, "<=", r.db.Time()).
		OrderBy(fields.DueAt, firestore.Asc).Limit(agentsAtOnce))
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, snap := range due {
		if over() {
			break
		}
		var n int
		failed = append(failed, safely.Do(func() (err error) {
			n, err = r.turn(ctx, model.UserID(snap.Ref.ID))
			return err
		}))
		done += n
	}
	return done, errors.Join(failed...)
}

// turn takes a turn of an agent, or goes on with one that another process left.
func (r *Runner) turn(ctx context.Context, uid model.UserID) (done int, err error) {
	defer errs.Wrap(&err, "agents.turn(%q)", uid)
	a, price, err := r.claim(ctx, uid)
	if err != nil || a == nil {
		return 0, err
	}
	if a.Deciding {
		plan, err := r.decide(ctx, a, price)
		if err != nil {
			return 0, err
		}
		if a, err = r.write(ctx, a, plan); err != nil || a == nil {
			return 0, err
		}
	}
	for n := range a.Acts {
		was, err := r.act(ctx, a, n)
		if err != nil {
			return done, err // the turn is due again after the lease
		}
		if was == model.AgentActDone {
			done++
		}
	}
	return done, r.end(ctx, a)
}

// claim takes the turn of an agent for the process: nil if it is not due, or has no budget for a decision.
//
// Cost: 2 reads and 1 write.
func (r *Runner) claim(ctx context.Context, uid model.UserID) (a *model.Agent, price model.AIModel, err error) {
	ref := r.db.Agent(uid)
	claimed := false
	err = r.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		claimed = false
		a = &model.Agent{UserID: uid}
		now := r.db.Time()
		var l db.Lookup
		found, models := db.Find[model.Agent](&l, ref), db.Find[model.AIModels](&l, r.db.AIModels())
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		*a = found.Doc
		a.UserID = uid
		if !found.Found || !a.Running || a.DueAt.IsZero() || a.DueAt.After(now) {
			return nil
		}
		a.Claim++
		a.DueAt = now.Add(lease)
		if a.Acts > 0 { // a plan that is there goes on
			claimed = true
			return tx.Set(ref, a)
		}
		if a.Deciding { // a process ended while it decided: what it reserved stays spent
			if err := tx.Set(r.actRef(a, 0), r.lost(a, now)); err != nil {
				return err
			}
			a.ReservedTokens, a.ReservedDollars = 0, 0
		}
		price = models.Doc.Models[a.Model]
		a.NewDay(now)
		input, output := r.decider.Reserve()
		if a.Problem = ""; !price.Enabled {
			a.Problem = "unknown_ai_model"
		} else if !a.Reserve(input+output, price.Price(input, output)) {
			a.Problem = "budget"
		}
		if claimed = a.Problem == ""; claimed {
			a.Turn, a.Deciding = a.Turn+1, true
		} else {
			a.Deciding, a.DueAt = false, a.Next(now)
		}
		return tx.Set(ref, a)
	})
	if err != nil || !claimed {
		return nil, price, err
	}
	return a, price, nil
}

// lost is the record of a decision that a process did not finish.
func (r *Runner) lost(a *model.Agent, now time.Time) *model.AgentAct {
	return &model.AgentAct{UserID: a.UserID, Turn: a.Turn, Kind: model.AgentNothing, State: model.AgentActLost,
		Problem: "interrupted", At: now, Tokens: a.ReservedTokens, MicroDollars: a.ReservedDollars,
		ExpireAt: now.Add(model.AgentActWindow)}
}

// actRef names act n of the turn of an agent.
func (r *Runner) actRef(a *model.Agent, n int) *firestore.DocumentRef {
	return r.db.Doc(model.AgentActs, model.AgentActKey(a.UserID, a.Turn, n))
}

// ours returns the agent in a transaction if the turn is still this process's: nil if another process took it up, or
// the account was deleted.
func (r *Runner) ours(tx *firestore.Transaction, a *model.Agent) (*model.Agent, error) {
	is := &model.Agent{UserID: a.UserID}
	there, err := db.GetIn(tx, r.db.Agent(a.UserID), is)
	if err != nil || !there || is.Claim != a.Claim || is.Turn != a.Turn || !is.CreatedAt.Equal(a.CreatedAt) {
		return nil, err
	}
	return is, nil
}

// write writes the plan of a turn, and what its decision took. The result is nil if the turn is another process's.
//
// Cost: 1 read, and 1 write for the agent and each act.
func (r *Runner) write(ctx context.Context, a *model.Agent, p *plan) (is *model.Agent, err error) {
	err = r.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var err error
		if is, err = r.ours(tx, a); err != nil || is == nil {
			return err
		}
		if !is.Deciding { // the answer to the first commit was lost
			return nil
		}
		now := r.db.Time()
		is.Settle(p.tokens, p.dollars)
		for n, act := range p.acts {
			act.UserID, act.Turn, act.At, act.ExpireAt = is.UserID, is.Turn, now, now.Add(model.AgentActWindow)
			switch {
			case act.State != "":
			case !is.Running:
				act.State = model.AgentActStopped
			case !is.Take(act.Kind):
				act.State, act.Problem = model.AgentActRefused, "budget"
			case act.Kind == model.AgentNothing:
				act.State = model.AgentActDone
			default:
				act.State = model.AgentActPlanned
			}
			if n == 0 {
				act.Tokens, act.MicroDollars = p.tokens, p.dollars
			}
			if err := tx.Set(r.actRef(is, n), act); err != nil {
				return err
			}
		}
		is.Deciding, is.Acts = false, len(p.acts)
		if is.Problem = p.problem; p.problem != "" {
			is.Fails++
		}
		return tx.Set(r.db.Agent(is.UserID), is)
	})
	return is, err
}

// end ends a turn, and sets the time of the next one.
//
// Cost: 1 read and 1 write.
func (r *Runner) end(ctx context.Context, a *model.Agent) error {
	return r.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, err := r.ours(tx, a)
		if err != nil || is == nil || is.Acts == 0 {
			return err
		}
		if is.Acts = 0; is.Problem == "" {
			is.Fails = 0
		}
		if is.Running {
			is.DueAt = is.Next(r.db.Time())
		}
		return tx.Set(r.db.Agent(is.UserID), is)
	})
}
