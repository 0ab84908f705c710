// Package functions holds the triggers: what happens after a fact was written.
//
// Table declares each function once. The buildpack's entry points, cmd/functions, the
// local event runner and the deploy scripts all read Table. One function does one thing,
// so that a retry of one function never repeats another.
//
// Events come at least once, in any order, perhaps a day late. A function that counts
// commits its increments together with a record of the effect. A function that keeps an
// entry ignores what the event says happened: it reads the fact as it is now, and makes
// the entry agree with the fact. Long work is cut into work documents, and the creation
// of a work document is the event that starts the work. An event that no attempt can ever
// handle becomes a dead letter.
package functions

import (
	"context"

	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/push"
	"github.com/hibana-sns/hibana/store"
)

// Function is one row of the table.
type Function struct {
	Name     string      // the Cloud Function's name, and its path in cmd/functions
	Document string      // path pattern, such as "likes/{id}"
	On       []EventType // the changes of such a document that call the function

	handle func(*handlers, context.Context, *Event) error
}

// EventType is a CloudEvent type of Firestore.
type EventType string

// The types that functions listen for.
const (
	Created EventType = "google.cloud.firestore.document.v1.created"
	Updated EventType = "google.cloud.firestore.document.v1.updated"
	Deleted EventType = "google.cloud.firestore.document.v1.deleted"
)

// Accounts is an option of the store with which functions work: they delete the accounts of
// users who left.
func Accounts(project string) func(*store.Options) {
	return func(o *store.Options) { o.DeleteAccount = accounts.New(project).Delete }
}

// Devices is an option of the store with which functions work: they tell devices of
// notifications, by the ways that the configuration has.
func Devices(cfg config.Service) (func(*store.Options), error) {
	sender, err := push.New(push.Options{PrivateKey: string(cfg.VAPIDPrivateKey), Contact: cfg.VAPIDContact, FCM: cfg.FCM,
		Project: cfg.Project})
	return func(o *store.Options) {
		if sender != nil {
			o.SendToDevice = sender.Send
		}
	}, err
}

// handlers is what all functions work with.
type handlers struct {
	store *store.Store
}
