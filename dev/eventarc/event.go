package eventarc

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
)

const (
	database   = "(default)"
	location   = "us-central1" // the emulator's; in the cloud it is the database's region
	dataSchema = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/" +
		"data.proto"
)

// event is one change as one trigger sees it.
type event struct {
	trigger  *Trigger
	id       string
	time     string      // RFC 3339
	document string      // path relative to the database; for a file its name
	body     []byte      // firestoredata.DocumentEventData; for a file StorageObjectData as JSON
	header   http.Header // of the event of a file, as it came; nil for a document
	arrived  time.Time
}

// newEvent returns the event that a trigger gets for a change. body is the change's marshaled form.
func newEvent(t *Trigger, at string, change *firestoredata.DocumentEventData, body []byte) *event {
	return &event{trigger: t, id: changeID(change), time: at, document: documentPath(change), body: body,
		arrived: time.Now()}
}

// name is the full name of the document that changed.
func name(change *firestoredata.DocumentEventData) string {
	return cmp.Or(change.GetValue().GetName(), change.GetOldValue().GetName())
}

// documentPath is the path of the document that changed, relative to the database.
func documentPath(change *firestoredata.DocumentEventData) string {
	_, path, _ := strings.Cut(name(change), "/documents/")
	return path
}

// changeID identifies a change by the document and its two update times. Every function gets the same id, as in the
// cloud, regardless of the source of the change. A document that is deleted and created again has another id.
func changeID(change *firestoredata.DocumentEventData) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", name(change),
		change.GetValue().GetUpdateTime().AsTime().UnixNano(),
		change.GetOldValue().GetUpdateTime().AsTime().UnixNano()))
	return fmt.Sprintf("%x", sum[:16])
}

// kindOf returns the kind of the change: created, updated or deleted. It returns "" for a write that did not change the
// document. Firestore then keeps the update time and creates no event, and the emulator creates one.
func kindOf(change *firestoredata.DocumentEventData) string {
	switch {
	case change.OldValue == nil:
		return "created"
	case change.Value == nil:
		return "deleted"
	case proto.Equal(change.Value, change.OldValue):
		return ""
	default:
		return "updated"
	}
}

// request puts the event into the form in which Eventarc delivers it. Header values hold
// the bytes of the path as they are. The binding for HTTP wants them percent-encoded, but
// neither does the cloud encode nor does the Go SDK decode.
func (e *event) request(ctx context.Context, project, functionsURL string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, functionsURL+"/"+e.trigger.Name, bytes.NewReader(e.body))
	if err != nil {
		return nil, err
	}
	if e.header != nil {
		req.Header = e.header.Clone()
		return req, nil
	}
	for name, value := range map[string]string{
		"Content-Type":   "application/protobuf",
		"ce-specversion": "1.0",
		"ce-id":          e.id,
		"ce-type":        e.trigger.EventType,
		"ce-source":      "//firestore.googleapis.com/projects/" + project + "/databases/" + database,
		"ce-subject":     "documents/" + e.document,
		"ce-time":        e.time,
		"ce-dataschema":  dataSchema,
		"ce-location":    location,
		"ce-project":     project,
		"ce-database":    database,
		"ce-namespace":   "(default)",
		"ce-document":    e.document,
	} {
		req.Header.Set(name, value)
	}
	return req, nil
}
