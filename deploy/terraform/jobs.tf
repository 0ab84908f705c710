# Scheduled jobs: commands of hibana, as Cloud Run jobs that Cloud Scheduler starts.

locals {
  # At night in Japan, when traffic is low, and the export on the first of each month. A job that is started twice runs
  # once. It continues where it was killed or paused.
  jobs = {
    verify = { args = ["jobs", "run", "verify", "--settle", "10m", "--reads", local.reads_of_night], schedule = "30 3 * * *", timeout = "21600s", memory = "2Gi" }
    export = { args = ["jobs", "run", "export"], schedule = "0 4 1 * *", timeout = "21600s", memory = "512Mi" }
    sweep  = { args = ["jobs", "run", "sweep", "--unused", var.unused_accounts], schedule = "30 4 * * *", timeout = "3600s", memory = "512Mi" }
    gone   = { args = ["deletions", "orphans", "--apply"], schedule = "0 5 * * *", timeout = "3600s", memory = "512Mi" }
  }

  # Three jobs of Cloud Scheduler are free, and Tick is one of them. One person needs neither the monthly export nor a
  # nightly search for accounts that are gone.
  used_jobs = { for name, job in local.jobs : name => job if var.users >= 2 || contains(["verify", "sweep"], name) }
}

resource "google_cloud_run_v2_job" "job" {
  for_each = local.used_jobs

  name                = "hibana-${each.key}"
  location            = var.region
  deletion_protection = false

  template {
    template {
      service_account = google_service_account.account[each.key].email
      timeout         = each.value.timeout
      max_retries     = 1

      containers {
        image = "${local.images}/hibana:${var.tag}"
        args  = each.value.args
        resources {
          limits = { cpu = "1", memory = each.value.memory }
        }
        dynamic "env" {
          for_each = merge(local.shared_environment, { BACKUP_BUCKET = "gs://${google_storage_bucket.backups.name}" })
          content {
            name  = env.key
            value = env.value
          }
        }
      }
    }
  }

  depends_on = [google_project_iam_member.grant]
}

resource "google_cloud_scheduler_job" "job" {
  for_each = local.used_jobs

  name             = google_cloud_run_v2_job.job[each.key].name
  region           = var.region
  schedule         = each.value.schedule
  time_zone        = lookup(var.settings, "TIME_ZONE", "Asia/Tokyo")
  attempt_deadline = "60s"
  paused           = false # whatever state a restore left
  retry_config {
    retry_count = 3
  }
  http_target {
    http_method = "POST"
    uri         = "https://run.googleapis.com/v2/${google_cloud_run_v2_job.job[each.key].id}:run"
    oauth_token {
      service_account_email = google_service_account.account["jobs"].email
    }
  }
  depends_on = [google_cloud_run_v2_job_iam_member.begin]
}

# Each difference that the job verify found is a line of its log.
resource "google_logging_metric" "drift" {
  name   = "hibana_drift"
  filter = "resource.type=\"cloud_run_job\" AND resource.labels.job_name=\"hibana-verify\" AND jsonPayload.message=\"a projection differs\""
  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
  }
  depends_on = [google_project_service.api]
}
