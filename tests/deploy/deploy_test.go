package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
)

// check compares one thing that code and deployment share, and adds what differs to the
// problems of the module.
type check func(t *testing.T, m *module)

// checks are all comparisons. TestDeployment demands that they find nothing; TestNotificationEvents, that they
// find what is planted.
var checks = []check{triggers, delivery, environment, secrets, roles, services, probes, timeouts, indexes, backups,
	uploads, apis, jobs, jobEnvironment, alerts, metrics, logs, auth, budgets}

func problems(t *testing.T, texts files) []string {
	m := parse(texts)
	for _, c := range checks {
		c(t, m)
	}
	return m.problems
}

// Code and deployment say the same.
func TestDeployment(t *testing.T) {
	t.Parallel()
	for _, problem := range problems(t, readFiles(t)) {
		t.Error(problem)
	}
}

// triggers: the file that Terraform reads is the table of functions, and a trigger is made of each
// of its lines.
func triggers(t *testing.T, m *module) {
	var listed map[string]struct{ Function, Document, Type string }
	if err := json.Unmarshal([]byte(m.files["triggers.json"]), &listed); err != nil {
		m.add("triggers.json: %v", err)
	}
	var code, terraform []string
	for _, f := range functions.Table {
		for _, on := range f.On {
			code = append(code, fmt.Sprintf("%s on %s of %s", f.Name, on, f.Document))
		}
	}
	for id, l := range listed {
		terraform = append(terraform, fmt.Sprintf("%s on %s of %s", l.Function, l.Type, l.Document))
		if !regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`).MatchString(id) {
			m.add("%q is no name of a trigger", id)
		}
	}
	m.same("triggers (hibana triggers --format=terraform > deploy/terraform/triggers.json)", code, terraform)

	const trigger, file = "google_eventarc_trigger.function", "google_eventarc_trigger.file"
	if all := m.of("google_eventarc_trigger"); len(all) != 2 {
		m.add("triggers are %q, want those of the table alone", all)
	}
	m.want(trigger, "for_each",
		"{ for id, trigger in local.triggers : id => trigger if !contains(keys(local.file_triggers), id) }")
	m.want(trigger, "event_data_content_type", "application/protobuf")
	m.want(file, "for_each", "local.file_triggers")
	m.want(file, "event_data_content_type", "application/json")
	m.want(file, "location", "var.region")
	m.want("google_storage_bucket.uploads", "location", "var.region")
	const files = `file_triggers = { for id, trigger in local.triggers : id => trigger if ` +
		`startswith(trigger.document, "gs://") }`
	if functions.Uploads[:5] != "gs://" || !strings.Contains(m.files["events.tf"], files) {
		m.add("the triggers of files are not those of %s", functions.Uploads)
	}
	filters := map[string]string{}
	for _, c := range m.resource(file).blocks("matching_criteria") {
		filters[c.get("attribute")] = c.get("value") + c.get("operator")
	}
	if want := map[string]string{"type": "each.value.type", "bucket": "google_storage_bucket.uploads.name"}; !maps.Equal(
		filters, want) {
		m.add("a trigger of files filters by %v, want %v", filters, want)
	}
	for _, trigger := range []string{trigger, file} {
		m.want(trigger, "destination cloud_run_service path", `"/${each.value.function}"`)
		m.want(trigger, "destination cloud_run_service service", "google_cloud_run_v2_service.functions.name")
		if m.resource(trigger).block("retry_policy") != nil {
			m.add("a trigger has a retry policy, whose only value is not to try again")
		}
	}
	if b := m.resource(trigger); b != nil {
		filters := map[string]string{}
		for _, c := range b.blocks("matching_criteria") {
			filters[c.get("attribute")] = c.get("value") + c.get("operator")
		}
		if want := map[string]string{"type": "each.value.type", "database": "google_firestore_database.database.name",
			"document": "each.value.documentmatch-path-pattern"}; !maps.Equal(filters, want) {
			m.add("a trigger filters by %v, want %v", filters, want)
		}
	}
	if source := m.locals["triggers"]; source == nil || !strings.Contains(m.files["events.tf"],
		`jsondecode(file("${path.module}/triggers.json"))`) {
		m.add("the triggers are not those of triggers.json")
	}
	const tick = "google_cloud_scheduler_job.tick"
	m.want(tick, "http_target uri", `"${google_cloud_run_v2_service.functions.uri}/`+functions.Tick+`"`)
	m.want(tick, "http_target http_method", "POST")
	if filter := m.resource("google_logging_metric.ticks").
		get("filter"); !strings.Contains(filter, `httpRequest.requestUrl=~\"/`+functions.Tick+`$\" AND httpRequest.status=`+
		strconv.Itoa(http.StatusNoContent)) {
		m.add("the metric hibana_ticks does not count calls of %s that ended well: %s", functions.Tick, filter)
	}
	m.want(tick, "schedule", "* * * * *")
	for _, clock := range []string{tick, "google_cloud_scheduler_job.job"} {
		m.want(clock, "paused", "false")
	}
	m.want(tick, "http_target oidc_token audience", "google_cloud_run_v2_service.functions.uri")
	m.want(tick, "http_target oidc_token service_account_email", `google_service_account.account["triggers"].email`)
}

// delivery: what gcloud sets on the subscriptions is what hibana triggers check and
// deploy/triggers.sh want, and Pub/Sub gives an event up before it would forget it.
func delivery(t *testing.T, m *module) {
	var values = map[string]string{}
	for name, e := range m.object("delivery") {
		values[name] = text(literal(e))
	}
	check := read(t, "cmd/hibana/triggerscheck.go")
	for _, want := range []string{
		fmt.Sprintf("minBackoff, maxBackoff = %q, %q", values["min_retry_delay"], values["max_retry_delay"]),
		fmt.Sprintf("maxAttempts            = %s\n", values["max_delivery_attempts"]),
	} {
		if !strings.Contains(check, want) {
			m.add("delivery says %v, and hibana triggers check wants something else", values)
		}
	}
	const forgotten = 24 * time.Hour
	attempts, _ := strconv.Atoi(values["max_delivery_attempts"])
	wait, _ := time.ParseDuration(values["min_retry_delay"])
	most, _ := time.ParseDuration(values["max_retry_delay"])
	if attempts < 5 || attempts > 100 || wait < 10*time.Second || most > 600*time.Second {
		m.add("Pub/Sub takes 5 to 100 attempts, 10 s to 600 s apart; delivery says %v", values)
	}
	var total time.Duration
	for range attempts {
		total += wait
		wait = min(2*wait, most)
	}
	if total > forgotten || total < forgotten/2 {
		m.add("delivery: an event is given up after %v, want 12 to 24 hours", total)
	}
	if code := constant(t, "cmd/hibana/triggerscheck.go", "ackDeadline"); values["ack_deadline"] != code {
		m.add("delivery: the acknowledgement deadline is %s s; hibana triggers check wants %s s", values["ack_deadline"],
			code)
	}
	m.want("terraform_data.delivery", "for_each", "local.triggers")
	for name, flag := range map[string]string{"ack_deadline": "ack-deadline", "min_retry_delay": "min-retry-delay",
		"max_retry_delay": "max-retry-delay", "max_delivery_attempts": "max-delivery-attempts"} {
		if want := "--" + flag + "=" + values[name]; !regexp.MustCompile(regexp.QuoteMeta(want) + `[\s)]`).
			MatchString(read(t, "deploy/triggers.sh")) {
			m.add("delivery: deploy/triggers.sh has no %s", want)
		}
		if command := m.resource("terraform_data.delivery").get("provisioner command"); !strings.Contains(command, "--"+flag+
			"=${local.delivery."+name+"}") {
			m.add("delivery: the command does not set --%s", flag)
		}
	}
	m.want("google_pubsub_subscription_iam_member.dead", "for_each", "local.triggers")
	m.want("google_pubsub_subscription.dead", "message_retention_duration", "2678400s")
	for _, want := range []string{"DEAD_LETTERS:-" + m.resource("google_pubsub_topic.dead").get("name"),
		"--message-retention-duration=31d"} {
		if !strings.Contains(read(t, "deploy/triggers.sh"), want) {
			m.add("delivery: deploy/triggers.sh has no %s", want)
		}
	}
}

// constant returns the value of a constant that is a number.
func constant(t *testing.T, file, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^\s*(?:const )?` + name + `\s*=\s*(\d+)\b`).FindStringSubmatch(read(t, file))
	if found == nil {
		t.Fatalf("%s has no constant %s", file, name)
	}
	return found[1]
}

// elsewhere are variables that Terraform does not set, with the reason.
var elsewhere = map[string]string{
	"PORT":                        "Cloud Run sets it",
	"K_SERVICE":                   "Cloud Run sets it",
	"FIRESTORE_EMULATOR_HOST":     "refused on Cloud Run",
	"FIREBASE_AUTH_EMULATOR_HOST": "refused on Cloud Run",
	"STORAGE_EMULATOR_HOST":       "refused on Cloud Run",
	"ALLOW_LOOPBACK_LINKS":        "refused on Cloud Run",
	"METRICS_PORT":                "a service sends its metrics by OTLP",
	"WEB_DIR":                     "Firebase Hosting has the web client",
	"WEB_PROJECT":                 "Firebase Hosting has the web client",
}

// The examples set what they must, and only what there is, in a dozen lines.
func TestExamples(t *testing.T) {
	t.Parallel()
	texts := readFiles(t)
	m := parse(texts)
	for _, name := range []string{"staging.tfvars", "production.tfvars"} {
		f, diags := hclsyntax.ParseConfig([]byte(texts[name]), name, hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		given := f.Body.(*hclsyntax.Body).Attributes
		if len(given) > 14 {
			t.Errorf("%s has %d lines, want about a dozen", name, len(given))
		}
		for variable := range given {
			if m.variables[variable] == nil {
				t.Errorf("%s sets %s, which is no variable", name, variable)
			}
		}
		for variable, b := range m.variables {
			if b.Body.Attributes["default"] == nil && given[variable] == nil {
				t.Errorf("%s does not set %s, which has no default", name, variable)
			}
			if b.Body.Attributes["description"] == nil {
				t.Errorf("the variable %s has no description", variable)
			}
		}
	}
}

// Who gets a role is a member also where OpenTofu makes it up: it invents what the cloud sets while it plans, and the
// provider refuses what is no member.
func TestMocks(t *testing.T) {
	t.Parallel()
	m, mocks := parse(readFiles(t)), read(t, "deploy/terraform/tests/plan.tftest.hcl")
	members := 0
	for name, b := range m.resources {
		if !strings.Contains(name, "_iam_member.") {
			continue
		}
		kind, _, _ := strings.Cut(b.get("member"), ".")
		if strings.Contains(kind, "_iam_member") || kind == "each" { // the member of another, and one of a variable
			continue
		}
		members++
		mocked := "resource"
		if kind == "data" {
			mocked, kind = "data", strings.Split(b.get("member"), ".")[1]
		}
		if !regexp.MustCompile(`mock_` + mocked + ` "` + kind + `" \{\s+defaults = \{[^}]*\bmember += "serviceAccount:`).
			MatchString(mocks) {
			t.Errorf("%s has the member of %s, and plan.tftest.hcl has no mock of that", name, kind)
		}
	}
	if members == 0 {
		t.Error("nobody gets a role")
	}
}

// The files are formatted, and no variable or local is there for nothing.
func TestTidy(t *testing.T) {
	t.Parallel()
	texts := readFiles(t)
	m, all := parse(texts), ""
	for name, text := range texts {
		if filepath.Ext(name) == ".tf" {
			all += text
		}
	}
	for name := range m.variables {
		if !strings.Contains(all, "var."+name) {
			t.Errorf("nothing reads the variable %s", name)
		}
	}
	for name := range m.locals {
		if !regexp.MustCompile(`\blocal\.` + name + `\b`).MatchString(all) {
			t.Errorf("nothing reads the local %s", name)
		}
	}
	for _, program := range []string{"tofu", "terraform"} {
		path, err := exec.LookPath(program)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(t.Context(), path, "fmt", "-check", "-recursive",
			filepath.Join(testenv.Root(), "deploy", "terraform")).Output()
		if err != nil {
			t.Errorf("%s fmt -check: %v\n%s", program, err, out)
		}
		return
	}
	t.Log("neither tofu nor terraform is here, so nobody looks whether the files are formatted")
}
