package agents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// plan is what an agent does in a turn. It has at least one act.
type plan struct {
	acts            []*model.AgentAct
	tokens, dollars int64
	problem         string // of the decision
}

// decide asks what an agent does. A failure of the decider is a plan with nothing in it.
//
// Cost: 4 reads and the cost of the first home page of the user.
func (r *Runner) decide(ctx context.Context, a *model.Agent, price model.AIModel) (*plan, error) {
	view, err := r.view(ctx, a)
	if err != nil {
		if errs.KindOf(err) == errs.Unavailable || errs.KindOf(err) == errs.Internal {
			return nil, err
		}
		return &plan{acts: []*model.AgentAct{{Kind: model.AgentNothing}}, problem: errs.CodeOf(err)}, nil
	}
	within, cancel := context.WithTimeout(ctx, decideWithin)
	defer cancel()
	d, err := r.decider.Decide(within, *view)
	p := &plan{tokens: d.Input + d.Output, dollars: price.Price(d.Input, d.Output)}
	if err != nil {
		r.log.LogAttrs(ctx, slog.LevelWarn, "an agent could not decide", slog.String("user", string(a.UserID)),
			slog.Any("error", err))
		if p.problem = "decider"; p.tokens == 0 { // perhaps it took some
			p.tokens, p.dollars = a.ReservedTokens, a.ReservedDollars
		}
		p.acts = []*model.AgentAct{{Kind: model.AgentNothing}}
		return p, nil
	}
	p.acts = checked(view, d.Acts)
	return p, nil
}

// view returns what an agent decides on: its personality, and the newest posts of its home timeline that everybody may
// see. A user that may not act now is an error: without a profile, not marked as a bot, frozen or suspended, or without
// a needed consent to the terms.
func (r *Runner) view(ctx context.Context, a *model.Agent) (*model.AgentView, error) {
	u, err := r.Users.FullUser(ctx, a.UserID)
	if err != nil {
		return nil, err
	}
	if !u.Bot {
		return nil, errs.New(errs.Forbidden, "not_a_bot", "the profile does not say that the user is a bot")
	}
	status, err := r.Moderation.AccountStatus(ctx, a.UserID)
	if err != nil {
		return nil, err
	}
	if status.State != model.AccountStatusFree {
		return nil, errs.New(errs.Forbidden, "account_"+string(status.State), "the account is %s", status.State)
	}
	is, err := r.Moderation.Instance(ctx)
	if err != nil {
		return nil, err
	}
	if version := is.Demands(); version != 0 {
		if err := r.Users.Consented(ctx, a.UserID, version); err != nil {
			return nil, err
		}
	}
	items, _, _, err := r.Timelines.Home(ctx, a.UserID, "", "", model.AgentPosts)
	if err != nil {
		return nil, err
	}
	v := &model.AgentView{UserID: a.UserID, Username: u.Username, Personality: u.AIPersonality, Model: a.Model,
		Turn: a.Turn, At: r.db.Time()}
	for _, i := range items {
		if t := i.Tweet; t != nil && t.AuthorID != a.UserID && t.Open() && len(i.Filtered) == 0 {
			v.Posts = append(v.Posts, model.AgentViewPost{ID: t.ID, AuthorID: t.AuthorID, Author: t.Author.Username,
				Text: t.Snippet, Tags: t.TagNames(), Liked: i.ViewerState.Liked})
		}
	}
	return v, nil
}

// checked returns the acts that an agent may plan: of the known kinds, at most [model.MaxAgentActs], each once, and
// only to posts and people that it was shown. A text mentions nobody and links nowhere, because others may have talked
// the decider into it. The others are kept as refused. Without acts the result is to do nothing.
func checked(v *model.AgentView, choices []model.AgentChoice) (acts []*model.AgentAct) {
	for _, c := range choices {
		if len(acts) == model.MaxAgentActs {
			break
		}
		act := &model.AgentAct{Kind: c.Kind, TweetID: c.TweetID, Target: c.UserID, Text: c.Text}
		shown := slices.IndexFunc(v.Posts, func(p model.AgentViewPost) bool {
			return c.Kind == model.AgentFollow && p.AuthorID == c.UserID || c.Kind != model.AgentFollow && p.ID == c.TweetID
		})
		switch c.Kind {
		case model.AgentPost:
			act.TweetID, act.Target, shown = "", "", 0
		case model.AgentReply:
		case model.AgentLike:
			act.Text = ""
		case model.AgentFollow:
			act.Text, act.TweetID = "", ""
		case model.AgentNothing:
			continue
		default:
			act.Kind, shown = model.AgentNothing, -1
		}
		if shown >= 0 && c.Kind != model.AgentPost {
			act.Target = v.Posts[shown].AuthorID
		}
		if problem := problemOf(act, shown >= 0); problem != "" {
			// a refused act keeps nothing that the decider made up
			act = &model.AgentAct{Kind: act.Kind, State: model.AgentActRefused, Problem: problem}
		}
		if !slices.ContainsFunc(acts, func(a *model.AgentAct) bool { return *a == *act }) {
			acts = append(acts, act)
		}
	}
	if len(acts) == 0 {
		acts = append(acts, &model.AgentAct{Kind: model.AgentNothing})
	}
	return acts
}

// problemOf says why an agent may not plan an act; empty if it may.
func problemOf(a *model.AgentAct, shown bool) string {
	switch {
	case !shown:
		return "not_shown"
	case a.Kind != model.AgentPost && a.Kind != model.AgentReply:
		return ""
	case utf8.RuneCountInString(a.Text) > model.MaxAgentText:
		return "too_long"
	case strings.ContainsAny(a.Text, "@＠"):
		return "mention"
	case strings.Contains(a.Text, "://") || strings.Contains(a.Text, "]("):
		return "link"
	}
	if _, err := draftOf(a).Clean(); err != nil {
		return errs.CodeOf(err)
	}
	return ""
}

// draftOf is the post of an act.
func draftOf(a *model.AgentAct) model.Draft {
	d := model.Draft{Content: a.Text, AllowLikes: true, AllowReplies: true}
	if a.TweetID != "" {
		d.ReplyTo = new(a.TweetID)
	}
	return d
}

// act does act n of a turn, unless it is over, and returns its state. An agent that was stopped does not begin it. An
// act that had begun, and whose record does not say that it happened, is done again: a post once, because it has a key,
// and a like or a follow once, because its commit has the record.
//
// Cost: 2 reads and 1 write, and the cost of the act; for a like or a follow 1 write more, for a post 1 read and 1
// write more.
func (r *Runner) act(ctx context.Context, a *model.Agent, n int) (model.AgentActState, error) {
	act, at, err := r.begin(ctx, a, n)
	if err != nil || act == nil || act.State != model.AgentActBegun {
		return "", err
	}
	done := *act
	recorded, err := r.do(ctx, &done, r.record(a, n, at))
	state, problem := model.AgentActDone, ""
	switch kind := errs.KindOf(err); {
	case recorded:
		return state, nil
	case errors.Is(err, errTaken):
		return "", nil
	case err == nil:
	case kind == errs.Unavailable || kind == errs.Internal:
		if act.Tries < model.MaxAgentTries {
			return "", err
		}
		state, problem = model.AgentActLost, "unavailable"
	default:
		state, problem = model.AgentActRefused, errs.CodeOf(err)
	}
	return state, r.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, err := r.ours(tx, a)
		if err != nil || is == nil {
			return err
		}
		act.State, act.Problem, act.Made = state, problem, done.Made
		return tx.Set(r.actRef(a, n), act)
	})
}

// record is the update by which the commit of an act says that it happened. begun is when the act's record was written.
func (r *Runner) record(a *model.Agent, n int, begun time.Time) *db.Also {
	ref := r.actRef(a, n)
	return &db.Also{Ref: ref, Updates: []firestore.Update{{Path: fields.State, Value: model.AgentActDone}}, At: begun,
		Done: func(ctx context.Context) (bool, error) {
			var act model.AgentAct
			_, err := r.db.Get(ctx, ref, &act)
			return act.State == model.AgentActDone, err
		}}
}

// begin marks an act as begun, in a transaction with the agent: after a stop it marks the act as stopped. The result is
// nil if the turn is another process's. at is the time of the commit.
//
// Cost: 2 reads and 1 write.
func (r *Runner) begin(ctx context.Context, a *model.Agent, n int) (act *model.AgentAct, at time.Time, err error) {
	ref := r.actRef(a, n)
	var committed firestore.CommitResponse
	begun := false
	err = r.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		act, begun = &model.AgentAct{}, false
		is, err := r.ours(tx, a)
		if err != nil || is == nil {
			act = nil
			return err
		}
		if there, err := db.GetIn(tx, ref, act); err != nil || !there ||
			act.State != model.AgentActPlanned && act.State != model.AgentActBegun {
			return err
		}
		late := r.db.Now().Sub(act.At) > model.AgentActLife
		switch {
		case act.State == model.AgentActBegun && late, act.Tries >= model.MaxAgentTries:
			act.State, act.Problem = model.AgentActLost, "interrupted"
		case !is.Running:
			act.State = model.AgentActStopped
		case late:
			act.State, act.Problem = model.AgentActStopped, "late"
		default:
			act.State, act.Tries, begun = model.AgentActBegun, act.Tries+1, true
		}
		return tx.Set(ref, act)
	}, firestore.WithCommitResponseTo(&committed))
	if begun && err == nil {
		at = committed.CommitTime()
	}
	return act, at, err
}

// do does an act as a request of the user would. recorded is whether the commit of the act wrote its record.
func (r *Runner) do(ctx context.Context, act *model.AgentAct, record *db.Also) (recorded bool, err error) {
	switch act.Kind {
	case model.AgentPost, model.AgentReply:
		// the key has the time, so that a user who signs up again does not meet the records of before
		sum := sha256.Sum256([]byte(model.AgentActKey(act.UserID, act.Turn, 0) + string(act.TweetID) + act.Text +
			act.At.Format(time.RFC3339Nano)))
		id := hex.EncodeToString(sum[:])
		posted, err := r.Tweets.CreateTweet(ctx, act.UserID, draftOf(act), model.Request{Key: "agent-" + id[:40], Hash: id})
		if err == nil && posted.FullTweet != nil {
			act.Made = posted.ID
		}
		return false, err
	case model.AgentLike:
		recorded, err = r.Reactions.LikeAlso(ctx, act.UserID, act.TweetID, record)
	case model.AgentFollow:
		_, recorded, err = r.Graph.FollowAlso(ctx, act.UserID, act.Target, record)
	case model.AgentNothing:
	}
	if db.Outdated(err) {
		err = errTaken
	}
	return recorded, err
}

// errTaken is the error of a like or a follow that another process took up: this process did nothing.
var errTaken = errors.New("another process took the act up")
