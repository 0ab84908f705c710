package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
)

// check compares one thing that code and deployment share, and adds what differs to the
// problems of the module.
type check func(t *testing.T, m *module)

// checks are all comparisons. TestDeployment demands that they find nothing; TestNotices, that they
// find what is planted.
var checks = []check{triggers, delivery, environment, secrets, roles, services, probes, timeouts, indexes, backups, apis, jobs, alerts, metrics}

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

	const trigger = "google_eventarc_trigger.function"
	if all := m.of("google_eventarc_trigger"); len(all) != 1 {
		m.add("triggers are %q, want those of the table alone", all)
	}
	m.want(trigger, "for_each", "local.triggers")
	m.want(trigger, "event_data_content_type", "application/protobuf")
	m.want(trigger, "destination cloud_run_service path", `"/${each.value.function}"`)
	m.want(trigger, "destination cloud_run_service service", "google_cloud_run_v2_service.functions.name")
	if b := m.resource(trigger); b.block("retry_policy") != nil {
		m.add("a trigger has a retry policy, whose only value is not to try again")
	} else {
		filters := map[string]string{}
		for _, c := range b.blocks("matching_criteria") {
			filters[c.get("attribute")] = c.get("value") + c.get("operator")
		}
		if want := map[string]string{"type": "each.value.type", "database": "google_firestore_database.database.name", "document": "each.value.documentmatch-path-pattern"}; !maps.Equal(filters, want) {
			m.add("a trigger filters by %v, want %v", filters, want)
		}
	}
	if source := m.locals["triggers"]; source == nil || !strings.Contains(m.files["events.tf"], `jsondecode(file("${path.module}/triggers.json"))`) {
		m.add("the triggers are not those of triggers.json")
	}
	const tick = "google_cloud_scheduler_job.tick"
	m.want(tick, "http_target uri", `"${google_cloud_run_v2_service.functions.uri}/`+functions.Tick+`"`)
	m.want(tick, "http_target http_method", "POST")
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
		m.add("delivery: the acknowledgement deadline is %s s; hibana triggers check wants %s s", values["ack_deadline"], code)
	}
	if !strings.Contains(read(t, "deploy/triggers.sh"), "--ack-deadline="+values["ack_deadline"]) {
		m.add("delivery: deploy/triggers.sh has another acknowledgement deadline than %s s", values["ack_deadline"])
	}
	m.want("terraform_data.delivery", "for_each", "local.triggers")
	for name, flag := range map[string]string{"ack_deadline": "ack-deadline", "min_retry_delay": "min-retry-delay", "max_retry_delay": "max-retry-delay", "max_delivery_attempts": "max-delivery-attempts"} {
		if command := m.resource("terraform_data.delivery").get("provisioner command"); !strings.Contains(command, "--"+flag+"=${local.delivery."+name+"}") {
			m.add("delivery: the command does not set --%s", flag)
		}
	}
	m.want("google_pubsub_subscription_iam_member.dead", "for_each", "local.triggers")
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
	"METRICS_PORT":                "the collector beside a service takes its metrics by OTLP",
	"WEB_DIR":                     "Firebase Hosting has the web client",
	"WEB_PROJECT":                 "Firebase Hosting has the web client",
}

// others are variables that Terraform sets and package config does not read, with the reader.
var others = map[string]string{
	"GOGC":       "Go",
	"GOMEMLIMIT": "Go",
}

// environment: each variable of package config is set by Terraform, or can be by var.settings, for
// the services that read it and for no other.
func environment(t *testing.T, m *module) {
	service := variables(reflect.TypeFor[config.Service]())
	api := variables(reflect.TypeFor[config.API]())
	var shared, terraformAPI, terraformFunctions []string
	for local, list := range map[string]*[]string{"shared": &shared, "api": &terraformAPI, "functions": &terraformFunctions} {
		*list = append(m.strings(local+"_settings"), m.set(local+"_environment")...)
	}
	shared = append(shared, m.set("telemetry_environment")...)
	for name, secret := range m.secrets() {
		switch strings.Join(secret.accounts, " ") {
		case "api":
			terraformAPI = append(terraformAPI, name)
		case "functions":
			terraformFunctions = append(terraformFunctions, name)
		case "api functions":
			shared = append(shared, name)
		default:
			m.add("the secret %s is for %v, where no service is", name, secret.accounts)
		}
	}
	// VAPID_PRIVATE_KEY and VAPID_CONTACT are fields of every service, but only the functions send.
	own := func(name string) bool {
		return slices.Contains(terraformFunctions, name) && slices.Contains(service, name)
	}
	var wantAPI, wantShared []string
	for _, name := range api {
		switch {
		case elsewhere[name] != "" || own(name):
		case slices.Contains(service, name):
			wantShared = append(wantShared, name)
		default:
			wantAPI = append(wantAPI, name)
		}
	}
	known := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return others[name] != "" })
	}
	m.same("variables of both services", wantShared, known(shared))
	m.same("variables of the API", wantAPI, known(terraformAPI))
	for _, name := range known(terraformFunctions) {
		if !slices.Contains(service, name) {
			m.add("variables of the functions: Terraform has %s, and the code has not", name)
		}
	}
	for name := range elsewhere {
		if !slices.Contains(api, name) {
			m.add("the list elsewhere has %s, which no service reads", name)
		}
	}
	for service, local := range map[string]string{"api": "local.api_environment", "functions": "local.functions_environment"} {
		if !strings.Contains(m.files["run.tf"], "for_each = "+local) {
			m.add("the service %s does not get %s", service, local)
		}
	}
}

// set returns the names in the objects that a local merges.
func (m *module) set(local string) (names []string) {
	args := []hclsyntax.Expression{m.locals[local]}
	if call, ok := m.locals[local].(*hclsyntax.FunctionCallExpr); ok && call.Name == "merge" {
		args = call.Args
	}
	for _, arg := range args {
		if c, ok := arg.(*hclsyntax.ConditionalExpr); ok {
			arg = c.TrueResult
		}
		if o, ok := arg.(*hclsyntax.ObjectConsExpr); ok {
			names = append(names, slices.Collect(maps.Keys(attributes(o)))...)
		}
	}
	return names
}

func variables(typ reflect.Type) (names []string) {
	for f := range typ.Fields() {
		if f.Anonymous {
			names = append(names, variables(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("env"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

type secret struct {
	id       string
	accounts []string
}

// secrets returns the secrets of Terraform by their variables.
func (m *module) secrets() map[string]secret {
	all := map[string]secret{}
	var walk func(e hclsyntax.Expression)
	walk = func(e hclsyntax.Expression) {
		switch e := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			for _, arg := range e.Args {
				walk(arg)
			}
		case *hclsyntax.ConditionalExpr:
			walk(e.TrueResult)
		case *hclsyntax.ParenthesesExpr:
			walk(e.Expression)
		case *hclsyntax.ObjectConsExpr:
			for name, value := range attributes(e) {
				if o, ok := value.(*hclsyntax.ObjectConsExpr); ok {
					a := attributes(o)
					all[name] = secret{text(literal(a["id"])), texts(literal(a["accounts"]))}
				}
			}
		}
	}
	walk(m.locals["secrets"])
	return all
}

// secrets: each secret of package config comes out of a secret of its own, which the accounts of the
// services that get it may read; nothing else does.
func secrets(t *testing.T, m *module) {
	var code []string
	for _, typ := range []reflect.Type{reflect.TypeFor[config.Service](), reflect.TypeFor[config.API]()} {
		for f := range typ.Fields() {
			if f.Type == reflect.TypeFor[config.Secret]() {
				name, _, _ := strings.Cut(f.Tag.Get("env"), ",")
				code = append(code, name)
			}
		}
	}
	all, ids := m.secrets(), map[string]bool{}
	m.same("secrets", code, slices.Collect(maps.Keys(all)))
	docs := read(t, "docs/operations.md") + read(t, "docs/deploy.md")
	for name, s := range all {
		if ids[s.id] {
			m.add("the secret %s has two variables", s.id)
		}
		ids[s.id] = true
		if !strings.Contains(docs, s.id) {
			m.add("no page says how %s gets its value, %s", name, s.id)
		}
	}
	const member = "google_secret_manager_secret_iam_member.secret"
	if granted := m.of("google_secret_manager_secret_iam_member"); len(granted) != 1 {
		m.add("who reads secrets: %q, want one resource", granted)
	}
	m.want(member, "role", "roles/secretmanager.secretAccessor")
	m.want(member, "for_each", "local.secret_readers")
	m.want(member, "secret_id", "google_secret_manager_secret.secret[each.value.name].secret_id")
	for _, service := range []string{"api", "functions"} {
		if !strings.Contains(m.files["run.tf"], `if contains(secret.accounts, "`+service+`")`) {
			m.add("the service %s does not get its secrets alone", service)
		}
	}
	m.want(member, "member", "google_service_account.account[each.value.account].member")
}

// services: the names, ports, accounts, limits and networks of the two services.
func services(t *testing.T, m *module) {
	m.want("google_cloud_run_v2_service.functions", "ingress", "INGRESS_TRAFFIC_INTERNAL_ONLY")
	m.want("google_cloud_run_v2_service.api", "ingress", "INGRESS_TRAFFIC_ALL")
	var names []string
	for _, name := range []string{"api", "functions"} {
		resource := "google_cloud_run_v2_service." + name
		names = append(names, m.resource(resource).get("name"))
		m.want(resource, "name", "hibana-"+name)
		m.want(resource, "template service_account", `google_service_account.account["`+name+`"].email`)
		m.want(resource, "template containers image", `"${local.images}/`+name+`:${var.tag}"`)
		m.want(resource, "template containers resources startup_cpu_boost", "true")
		m.want(resource, "template containers ports container_port", "8080")
		if containers, idle := strings.Count(m.files["run.tf"], "{ cpu = "), strings.Count(m.files["run.tf"], "cpu_idle "); containers != idle {
			m.add("services: %d containers have limits and %d say whether their CPU may idle; they must all say the same", containers, idle)
		}
		m.want(resource, "traffic type", "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST")
		m.want(resource, "traffic percent", "100")
		for _, limit := range []string{"min_instance_count", "max_instance_count"} {
			m.want(resource, "template scaling "+limit, "var."+name+"_instances."+limit[:3])
		}
	}
	// Cloud Run hands the port over in PORT, unless somebody sets it.
	for _, local := range []string{"shared_environment", "api_environment", "functions_environment"} {
		if slices.Contains(m.set(local), "PORT") {
			m.add("%s sets PORT, which Cloud Run sets", local)
		}
	}
	var hosting struct {
		Hosting struct {
			Rewrites []struct{ Run struct{ ServiceID string } }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "firebase.json")), &hosting); err != nil {
		t.Fatal(err)
	}
	for _, r := range hosting.Hosting.Rewrites {
		if id := r.Run.ServiceID; id != "" && !slices.Contains(names, id) {
			m.add("firebase.json sends requests to the service %s, which Terraform does not make", id)
		}
	}
	// More requests than the API runs at the same time would be turned away while other instances are free.
	concurrency, _ := strconv.Atoi(m.resource("google_cloud_run_v2_service.api").get("template max_instance_request_concurrency"))
	if most, _ := strconv.Atoi(constant(t, "internal/wiring/wiring.go", "maxRequests")); concurrency == 0 || concurrency > most {
		m.add("an instance of the API gets %d requests at once, and runs %d", concurrency, most)
	}
	dockerfile := read(t, "Dockerfile")
	for _, want := range []string{"nonroot", "distroless/static", "ARG PROGRAM", "./cmd/${PROGRAM}"} {
		if !strings.Contains(dockerfile, want) {
			m.add("the Dockerfile has no %q", want)
		}
	}
}

// probes: each probe asks a path that the service answers.
func probes(t *testing.T, m *module) {
	answers := map[string]string{"functions": read(t, "functions/serve.go"), "api": read(t, "api/health.go")}
	for service, source := range answers {
		found := map[string]string{}
		for _, probe := range []string{"startup_probe", "liveness_probe"} {
			path := m.resource("google_cloud_run_v2_service." + service).get("template containers " + probe + " http_get path")
			found[probe] = path
			if path == "" || !strings.Contains(source, `"GET `+path+`"`) && !strings.Contains(source, `probe("`+path+`"`) {
				m.add("the %s of %s asks %q, which the service does not answer", probe, service, path)
			}
		}
		if found["startup_probe"] != "/ready" || found["liveness_probe"] != "/health" {
			m.add("%s: a start waits for the database, and a life does not depend on it; the probes are %v", service, found)
		}
	}
}

// timeouts: Cloud Run waits longer than a service for itself, and Pub/Sub longer than Cloud Run.
func timeouts(t *testing.T, m *module) {
	deadline, _ := time.ParseDuration(text(literal(m.object("delivery")["ack_deadline"])) + "s")
	api, _ := time.ParseDuration(constant(t, "api/server.go", `\t?o\.Timeout`) + "s")
	for service, own := range map[string]time.Duration{"functions": functions.Timeout, "api": api} {
		cloud, err := time.ParseDuration(m.resource("google_cloud_run_v2_service." + service).get("template timeout"))
		if err != nil || cloud <= own || cloud <= httpserver.Grace || cloud > deadline {
			m.add("Cloud Run gives %s %v: it takes %v itself, stops within %v, and Pub/Sub waits %v", service, cloud, own, httpserver.Grace, deadline)
		}
	}
}

// indexes: Terraform makes what firestore.indexes.json says, all of it, and nothing else.
func indexes(t *testing.T, m *module) {
	if e, ok := m.locals["definitions"]; !ok || !strings.Contains(m.files["firestore.tf"][:e.Range().End.Byte], `jsondecode(file("${path.module}/../../firestore.indexes.json"))`) {
		m.add("indexes: Terraform does not read firestore.indexes.json")
	}
	for _, kind := range []string{"google_firestore_index", "google_firestore_field"} {
		if all := m.of(kind); len(all) != 1 {
			m.add("indexes: Terraform has %q, want those of the file alone", all)
		}
	}
	m.want("google_firestore_index.index", "for_each", "{ for key, index in local.indexes : key => index if !contains(var.restored, key) }")
	m.want("google_firestore_field.field", "for_each", "local.fields")

	// Every key of the file is read, or an index would be another than the file says.
	var definitions map[string][]map[string]any
	if err := json.Unmarshal([]byte(read(t, "firestore.indexes.json")), &definitions); err != nil {
		t.Fatal(err)
	}
	read := func(resource, from string) []string {
		b, names := m.resource(resource), []string{}
		for _, r := range regexp.MustCompile(`\b`+from+`\.value\.(\w+)`).FindAllStringSubmatch(b.whole(), -1) {
			names = append(names, r[1])
		}
		return names
	}
	for list, resource := range map[string]string{"indexes": "google_firestore_index.index", "fieldOverrides": "google_firestore_field.field"} {
		seen := map[string]bool{}
		for _, definition := range definitions[list] {
			inner := map[string]string{"indexes": "fields", "fieldOverrides": "indexes"}[list]
			for key := range definition {
				if !slices.Contains(read(resource, "each"), key) {
					m.add("indexes: firestore.indexes.json says %s, and %s does not read it", key, resource)
				}
			}
			for _, f := range definition[inner].([]any) {
				for key := range f.(map[string]any) {
					if !slices.Contains(read(resource, inner), key) {
						m.add("indexes: firestore.indexes.json says %s of %s, and %s does not read it", key, inner, resource)
					}
				}
			}
			text, _ := json.Marshal(definition)
			if seen[string(text)] {
				m.add("indexes: %s is there twice, which Terraform refuses", text)
			}
			seen[string(text)] = true
		}
	}
	if !strings.Contains(m.files["firestore.tf"], `file("${path.module}/../../firestore.rules")`) {
		m.add("Terraform does not release firestore.rules")
	}
}

// whole is the text of the whole block.
func (b *block) whole() string {
	return b.text[b.Range().Start.Byte:b.Body.EndRange.End.Byte]
}

// backups: what is promised about the loss of data.
func backups(t *testing.T, m *module) {
	const day = 24 * 60 * 60
	m.want("google_firestore_database.database", "type", "FIRESTORE_NATIVE")
	m.want("google_firestore_database.database", "point_in_time_recovery_enablement", "POINT_IN_TIME_RECOVERY_ENABLED")
	m.want("google_firestore_database.database", "delete_protection_state", "DELETE_PROTECTION_ENABLED")
	m.want("google_firestore_database.database", "deletion_policy", "ABANDON")
	m.want("google_firestore_backup_schedule.daily", "retention", fmt.Sprint(35*day, "s"))
	m.want("google_firestore_backup_schedule.weekly", "retention", fmt.Sprint(14*7*day, "s"))
	m.want("google_storage_bucket.backups", "retention_policy retention_period", fmt.Sprint(90*day))
	m.want("google_storage_bucket.backups", "logging log_bucket", "google_storage_bucket.logs.name")
	if age, _ := strconv.Atoi(m.resource("google_storage_bucket.backups").get("lifecycle_rule condition age")); age <= 90 {
		m.add("exports go after %d days, and may not for 90", age)
	}
	for _, bucket := range m.of("google_storage_bucket") {
		m.want(bucket, "public_access_prevention", "enforced")
		m.want(bucket, "uniform_bucket_level_access", "true")
		if m.resource(bucket).get("retention_policy retention_period") == "" { // what must be kept is not destroyed
			m.want(bucket, "force_destroy", "!var.protect")
		}
	}
}

// services of Google Cloud by the beginning of a resource's type.
var apiOf = map[string]string{
	"google_artifact_registry": "artifactregistry", "google_billing_budget": "billingbudgets", "google_cloud_run_v2": "run",
	"google_cloud_scheduler": "cloudscheduler", "google_eventarc": "eventarc", "google_firebase_hosting": "firebasehosting", "google_firebase_project": "firebase",
	"google_firebase_web": "firebase", "google_firebaserules": "firebaserules", "google_firestore": "firestore", "google_identity_platform": "identitytoolkit",
	"google_logging": "logging", "google_monitoring": "monitoring", "google_project_iam": "iam", "google_project_service_identity": "pubsub", "google_pubsub": "pubsub", "google_secret_manager": "secretmanager",
	"google_service_account": "iam", "google_storage": "storage",
}

// apis: each resource has its service of Google Cloud switched on, and no service is on for nothing.
func apis(t *testing.T, m *module) {
	enabled := m.strings("apis")
	used := map[string]string{
		"cloudbuild.googleapis.com": "builds the images", "cloudtrace.googleapis.com": "the collector", "fcm.googleapis.com": "the functions", "iamcredentials.googleapis.com": "the API signs links",
	}
	for _, resource := range slices.Sorted(maps.Keys(m.resources)) {
		kind, _, _ := strings.Cut(resource, ".")
		if kind == "terraform_data" || kind == "google_project_service" {
			continue
		}
		found := false
		for beginning, service := range apiOf {
			if strings.HasPrefix(kind, beginning) {
				used[service+".googleapis.com"], found = resource, true
			}
		}
		if !found {
			m.add("%s: this test does not know its service of Google Cloud", resource)
		}
	}
	m.same("services of Google Cloud", slices.Collect(maps.Keys(used)), enabled)
}

// jobs: each runs a command that there is, by an account of its own, and exports go where they are kept.
func jobs(t *testing.T, m *module) {
	m.want("google_cloud_run_v2_job.job", "template template service_account", "google_service_account.account[each.key].email")
	m.want("google_cloud_run_v2_job.job", "template template containers args", "each.value.args")
	commands, accounts := read(t, "cmd/hibana/main.go"), m.object("accounts")
	for name, e := range m.object("jobs") {
		if accounts[name] == nil {
			m.add("the job %s has no account of its own", name)
		}
		job, ok := e.(*hclsyntax.ObjectConsExpr)
		if !ok {
			m.add("the job %s is no object", name)
			continue
		}
		args := literal(attributes(job)["args"]).AsValueSlice()
		if len(args) == 0 || !strings.Contains(commands, "//	hibana "+text(args[0])+" ") {
			m.add("the job %s runs hibana %v, which is no command", name, args)
		}
	}
	if !strings.Contains(m.files["jobs.tf"], `{ BACKUP_BUCKET = "gs://${google_storage_bucket.backups.name}" }`) || !strings.Contains(read(t, "cmd/hibana/jobs.go"), `env:"BACKUP_BUCKET"`) {
		m.add("exports do not go to the bucket of backups, by BACKUP_BUCKET")
	}
	filter := m.resource("google_logging_metric.drift").get("filter")
	if message := regexp.MustCompile(`jsonPayload.message="([^"]*)"`).FindStringSubmatch(filter); message == nil || !strings.Contains(read(t, "internal/jobs/jobs.go"), `"`+message[1]+`"`) {
		m.add("nobody logs what the metric hibana_drift counts: %s", filter)
	}
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
		out, err := exec.CommandContext(t.Context(), path, "fmt", "-check", "-recursive", filepath.Join(testenv.Root(), "deploy", "terraform")).Output()
		if err != nil {
			t.Errorf("%s fmt -check: %v\n%s", program, err, out)
		}
		return
	}
	t.Log("neither tofu nor terraform is here, so nobody looks whether the files are formatted")
}
