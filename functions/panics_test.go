package functions_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store"
)

// A mistake in one function ends no other function, wherever the function works: TweetChanged writes in
// the goroutine of its event, LikeChanged in a goroutine of a group. Without the group's care the process
// of the tests ends here.
func TestPanicInGroup(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	s := &server{project: testenv.Project(t)}
	var err error
	s.db, err = store.Open(t.Context(), s.project, "", store.Options{Emulator: testenv.FirestoreHost(t),
		Meter: strict.Meter(t, meter.Options{OnWrite: func(path string, _ bool) {
			if armed.Load() && !strings.HasPrefix(path, "deadLetters/") {
				panic("a programmer's mistake")
			}
		}})})
	testenv.Must(t, err)
	id := newTweet(t, s.db)
	var log strings.Builder
	h := httptest.NewServer(functions.Handler(s.db, slog.New(slog.NewTextHandler(&log, nil))))
	t.Cleanup(h.Close)
	tweet := changed(s.project, functions.Created, "tweets/"+string(id), nil, map[string]*firestoredata.Value{
		"authorId": text("ann")})
	armed.Store(true)
	for _, call := range []struct {
		name string
		e    event
	}{{"TweetChanged", tweet}, {"LikeChanged", s.like(id)}} {
		if got := call.e.post(t, h.URL+"/"+call.name); got != http.StatusInternalServerError {
			t.Errorf("%s answered %d, want %d", call.name, got, http.StatusInternalServerError)
		}
	}
	if n := strings.Count(log.String(), "a programmer's mistake"); n < 2 {
		t.Errorf("the log names the panic %d times, want 2: %s", n, log.String())
	}
	armed.Store(false)
	if got := s.like(id).post(t, h.URL+"/LikeChanged"); got != http.StatusNoContent {
		t.Errorf("afterwards LikeChanged answered %d, want %d", got, http.StatusNoContent)
	}
}
