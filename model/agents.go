package model

import (
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Bounds of agents.
const (
	MaxAgentActs     = 3   // of one turn
	MaxAgentText     = 500 // characters of a post
	AgentPosts       = 20  // newest posts that an agent is shown in a turn
	MaxAgentMinutes  = 24 * 60
	MaxAgentTries    = 5         // of one act
	AgentActLife     = time.Hour // an act that did not begin by then does not begin
	AgentActWindow   = 90 * 24 * time.Hour
	maxAgentPosts    = 200
	maxAgentLikes    = 1_000
	maxAgentFollows  = 200
	maxAgentTokens   = 10_000_000
	maxAgentDollars  = 100_000_000 // micro-dollars
	agentKeyTemplate = "%s_%012d_%d"
)

// AgentSpending counts what an agent may do in a day, or did.
type AgentSpending struct {
	Posts        int   `firestore:"posts"` // replies count, too
	Likes        int   `firestore:"likes"`
	Follows      int   `firestore:"follows"`
	Tokens       int64 `firestore:"tokens"`
	MicroDollars int64 `firestore:"microDollars"`
}

// AgentSettings is what an administrator decides about an agent.
type AgentSettings struct {
	Model        string
	EveryMinutes int // between two turns
	Budget       AgentSpending
	Running      bool
}

// Clean returns the settings as they are kept. Others than the bounds allow are errs.Invalid.
func (a AgentSettings) Clean() (AgentSettings, error) {
	b := a.Budget
	if a.EveryMinutes < 1 || a.EveryMinutes > MaxAgentMinutes || b.Posts < 0 || b.Posts > maxAgentPosts || b.Likes < 0 ||
		b.Likes > maxAgentLikes || b.Follows < 0 || b.Follows > maxAgentFollows || b.Tokens < 0 ||
		b.Tokens > maxAgentTokens || b.MicroDollars < 0 || b.MicroDollars > maxAgentDollars {
		return a, errs.New(errs.Invalid, "invalid_agent",
			"an agent takes a turn each 1 to %d minutes, and makes in a day at "+
				"most %d posts, %d likes and %d follows for %d tokens and %d micro-dollars", MaxAgentMinutes, maxAgentPosts,
			maxAgentLikes, maxAgentFollows, maxAgentTokens, maxAgentDollars)
	}
	return a, nil
}

// Agent lets the service act for a user that is marked as a bot: agents/{uid}.
type Agent struct {
	UserID       UserID        `firestore:"-"`
	By           UserID        `firestore:"by"` // the administrator who made it
	Model        string        `firestore:"model"`
	EveryMinutes int           `firestore:"everyMinutes"`
	Budget       AgentSpending `firestore:"budget"` // of a day
	Running      bool          `firestore:"running"`
	StoppedBy    UserID        `firestore:"stoppedBy,omitempty"`

	Day   string        `firestore:"day"` // of Spent, in UTC
	Spent AgentSpending `firestore:"spent"`

	Turn     int64 `firestore:"turn"`     // number of the last turn
	Claim    int64 `firestore:"claim"`    // grows with each process that takes a turn up
	Deciding bool  `firestore:"deciding"` // the turn has no plan yet
	Acts     int   `firestore:"acts"`     // of the turn's plan; 0 if the turn is over
	// tokens and micro-dollars that a turn may take, counted in Spent until its plan is there
	ReservedTokens  int64  `firestore:"reservedTokens"`
	ReservedDollars int64  `firestore:"reservedDollars"`
	Fails           int    `firestore:"fails"`   // turns that failed one after the other
	Problem         string `firestore:"problem"` // a code of the last failure; empty after a turn

	DueAt     time.Time `firestore:"dueAt,omitempty"` // absent from a stopped agent
	CreatedAt time.Time `firestore:"createdAt"`
	ChangedAt time.Time `firestore:"changedAt"` // by an administrator or the owner
}

// Set applies settings at a time. A new agent begins at once.
func (a *Agent) Set(s AgentSettings, by UserID, at time.Time) {
	if a.CreatedAt.IsZero() {
		a.By, a.CreatedAt = by, at
	}
	a.Model, a.EveryMinutes, a.Budget, a.ChangedAt = s.Model, s.EveryMinutes, s.Budget, at
	a.Run(s.Running, by, at)
}

// Run starts or stops an agent.
func (a *Agent) Run(running bool, by UserID, at time.Time) {
	a.ChangedAt = at
	if a.Running == running && a.DueAt.IsZero() != running {
		return
	}
	a.Running, a.StoppedBy, a.DueAt = running, "", time.Time{}
	if running {
		a.DueAt, a.Fails = at, 0
	} else {
		a.StoppedBy = by
	}
}

// NewDay clears what the agent spent if another day has begun.
func (a *Agent) NewDay(at time.Time) {
	if day := at.UTC().Format(time.DateOnly); day != a.Day {
		a.Day, a.Spent = day, AgentSpending{}
	}
}

// Reserve counts what a decision may take. Without that much left it changes nothing and returns false.
func (a *Agent) Reserve(tokens, dollars int64) bool {
	if a.Spent.Tokens+tokens > a.Budget.Tokens || a.Spent.MicroDollars+dollars > a.Budget.MicroDollars {
		return false
	}
	a.Spent.Tokens += tokens
	a.Spent.MicroDollars += dollars
	a.ReservedTokens, a.ReservedDollars = tokens, dollars
	return true
}

// Settle replaces what was reserved for a decision by what it took. The reserve may be of the day before, whose count
// is gone.
func (a *Agent) Settle(tokens, dollars int64) {
	a.Spent.Tokens = max(0, a.Spent.Tokens-a.ReservedTokens) + tokens
	a.Spent.MicroDollars = max(0, a.Spent.MicroDollars-a.ReservedDollars) + dollars
	a.ReservedTokens, a.ReservedDollars = 0, 0
}

// Take counts an act, and returns false without counting if the day has no more of its kind.
func (a *Agent) Take(kind AgentActKind) bool {
	n, most := &a.Spent.Posts, a.Budget.Posts
	switch kind {
	case AgentLike:
		n, most = &a.Spent.Likes, a.Budget.Likes
	case AgentFollow:
		n, most = &a.Spent.Follows, a.Budget.Follows
	case AgentNothing:
		return true
	case AgentPost, AgentReply:
	}
	if *n >= most {
		return false
	}
	*n++
	return true
}

// Next returns when the next turn begins: after failures later, six hours later at most.
func (a *Agent) Next(at time.Time) time.Time {
	pause := time.Duration(a.EveryMinutes) * time.Minute
	for range min(a.Fails, 10) {
		pause = min(2*pause, max(6*time.Hour, pause))
	}
	return at.Add(pause)
}

// AgentActKind is what an agent does.
type AgentActKind string

// The kinds of acts.
const (
	AgentPost    AgentActKind = "post"
	AgentReply   AgentActKind = "reply"
	AgentLike    AgentActKind = "like"
	AgentFollow  AgentActKind = "follow"
	AgentNothing AgentActKind = "nothing"
)

// AgentActState says what became of an act.
type AgentActState string

// The states of an act. An act that has begun may have happened.
const (
	AgentActPlanned AgentActState = "planned"
	AgentActBegun   AgentActState = "begun"
	AgentActDone    AgentActState = "done"
	AgentActRefused AgentActState = "refused" // by a limit, a policy or a block: Problem says which
	AgentActStopped AgentActState = "stopped" // the agent was stopped before the act began
	AgentActLost    AgentActState = "lost"    // a process ended, and it was too late to go on
)

// AgentAct is an act of an agent: agentActs/{uid}_{turn}_{n}. It is written before the act happens.
type AgentAct struct {
	ID      string        `firestore:"-"`
	UserID  UserID        `firestore:"userId"` // the agent
	Turn    int64         `firestore:"turn"`
	Kind    AgentActKind  `firestore:"kind"`
	TweetID TweetID       `firestore:"tweetId,omitempty"` // that is answered or liked
	Target  UserID        `firestore:"target,omitempty"`  // the author of that tweet, or who is followed
	Text    string        `firestore:"text,omitempty"`
	State   AgentActState `firestore:"state"`
	Problem string        `firestore:"problem,omitempty"` // a code
	Made    TweetID       `firestore:"made,omitempty"`    // the post
	Tries   int           `firestore:"tries"`
	At      time.Time     `firestore:"at"`
	// what the decision of the turn took; only in its first act
	Tokens       int64     `firestore:"tokens"`
	MicroDollars int64     `firestore:"microDollars"`
	ExpireAt     time.Time `firestore:"expireAt"`
}

// AgentActKey names act n of a turn of an agent.
func AgentActKey(uid UserID, turn int64, n int) string {
	return fmt.Sprintf(agentKeyTemplate, key(uid), turn, n)
}

// AgentView is what an agent decides on. All texts are data, written by anybody.
type AgentView struct {
	UserID      UserID
	Username    string
	Personality string
	Model       string // its label
	Turn        int64
	At          time.Time
	Posts       []AgentViewPost // newest first
}

// AgentViewPost is a post that everybody may see.
type AgentViewPost struct {
	ID       TweetID
	AuthorID UserID
	Author   string // the username
	Text     string
	Tags     []string
	Liked    bool // by the agent
}

// AgentChoice is an act that a decider chose.
type AgentChoice struct {
	Kind    AgentActKind
	TweetID TweetID // that is answered or liked
	UserID  UserID  // who is followed
	Text    string
}

// AgentDecision is what a decider chose, and the tokens that it took.
type AgentDecision struct {
	Acts          []AgentChoice
	Input, Output int64
}

// Open reports whether everybody may see the tweet, also without an account.
func (t *Tweet) Open() bool { return t.Visibility.open() && !t.IsViolative }
