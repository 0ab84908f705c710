package functions

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/store"
)

// A function that works for too long is cut off, and its event is to come again.
func TestTimeout(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), testenv.Project(t), "", store.Options{Emulator: testenv.FirestoreHost(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var log bytes.Buffer
	var given time.Duration // until the deadline of Brief
	s := &Service{Store: db, Log: slog.New(slog.NewTextHandler(&log, nil)), table: []Function{
		{"Endless", "things/{id}", []EventType{Created}, func(_ *handlers, ctx context.Context, _ *Event) error {
			<-ctx.Done()
			return ctx.Err()
		}},
		{"Brief", "things/{id}", []EventType{Created}, func(_ *handlers, ctx context.Context, _ *Event) error {
			deadline, _ := ctx.Deadline()
			given = time.Until(deadline)
			return nil
		}},
	}}
	post := func(function string) int {
		t.Helper()
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		resp, err := http.DefaultClient.Do(thing(ctx, t, server.URL+"/"+function, db.Name()))
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%s still runs", function)
		}
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if got := post("Brief"); got != http.StatusNoContent || given < Timeout-2*time.Second || given > Timeout {
		t.Errorf("a function that is at once ready was answered %d and had %v, want %d and %v", got, given,
			http.StatusNoContent, Timeout)
	}
	s.Timeout = 100 * time.Millisecond
	if got := post("Endless"); got != http.StatusInternalServerError || !strings.Contains(log.String(), "event failed") {
		t.Errorf("a function that never ends was answered %d, want %d; log:\n%s", got, http.StatusInternalServerError, &log)
	}
}

// thing is the event of a new thing.
func thing(ctx context.Context, t *testing.T, url, database string) *http.Request {
	t.Helper()
	body, err := proto.Marshal(&firestoredata.DocumentEventData{Value: &firestoredata.Document{Name: database +
		"/documents/things/a"}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/protobuf", "ce-specversion": "1.0", "ce-id": "1", "ce-type": string(Created),
		"ce-source": "//firestore.googleapis.com/" + database, "ce-subject": "documents/things/a",
	} {
		req.Header.Set(name, value)
	}
	return req
}
