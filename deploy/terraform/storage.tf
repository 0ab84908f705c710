# Archives that people take along, exports of the database, and the log of who read those.

# docs/operations.md, "People who take their data along". The rule is that of deploy/exports-lifecycle.json.
resource "google_storage_bucket" "archives" {
  name                        = "${var.project}-exports"
  location                    = var.region
  force_destroy               = !var.protect
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  # What a leaving deletes should be gone.
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
  logging {
    log_bucket        = google_storage_bucket.logs.name
    log_object_prefix = "backups"
  }
  depends_on = [google_storage_bucket_iam_member.logs]
}

resource "google_storage_bucket" "logs" {
  name                        = "${var.project}-backups-log"
  location                    = local.location == var.region ? var.region : (startswith(local.location, "eur") ? "EU" : "US")
  force_destroy               = !var.protect
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"

  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      age = 400
    }
  }
}

resource "google_storage_bucket_iam_member" "logs" {
  bucket = google_storage_bucket.logs.name
  role   = "roles/storage.objectCreator"
  member = "group:cloud-storage-analytics@google.com"
}
