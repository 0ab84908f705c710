// Package hooks lets other packages tell events to webhooks: the deliveries are written in the commit of the event.
package hooks

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Every is for how long a process keeps the webhooks that it has read. A new webhook is told of events within that time
// by every process, and at once by the one that made it.
const Every = time.Minute

// Teller tells events to webhooks. Its methods may be called concurrently.
type Teller struct {
	db    *db.DB
	log   *slog.Logger
	known readcache.Values[string, *model.Webhooks] // nothing in them changes
	last  atomic.Pointer[model.Webhooks]            // what was read last, for a time without answers
}

// New returns the teller of a database.
func New(d *db.DB, log *slog.Logger) *Teller {
	t := &Teller{db: d, log: cmp.Or(log, slog.Default())}
	bill := meter.New() // events of many users share a read
	known := readcache.New(d.Now, Every, 1<<20, func(*model.Webhooks) int { return 0 },
		func(ctx context.Context, _ []string) (map[string]*model.Webhooks, error) {
			is := &model.Webhooks{}
			_, err := d.Get(meter.With(ctx, bill), d.Webhooks(), is)
			return map[string]*model.Webhooks{"": is}, err
		})
	known.Name = "webhooks"
	t.known = known
	return t
}

// Deliveries are those of one event, to be written in its commit. They may be written twice: each has an id of its own.
type Deliveries struct {
	db  *db.DB
	all []*model.WebhookDelivery
}

// Of returns the deliveries of an event that is about to be committed, one for each webhook that wants it. Most events
// have none. Of must be called once for an event, and not for each attempt at its commit. If the webhooks cannot be
// read, those that the process read last are told, since no sign-up and no report may fail because of a webhook.
//
// Cost: nothing for the caller; each delivery is 1 write of the commit. For the process: 1 read, at most once in Every.
func (t *Teller) Of(ctx context.Context, e model.WebhookEvent, data map[string]string) Deliveries {
	is, _, err := t.known.One(ctx, "")
	if err != nil {
		t.log.WarnContext(ctx, "the webhooks could not be read, an event goes to those that were read before",
			"event", e, "error", err)
		is = t.last.Load()
	} else {
		t.last.Store(is)
	}
	d := Deliveries{db: t.db}
	if is == nil {
		return d
	}
	for id, hook := range is.Hooks {
		if hook.Wants(e) {
			d.all = append(d.all, model.NewWebhookDelivery(model.WebhookID(id), e, data, t.db.Time()))
		}
	}
	return d
}

// Forget has the process read the webhooks again.
func (t *Teller) Forget() { t.known.Forget("") }

// Write adds the deliveries to the transaction of the event.
func (d Deliveries) Write(tx *firestore.Transaction) error {
	for _, is := range d.all {
		if err := tx.Set(d.db.WebhookDelivery(is.ID), is); err != nil {
			return err
		}
	}
	return nil
}

// Batch adds the deliveries to the batch of the event.
func (d Deliveries) Batch(b *db.Batch) {
	for _, is := range d.all {
		b.Set(d.db.WebhookDelivery(is.ID), is)
	}
}

// Empty reports whether the installation has no webhooks, as far as the process knows.
//
// Cost: nothing for the caller. For the process: 1 read, at most once in Every.
func (t *Teller) Empty(ctx context.Context) bool {
	is, _, err := t.known.One(ctx, "")
	return err == nil && len(is.Hooks) == 0
}
