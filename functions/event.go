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

// updated is when the document that came or changed was written.
func (c *Change) updated() time.Time { return c.after.GetUpdateTime().AsTime() }

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

// document decodes the document that came, changed, or went. One without the ids that
// every document of its kind has is poison.
func document[T any](c *Change) (*T, error) {
	before, after, err := versions[T](c)
	if err != nil {
		return nil, err
	}
	if after == nil {
		after = before
	}
	if err := complete(c.ID, after); err != nil {
		return nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	return after, nil
}

// complete checks the ids in a document, and its own where that means something.
func complete(id string, doc any) error {
	var tweets []model.TweetID
	var others []string
	switch d := doc.(type) {
	case *model.Relationship:
		others = []string{string(d.FollowerID), string(d.FollowedID)}
	case *model.Like:
		others, tweets = []string{string(d.UserID), string(d.AuthorID)}, []model.TweetID{d.TweetID}
	case *model.Tweet:
		others, tweets = []string{string(d.AuthorID)}, []model.TweetID{model.TweetID(id)}
		if d.ReplyTo != nil {
			others, tweets = append(others, string(d.ReplyToAuthorID)), append(tweets, *d.ReplyTo)
		}
	case *store.FanOutWork:
		others, tweets = []string{string(d.AuthorID)}, []model.TweetID{d.TweetID}
	case *store.RollUpWork:
		others = []string{d.Collection, d.ID}
	case *store.SpillWork:
		others = []string{d.Collection, d.Bucket}
	case *store.DrainWork:
		others = []string{d.Partition}
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
