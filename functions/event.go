package functions

import (
	"errors"
	"fmt"
	"strings"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/store"
)

// Change is what an event says of one document.
type Change struct {
	EventID  string
	Type     EventType
	ID       string // the document's id, the last segment of its path
	function string

	before, after *firestoredata.Document // nil where the document was not there
}

// errPoison marks an event that fails the same way every time. It is acknowledged,
// or it would come back for a day.
var errPoison = errors.New("poison event")

// parse reads an event for one of the functions. What it cannot read is poison.
func parse(function string, e *cloudevents.Event) (*Change, error) {
	var data firestoredata.DocumentEventData
	if err := proto.Unmarshal(e.Data(), &data); err != nil {
		return nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	document, ok := strings.CutPrefix(e.Subject(), "documents/")
	if !ok || data.Value == nil && data.OldValue == nil {
		return nil, fmt.Errorf("%w: subject %q, and neither value", errPoison, e.Subject())
	}
	return &Change{
		EventID: e.ID(), Type: EventType(e.Type()), ID: document[strings.LastIndexByte(document, '/')+1:], function: function,
		before: data.OldValue, after: data.Value,
	}, nil
}

// effect names what this function does because of this event.
func (c *Change) effect() store.Effect {
	return store.Effect{EventID: c.EventID, Function: c.function}
}

// sign is by how much a count moves: one up for a document that came, down for
// one that went.
func (c *Change) sign() int64 {
	if c.Type == Deleted {
		return -1
	}
	return 1
}

// versions decodes the document before and after; nil where it was not there.
func versions[T any](c *Change) (before, after *T, err error) {
	if before, err = decodeDocument[T](c.before); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	if after, err = decodeDocument[T](c.after); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	return before, after, nil
}

// document decodes the document that came, changed, or went.
func document[T any](c *Change) (*T, error) {
	before, after, err := versions[T](c)
	if err == nil && after == nil {
		after = before
	}
	return after, err
}
