package moderation

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Webhooks returns the webhooks of the installation, oldest first. They have their secrets, which the caller shows to
// nobody.
//
// Cost: 1 read.
func (s *Store) Webhooks(ctx context.Context) (_ []*model.Webhook, err error) {
	defer errs.Wrap(&err, "moderation.Webhooks")
	is, err := s.readWebhooks(ctx)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(is.Hooks), func(a, b *model.Webhook) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	}), nil
}

func (s *Store) readWebhooks(ctx context.Context) (*model.Webhooks, error) {
	is := &model.Webhooks{}
	_, err := s.db.Get(ctx, s.db.Webhooks(), is)
	for id, hook := range is.Hooks {
		hook.ID = model.WebhookID(id)
	}
	return is, err
}

// AddWebhook adds a webhook that is switched on, with an entry in the audit log. The patch has its address and its
// events. The result has the secret. More than [model.MaxWebhooks] are errs.Conflict (too_many_webhooks). Other
// failures are those of [model.WebhookPatch.Clean].
//
// Cost: 1 read and 2 writes.
func (s *Store) AddWebhook(ctx context.Context, by Actor, p model.WebhookPatch) (_ *model.Webhook, err error) {
	defer errs.Wrap(&err, "moderation.AddWebhook")
	if p, err = p.Clean(s.loopback); err != nil {
		return nil, err
	}
	hook := &model.Webhook{ID: model.NewWebhookID(), Enabled: true, Secret: model.NewWebhookSecret(), By: by.UID,
		At: s.db.Time()}
	p.Apply(hook)
	err = s.changeWebhooks(ctx, by, model.ActAddWebhook, hook.ID, func(is *model.Webhooks) (*model.Webhook, error) {
		if len(is.Hooks) >= model.MaxWebhooks {
			return nil, errs.New(errs.Conflict, "too_many_webhooks", "there are %d webhooks, which is the limit; remove one",
				model.MaxWebhooks)
		}
		if is.Hooks == nil {
			is.Hooks = map[string]*model.Webhook{}
		}
		is.Hooks[string(hook.ID)] = hook
		return hook, nil
	})
	return hook, err
}

// ChangeWebhook changes a webhook, with an entry in the audit log if something changes. Deliveries that wait go to the
// new address. Those of a webhook that is switched off wait until it is switched on, or expire. An unknown webhook is
// errs.NotFound.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Store) ChangeWebhook(ctx context.Context, by Actor, id model.WebhookID, p model.WebhookPatch) (
	_ *model.Webhook, err error) {
	defer errs.Wrap(&err, "moderation.ChangeWebhook(%q)", id)
	if p, err = p.Clean(s.loopback); err != nil {
		return nil, err
	}
	var hook *model.Webhook
	err = s.changeWebhooks(ctx, by, model.ActChangeWebhook, id, func(is *model.Webhooks) (*model.Webhook, error) {
		if hook = is.Hooks[string(id)]; hook == nil {
			return nil, noWebhook()
		}
		hook.ID = id
		if !p.Apply(hook) {
			return nil, nil
		}
		return hook, nil
	})
	return hook, err
}

// RenewWebhookSecret gives a webhook another secret, with an entry in the audit log, and returns it. The one before
// signs as well for [model.WebhookSecretOverlap]. An unknown webhook is errs.NotFound.
//
// Cost: 1 read and 2 writes.
func (s *Store) RenewWebhookSecret(ctx context.Context, by Actor, id model.WebhookID) (_ *model.Webhook, err error) {
	defer errs.Wrap(&err, "moderation.RenewWebhookSecret(%q)", id)
	var hook *model.Webhook
	secret := model.NewWebhookSecret()
	err = s.changeWebhooks(ctx, by, model.ActChangeWebhook, id, func(is *model.Webhooks) (*model.Webhook, error) {
		if hook = is.Hooks[string(id)]; hook == nil {
			return nil, noWebhook()
		}
		hook.Former, hook.FormerUntil = hook.Secret, s.db.Time().Add(model.WebhookSecretOverlap)
		hook.Secret = secret
		return hook, nil
	})
	return hook, err
}

// RemoveWebhook removes a webhook, with an entry in the audit log. Its deliveries are sent no more, and expire. Without
// it nothing changes.
//
// Cost: 1 read, and 2 writes if it is there.
func (s *Store) RemoveWebhook(ctx context.Context, by Actor, id model.WebhookID) (err error) {
	defer errs.Wrap(&err, "moderation.RemoveWebhook(%q)", id)
	return s.changeWebhooks(ctx, by, model.ActRemoveWebhook, id, func(is *model.Webhooks) (*model.Webhook, error) {
		hook := is.Hooks[string(id)]
		delete(is.Hooks, string(id))
		return hook, nil
	})
}

// PingWebhook sends an event without data to a webhook, with an entry in the audit log. The next tick delivers it. An
// unknown webhook is errs.NotFound, and one that is switched off errs.Conflict (webhook_off).
//
// Cost: 1 read and 2 writes.
func (s *Store) PingWebhook(ctx context.Context, by Actor, id model.WebhookID) (err error) {
	defer errs.Wrap(&err, "moderation.PingWebhook(%q)", id)
	is, err := s.readWebhooks(ctx)
	if err != nil {
		return err
	}
	hook := is.Hooks[string(id)]
	switch {
	case hook == nil:
		return noWebhook()
	case !hook.Wants(model.WebhookPing):
		return errs.New(errs.Conflict, "webhook_off", "this webhook is switched off; switch it on first")
	}
	entry := webhookEntry(s.entry(by, model.ActPingWebhook, ""), hook)
	d := model.NewWebhookDelivery(id, model.WebhookPing, nil, s.db.Time())
	b := s.db.Batch()
	s.log(b, entry)
	b.Set(s.db.WebhookDelivery(d.ID), d)
	_, err = b.Commit(ctx)
	s.done(ctx, entry, err)
	return err
}

// changeWebhooks changes the list in a transaction, which writes the entry of the audit log too. to returns the webhook
// that changed; nil if nothing did.
func (s *Store) changeWebhooks(ctx context.Context, by Actor, act model.Act, id model.WebhookID,
	to func(*model.Webhooks) (*model.Webhook, error)) error {
	var entry *model.Action
	err := s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is := &model.Webhooks{}
		entry = nil
		if _, err := db.GetIn(tx, s.db.Webhooks(), is); err != nil {
			return err
		}
		hook, err := to(is)
		if err != nil || hook == nil {
			return err
		}
		hook.ID = id
		entry = webhookEntry(s.entry(by, act, ""), hook)
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(s.db.Webhooks(), is)
	}, s.logged(&entry))
	s.hooks.Forget()
	s.done(ctx, entry, err)
	return err
}

// webhookEntry adds a webhook to an entry of the audit log: of the address its host alone, since a path may be secret.
func webhookEntry(entry *model.Action, hook *model.Webhook) *model.Action {
	host := ""
	if u, err := url.Parse(hook.URL); err == nil {
		host = u.Host
	}
	state := "off"
	if hook.Enabled {
		state = "on"
	}
	entry.After = map[string]string{"of": string(hook.ID), "host": host, "state": state}
	return entry
}

func noWebhook() error {
	return errs.New(errs.NotFound, "webhook_not_found", "there is no such webhook")
}
