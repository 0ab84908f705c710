package deploy

import (
	"maps"
	"strings"
	"testing"
)

// What is in one of the two alone is noticed: each row plants a difference and names the problem
// that must be told.
func TestNotificationEvents(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, old, new, want string }{
		{"a trigger of the code is missing", "triggers.json", `"function": "CountLike",
    "document": "likes/{id}",
    "type": "google.cloud.firestore.document.v1.created"`, `"function": "CountReply",
    "document": "tweets/{id}",
    "type": "google.cloud.firestore.document.v1.created"`, "the code has CountLike on google.cloud.firestore.document.v1.created"},
		{"a trigger too many", "triggers.json", `"function": "FanOutTweet"`, `"function": "FanOutEverything"`, "Terraform has FanOutEverything on"},
		{"a wrong document", "triggers.json", `"document": "likes/{id}"`, `"document": "likes/{id=**}"`, "the code has CountLike"},
		{"a trigger of its own", "events.tf", `resource "google_pubsub_topic" "dead"`, "resource \"google_eventarc_trigger\" \"other\" {}\nresource \"google_pubsub_topic\" \"dead\"", "want those of the table alone"},
		{"no retries", "events.tf", "  destination {\n", "  retry_policy {\n    max_attempts = 1\n  }\n  destination {\n", "not to try again"},
		{"another content type", "events.tf", `"application/protobuf"`, `"application/json"`, `event_data_content_type is "application/json"`},
		{"a short deadline", "events.tf", "ack_deadline          = 600", "ack_deadline          = 10", "hibana triggers check wants 600 s"},
		{"given up too early", "events.tf", "max_delivery_attempts = 100", "max_delivery_attempts = 5", "an event is given up after"},
		{"other waits than the check wants", "events.tf", `min_retry_delay       = "10s"`, `min_retry_delay       = "20s"`, "hibana triggers check wants something else"},
		{"the clock calls another path", "events.tf", "/Tick", "/Tock", "google_cloud_scheduler_job.tick: http_target uri"},
		{"a variable of the code is missing", "run.tf", `"APP_CHECK", `, "", "the code has APP_CHECK, and Terraform has not"},
		{"a shared variable is missing", "run.tf", `"CACHE_BYTES", `, "", "the code has CACHE_BYTES, and Terraform has not"},
		{"a variable too many", "run.tf", `"APP_CHECK", `, `"APP_CHECK", "APP_CHEQUE", `, "Terraform has APP_CHEQUE, and the code has not"},
		{"the database is not handed over", "run.tf", "FIRESTORE_DATABASE   = google_firestore_database.database.name\n", "", "the code has FIRESTORE_DATABASE"},
		{"telemetry goes nowhere", "run.tf", `{ OTEL_EXPORTER_OTLP_ENDPOINT = "http://localhost:4317" }`, "{ OTEL = 1 }", "the code has OTEL_EXPORTER_OTLP_ENDPOINT"},
		{"the port is set", "run.tf", `GOGC       = "400"`, "GOGC = \"400\"\nPORT = \"8080\"", "sets PORT"},
		{"a secret of the code is missing", "accounts.tf", "PAGE_TOKEN_KEY =", "PAGE_TOKEN =", "the code has PAGE_TOKEN_KEY"},
		{"somebody else reads a secret", "accounts.tf", "secretAccessor\"\n  member    = google_service_account.account[each.value.account].member", "secretAccessor\"\n  member    = \"allUsers\"", "google_secret_manager_secret_iam_member.secret: member"},
		{"a secret is for one service too few", "accounts.tf", `"hibana-search-login", accounts = ["api", "functions"]`, `"hibana-search-login", accounts = ["api"]`, "variables of both services"},
		{"a service gets all secrets", "run.tf", `if contains(secret.accounts, "api")`, "if true", "api does not get its secrets alone"},
		{"a role is missing", "accounts.tf", `api       = ["roles/datastore.user", "hibanaChangeAccounts"]`, `api       = ["roles/datastore.user"]`, "roles of api: the code has hibanaChangeAccounts"},
		{"a role too many", "accounts.tf", `verify    = ["roles/datastore.user"]`, `verify    = ["roles/datastore.user", "roles/owner"]`, "roles of verify: Terraform has roles/owner"},
		{"a role of a bucket is missing", "storage.tf", "    functions = \"roles/storage.objectUser\"\n", "", "roles of functions: the code has roles/storage.objectUser"},
		{"the web client may not call", "run.tf", "https://${var.project}.web.app", "https://web.example", "CORS_ORIGINS has no https://${var.project}.web.app"},
		{"the functions take events of anybody", "run.tf", "{ CALLERS = google_service_account.account[\"triggers\"].email }", "{}", "the code has CALLERS, and Terraform has not"},
		{"a role beside the lists", "accounts.tf", `resource "google_service_account_iam_member" "sign"`, `resource "google_project_iam_member" "sign"`, "is in no list"},
		{"everybody calls the functions", "accounts.tf", "google_cloud_run_v2_service.functions.name\n  location = var.region\n  role     = \"roles/run.invoker\"\n  member   = google_service_account.account[\"triggers\"].member", "google_cloud_run_v2_service.functions.name\n  location = var.region\n  role     = \"roles/run.invoker\"\n  member   = \"allUsers\"", "to allUsers"},
		{"the API is for accounts alone", "run.tf", "invoker_iam_disabled = true", "invoker_iam_disabled = false", "google_cloud_run_v2_service.api: invoker_iam_disabled"},
		{"nobody checks who calls the functions", "run.tf", `ingress = "INGRESS_TRAFFIC_INTERNAL_ONLY"`, "ingress = \"INGRESS_TRAFFIC_INTERNAL_ONLY\"\n  invoker_iam_disabled = true", "google_cloud_run_v2_service.functions: invoker_iam_disabled"},
		{"a role for strangers", "storage.tf", `service = "storage.googleapis.com"`, "service = \"storage.googleapis.com\"\n  member = \"group:cloud-storage-analytics@google.com\"", "storage.tf names group, which domain restricted sharing refuses"},
		{"a role of ours that may do more", "accounts.tf", `["firebaseauth.users.delete"]`, `["firebaseauth.users.delete", "firebaseauth.users.create"]`, "permissions of our roles: Terraform has firebaseauth.users.create"},
		{"a role of ours that may do too little", "accounts.tf", `["firebaseauth.users.get", "firebaseauth.users.update"]`, `["firebaseauth.users.get"]`, "permissions of our roles: the code has firebaseauth.users.update"},
		{"a role of Google's over all accounts", "accounts.tf", "hibanaDeleteAccounts\"]\n", "hibanaDeleteAccounts\", \"roles/firebaseauth.admin\"]\n", "gives a role of Google's that may do more"},
		{"all databases of the project", "accounts.tf", `? [google_firestore_database.database.name] : []`, `? [] : []`, "holds for other databases"},
		{"acts are not copied", "acts.tf", `jsonPayload.message=\"act\"`, `jsonPayload.message=\"deed\"`, "has not the lines of acts"},
		{"a copy that somebody may shorten", "acts.tf", "locked         = var.protect", "locked         = false", "google_logging_project_bucket_config.acts: locked"},
		{"a program that may delete its log", "accounts.tf", `verify    = ["roles/datastore.user"]`, `verify    = ["roles/datastore.user", "roles/logging.admin"]`, "gives a role of Cloud Logging"},
		{"nobody notes who reads exports", "storage.tf", "DATA_READ", "ADMIN_READ", "audit_log_config log_type"},
		{"a collector that may do all", "accounts.tf", `"roles/monitoring.metricWriter"`, `"roles/owner"`, "roles of telemetry: Terraform has roles/owner"},
		{"an account that signs for others", "accounts.tf", `google_project_iam_custom_role.role["hibanaSign"].name`, `"roles/iam.serviceAccountUser"`, "google_service_account_iam_member.sign gives"},
		{"the functions are open", "run.tf", "INGRESS_TRAFFIC_INTERNAL_ONLY", "INGRESS_TRAFFIC_ALL", `ingress is "INGRESS_TRAFFIC_ALL"`},
		{"a probe that nothing answers", "run.tf", `path = "/ready"`, `path = "/healthz"`, `asks "/healthz", which the service does not answer`},
		{"a life that depends on the database", "run.tf", `path = "/health"`, `path = "/ready"`, "a life does not depend on it"},
		{"another port", "run.tf", "container_port = 8080", "container_port = 8000", "container_port"},
		{"a short time-out", "run.tf", `timeout         = "60s"`, `timeout         = "5s"`, "Cloud Run gives functions 5s"},
		{"too many requests at once", "run.tf", "max_instance_request_concurrency = 80", "max_instance_request_concurrency = 1000", "1000 requests at once"},
		{"indexes of another file", "firestore.tf", "/../../firestore.indexes.json", "/indexes.json", "does not read firestore.indexes.json"},
		{"an index beside the file", "firestore.tf", `resource "google_firestore_backup_schedule" "daily"`, "resource \"google_firestore_index\" \"mine\" {}\nresource \"google_firestore_backup_schedule\" \"daily\"", "want those of the file alone"},
		{"fields that have 20 minutes", "firestore.tf", `create = "2h"`, `create = "20m"`, "timeouts create"},
		{"TTL policies are left out", "firestore.tf", "each.value.ttl", "false", "says ttl, and google_firestore_field.field does not read it"},
		{"the order of an index is left out", "firestore.tf", "try(fields.value.order, null)", "null", "says order of fields"},
		{"no protection", "firestore.tf", "DELETE_PROTECTION_ENABLED", "DELETE_PROTECTION_DISABLED", "delete_protection_state"},
		{"backups that are short", "firestore.tf", "3024000s", "604800s", "google_firestore_backup_schedule.daily: retention"},
		{"exports go before they may", "storage.tf", "age = 91", "age = 30", "exports go after 30 days"},
		{"a bucket for all", "storage.tf", `public_access_prevention    = "enforced"`, `public_access_prevention    = "inherited"`, "public_access_prevention"},
		{"a service of the cloud is off", "main.tf", "    \"eventarc.googleapis.com\",\n", "", "the code has eventarc.googleapis.com"},
		{"a service of the cloud for nothing", "main.tf", "    \"eventarc.googleapis.com\",\n", "    \"eventarc.googleapis.com\",\n    \"translate.googleapis.com\",\n", "Terraform has translate.googleapis.com"},
		{"an alert without its section", "alerts.tf", "      old-events = {", "      ancient-events = {", "Terraform has ancient-events, and the code has not"},
		{"a section without its alert", "alerts.tf", "      old-events = {", "      ancient-events = {", "the code has old-events, and Terraform has not"},
		{"an alert that leads elsewhere", "alerts.tf", "url          = \"${var.runbook}#${each.key}\"", "url          = var.runbook", "documentation links url"},
		{"an alert of a metric that nobody measures", "alerts.tf", "hibana_rollup_lag_bucket", "hibana_rollup_delay_bucket", "nobody measures workload_googleapis_com:hibana_rollup_delay_bucket"},
		{"an alert by a label that the metric has not", "alerts.tf", "hibana_events{outcome=", "hibana_events{result=", "has no label result"},
		{"a chart by a label that the metric has not", "dashboards/hibana.json", "sum by (outcome) (rate(workload_googleapis_com:hibana_events", "sum by (result) (rate(workload_googleapis_com:hibana_events", "has no label result"},
		{"a chart of a metric that no collector takes", "dashboards/hibana.json", "workload_googleapis_com:hibana_saturated", "workload_googleapis_com:hibana_job_runs", "nobody measures workload_googleapis_com:hibana_job_runs"},
		{"a chart by jobs, whose metrics no collector takes", "dashboards/hibana.json", "sum by (route, function) (rate(workload_googleapis_com:hibana_billed_reads", "sum by (route, job) (rate(workload_googleapis_com:hibana_billed_reads", "has no label job"},
		{"a collector beside jobs, and no chart of its metrics", "jobs.tf", "merge(local.shared_environment, {", "merge(local.shared_environment, local.telemetry_environment, {", "no chart and no alert has workload_googleapis_com:hibana_job_runs"},
		{"an alert because a collector is silent", "alerts.tf", `logging_googleapis_com:user_${google_logging_metric.ticks.name}{monitored_resource=\"cloud_run_revision\"}`, `workload_googleapis_com:hibana_events{function=\"Tick\"}`, "rings where there are no metrics of ours"},
		{"a clock whose calls nobody counts", "events.tf", "/Tick$", "/Tock$", "hibana_ticks does not count calls of Tick"},
		{"a collector on a throttled CPU", "run.tf", "cpu_idle = !var.telemetry", "cpu_idle = true", "keep their CPU where there is a collector"},
		{"an alert at an ordinary day", "alerts.tf", "2 * (var.users", "(var.users", "reads 8570400, and the alert comes at"},
		{"an alert at twice the reads that never comes", "alerts.tf", "2 * (var.users", "9 * (var.users", "and the alert comes at"},
		{"other reads than were measured", "alerts.tf", "reads_of_user  = 658", "reads_of_user  = 500", "docs/contribute/costs.md has measured 657.04"},
		{"a budget that does not follow users", "budget.tf", "0.06 * var.users", "0.06 * 100", "and the budget is"},
		{"an alert of what comes again", "alerts.tf", "INTERNAL|DEADLINE", "INTERNAL|UNAVAILABLE|DEADLINE", "counts UNAVAILABLE"},
		{"a metric that nobody looks at", "dashboards/hibana.json", "workload_googleapis_com:hibana_cache_hits", "workload_googleapis_com:hibana_events", "no chart and no alert has workload_googleapis_com:hibana_cache_hits"},
		{"a bucket with archives keeps all from being destroyed", "storage.tf", "  location                    = var.region\n  force_destroy               = !var.protect\n", "  location                    = var.region\n", "force_destroy"},
		{"a job without its command", "jobs.tf", `["leavings", `, `["leaving", `, "which is no command"},
		{"a log line that nobody writes", "jobs.tf", "a derived document differs", "a document differs", "nobody logs"},
		{"exports that nobody keeps", "jobs.tf", "google_storage_bucket.backups.name", "google_storage_bucket.archives.name", "BACKUP_BUCKET"},
		{"a variable of the jobs is misspelt", "jobs.tf", "{ BACKUP_BUCKET = ", "{ BACKUPS_BUCKET = ", "variables of the jobs: Terraform has BACKUPS_BUCKET, and the code has not"},
		{"a variable of the jobs is missing", "jobs.tf", `, { BACKUP_BUCKET = "gs://${google_storage_bucket.backups.name}" }`, "", "variables of the jobs: the code has BACKUP_BUCKET, and Terraform has not"},
		{"jobs do not hear of the database", "run.tf", "FIRESTORE_DATABASE   =", "DATABASE =", "variables of the jobs: the code has FIRESTORE_DATABASE, and Terraform has not"},
		{"jobs get too little", "jobs.tf", "merge(local.shared_environment, {", "merge({", "the jobs do not get what all services share"},
		{"a job runs another command", "jobs.tf", `["leavings", "gone"`, `["leavings", "going"`, "cmd/hibana has no leavingsGoingCmd"},
		{"a job without an account", "accounts.tf", "    verify    = \"The job that verifies\"\n", "", "the job verify has no account"},
	}
	texts := readFiles(t)
	for _, test := range tests {
		if !strings.Contains(texts[test.file], test.old) {
			t.Errorf("%s: %s has no %q", test.name, test.file, test.old)
			continue
		}
		planted := maps.Clone(texts)
		planted[test.file] = strings.ReplaceAll(planted[test.file], test.old, test.new)
		found := strings.Join(problems(t, planted), "\n")
		if !strings.Contains(found, test.want) {
			t.Errorf("%s: told %q, want %q", test.name, found, test.want)
		}
	}
}
