# The copy of the audit log and of the reads of exports. Nobody with write access to the database can change it: it is a
# bucket of Cloud Logging, whose entries stay for 400 days. With protect nobody can shorten the time or delete the
# bucket. docs/operate/runbook.md, "Moderating", describes how to read it.

resource "google_logging_project_bucket_config" "acts" {
  project        = var.project
  location       = var.region
  bucket_id      = "hibana-acts"
  description    = "Acts of moderators and administrators, and who reads exports"
  retention_days = 400
  locked         = var.protect
  depends_on     = [google_project_service.api]
}

resource "google_logging_project_sink" "acts" {
  name        = "hibana-acts"
  description = "Acts of moderators and administrators, and who reads exports"
  destination = "logging.googleapis.com/${google_logging_project_bucket_config.acts.id}"
  filter = join(" OR ", [
    "(resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${google_cloud_run_v2_service.api.name}\" AND jsonPayload.message=\"act\")",
    "(log_id(\"cloudaudit.googleapis.com/data_access\") AND protoPayload.serviceName=\"storage.googleapis.com\" AND resource.labels.bucket_name=\"${google_storage_bucket.backups.name}\")",
  ])

  # A bucket of the same project needs no role of the writer.
  unique_writer_identity = true
}
