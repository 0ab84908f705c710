package functions

import (
	"errors"
	"fmt"
	"strings"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
)

// Event is what a CloudEvent says of one document.
type Event struct {
	ID         string // of the event
	Type       EventType
	DocumentID string // the last segment of the document's path
	ParentID   string // of the document below which the document is; empty if there is none
	function   string

	at            time.Time               // when the document changed, as the event says
	before, after *firestoredata.Document // nil where there was no document
}

// errPoison marks an event that fails the same way every time. Such an event is
// acknowledged, because Eventarc would deliver it again for a day.
var errPoison = errors.New("poison event")

// parse reads an event for a function of a database. An event that is not for the function
// or not from the database is a misfit. An event that parse cannot read is poison.
func parse(f *Function, database string, e *cloudevents.Event) (*Event, error) {
	if err := f.check(database, e); err != nil {
		return nil, err
	}
	var data firestoredata.DocumentEventData
	if err := proto.Unmarshal(e.Data(), &data); err != nil {
		return nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	if data.Value == nil && data.OldValue == nil {
		return nil, fmt.Errorf("%w: subject %q, and neither value", errPoison, e.Subject())
	}
	if err := checkNames(e, &data); err != nil {
		return nil, err
	}
	path := strings.Split(e.Subject(), "/") // begins with "documents"
	event := &Event{ID: e.ID(), Type: EventType(e.Type()), DocumentID: path[len(path)-1], function: f.Name, at: e.Time(), before: data.OldValue, after: data.Value}
	if len(path) > 3 {
		event.ParentID = path[len(path)-3]
	}
	return event, nil
}

// effect names the effect of the event through its function.
func (e *Event) effect() counters.Effect {
	return counters.Effect{EventID: e.ID, Function: e.function}
}

// updated is when the document that was created or updated was written.
func (e *Event) updated() time.Time { return e.after.GetUpdateTime().AsTime() }

// changed is when the document was created, updated or deleted. A deletion is later than all
// that was written before.
func (e *Event) changed() time.Time {
	if e.after != nil {
		return e.updated()
	}
	if last := e.before.GetUpdateTime().AsTime(); !e.at.After(last) {
		return last.Add(time.Millisecond)
	}
	return e.at
}

// sign is by how much the event moves a count: one down for a document that was deleted,
// one up for any other.
func (e *Event) sign() int64 {
	if e.Type == Deleted {
		return -1
	}
	return 1
}

// versions decodes the document before and after the event. A version is nil where there
// was no document.
func versions[T any](e *Event) (before, after *T, err error) {
	if before, err = decodeDocument[T](e.before); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	if after, err = decodeDocument[T](e.after); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	return before, after, nil
}

// document decodes the document that was created, updated or deleted. A document without
// the ids that every document of its kind has is poison.
func document[T any](e *Event) (*T, error) {
	before, after, err := versions[T](e)
	if err != nil {
		return nil, err
	}
	if after == nil {
		after = before
	}
	if err := complete(e.DocumentID, after); err != nil {
		return nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	return after, nil
}

// complete checks the ids in a document. For a tweet it also checks the document's own
// id.
func complete(id string, doc any) error {
	var tweets []model.TweetID
	var others []string // that may be anything
	switch d := doc.(type) {
	case *model.Relationship:
		others = []string{string(d.FollowerID), string(d.FollowedID)}
	case *model.FollowRequest:
		others = []string{string(d.FollowerID), string(d.FollowedID)}
	case *model.Block:
		others = []string{string(d.BlockerID), string(d.BlockeeID)}
	case *model.Like:
		others, tweets = []string{string(d.UserID), string(d.AuthorID)}, []model.TweetID{d.TweetID}
		if d.ShareID != "" {
			tweets = append(tweets, d.ShareID)
		}
	case *model.Vote:
		if d.Option < 1 || d.Option > model.MaxPollOptions {
			return fmt.Errorf("no poll has an option %d", d.Option)
		}
		others, tweets = []string{string(d.UserID), string(d.AuthorID)}, []model.TweetID{d.TweetID}
	case *model.Tweet:
		others, tweets = []string{string(d.AuthorID)}, []model.TweetID{model.TweetID(id)}
		if d.ReplyTo != nil {
			others, tweets = append(others, string(d.ReplyToAuthorID)), append(tweets, *d.ReplyTo)
		}
		if d.QuoteOf != "" {
			others, tweets = append(others, string(d.QuoteOfAuthorID)), append(tweets, d.QuoteOf)
		}
	case *model.Revision:
		others = []string{string(d.AuthorID)}
	case *model.FanOutWork:
		if !d.Kind.Valid() {
			return fmt.Errorf("no fan-out is of kind %q", d.Kind)
		}
		others = []string{string(d.AuthorID)}
		if _, err := model.ParsePlace(string(d.TweetID)); err != nil {
			return err
		}
	case *model.RollUpWork:
		others = []string{d.Collection, d.ID}
	case *model.TakenRollUp:
		others = []string{d.Collection, d.ID}
	case *model.SpillWork:
		others = []string{d.Collection, d.Bucket}
	case *model.DrainWork:
		others = []string{d.Partition}
	case *model.WakeWork:
		others = []string{string(d.UserID)}
	case *model.SleepWork:
		others = []string{string(d.UserID)}
	case *model.SpreadWork:
		others = []string{string(d.UserID)}
	case *model.LeaveWork:
		others = []string{string(d.UserID)}
	case *model.ExportWork:
		others = []string{string(d.UserID), d.ID}
	case *model.StockWork:
		_, err := model.ParseProductID(string(d.ProductID))
		return err
	case *model.Order:
		if d.Taken < 0 || d.Taken > len(d.Items) {
			return fmt.Errorf("an order of %d items has taken %d", len(d.Items), d.Taken)
		}
		others = []string{string(d.UserID)}
	case *model.CleanUpWork:
		tweets = []model.TweetID{d.TweetID}
	}
	for _, other := range others {
		if other == "" {
			return errors.New("an id is missing")
		}
	}
	for _, tweet := range tweets {
		if _, err := model.ParseTweetID(string(tweet)); err != nil {
			return err
		}
	}
	return nil
}
