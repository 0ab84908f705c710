package load_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/lab/load"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// serve starts the whole of Hibana, with limits of callers if there are any.
func serve(t *testing.T, held ...limits.Limit) load.Options {
	t.Helper()
	s := stacktest.Run(t, stack.Options{Store: store.Options{WriteEvery: 10 * time.Millisecond}})
	auth := testenv.AuthHost(t)
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	o := api.Options{
		Stores: wiring.API(s.Store), Accounts: accounts.New(emulators.DefaultProject),
		Options: server.Options{
			Verifier: verifier, Log: slog.New(slog.DiscardHandler),
			PageTokenKey: []byte("a key of thirty-two bytes or more"),
		},
	}
	if len(held) > 0 {
		o.Limits.Limiter = limits.New(limits.Options{Limits: held})
	}
	served := httptest.NewServer(api.New(o))
	t.Cleanup(served.Close)
	metrics := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "hibana_events_total{function=\"all\"} %d\n", s.Runner.Stats().Delivered)
	}))
	t.Cleanup(metrics.Close)
	return load.Options{
		API: served.URL, Auth: "http://" + auth, Firestore: "http://" + testenv.FirestoreHost(t), Project: s.Project,
		Metrics: metrics.URL, Users: 6, Seed: uint64(time.Now().UnixNano()),
		ProbeEach: time.Millisecond,
	}
}

// Every request that was sent is answered or failed, in the sums, the kinds and the seconds; the
// probes see what follows; the page is well-formed. How long things take is not asserted.
func TestRun(t *testing.T) {
	testenv.Slow(t, "a system under load")
	t.Parallel()
	o := serve(t)
	o.Stages = []load.Stage{
		{Name: "users", Rates: load.Rates{load.Introduce: 6, load.Profile: 6}, For: 2 * time.Second},
		{Name: "tweets & <likes>", Rates: load.Rates{load.Post: 3, load.Home: 4, load.Tweet: 2, load.Author: 2, load.Like: 2,
			load.Unlike: 1}, For: 15 * time.Second},
		{Name: "follows", Rates: load.Rates{load.Followers: 3, load.Following: 3, load.Liked: 3, load.Likers: 3,
			load.Relation: 2,
			load.Follow:   2, load.Unfollow: 1}, For: 3 * time.Second},
	}
	// On a slow machine a request may be answered 503, and a probe may take longer than the stage.
	// Then a longer one follows.
	result, err := load.Run(t.Context(), o)
	for try := 1; try < 4 && (err != nil || !complete(result)); try++ {
		t.Logf("once more: %v", err)
		o.Seed++
		o.Stages[1].For *= 2
		result, err = load.Run(t.Context(), o)
	}
	testenv.Must(t, err)
	if result.Reconciled < 3*time.Second || result.Reconciled > load.MaxReconcile { // for three seconds no event came
		t.Errorf("the functions took %v for what was made", result.Reconciled)
	}
	if len(result.Stages) != 3 {
		t.Fatalf("%d stages were played, want 3", len(result.Stages))
	}
	for _, m := range result.Stages {
		ofKinds, ofSeconds, reads := 0, 0, int64(0)
		for _, f := range m.Kinds {
			ofKinds += len(f.Latencies) + f.Failed
			reads += f.Cost.Reads
		}
		for _, f := range m.Seconds {
			ofSeconds += len(f.Latencies) + f.Failed
		}
		if m.Sent == 0 || m.Sent != m.Answered+m.Failed || m.Sent != ofKinds || m.Sent != ofSeconds ||
			m.Sent != len(m.All.Latencies)+m.All.Failed {
			t.Errorf("%s: sent %d, answered %d, failed %d, of kinds %d, of seconds %d", m.Stage.Name, m.Sent, m.Answered,
				m.Failed, ofKinds, ofSeconds)
		}
		if m.Failed > 0 {
			t.Errorf("%s: failed with %v", m.Stage.Name, m.Statuses)
		}
		if reads != m.All.Cost.Reads || m.All.Cost.Writes == 0 {
			t.Errorf("%s: kinds were billed %d reads, all %+v", m.Stage.Name, reads, m.All.Cost)
		}
	}
	seen := probed(result)
	for probe := range load.Within {
		if seen[probe] == 0 {
			t.Errorf("no %s was seen; there are %v", probe, seen)
		}
	}
	if checks := result.Checks(); len(checks) != 6 {
		t.Errorf("%d checks, want 6", len(checks))
	}
	var page strings.Builder
	testenv.Must(t, result.Plot(&page))
	if !strings.Contains(page.String(), "tweets &amp; &lt;likes&gt;") || strings.Contains(page.String(), "<likes>") {
		t.Error("the page has the name of a stage as HTML")
	}
	_, svg, _ := strings.Cut(page.String(), "<svg")
	for d := xml.NewDecoder(strings.NewReader("<svg" + svg[:strings.Index(svg, "</svg>")+6])); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the plot is no SVG: %v", err)
		}
	}
}

// probed counts the probes of each kind that ended.
func probed(result *load.Result) map[load.Probe]int {
	seen := map[load.Probe]int{}
	for _, s := range result.Probes {
		seen[s.Probe]++
	}
	return seen
}

// complete reports whether every request was answered and every kind of probe ended.
func complete(result *load.Result) bool {
	for _, m := range result.Stages {
		if m.Failed > 0 {
			return false
		}
	}
	return len(probed(result)) == len(load.Within)
}

// A load that limits of callers would turn away says what to do, before it measures anything.
func TestLimits(t *testing.T) {
	t.Parallel()
	o := serve(t, limits.Limit{Scope: limits.Account, What: "follows", Quota: 1, Window: 24 * time.Hour})
	o.Stages = load.Stages(time.Second, 0)
	if _, err := load.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--no-limits") {
		t.Errorf("Run() = %v, want a hint", err)
	}
}

// A run has bounds, and says which one it passes.
func TestBounds(t *testing.T) {
	t.Parallel()
	good := load.Stages(time.Second, 1)
	tests := map[string]load.Options{
		"at least 4":   {Users: 3, Stages: good},
		"at most 2000": {Users: load.MaxUsers + 1, Stages: good},
		"at most 30m":  {Users: 4, Stages: load.Stages(load.MaxDuration, 0)},
		"a second for": {Users: 4, Stages: []load.Stage{{Rates: load.Rates{load.Home: load.MaxRate + 1}, For: time.Second}}},
	}
	for want, o := range tests {
		if _, err := load.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run() = %v, want an error with %q", err, want)
		}
	}
}
