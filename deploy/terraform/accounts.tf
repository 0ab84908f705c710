# The service accounts, each with no more rights than its program needs. tests/deploy compares the roles with the calls
# of the programs.

locals {
  accounts = {
    api       = "The API"
    functions = "The functions"
    triggers  = "Eventarc and Cloud Scheduler, when they call the functions"
    verify    = "The job that verifies"
    export    = "The job that exports the database"
    sweep     = "The job that sweeps"
    gone      = "The job that deletes the data of users without an account"
    jobs      = "Cloud Scheduler, when it begins a job"
  }

  # Our own roles have exactly the permissions that the programs need.
  custom_roles = {
    hibanaReadAccounts   = ["firebaseauth.users.get"]
    hibanaChangeAccounts = ["firebaseauth.users.get", "firebaseauth.users.update"]
    hibanaCreateAccounts = ["firebaseauth.users.create"]
    hibanaDeleteAccounts = ["firebaseauth.users.delete"]
    hibanaSendLetters    = ["firebaseauth.users.sendEmail"]
    hibanaSign           = ["iam.serviceAccounts.signBlob"]
    hibanaTakeUploads    = ["storage.objects.delete", "storage.objects.get", "storage.objects.list"]
    hibanaRemoveFiles    = ["storage.objects.delete", "storage.objects.list"]
  }

  # Roles of the project. The role of Firestore covers our database only.
  project_roles = {
    api       = ["roles/datastore.user", "hibanaChangeAccounts", "hibanaCreateAccounts", "hibanaSendLetters"]
    functions = ["roles/datastore.user", "hibanaDeleteAccounts"]
    triggers  = ["roles/eventarc.eventReceiver"]
    verify    = ["roles/datastore.user"]
    export    = ["roles/datastore.user", "roles/datastore.importExportAdmin"]
    sweep     = ["roles/datastore.user", "hibanaChangeAccounts"]
    gone      = ["roles/datastore.user", "hibanaReadAccounts"]
    jobs      = []
  }

  # The rights of programs that send metrics and traces. Their requests name the project that is billed, which needs the
  # second role.
  telemetry_roles = { for account in ["api", "functions"] : account => ["roles/telemetry.writer", "roles/serviceusage.serviceUsageConsumer"] }

  # The functions push notifications to apps.
  push_roles = contains(["1", "t", "T", "true", "TRUE", "True"], lookup(var.settings, "FCM", "false")) ? { functions = ["roles/firebasecloudmessaging.admin"] } : {}

  grants = merge([
    for roles in [local.project_roles, var.telemetry ? local.telemetry_roles : {}, local.push_roles] : {
      for pair in flatten([for account, names in roles : [for name in names : { account = account, role = name }]]) : "${pair.account} ${pair.role}" => pair
    }
  ]...)
}

resource "google_service_account" "account" {
  for_each = local.accounts

  account_id   = "hibana-${each.key}"
  display_name = each.value
  depends_on   = [google_project_service.api]
}

resource "google_project_iam_custom_role" "role" {
  for_each = local.custom_roles

  role_id     = each.key
  title       = "Hibana: ${trimprefix(each.key, "hibana")}"
  permissions = each.value
  depends_on  = [google_project_service.api]
}

resource "google_project_iam_member" "grant" {
  for_each = local.grants

  project = var.project
  role    = startswith(each.value.role, "roles/") ? each.value.role : google_project_iam_custom_role.role[each.value.role].name
  member  = google_service_account.account[each.value.account].member

  dynamic "condition" {
    for_each = each.value.role == "roles/datastore.user" ? [google_firestore_database.database.name] : []
    content {
      title      = "database"
      expression = "resource.name == \"projects/${var.project}/databases/${condition.value}\""
    }
  }

  # For another database, the new role exists before the old one is deleted.
  lifecycle {
    create_before_destroy = true
  }
}

# The API signs links to exports and addresses of uploads by its own account, without a key.
resource "google_service_account_iam_member" "sign" {
  service_account_id = google_service_account.account["api"].name
  role               = google_project_iam_custom_role.role["hibanaSign"].name
  member             = google_service_account.account["api"].member
}

resource "google_cloud_run_v2_service_iam_member" "events" {
  name     = google_cloud_run_v2_service.functions.name
  location = var.region
  role     = "roles/run.invoker"
  member   = google_service_account.account["triggers"].member
}

resource "google_cloud_run_v2_job_iam_member" "begin" {
  for_each = local.used_jobs

  name     = google_cloud_run_v2_job.job[each.key].name
  location = var.region
  role     = "roles/run.invoker"
  member   = google_service_account.account["jobs"].member
}

# Secrets. Their values are set outside, so that no state contains them.

locals {
  # By variable: the secret and its readers.
  secrets = merge(
    {
      PAGE_TOKEN_KEY = { id = "hibana-page-token-key", accounts = ["api"] }
      MEDIA_KEY      = { id = "hibana-media-key", accounts = ["api", "functions"] }
    },
    var.web_push ? { VAPID_PRIVATE_KEY = { id = "hibana-vapid-key", accounts = ["functions"] } } : {},
    var.ai_key ? { AI_API_KEY = { id = "hibana-ai-key", accounts = ["api", "functions"] } } : {},
    var.federation_key ? { ACTOR_KEY = { id = "hibana-actor-key", accounts = ["api", "functions"] } } : {},
    var.search_login ? { SEARCH_LOGIN = { id = "hibana-search-login", accounts = ["api", "functions"] } } : {},
  )

  # Each with each of its readers.
  secret_readers = merge([
    for name, secret in local.secrets : { for account in secret.accounts : "${name} of ${account}" => { name = name, account = account } }
  ]...)
}

resource "google_secret_manager_secret" "secret" {
  for_each = local.secrets

  secret_id = each.value.id
  replication {
    auto {}
  }
  depends_on = [google_project_service.api]
}

resource "google_secret_manager_secret_iam_member" "secret" {
  for_each = local.secret_readers

  secret_id = google_secret_manager_secret.secret[each.value.name].secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.account[each.value.account].member
}
