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
	location   = "us-central1" // what the emulator says; in the cloud, the database's region
	dataSchema = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"
)

// An event is one change as one trigger sees it.
type event struct {
	trigger  *Trigger
	id       string
	time     string // RFC 3339
	document string // path relative to the database
	body     []byte // firestoredata.DocumentEventData
	arrived  time.Time
}

// newEvent makes the event that the trigger sees of a change. The body is the
// change's marshalled form.
func newEvent(t *Trigger, at string, change *firestoredata.DocumentEventData, body []byte) *event {
	return &event{trigger: t, id: changeID(change), time: at, document: documentPath(change), body: body, arrived: time.Now()}
}

// name is the full name of the document that changed.
func name(change *firestoredata.DocumentEventData) string {
	return cmp.Or(change.GetValue().GetName(), change.GetOldValue().GetName())
}

// documentPath is the path relative to the database.
func documentPath(change *firestoredata.DocumentEventData) string {
	_, path, _ := strings.Cut(name(change), "/documents/")
	return path
}

// changeID identifies a change by the document and its two update times, so
// that every function sees the same id, as in the cloud, however the change
// came here. It differs for a document that is deleted and created again.
func changeID(change *firestoredata.DocumentEventData) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", name(change),
		change.GetValue().GetUpdateTime().AsTime().UnixNano(),
		change.GetOldValue().GetUpdateTime().AsTime().UnixNano()))
	return fmt.Sprintf("%x", sum[:16])
}

// kindOf says what happened to the document: created, updated, deleted, or ""
// when the write left it as it was. Firestore keeps the update time then, and
// makes no event; the emulator makes one.
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

// request puts the event into the form in which Eventarc delivers it. Header
// values hold the bytes of the path as they are: the binding for HTTP wants
// them percent-encoded, but neither the cloud encodes nor the Go SDK decodes.
func (e *event) request(ctx context.Context, project, functionsURL string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, functionsURL+"/"+e.trigger.Name, bytes.NewReader(e.body))
	if err != nil {
		return nil, err
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
