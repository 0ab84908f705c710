package moderation

import (
	"context"
	"fmt"
	"strconv"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// PutAgent makes or changes the agent of a user, with its entry in the audit log. A user without a profile is
// errs.NotFound, and one that is not marked as a bot errs.Conflict (not_a_bot). A model that is not there, or not
// enabled, is errs.Invalid. A stop needs neither the mark nor the model. When the answer to a stop is there, no act of
// the agent begins any more.
//
// Cost: 3 reads and 2 writes.
func (s *Store) PutAgent(ctx context.Context, by Actor, uid model.UserID,
	to model.AgentSettings) (a *model.Agent, err error) {
	defer errs.Wrap(&err, "moderation.PutAgent(%q)", uid)
	if to, err = to.Clean(); err != nil {
		return nil, err
	}
	return s.changeAgent(ctx, by, uid, model.ActPutAgent, func(tx *firestore.Transaction, a *model.Agent,
		there bool) error {
		var l db.Lookup
		user, models := db.Find[model.User](&l, s.db.User(uid)), db.Find[model.AIModels](&l, s.db.AIModels())
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		switch {
		case !user.Found:
			return model.NoUser(uid)
		case there && !to.Running:
		case !user.Doc.Bot:
			return errs.New(errs.Conflict, "not_a_bot", "the profile does not say that the user is a bot")
		case !models.Doc.Models[to.Model].Enabled:
			return model.UnknownAIModel(to.Model)
		}
		a.Set(to, by.UID, s.db.Time())
		return nil
	})
}

// RunAgent starts or stops the agent of a user, with its entry in the audit log. own is whether the user asks: an agent
// that somebody else stopped is errs.Forbidden then. A user without an agent is errs.NotFound. When the answer to a
// stop is there, no act of the agent begins any more.
//
// Cost: 1 read and 2 writes.
func (s *Store) RunAgent(ctx context.Context, by Actor, uid model.UserID, running, own bool) (_ *model.Agent,
	err error) {
	defer errs.Wrap(&err, "moderation.RunAgent(%q)", uid)
	act := model.ActStopAgent
	if running {
		act = model.ActStartAgent
	}
	return s.changeAgent(ctx, by, uid, act, func(_ *firestore.Transaction, a *model.Agent, there bool) error {
		if !there {
			return noAgent()
		}
		if own && running && !a.Running && a.StoppedBy != uid {
			return errs.New(errs.Forbidden, "agent_stopped", "an administrator stopped the agent")
		}
		a.Run(running, by.UID, s.db.Time())
		return nil
	})
}

// changeAgent changes an agent in a transaction, which writes the entry of the audit log too.
func (s *Store) changeAgent(ctx context.Context, by Actor, uid model.UserID, act model.Act,
	to func(tx *firestore.Transaction, a *model.Agent, there bool) error) (a *model.Agent, err error) {
	var entry *model.Action
	ref := s.db.Agent(uid)
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		a, entry = &model.Agent{UserID: uid}, nil
		there, err := db.GetIn(tx, ref, a)
		if err != nil {
			return err
		}
		before := agentTold(a, there)
		if err := to(tx, a, there); err != nil {
			return err
		}
		entry = s.entry(by, act, uid)
		entry.Before, entry.After = before, agentTold(a, true)
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(ref, a)
	}, s.logged(&entry))
	s.done(ctx, entry, err)
	return a, err
}

// Agent returns the agent of a user. A user without one is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) Agent(ctx context.Context, uid model.UserID) (_ *model.Agent, err error) {
	defer errs.Wrap(&err, "moderation.Agent(%q)", uid)
	a := &model.Agent{UserID: uid}
	if there, err := s.db.Get(ctx, s.db.Agent(uid), a); err != nil || !there {
		return nil, orNoAgent(err)
	}
	return a, nil
}

// Agents lists agents, newest first.
//
// Cost: 1 read for each agent, at least 1.
func (s *Store) Agents(ctx context.Context, from model.Cursor, limit int) (_ model.Page[*model.Agent], err error) {
	defer errs.Wrap(&err, "moderation.Agents")
	return db.Page(ctx, s.db.Client.Collection(model.Agents).Query, firestore.FieldPath{fields.CreatedAt}, firestore.Desc,
		from, limit, func(snap *firestore.DocumentSnapshot) (*model.Agent, model.Cursor, error) {
			a := &model.Agent{UserID: model.UserID(snap.Ref.ID)}
			err := snap.DataTo(a)
			return a, model.Cursor{At: a.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// AgentActs lists the acts of an agent, newest first.
//
// Cost: 1 read for each act, at least 1.
func (s *Store) AgentActs(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.AgentAct], err error) {
	defer errs.Wrap(&err, "moderation.AgentActs(%q)", uid)
	return db.Page(ctx, s.db.Client.Collection(model.AgentActs).Where(fields.UserID, "==", uid),
		firestore.FieldPath{fields.At}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.AgentAct, model.Cursor, error) {
			a := &model.AgentAct{ID: snap.Ref.ID}
			err := snap.DataTo(a)
			return a, model.Cursor{At: a.At, ID: a.ID}, err
		})
}

func noAgent() error { return errs.New(errs.NotFound, "no_agent", "the user has no agent") }

func orNoAgent(err error) error {
	if err != nil {
		return err
	}
	return noAgent()
}

// agentTold is what the audit log says of an agent.
func agentTold(a *model.Agent, there bool) map[string]string {
	if !there {
		return nil
	}
	b := a.Budget
	return map[string]string{"model": a.Model, "everyMinutes": strconv.Itoa(a.EveryMinutes),
		"running": strconv.FormatBool(a.Running),
		"budget": fmt.Sprintf("%d posts, %d likes, %d follows, %d tokens, %d micro-dollars", b.Posts, b.Likes, b.Follows,
			b.Tokens, b.MicroDollars)}
}
