package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/lab/cost/invoice"
	"github.com/hibana-sns/hibana/store/moderation"
)

// indexes: Terraform makes what firestore.indexes.json says, all of it, and nothing else.
func indexes(t *testing.T, m *module) {
	if e, ok := m.locals["definitions"]; !ok || !strings.Contains(m.files["firestore.tf"][:e.Range().End.Byte],
		`jsondecode(file("${path.module}/../../firestore.indexes.json"))`) {
		m.add("indexes: Terraform does not read firestore.indexes.json")
	}
	for _, kind := range []string{"google_firestore_index", "google_firestore_field"} {
		for _, action := range []string{"create", "update"} { // 24 overrides are of one collection
			if all := m.of(kind); len(all) > 0 {
				m.want(all[0], "timeouts "+action, "2h")
			}
		}
		if all := m.of(kind); len(all) != 1 {
			m.add("indexes: Terraform has %q, want those of the file alone", all)
		}
	}
	m.want("google_firestore_index.index", "for_each", "{ for key, index in local.indexes : key => index if "+
		"!contains(var.restored, key) }")
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
	for list, resource := range map[string]string{"indexes": "google_firestore_index.index",
		"fieldOverrides": "google_firestore_field.field"} {
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
	m.want("google_firestore_database.database", "point_in_time_recovery_enablement",
		`var.users < 2 ? "POINT_IN_TIME_RECOVERY_DISABLED" : "POINT_IN_TIME_RECOVERY_ENABLED"`)
	m.want("google_firestore_database.database", "delete_protection_state", "DELETE_PROTECTION_ENABLED")
	m.want("google_firestore_database.database", "deletion_policy", "ABANDON")
	m.want("google_firestore_backup_schedule.daily", "retention", fmt.Sprint(invoice.Terraform.DailyBackups*day, "s"))
	m.want("google_firestore_backup_schedule.weekly", "retention", fmt.Sprint(invoice.Terraform.WeeklyBackups*7*day, "s"))
	m.want("google_storage_bucket.backups", "retention_policy retention_period", fmt.Sprint(90*day))
	// The copy of the audit log is where no program may change it.
	const acts = "google_logging_project_bucket_config.acts"
	m.want(acts, "locked", "var.protect")
	m.want(acts, "retention_days", "400")
	m.want("google_logging_project_sink.acts", "destination",
		`"logging.googleapis.com/${google_logging_project_bucket_config.acts.id}"`)
	if filter := m.resource("google_logging_project_sink.acts").
		get("filter"); !strings.Contains(filter, `jsonPayload.message=\"`+moderation.ActLine+`\"`) ||
		!strings.Contains(filter, "google_cloud_run_v2_service.api.name") {
		m.add("the copy of the audit log has not the lines of acts: %s", filter)
	}
	for name, text := range m.files {
		if strings.Contains(text, "roles/logging") {
			m.add("%s gives a role of Cloud Logging, whose copy of the audit log no program changes", name)
		}
	}
	m.want("google_project_iam_audit_config.reads", "service", "storage.googleapis.com")
	m.want("google_project_iam_audit_config.reads", "audit_log_config log_type", "DATA_READ")
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

// uploads: pages of the web client upload to one bucket, where nothing stays, and what is deleted is gone.
func uploads(t *testing.T, m *module) {
	const bucket = "google_storage_bucket.uploads"
	m.want(bucket, "cors origin", "local.origins")
	for name, want := range map[string][]string{"method": {"POST", "PUT"}, "response_header": storage.UploadHeaders} {
		if e := m.resource(bucket).block("cors").Body.Attributes[name]; e == nil {
			m.add("uploads: CORS has no %s", name)
		} else {
			m.same("uploads: "+name, want, texts(literal(e.Expr)))
		}
	}
	rules := map[string]int{}
	var lifecycle struct {
		Rule []struct {
			Action    struct{ Type string }
			Condition struct{ Age int }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/uploads-lifecycle.json")), &lifecycle); err != nil {
		m.add("uploads-lifecycle.json: %v", err)
	}
	for _, rule := range lifecycle.Rule {
		rules[rule.Action.Type] = rule.Condition.Age
	}
	if want := map[string]int{"Delete": 1, "AbortIncompleteMultipartUpload": 1}; !maps.Equal(rules, want) ||
		!strings.Contains(m.resource(bucket).whole(), "uploads-lifecycle.json") {
		m.add("uploads: the lifecycle is %v, want %v", rules, want)
	}
	for _, bucket := range []string{bucket, "google_storage_bucket.media"} {
		m.want(bucket, "soft_delete_policy retention_duration_seconds", "0")
	}
	if strings.Contains(m.resource("google_storage_bucket.media").whole(), "lifecycle_rule") {
		m.add("uploads: the lifecycle of media deletes them under their records")
	}
	// Nobody may use a bucket by Firebase's own client.
	rulesFile := read(t, "storage.rules")
	if found := regexp.MustCompile(`\ballow\b[^;]*;`).FindAllString(rulesFile, -1); len(found) != 1 ||
		found[0] != "allow read, write: if false;" || !strings.Contains(rulesFile, "match /{all=**}") {
		m.add("uploads: storage.rules allow %q", found)
	}
	var file struct{ Storage struct{ Rules string } }
	if err := json.Unmarshal([]byte(read(t, "firebase.json")), &file); err != nil ||
		file.Storage.Rules != "storage.rules" {
		m.add("uploads: firebase.json has not storage.rules: %+v, %v", file, err)
	}
}

// services of Google Cloud by the beginning of a resource's type.
var apiOf = map[string]string{
	"google_artifact_registry": "artifactregistry", "google_billing_budget": "billingbudgets",
	"google_cloud_run_v2":    "run",
	"google_cloud_scheduler": "cloudscheduler", "google_eventarc": "eventarc",
	"google_firebase_hosting": "firebasehosting", "google_firebase_project": "firebase",
	"google_firebase_web": "firebase", "google_firebaserules": "firebaserules", "google_firestore": "firestore",
	"google_identity_platform": "identitytoolkit",
	"google_logging":           "logging", "google_monitoring": "monitoring", "google_project_iam": "iam",
	"google_project_service_identity": "pubsub", "google_pubsub": "pubsub", "google_secret_manager": "secretmanager",
	"google_service_account": "iam", "google_storage": "storage",
}

// apis: each resource has its service of Google Cloud switched on, and no service is on for nothing.
func apis(t *testing.T, m *module) {
	enabled := m.strings("apis")
	used := map[string]string{
		"cloudbuild.googleapis.com": "builds the images", "cloudtrace.googleapis.com": "keeps traces",
		"fcm.googleapis.com": "the functions", "iamcredentials.googleapis.com": "the API signs links",
		"telemetry.googleapis.com": "takes metrics and traces",
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
	m.want("google_cloud_run_v2_job.job", "template template service_account",
		"google_service_account.account[each.key].email")
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
		args := arguments(job)
		if len(args) == 0 || !strings.Contains(commands, "//	hibana "+args[0]+" ") {
			m.add("the job %s runs hibana %v, which is no command", name, args)
		}
	}
	if !strings.Contains(m.files["jobs.tf"], `{ BACKUP_BUCKET = "gs://${google_storage_bucket.backups.name}" }`) ||
		!strings.Contains(read(t, "cmd/hibana/jobs.go"), `env:"BACKUP_BUCKET"`) {
		m.add("exports do not go to the bucket of backups, by BACKUP_BUCKET")
	}
	filter := m.resource("google_logging_metric.drift").get("filter")
	if message := regexp.MustCompile(`jsonPayload.message="([^"]*)"`).FindStringSubmatch(filter); message == nil ||
		!strings.Contains(read(t, "cmd/jobs/jobs.go"), `"`+message[1]+`"`) {
		m.add("nobody logs what the metric hibana_drift counts: %s", filter)
	}
}
