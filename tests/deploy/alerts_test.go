package deploy

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// alerts: each alert has its section of the runbook, with everything that somebody who is woken
// needs, and each section its alert.
func alerts(t *testing.T, m *module) {
	names := m.alerts()
	sections := map[string]string{}
	_, text, _ := strings.Cut(read(t, "docs/operate/runbook.md"), "\n## Alerts\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for _, section := range strings.Split(text, "\n### ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		sections[strings.ReplaceAll(strings.ToLower(title), " ", "-")] = body
	}
	m.same("alerts (code is docs/operate/runbook.md)", slices.Collect(maps.Keys(sections)), names)
	for name, body := range sections {
		for _, part := range []string{"**Means.** ", "**Look.** ", "**Do.** ", "**It helped** when "} {
			if !strings.Contains(body, part) {
				m.add("docs/operate/runbook.md: %s has no %q", name, part)
			}
		}
	}
	for _, policy := range m.of("google_monitoring_alert_policy") {
		m.want(policy, "documentation links url", `"${var.runbook}#${each.key}"`)
		m.want(policy, "notification_channels", "[for channel in google_monitoring_notification_channel.email : channel.id]")
	}
	if len(sections) == 0 {
		m.add("docs/operate/runbook.md has no section of an alert")
	}
}

// alerts returns the names of all alerts.
func (m *module) alerts() (names []string) {
	classes := slices.Collect(maps.Keys(m.object("classes")))
	call, ok := m.locals["alerts"].(*hclsyntax.FunctionCallExpr)
	if !ok {
		m.add("the local alerts merges nothing")
		return nil
	}
	for _, arg := range call.Args {
		switch e := arg.(type) {
		case *hclsyntax.ObjectConsExpr:
			names = append(names, slices.Collect(maps.Keys(attributes(e)))...)
		case *hclsyntax.ForExpr: // for each class of requests
			for _, class := range classes {
				names = append(names, "slow-"+class)
			}
		}
	}
	return append(names, slices.Collect(maps.Keys(m.object("burns")))...)
}

// own finds a metric of ours in a query, as the condition of alerts.tf does.
var own = regexp.MustCompile(`\bhibana_`)

// queries returns every query of PromQL in alerts and charts.
func (m *module) queries(t *testing.T) (all []string) {
	for _, q := range regexp.MustCompile(`query\s+=\s+"((?:[^"\\]|\\.)*)"`).
		FindAllStringSubmatch(m.files["alerts.tf"], -1) {
		query := strings.NewReplacer(`\"`, `"`, "${google_logging_metric.drift.name}",
			m.resource("google_logging_metric.drift").get("name"),
			"${google_logging_metric.ticks.name}", m.resource("google_logging_metric.ticks").get("name")).Replace(q[1])
		// Our own metrics are not there without telemetry.
		if strings.Contains(query, "vector(0)) < ") && own.MatchString(query) {
			m.add("alerts: %s rings where there are no metrics of ours", query)
		}
		if strings.Contains(query, "${class.matcher}") {
			for _, matcher := range regexp.MustCompile(`matcher = "((?:[^"\\]|\\.)*)"`).
				FindAllStringSubmatch(m.files["alerts.tf"], -1) {
				all = append(all, strings.ReplaceAll(query, "${class.matcher}", strings.ReplaceAll(matcher[1], `\"`, `"`)))
			}
			continue
		}
		all = append(all, query)
	}
	type chart struct {
		Title, Unit string
		Queries     map[string]string
	}
	var charts []chart
	if err := json.Unmarshal([]byte(m.files["dashboards/hibana.json"]), &charts); err != nil {
		m.add("dashboards/hibana.json: %v", err)
	}
	runbook := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`").ReplaceAllString(read(t, "docs/operate/runbook.md"), "")
	for _, c := range charts {
		all = append(all, slices.Collect(maps.Values(c.Queries))...)
		if c.Title == "" || c.Unit == "" || len(c.Queries) == 0 {
			m.add("the chart %q has no title, unit or query", c.Title)
		}
	}
	for _, quoted := range regexp.MustCompile(`"([A-Z][^"\n]+)"`).FindAllStringSubmatch(runbook, -1) {
		named := func(c chart) bool { return strings.HasPrefix(c.Title, quoted[1]) }
		if quoted[1] != "Hibana" && !slices.ContainsFunc(charts, named) {
			m.add("docs/operate/runbook.md names the chart %q, which the dashboard has not", quoted[1])
		}
	}
	return all
}

// cloud are the metrics of Google Cloud in queries, with their labels that are used.
var cloud = map[string][]string{
	"firestore_googleapis_com:api_request_count":                    {"monitored_resource", "response_code"},
	"firestore_googleapis_com:document_read_count":                  {"monitored_resource", "type"},
	"firestore_googleapis_com:document_write_count":                 {"monitored_resource"},
	"firestore_googleapis_com:document_delete_count":                {"monitored_resource"},
	"firestore_googleapis_com:document_ttl_deletion_count":          {"monitored_resource"},
	"logging_googleapis_com:user_hibana_drift":                      {"monitored_resource"},
	"logging_googleapis_com:user_hibana_ticks":                      {"monitored_resource"},
	"run_googleapis_com:request_count":                              {"service_name", "response_code_class"},
	"run_googleapis_com:container_instance_count":                   {"service_name", "state"},
	"run_googleapis_com:job_completed_execution_count":              {"job_name", "result"},
	"pubsub_googleapis_com:subscription_oldest_unacked_message_age": {"subscription_id"},
	"pubsub_googleapis_com:subscription_num_undelivered_messages":   {"subscription_id"},
}

// metrics: queries name metrics that there are, by labels that these have. Each metric of ours that is sent is in a
// query, with each of its labels.
func metrics(t *testing.T, m *module) {
	known, used, sent := map[string][]string{}, map[string]bool{}, map[string]string{}
	maps.Copy(known, cloud)
	for _, metric := range telemetry.Metrics {
		labels, ok := telemetry.Monitored[metric.Name]
		if !ok {
			continue
		}
		name := metric.Prometheus()
		for _, label := range append([]string{""}, labels...) {
			sent[name+" "+label] = metric.Name
		}
		if metric.Kind == telemetry.Counter {
			known[name] = labels
			continue
		}
		known[name+"_bucket"] = append([]string{"le"}, labels...)
		known[name+"_count"] = labels
	}
	if !strings.Contains(m.files["alerts.tf"], `!can(regex("\\bhibana_", alert.query))`) {
		m.add("metrics: without telemetry there are alerts of our own metrics")
	}
	selector := regexp.MustCompile(`\b((?:\w+_googleapis_com:|hibana_)\w+)(?:\{([^}]*)\})?`)
	for _, query := range m.queries(t) {
		var names, labels []string
		for _, found := range selector.FindAllStringSubmatch(query, -1) {
			names = append(names, found[1])
			used[found[1]] = true
			if known[found[1]] == nil && !slices.Contains(slices.Collect(maps.Keys(known)), found[1]) {
				m.add("metrics: nobody measures %s", found[1])
			}
			for _, label := range regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`).
				FindAllStringSubmatch(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(found[2], ""), -1) {
				if !slices.Contains(known[found[1]], label[1]) {
					m.add("metrics: %s has no label %s", found[1], label[1])
				}
				labels = append(labels, label[1])
			}
		}
		for _, by := range regexp.MustCompile(`by \(([^)]*)\)`).FindAllStringSubmatch(query, -1) {
			for label := range strings.SplitSeq(by[1], ", ") {
				if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(known[name], label) }) {
					m.add("metrics: %q has no label %s", names, label)
				}
				labels = append(labels, label)
			}
		}
		for _, name := range names {
			for _, end := range []string{"_bucket", "_count"} {
				name = strings.TrimSuffix(name, end)
			}
			for _, label := range append(labels, "") {
				delete(sent, name+" "+label)
			}
		}
		if strings.Count(query, "(") != strings.Count(query, ")") || strings.Count(query, "{") != strings.Count(query, "}") ||
			len(names) == 0 {
			m.add("metrics: %s is no query", query)
		}
	}
	for name := range known {
		if !used[name] && !own.MatchString(name) {
			m.add("metrics: no chart and no alert has %s", name)
		}
	}
	for series, metric := range sent {
		m.add("metrics: no chart and no alert has %s, and %s is sent with it", series, metric)
	}
}

// Each metric of ours is recorded before the eyes of a test: one that reads the text of Prometheus, and
// expects the metric there. A metric that nothing records any more would raise no alert.
func TestMetricsAreSeen(t *testing.T) {
	t.Parallel()
	expected := map[string]bool{}
	for _, place := range []string{"api", "functions", "cmd/jobs"} {
		paths, err := filepath.Glob(filepath.Join(testenv.Root(), place, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range regexp.MustCompile(`hibana_[a-z_]+`).FindAllString(string(source), -1) {
				for _, end := range []string{"_count", "_sum", "_bucket"} {
					name = strings.TrimSuffix(name, end)
				}
				expected[name] = true
			}
		}
	}
	for _, metric := range telemetry.Metrics {
		if !expected[metric.Prometheus()] {
			t.Errorf("no test of api, functions or cmd/jobs expects %s", metric.Prometheus())
		}
	}
}
