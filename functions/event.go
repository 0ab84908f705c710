package functions

import (
	"errors"
	"fmt"
	"strings"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/functions/internal/eventdoc"
	"github.com/hibana-sns/hibana/store/counters"
)

// Event is the change of one document, or the new file, that a CloudEvent reports.
type Event struct {
	ID         string // of the event
	Type       EventType
	Upload     Upload // of an event of the type Finalized, which has no document
	DocumentID string // the last segment of the document's path
	ParentID   string // of the document below which the document is; empty if there is none
	function   string

	at            time.Time               // when the document changed, according to the event
	before, after *firestoredata.Document // nil if there was no document
}

// errPoison marks an event that fails in the same way at every delivery. The function acknowledges it, because Eventarc
// would otherwise deliver it again for a day.
var errPoison = errors.New("poison event")

// parse reads an event for a function of a database, or of the bucket of uploads. An event for another function,
// another database or another bucket is a misrouted event. An event that parse cannot read is a poison event.
func parse(f *Function, database, uploads string, e *cloudevents.Event) (*Event, error) {
	if f.OfBucket() {
		return parseUpload(f, uploads, e)
	}
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
	event := &Event{ID: e.ID(), Type: changeOf(&data), DocumentID: path[len(path)-1], function: f.Name, at: e.Time(),
		before: data.OldValue, after: data.Value}
	if len(path) > 3 {
		event.ParentID = path[len(path)-3]
	}
	return event, nil
}

// changeOf returns how a document changed. An event of the type Written says so only by its versions.
func changeOf(data *firestoredata.DocumentEventData) EventType {
	switch {
	case data.OldValue == nil:
		return Created
	case data.Value == nil:
		return Deleted
	}
	return Updated
}

// idempotencyRecord returns the id of the event's effect in this function.
func (e *Event) idempotencyRecord() counters.IdempotencyRecord {
	return counters.IdempotencyRecord{EventID: e.ID, Function: e.function}
}

// updated returns the time at which the created or updated document was written.
func (e *Event) updated() time.Time { return e.after.GetUpdateTime().AsTime() }

// changed returns the time at which the document was created, updated or deleted. A deletion is later than every
// earlier write.
func (e *Event) changed() time.Time {
	if e.after != nil {
		return e.updated()
	}
	if last := e.before.GetUpdateTime().AsTime(); !e.at.After(last) {
		return last.Add(time.Millisecond)
	}
	return e.at
}

// sign returns the delta of a count: -1 for a deleted document and +1 for any other document.
func (e *Event) sign() int64 {
	if e.Type == Deleted {
		return -1
	}
	return 1
}

// versions decodes the document before and after the event. A version is nil where there
// was no document.
func versions[T any](e *Event) (before, after *T, err error) {
	if before, err = eventdoc.Decode[T](e.before); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	if after, err = eventdoc.Decode[T](e.after); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	return before, after, nil
}

// document decodes the document that was created, updated or deleted. A document without the ids that its type requires
// is a poison event.
func document[T any](e *Event) (*T, error) {
	before, after, err := versions[T](e)
	if err != nil {
		return nil, err
	}
	if after == nil {
		after = before
	}
	if doc, ok := any(after).(interface{ Complete(id string) error }); ok {
		if err := doc.Complete(e.DocumentID); err != nil {
			return nil, fmt.Errorf("%w: %w", errPoison, err)
		}
	}
	return after, nil
}
