# A plan without a cloud: terraform test. The providers' schemas are real, what the cloud
# answers is not. OpenTofu makes it up while it plans, and the providers refuse a member of a policy that is
# no member.
mock_provider "google" {
  mock_resource "google_project_iam_custom_role" {
    defaults = { name = "projects/my-hibana/roles/role" }
  }
  mock_resource "google_service_account" {
    defaults = {
      email  = "account@my-hibana.iam.gserviceaccount.com"
      member = "serviceAccount:account@my-hibana.iam.gserviceaccount.com"
      name   = "projects/my-hibana/serviceAccounts/account@my-hibana.iam.gserviceaccount.com"
    }
  }
  mock_data "google_storage_project_service_account" {
    defaults = { member = "serviceAccount:service-1@gs-project-accounts.iam.gserviceaccount.com" }
  }
}
mock_provider "google-beta" {
  mock_resource "google_project_service_identity" {
    defaults = {
      email  = "service-1@gcp-sa-agent.iam.gserviceaccount.com"
      member = "serviceAccount:service-1@gcp-sa-agent.iam.gserviceaccount.com"
    }
  }
}

run "production" {
  command = plan
  variables {
    project         = "my-hibana"
    tag             = "v1"
    settings        = { FCM = "true", LIMITS = "posts=300/day" }
    web_push        = true
    alert_emails    = ["oncall@hibana.example"]
    billing_account = "012345-678901-ABCDEF"
  }
  assert {
    condition     = length(google_eventarc_trigger.function) + length(google_eventarc_trigger.file) == length(local.triggers)
    error_message = "a trigger is missing"
  }
  assert {
    condition     = google_eventarc_trigger.file["media-uploaded-finalized"].location == "asia-northeast1" && contains([for c in google_eventarc_trigger.file["media-uploaded-finalized"].matching_criteria : c.value], "my-hibana-uploads")
    error_message = "nobody hears of uploads"
  }
  assert {
    condition     = google_storage_bucket.uploads.cors[0].origin == tolist(["https://my-hibana.web.app", "https://my-hibana.firebaseapp.com"]) && length(google_storage_bucket.media.cors) == 0 && local.api_environment.MEDIA_URL == "https://my-hibana.web.app" && local.api_environment.PUBLIC_URL == "https://my-hibana.web.app"
    error_message = "the web client cannot upload"
  }
  assert {
    condition     = length(google_firestore_index.index) == length(local.definitions.indexes)
    error_message = "an index is missing"
  }
  assert {
    condition     = length(google_firestore_field.field) == length(local.definitions.fieldOverrides)
    error_message = "a field override is missing"
  }
  assert {
    condition     = local.api_environment.LIMITS == "posts=300/day" && !can(local.functions_environment.LIMITS)
    error_message = "a setting of the API is for the API alone"
  }
  assert {
    condition     = google_project_iam_member.grant["api roles/datastore.user"].condition[0].expression == "resource.name == \"projects/my-hibana/databases/(default)\"" && length(google_project_iam_member.grant["api hibanaChangeAccounts"].condition) == 0
    error_message = "the API may use another database"
  }
  assert {
    condition     = local.daily_reads == 4968000 && google_billing_budget.month[0].amount[0].specified_amount[0].units == "97"
    error_message = "the budgets are not those of 1,000 users"
  }
  assert {
    condition     = alltrue([for service in [google_cloud_run_v2_service.api, google_cloud_run_v2_service.functions] : length(service.template[0].containers) == 1 && service.template[0].containers[0].resources[0].cpu_idle])
    error_message = "1,000 users pay for CPU between requests, or for a collector"
  }
  assert {
    condition     = local.api_environment.OTEL_RESOURCE_ATTRIBUTES == "cloud.platform=gcp_cloud_run,cloud.region=asia-northeast1" && local.grants["api roles/telemetry.writer"].account == "api"
    error_message = "the metrics of the API are refused"
  }
  assert {
    condition     = length(google_identity_platform_config.auth) == 0
    error_message = "Firebase Auth is upgraded, and nobody asked for it"
  }
}

run "many_users" {
  command = plan
  variables {
    project           = "my-hibana"
    tag               = "v1"
    users             = 10000
    identity_platform = true
  }
  assert {
    condition     = google_cloud_run_v2_service.api.template[0].containers[0].resources[0].cpu_idle && !google_cloud_run_v2_service.functions.template[0].containers[0].resources[0].cpu_idle
    error_message = "the billing is not the cheaper one of 10,000 users"
  }
  assert {
    condition     = length(google_identity_platform_config.auth) == 1
    error_message = "Firebase Auth is not upgraded, and somebody asked for it"
  }
}

run "without_telemetry" {
  command = plan
  variables {
    project   = "my-hibana"
    tag       = "v1"
    users     = 10000
    telemetry = false
    protect   = false
    always_on = { functions = false }
  }
  assert {
    condition     = contains(keys(google_monitoring_alert_policy.alert), "clock-stopped") && contains(keys(google_monitoring_alert_policy.alert), "dead-letters") && !contains(keys(google_monitoring_alert_policy.alert), "stale-timelines")
    error_message = "alerts are those of metrics that are there"
  }
  assert {
    condition     = !can(local.api_environment.OTEL_EXPORTER_OTLP_ENDPOINT) && !can(local.grants["api roles/telemetry.writer"])
    error_message = "metrics are sent"
  }
  assert {
    condition     = google_cloud_run_v2_service.functions.template[0].containers[0].resources[0].cpu_idle
    error_message = "always_on is not taken"
  }
  assert {
    condition     = !google_logging_project_bucket_config.acts.locked && !google_storage_bucket.backups.retention_policy[0].is_locked
    error_message = "what is not protected is locked for ever"
  }
}

run "another_database" {
  command = plan
  variables {
    project  = "my-hibana"
    tag      = "v1"
    database = "restored-20261122"
    restored = ["drafts COLLECTION dueShard ASCENDING publishAt ASCENDING"]
  }
  assert {
    condition     = length(google_firestore_index.index) == length(local.definitions.indexes) - 1 && google_firebaserules_release.firestore.name == "cloud.firestore/restored-20261122"
    error_message = "a restored database has its indexes, and needs rules of its own"
  }
}

run "unknown_setting" {
  command = plan
  variables {
    project  = "my-hibana"
    tag      = "v1"
    settings = { NOBODY_READS_THIS = "1" }
  }
  expect_failures = [var.settings]
}
