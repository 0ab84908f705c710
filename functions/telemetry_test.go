package functions_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// Metrics tell of each delivery how it ended and what it was billed, and the log line has the
// trace of the event, from its extension or from the header.
func TestMetrics(t *testing.T) {
	t.Parallel()
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "functions", Metrics: "127.0.0.1:0",
		Log: slog.New(slog.DiscardHandler)})
	testenv.Must(t, err)
	defer on.Stop(t.Context())
	s := newServer(t)
	h := httptest.NewServer((&functions.Service{Store: s.db, Log: gcplog.New(s, slog.LevelInfo), Telemetry: on}).Handler())
	defer h.Close()

	const one, other = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	tweet := changed(s.project, functions.Created, "tweets/0000000000000000aa", nil, map[string]*firestoredata.Value{
		"authorId": text("ann"), "visibility": text("public")})
	tweet.at = time.Now().Add(-time.Hour)
	tweet.headers = map[string]string{"ce-traceparent": "00-" + one + "-0123456789abcdef-01", "traceparent": "00-" +
		other + "-0123456789abcdef-01"}
	if status := tweet.post(t, h.URL+"/TweetChanged"); status != http.StatusNoContent {
		t.Fatalf("TweetChanged answered %d", status)
	}
	dead := changed(s.project, functions.Created, "likes/x", nil, nil)
	dead.headers = map[string]string{"traceparent": "00-" + other + "-0123456789abcdef-01"}
	if status := dead.post(t, h.URL+"/LikeChanged"); status != http.StatusNoContent {
		t.Fatalf("LikeChanged answered %d", status)
	}

	tick, err := http.Post(h.URL+"/"+functions.Tick, "", nil)
	testenv.Must(t, err)
	tick.Body.Close()

	s.mu.Lock()
	var traces []string
	for line := range strings.Lines(s.log.String()) {
		var entry struct {
			Trace string `json:"logging.googleapis.com/trace"`
		}
		testenv.Must(t, json.Unmarshal([]byte(line), &entry))
		traces = append(traces, entry.Trace)
	}
	s.mu.Unlock()
	prefix := "projects/" + s.project + "/traces/"
	if len(traces) != 2 || traces[0] != prefix+one || traces[1] != prefix+other {
		t.Errorf("the lines have the traces %q", traces)
	}

	resp, err := http.Get("http://" + on.Address() + "/metrics")
	testenv.Must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	for _, want := range []string{
		`hibana_events_total{function="TweetChanged",outcome="handled"} 1`,
		`hibana_events_total{function="LikeChanged",outcome="dead"} 1`,
		`hibana_events_total{function="Tick",outcome="handled"} 1`,
		`hibana_deadletters_total{function="LikeChanged"} 1`,
		`hibana_deadletters_total{function="TweetChanged"} 0`, // so that the first one is an increase
		`hibana_events_total{function="TweetChanged",outcome="refused"} 0`,
		`hibana_event_age_seconds_bucket{function="TweetChanged",le="1800"} 0`,
		`hibana_event_age_seconds_bucket{function="TweetChanged",le="7200"} 1`,
		`hibana_billed_writes_total{function="TweetChanged"} `,
	} {
		if !strings.Contains(string(body), want) {
			t.Errorf("no line %s", want)
		}
	}
	if strings.Contains(string(body), "0000000000000000aa") || strings.Contains(string(body), "ann") {
		t.Error("a metric tells of a user")
	}
	if t.Failed() {
		t.Logf("%s", body)
	}
}
