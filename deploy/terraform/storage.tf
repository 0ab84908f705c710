# Users' archives, media, exports of the database, and their readers.

# docs/operate/runbook.md, "Exports". The rule is that of deploy/exports-lifecycle.json.
resource "google_storage_bucket" "archives" {
  name                        = "${var.project}-exports"
  location                    = var.region
  force_destroy               = !var.protect
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  # Data that an account deletion removes must not come back.
  soft_delete_policy {
    retention_duration_seconds = 0
  }
  dynamic "lifecycle_rule" {
    for_each = jsondecode(file("${path.module}/../exports-lifecycle.json")).rule
    content {
      action {
        type = lifecycle_rule.value.action.type
      }
      condition {
        age = lifecycle_rule.value.condition.age
      }
    }
  }
  depends_on = [google_project_service.api]
}

resource "google_storage_bucket_iam_member" "archives" {
  for_each = {
    api       = "roles/storage.objectViewer"
    functions = "roles/storage.objectUser"
    verify    = "roles/storage.objectViewer"
  }

  bucket = google_storage_bucket.archives.name
  role   = each.value
  member = google_service_account.account[each.key].member
}

# Files as clients upload them by signed addresses, with the rules of deploy/uploads-lifecycle.json. The functions take a file within a minute. A file that they do not
# take goes after a day, and so does an upload that nobody finishes.
resource "google_storage_bucket" "uploads" {
  name                        = "${var.project}-uploads"
  location                    = var.region
  force_destroy               = !var.protect
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  soft_delete_policy {
    retention_duration_seconds = 0
  }
  cors {
    origin          = local.origins
    method          = ["POST", "PUT"]
    response_header = ["Content-Type", "Content-Range", "Range", "Location", "X-Goog-Resumable", "X-Goog-Content-Length-Range", "X-Goog-If-Generation-Match", "X-Guploader-Uploadid"]
    max_age_seconds = 3600
  }
  dynamic "lifecycle_rule" {
    for_each = jsondecode(file("${path.module}/../uploads-lifecycle.json")).rule
    content {
      action {
        type = lifecycle_rule.value.action.type
      }
      condition {
        age = lifecycle_rule.value.condition.age
      }
    }
  }
  depends_on = [google_project_service.api]
}

# Pictures and videos as the API serves them. A file that is deleted is gone at once, because media of a deleted account
# must not come back: docs/operate/runbook.md, "Media".
resource "google_storage_bucket" "media" {
  name                        = "${var.project}-media"
  location                    = var.region
  force_destroy               = !var.protect
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  soft_delete_policy {
    retention_duration_seconds = 0
  }
  depends_on = [google_project_service.api]
}

# The API signs addresses by its own account, which may therefore create uploads, and neither read nor replace one.
resource "google_storage_bucket_iam_member" "uploads" {
  for_each = {
    api       = "roles/storage.objectCreator"
    functions = "hibanaTakeUploads"
  }

  bucket = google_storage_bucket.uploads.name
  role   = startswith(each.value, "roles/") ? each.value : google_project_iam_custom_role.role[each.value].name
  member = google_service_account.account[each.key].member
}

resource "google_storage_bucket_iam_member" "media" {
  for_each = {
    api       = "roles/storage.objectViewer"
    functions = "roles/storage.objectUser"
    verify    = "roles/storage.objectViewer"
  }

  bucket = google_storage_bucket.media.name
  role   = each.value
  member = google_service_account.account[each.key].member
}

# Operators repair by hand, as themselves: hibana verify --repair removes files without a record. It reads none.
resource "google_storage_bucket_iam_member" "repair" {
  for_each = { for pair in setproduct(var.operators, ["media", "uploads"]) : join(" ", pair) => { member = pair[0], bucket = pair[1] } }

  bucket = { media = google_storage_bucket.media.name, uploads = google_storage_bucket.uploads.name }[each.value.bucket]
  role   = google_project_iam_custom_role.role["hibanaRemoveFiles"].name
  member = each.value.member
}

# Cloud Storage itself publishes the events of a bucket, which Eventarc delivers.
data "google_storage_project_service_account" "agent" {
  depends_on = [google_project_service.api]
}

resource "google_project_iam_member" "storage" {
  project = var.project
  role    = "roles/pubsub.publisher"
  member  = data.google_storage_project_service_account.agent.member
}

# The monthly exports of the database: for 90 days nobody can change or delete one, and a day
# later it goes.
resource "google_storage_bucket" "backups" {
  name                        = "${var.project}-backups"
  location                    = local.location == var.region ? var.region : (startswith(local.location, "eur") ? "EU" : "US")
  storage_class               = "NEARLINE"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  retention_policy {
    retention_period = 7776000 # 90 days
    is_locked        = var.protect
  }
  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      age = 91
    }
  }
  depends_on = [google_project_service.api]
}

# Each read of an object in the buckets is a line of the data access audit log. Cloud Storage's own usage log would need
# a role for a group of Google's, which organizations with domain restricted sharing refuse.
resource "google_project_iam_audit_config" "reads" {
  project = var.project
  service = "storage.googleapis.com"
  audit_log_config {
    log_type = "DATA_READ"
  }
}
