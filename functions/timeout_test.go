package functions_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A function that works for too long is stopped, and its event is to be delivered again. The service that deletes
// sign-in accounts does not answer here.
func TestTimeout(t *testing.T) {
	t.Parallel()
	project := testenv.Project(t)
	var left time.Duration // until the deadline, when a service deletes an account; 0 before
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		StepTime: time.Minute, DeleteAccount: func(ctx context.Context, uid model.UserID) error {
			deadline, _ := ctx.Deadline()
			if left = time.Until(deadline); uid == "ann" {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	var log bytes.Buffer
	post := func(uid string, timeout time.Duration) int {
		t.Helper()
		ref := testenv.Client(t, project).Doc(model.AccountDeletions + "/" + uid)
		_, err := ref.Set(t.Context(), model.DeletionWork{UserID: model.UserID(uid)})
		testenv.Must(t, err)
		doc, err := ref.Get(t.Context())
		testenv.Must(t, err)
		body, err := proto.Marshal(&firestoredata.DocumentEventData{Value: &firestoredata.Document{Name: ref.Path,
			UpdateTime: timestamppb.New(doc.UpdateTime), Fields: map[string]*firestoredata.Value{"userId": text(uid)}}})
		testenv.Must(t, err)
		s := &functions.Service{Store: db, Log: slog.New(slog.NewTextHandler(&log, nil)), Timeout: timeout}
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		e := event{id: "of-" + uid, kind: functions.Written, project: project, document: model.AccountDeletions + "/" + uid,
			body: body}
		return e.post(t, server.URL+"/DeleteAccount")
	}
	if got := post("ann", 0); got != http.StatusNoContent || left <= 0 || left > functions.Timeout {
		t.Errorf("a function that is done at once was answered %d and had %v left, want %d and at most %v; log:\n%s", got,
			left, http.StatusNoContent, functions.Timeout, &log)
	}
	left = 0
	const timeout = 4 * time.Second // enough for the steps before, on a busy machine
	if got := post("bob", timeout); got != http.StatusInternalServerError || left <= 0 || left > timeout ||
		!strings.Contains(log.String(), "event failed") {
		t.Errorf("a function that never ends was answered %d and had %v left, want %d and at most %v; log:\n%s", got, left,
			http.StatusInternalServerError, timeout, &log)
	}
}
