package api_test

import (
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// scrape returns the lines of the metrics of Hibana.
func scrape(t *testing.T, on *telemetry.Telemetry) (lines []string) {
	t.Helper()
	resp, err := http.Get("http://" + on.Address() + "/metrics")
	testenv.Must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "hibana_") {
			lines = append(lines, line)
		}
	}
	return lines
}

// Metrics tell routes, statuses, bills and refusals. Their attributes are patterns and names of
// the program alone, whatever a caller sends.
func TestMetrics(t *testing.T) {
	t.Parallel()
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "api", Metrics: "127.0.0.1:0",
		Log: slog.New(slog.DiscardHandler)})
	testenv.Must(t, err)
	defer on.Stop(t.Context())
	e := newEnv(t, func(o *api.Options) {
		o.Telemetry = on
		o.Limits.Limiter = limits.New(limits.Options{Limits: []limits.Limit{{Scope: limits.Account, What: "posts", Quota: 1,
			Window: 24 * 3600e9}}})
	})
	ann := testenv.SignUp(t, "")
	e.do(t, http.MethodPost, "/v1/users", ann.IDToken, map[string]any{"username": "secretname", "nickname": "Secret"})
	posted := e.do(t, http.MethodPost, "/v1/tweets", ann.IDToken, map[string]any{"content": "secret words"})
	if posted.status != http.StatusCreated {
		t.Fatalf("a tweet: %d %s", posted.status, posted.body)
	}
	if refused := e.do(t, http.MethodPost, "/v1/tweets", ann.IDToken,
		map[string]any{"content": "secret words"}); refused.status != http.StatusTooManyRequests {
		t.Fatalf("the tweet beyond the limit: %d", refused.status)
	}
	e.do(t, http.MethodGet, "/v1/no/secretname", ann.IDToken, nil)
	e.do(t, http.MethodGet, "/v1/tweets/"+strings.TrimPrefix(posted.header.Get("Location"), "/v1/tweets/"), ann.IDToken,
		nil)
	e.do(t, http.MethodGet, "/v1/no/such/secret", "", nil)
	e.do(t, "SECRET", "/v1/tweets", "", nil)

	lines := scrape(t, on)
	for _, want := range []string{
		`hibana_http_duration_seconds_count{method="POST",route="/v1/tweets",status="201"} 1`,
		`hibana_http_duration_seconds_count{method="POST",route="/v1/tweets",status="429"} 1`,
		`hibana_http_duration_seconds_count{method="GET",route="none",status="404"} 2`,
		"hibana_saturated_total 0", // so that the first one is an increase
		`hibana_write_races_total{outcome="failed"} 0`,
		`hibana_limited_total{limit="posts-day"} 1`,
		`hibana_billed_writes_total{route="/v1/tweets"} `,
		`hibana_cache_hits_total{of="users",outcome="miss"} `,
	} {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("no line %s", want)
		}
	}
	routes := map[string]bool{"none": true}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	for path := range e.about.Paths {
		routes[parameter.ReplaceAllString(path, "*")] = true
	}
	label := regexp.MustCompile(`([a-z_]+)="([^"]*)"`)
	colon := regexp.MustCompile(`:[a-zA-Z]+`)
	allowed := []string{telemetry.Method, telemetry.Route, telemetry.Status, telemetry.Limit, telemetry.Of,
		telemetry.Outcome, telemetry.Code, "le"}
	for _, line := range lines {
		if lower := strings.ToLower(line); strings.Contains(lower, "secret") || strings.Contains(line, ann.UID) ||
			strings.Contains(line, "127.0.0.1") {
			t.Errorf("a metric tells of a caller: %s", line)
		}
		for _, l := range label.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(allowed, l[1]) {
				t.Errorf("attribute %s: %s", l[1], line)
			}
			if l[1] == telemetry.Route && !routes[colon.ReplaceAllString(l[2], "*")] {
				t.Errorf("%s is no route", l[2])
			}
		}
	}
	if t.Failed() {
		t.Log(strings.Join(lines, ""))
	}
}
