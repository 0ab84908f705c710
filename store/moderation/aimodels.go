package moderation

import (
	"context"
	"strconv"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// AIModelsEvery is for how long a process keeps the AI models that it has read. A change shows after that in every
// process, and at once in the process that made it.
const AIModelsEvery = time.Minute

// knownAIModels are the AI models that a process has read, under one key. The map in it never changes.
type knownAIModels = readcache.Values[string, *model.AIModels]

// newKnownAIModels returns the cache, which has a bill of its own as the instance has.
func newKnownAIModels(s *Store) knownAIModels {
	bill := meter.New()
	c := readcache.New(s.db.Now, AIModelsEvery, 1<<20, func(*model.AIModels) int { return 0 },
		func(ctx context.Context, _ []string) (map[string]*model.AIModels, error) {
			is := &model.AIModels{}
			_, err := s.db.Get(meter.With(ctx, bill), s.db.AIModels(), is)
			return map[string]*model.AIModels{"": is}, err
		})
	c.Name = "ai_models"
	return c
}

// AIModels returns the AI models, at most AIModelsEvery old. The caller changes nothing in them.
//
// Cost: nothing for the caller. For the process: 1 read, at most once in AIModelsEvery.
func (s *Store) AIModels(ctx context.Context) (_ *model.AIModels, err error) {
	defer errs.Wrap(&err, "moderation.AIModels")
	is, _, err := s.aiModels.One(ctx, "")
	return is, err
}

// PutAIModel adds or replaces an AI model, with its entry in the audit log. One of another form is errs.Invalid, and
// more than [model.MaxAIModels] are errs.Conflict.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Store) PutAIModel(ctx context.Context, by Actor, label string, m model.AIModel) (_ model.AIModel, err error) {
	defer errs.Wrap(&err, "moderation.PutAIModel(%q)", label)
	if label, err = model.ParseAIModelLabel(label); err != nil {
		return m, err
	}
	is, err := s.changeAIModels(ctx, by, model.ActPutAIModel, label, func(all *model.AIModels) (bool, error) {
		return all.Put(label, m)
	})
	if err != nil {
		return m, err
	}
	return is.Models[label], nil
}

// RemoveAIModel removes an AI model, with an entry in the audit log. Without the model it changes nothing. Profiles and
// agents that name it answer no model from then on: nothing writes them.
//
// Cost: 1 read, and 2 writes if the model exists.
func (s *Store) RemoveAIModel(ctx context.Context, by Actor, label string) (err error) {
	defer errs.Wrap(&err, "moderation.RemoveAIModel(%q)", label)
	_, err = s.changeAIModels(ctx, by, model.ActRemoveAIModel, label, func(all *model.AIModels) (bool, error) {
		_, there := all.Models[label]
		delete(all.Models, label)
		return there, nil
	})
	return err
}

// changeAIModels changes the AI models in a transaction, which writes the entry of the audit log too. to returns
// whether something changed.
func (s *Store) changeAIModels(ctx context.Context, by Actor, act model.Act, label string,
	to func(*model.AIModels) (bool, error)) (is *model.AIModels, err error) {
	var entry *model.Action
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, entry = &model.AIModels{}, nil
		if _, err := db.GetIn(tx, s.db.AIModels(), is); err != nil {
			return err
		}
		before := aiModelTold(is, label)
		if changed, err := to(is); err != nil || !changed {
			return err
		}
		entry = s.entry(by, act, "")
		entry.Before, entry.After = before, aiModelTold(is, label)
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(s.db.AIModels(), is)
	}, s.logged(&entry))
	s.aiModels.Forget("")
	s.done(ctx, entry, err)
	return is, err
}

// logged returns a done for [db.DB.TransactOnce] that reports whether an entry of the audit log is there; a nil entry
// needs no commit.
func (s *Store) logged(entry **model.Action) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if *entry == nil {
			return true, nil
		}
		return s.db.Made(s.db.Doc(model.AdminActions, (*entry).ID))(ctx)
	}
}

// aiModelTold is what the audit log says of a model, which may be missing.
func aiModelTold(all *model.AIModels, label string) map[string]string {
	m, there := all.Models[label]
	if !there {
		return map[string]string{"label": label}
	}
	return map[string]string{"label": label, "provider": m.Provider, "input": strconv.FormatInt(m.Input, 10),
		"output": strconv.FormatInt(m.Output, 10), "enabled": strconv.FormatBool(m.Enabled)}
}
