// Package functions holds the triggers: what happens after a fact was written.
//
// Table declares each of them once. The buildpack's entry points, cmd/functions,
// the local event runner and the deploy scripts all read it. One function does one
// thing, so that a retry of one never repeats another.
//
// Events come at least once, in any order, perhaps a day late. A function that
// counts commits its increments together with a record of the event. A function
// that keeps an entry ignores what the event says happened, reads the fact as it is
// now and makes the entry agree with it.
package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Function is one row of the table.
type Function struct {
	Name     string      // the Cloud Function's name, and its path in cmd/functions
	Document string      // path pattern, such as "likes/{id}"
	On       []EventType // what happens to such a document

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

// Table lists every function.
var Table = []Function{
	{"CountFollow", model.Relationships + "/{id}", []EventType{Created, Deleted}, (*handlers).countFollow},
	{"LinkTimeline", model.Relationships + "/{id}", []EventType{Created, Deleted}, (*handlers).linkTimeline},
	{"CountTweet", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countTweet},
	{"CountTags", model.Tweets + "/{id}", []EventType{Created, Updated, Deleted}, (*handlers).countTags},
	{"CountReply", model.Tweets + "/{id}", []EventType{Created, Deleted}, (*handlers).countReply},
	{"CountLike", model.Likes + "/{id}", []EventType{Created, Deleted}, (*handlers).countLike},
	{"CountShare", model.Shares + "/{id}", []EventType{Created, Deleted}, (*handlers).countShare},
	{"NotifyFollow", model.Relationships + "/{id}", []EventType{Created}, (*handlers).notifyFollow},
	{"NotifyLike", model.Likes + "/{id}", []EventType{Created}, (*handlers).notifyLike},
	{"NotifyReply", model.Tweets + "/{id}", []EventType{Created}, (*handlers).notifyReply},
	{"DrainNotifications", model.Drains + "/{id}", []EventType{Created}, (*handlers).drainNotifications},
	{"RollUp", model.RollUps + "/{id}", []EventType{Created}, (*handlers).rollUp},
	{"FanOutTweet", model.Tweets + "/{id}", []EventType{Created}, (*handlers).fanOutTweet},
	{"ContinueFanOut", model.FanOuts + "/{id}", []EventType{Created}, (*handlers).continueFanOut},
	{"Spill", model.Spills + "/{id}", []EventType{Created}, (*handlers).spill},
	{"Wake", model.Wakes + "/{id}", []EventType{Created}, (*handlers).wake},
	{"Sweep", model.Sweeps + "/{id}", []EventType{Created}, (*handlers).sweep},
	{"BucketTweet", model.Tweets + "/{id}", []EventType{Updated, Deleted}, (*handlers).bucketTweet},
	{"CleanUpTweet", model.Tweets + "/{id}", []EventType{Deleted}, (*handlers).cleanUpTweet},
	{"SpreadProfile", model.Users + "/{id}", []EventType{Updated}, (*handlers).spreadProfile},
}

// handlers is what the functions work with.
type handlers struct {
	store *store.Store
}
