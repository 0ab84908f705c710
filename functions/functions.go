// Package functions holds the triggers, which run after a source document was written.
//
// Table declares each function once. The buildpack's entry points, cmd/functions, the local event runner and the deploy
// scripts all read Table. A function does everything that one kind of change causes. Its parts run concurrently, and a
// part that has done its work already finds that out when the event comes again.
//
// Events are delivered at least once, in any order, and up to a day late. A function that counts commits its increments
// together with an idempotency record. A function that maintains an entry ignores the change that the event reports: it
// reads the current source document and makes the entry agree with it. Long work is split into work documents, and the
// creation of a work document is the event that starts the work. An event that no attempt can ever handle becomes a
// dead letter.
package functions

import (
	"context"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/agents"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/linkcard"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/push"
	"github.com/hibana-sns/hibana/internal/relme"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/internal/webhook"
	"github.com/hibana-sns/hibana/store"
)

// Function is one row of the table.
type Function struct {
	Name     string      // the Cloud Function's name, and its path in cmd/functions
	Document string      // path pattern, for example "likes/{id}"; [Uploads] for the files of a bucket
	On       []EventType // the changes of a document, or of a file, that call the function

	handle func(*handlers, context.Context, *Event) error
}

// Uploads stands in [Table] for the bucket to which clients upload files. UPLOADS_BUCKET names the bucket of a
// deployment.
const Uploads = "gs://uploads"

// OfBucket reports whether the function is called for files of a bucket, and not for documents.
func (f *Function) OfBucket() bool { return strings.HasPrefix(f.Document, "gs://") }

// atOnce is the largest number of deliveries of the function that a process handles at once.
func (f *Function) atOnce() int {
	if f.OfBucket() {
		return FilesAtOnce
	}
	return AtOnce
}

// timeout is the time limit of one delivery of an event of the function.
func (f *Function) timeout() time.Duration {
	if f.OfBucket() {
		return FileTimeout
	}
	return Timeout
}

// EventType is a CloudEvent type of Firestore or Cloud Storage.
type EventType string

// The event types that functions handle.
const (
	Created EventType = "google.cloud.firestore.document.v1.created"
	Updated EventType = "google.cloud.firestore.document.v1.updated"
	Deleted EventType = "google.cloud.firestore.document.v1.deleted"
	// Written is created, updated or deleted. It is the type of a trigger, and not of an [Event].
	Written EventType = "google.cloud.firestore.document.v1.written"
	// Finalized is a new file of a bucket, or a new version of a file.
	Finalized EventType = "google.cloud.storage.object.v1.finalized"
)

// Accounts configures a store for functions, which delete the Firebase accounts of users who leave.
func Accounts(project string) func(*store.Options) {
	return func(o *store.Options) { o.DeleteAccount = accounts.New(project).Delete }
}

// Devices configures a store for functions, which push notifications to devices by the configured channels.
func Devices(cfg config.Service) (func(*store.Options), error) {
	sender, err := push.New(push.Options{PrivateKey: string(cfg.VAPIDPrivateKey), Contact: cfg.VAPIDContact, FCM: cfg.FCM,
		Project: cfg.Project})
	return func(o *store.Options) {
		if sender != nil {
			o.SendToDevice = sender.Send
		}
	}, err
}

// Links configures a store for functions, which fetch the pages that posts and profiles link to, and send deliveries to
// webhooks.
func Links(cfg config.Service) func(*store.Options) {
	web := outbound.Options{AllowLoopback: cfg.AllowLoopbackLinks, Redirects: outbound.MaxRedirects,
		UserAgent: outbound.UserAgent(version.Number, cfg.PublicURL)}
	return func(o *store.Options) {
		if cfg.PublicURL != "" {
			o.VerifyLink = relme.New(web, cfg.PublicURL).Verify
		}
		if cfg.LinkCards {
			o.FetchLink = linkcard.New(outbound.Client(web)).Fetch
		}
		o.SendWebhook = webhook.New(web).Send
	}
}

// Agents configures a store for functions, which let agents act if a provider decides for them.
func Agents(ctx context.Context, cfg config.Service) (func(*store.Options), error) {
	d, err := agents.New(ctx, agents.Options{Provider: cfg.AIProvider, Endpoint: cfg.AIEndpoint, Key: string(cfg.AIKey)})
	return func(o *store.Options) {
		if d != nil {
			o.Decider = d
		}
	}, err
}

// handlers holds the parts that all functions share.
type handlers struct {
	store    *store.Store
	uploaded func(context.Context, Upload) error // nil if nobody takes uploads
	out      *delivery.Out                       // nil without federation
	inbox    *inbox.Inbox                        // nil if the installation does not federate
}
