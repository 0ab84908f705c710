# A plan without a cloud: terraform test. The providers' schemas are real, what the cloud
# answers is not.
mock_provider "google" {}
mock_provider "google-beta" {}

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
    condition     = length(google_eventarc_trigger.function) == length(local.triggers)
    error_message = "a trigger is missing"
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
    condition     = local.daily_reads == 5228000 && google_billing_budget.month[0].amount[0].specified_amount[0].units == "380"
    error_message = "the budgets are not those of 1,000 users"
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
