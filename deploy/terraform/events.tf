# The triggers of functions: one for each function and event type, and the clock.

locals {
  # hibana triggers --format=terraform > deploy/terraform/triggers.json
  triggers = jsondecode(file("${path.module}/triggers.json"))

  # Delivery of a trigger's events by Pub/Sub. The deadline is also the time-out of a push, and the longest possible.
  # 100 attempts that are 10 s to 600 s apart take 16 hours. An event that is not handled by then becomes a dead letter
  # of Pub/Sub, before it would be lost after 24 hours.
  delivery = {
    ack_deadline          = 600
    min_retry_delay       = "10s"
    max_retry_delay       = "600s"
    max_delivery_attempts = 100
  }

  # A document of gs://uploads stands for the files of the bucket.
  file_triggers = { for id, trigger in local.triggers : id => trigger if startswith(trigger.document, "gs://") }

  # By trigger; a plan without a cloud has none.
  subscriptions = { for id, trigger in merge(google_eventarc_trigger.function, google_eventarc_trigger.file) : id => try(trigger.transport[0].pubsub[0].subscription, "none") }
}

resource "google_eventarc_trigger" "function" {
  for_each = { for id, trigger in local.triggers : id => trigger if !contains(keys(local.file_triggers), id) }

  name                    = each.key
  location                = local.location
  service_account         = google_service_account.account["triggers"].email
  event_data_content_type = "application/protobuf"

  matching_criteria {
    attribute = "type"
    value     = each.value.type
  }
  matching_criteria {
    attribute = "database"
    value     = google_firestore_database.database.name
  }
  matching_criteria {
    attribute = "document"
    value     = each.value.document
    operator  = "match-path-pattern"
  }

  destination {
    cloud_run_service {
      service = google_cloud_run_v2_service.functions.name
      region  = var.region
      path    = "/${each.value.function}"
    }
  }

  depends_on = [google_project_iam_member.grant, google_project_iam_member.eventarc, google_cloud_run_v2_service_iam_member.events]
}

# Triggers of a bucket are where the bucket is.
resource "google_eventarc_trigger" "file" {
  for_each = local.file_triggers

  name                    = each.key
  location                = var.region
  service_account         = google_service_account.account["triggers"].email
  event_data_content_type = "application/json"

  matching_criteria {
    attribute = "type"
    value     = each.value.type
  }
  matching_criteria {
    attribute = "bucket"
    value     = google_storage_bucket.uploads.name
  }

  destination {
    cloud_run_service {
      service = google_cloud_run_v2_service.functions.name
      region  = var.region
      path    = "/${each.value.function}"
    }
  }

  depends_on = [google_project_iam_member.grant, google_project_iam_member.eventarc, google_project_iam_member.storage, google_cloud_run_v2_service_iam_member.events]
}

# The subscription of a trigger belongs to Eventarc, and no resource of the provider can change it. gcloud therefore
# changes it, once for each subscription. hibana triggers check reports whether the setting still holds.
resource "terraform_data" "delivery" {
  for_each = local.triggers

  triggers_replace = merge(local.delivery, {
    subscription = local.subscriptions[each.key]
    topic        = google_pubsub_topic.dead.id
  })

  provisioner "local-exec" {
    command = join(" ", [
      "gcloud", "pubsub", "subscriptions", "update", self.triggers_replace.subscription, "--project=${var.project}",
      "--ack-deadline=${local.delivery.ack_deadline}",
      "--min-retry-delay=${local.delivery.min_retry_delay}", "--max-retry-delay=${local.delivery.max_retry_delay}",
      "--dead-letter-topic=${self.triggers_replace.topic}", "--max-delivery-attempts=${local.delivery.max_delivery_attempts}",
    ])
  }

  depends_on = [google_pubsub_topic_iam_member.dead]
}

resource "google_pubsub_topic" "dead" {
  name       = "hibana-dead-events"
  depends_on = [google_project_service.api]
}

# Dead letters of Pub/Sub wait here for a person: docs/operate/runbook.md#dead-letters.
resource "google_pubsub_subscription" "dead" {
  name                       = "hibana-dead-events"
  topic                      = google_pubsub_topic.dead.id
  ack_deadline_seconds       = 600
  message_retention_duration = "2678400s" # 31 days, as long as deadEvents
  expiration_policy {
    ttl = ""
  }
}

# Accounts of Google's own services. Enabling a service does not always make its account.
resource "google_project_service_identity" "agent" {
  provider = google-beta
  for_each = toset(["eventarc.googleapis.com", "pubsub.googleapis.com"])

  service    = each.key
  depends_on = [google_project_service.api]
}

resource "google_project_iam_member" "eventarc" {
  project = var.project
  role    = "roles/eventarc.serviceAgent"
  member  = google_project_service_identity.agent["eventarc.googleapis.com"].member
}

# Pub/Sub itself moves them.
resource "google_pubsub_topic_iam_member" "dead" {
  topic  = google_pubsub_topic.dead.id
  role   = "roles/pubsub.publisher"
  member = google_project_service_identity.agent["pubsub.googleapis.com"].member
}

resource "google_pubsub_subscription_iam_member" "dead" {
  for_each = local.triggers

  subscription = local.subscriptions[each.key]
  role         = "roles/pubsub.subscriber"
  member       = google_pubsub_topic_iam_member.dead.member
}

# Scheduled tweets. A call that fails is not repeated: the next comes within a minute.
resource "google_cloud_scheduler_job" "tick" {
  name             = "${google_cloud_run_v2_service.functions.name}-tick"
  region           = var.region
  schedule         = "* * * * *"
  attempt_deadline = "60s"
  paused           = false # whatever state a restore left
  retry_config {
    retry_count = 0
  }
  http_target {
    http_method = "POST"
    uri         = "${google_cloud_run_v2_service.functions.uri}/Tick"
    oidc_token {
      service_account_email = google_service_account.account["triggers"].email
      audience              = google_cloud_run_v2_service.functions.uri
    }
  }
  depends_on = [google_cloud_run_v2_service_iam_member.events]
}

# A call of the clock that ended well is a line of Cloud Run's own log of requests.
resource "google_logging_metric" "ticks" {
  name   = "hibana_ticks"
  filter = "log_id(\"run.googleapis.com/requests\") AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${google_cloud_run_v2_service.functions.name}\" AND httpRequest.requestUrl=~\"/Tick$\" AND httpRequest.status=204"
  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
  }
}

# Cloud Run writes a line for each request, and the API and the functions write one that says the same, without the
# caller's address; the API writes none for a poll without news. What is not stored is not billed: the lines of requests
# that ended well. The clock's lines stay, because hibana_ticks counts them.
resource "google_logging_project_exclusion" "functions" {
  name        = "hibana-functions-requests"
  description = "Requests of the functions that ended well"
  filter      = "log_id(\"run.googleapis.com/requests\") AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${google_cloud_run_v2_service.functions.name}\" AND httpRequest.status<400 AND NOT httpRequest.requestUrl=~\"/Tick$\""
}

resource "google_logging_project_exclusion" "api" {
  name        = "hibana-api-requests"
  description = "Requests of the API that ended well"
  filter      = "log_id(\"run.googleapis.com/requests\") AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${google_cloud_run_v2_service.api.name}\" AND httpRequest.status<400"
}
