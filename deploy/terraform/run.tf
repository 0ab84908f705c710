# The two services.

locals {
  # Variables of docs/operate/configure.md that var.settings may set, by the programs that read them. Other variables
  # are set below or by Cloud Run, or only on a laptop.
  shared_settings = [
    "AI_ENDPOINT", "AI_PROVIDER", "CACHE_BYTES", "CARDS_PER_BUCKET", "CHANGE_DIGESTS", "DRAIN_AFTER", "EDIT_LIMIT", "EDIT_WITHIN", "FCM", "FEDERATION", "HANDLE_DOMAIN", "KMS_KEY", "MAX_FOLLOWERS",
    "MAX_FOLLOWS", "MEDIA_URL", "NOTIFICATION_DAYS", "OPEN_ORDERS", "PUBLIC_URL", "SEARCH_INDEX", "SEARCH_URL", "SHARES_PER_BUCKET", "SINGLE_USER", "STALE_AFTER", "SUGGESTION_READS", "TIME_ZONE", "VAPID_PUBLIC_KEY", "WRITE_EVERY",
  ]
  api_settings = [
    "APP_CHECK", "CORS_ORIGINS", "GIST_MODEL", "GIST_TOKENS", "LIMITS", "MASTODON_STREAMING", "MAX_REQUESTS", "MEDIA_BYTES_A_DAY", "RENAME_EVERY", "REQUIRE_VERIFIED_EMAIL", "SERVER_TIMING", "SIGNED_FETCH", "TRUSTED_HOPS", "USERNAME_EVERY",
  ]
  functions_settings = ["CALLER_AUDIENCE", "LINK_CARDS", "VAPID_CONTACT"]

  # The pages of the web client, which call the API at its own address and upload to Cloud Storage.
  origins = concat(["https://${var.project}.web.app", "https://${var.project}.firebaseapp.com"], [for domain in var.authorized_domains : "https://${domain}"])

  shared_environment = merge(
    {
      GOOGLE_CLOUD_PROJECT = var.project
      FIRESTORE_DATABASE   = google_firestore_database.database.name
      EXPORT_BUCKET        = "gs://${google_storage_bucket.archives.name}"
      UPLOADS_BUCKET       = "gs://${google_storage_bucket.uploads.name}"
      MEDIA_BUCKET         = "gs://${google_storage_bucket.media.name}"
      # Firebase Hosting sends the pages of profiles and tweets to the API, and requests of the functions to other sites
      # name it. A domain of one's own goes into var.settings.
      PUBLIC_URL = local.origins[0]
      # Firebase Hosting sends /media to the API, and its CDN keeps what everybody may see.
      MEDIA_URL = local.origins[0]
    },
    { for name, value in var.settings : name => value if contains(local.shared_settings, name) },
  )

  # Metrics and traces go to Google Cloud's Telemetry API without a collector. It refuses metrics without a region, and
  # more than 200 points in a request.
  telemetry_environment = var.telemetry ? {
    OTEL_EXPORTER_OTLP_ENDPOINT        = "https://telemetry.googleapis.com:443"
    OTEL_RESOURCE_ATTRIBUTES           = "cloud.platform=gcp_cloud_run,cloud.region=${var.region}"
    OTEL_GO_X_METRIC_EXPORT_BATCH_SIZE = "200"
  } : {}

  # Users from which a service costs less if its CPU is always on, which is instance-based billing. lab/cost/invoice
  # computes the numbers.
  always_on_from = { api = 6000, functions = 20000 }
  always_on = {
    api       = coalesce(var.always_on.api, var.users >= local.always_on_from.api)
    functions = coalesce(var.always_on.functions, var.users >= local.always_on_from.functions)
  }

  # Go's own: the collector of garbage may wait until the heap is five times what is in use, and
  # the process stays below its memory.
  api_environment = merge(local.shared_environment, local.telemetry_environment,
    {
      GOGC       = "400"
      GOMEMLIMIT = "400MiB"
      # Whose pages call the API.
      CORS_ORIGINS = join(",", local.origins)
    },
    { for name, value in var.settings : name => value if contains(local.api_settings, name) },
  )
  functions_environment = merge(local.shared_environment, local.telemetry_environment,
    {
      CALLERS = google_service_account.account["triggers"].email
      # A picture takes up to 240 MiB while it is scaled, one after the other.
      GOMEMLIMIT = "400MiB"
    },
    { for name, value in var.settings : name => value if contains(local.functions_settings, name) },
  )
}

resource "google_cloud_run_v2_service" "functions" {
  name                = "hibana-functions"
  location            = var.region
  deletion_protection = var.protect

  # Eventarc and Cloud Scheduler count as internal. The internet does not.
  ingress = "INGRESS_TRAFFIC_INTERNAL_ONLY"

  template {
    service_account = google_service_account.account["functions"].email
    timeout         = "60s"

    # Events that change one document wait for each other, for a second, and are committed together.
    max_instance_request_concurrency = 250

    scaling {
      min_instance_count = var.functions_instances.min
      max_instance_count = var.functions_instances.max
    }

    containers {
      name  = "functions"
      image = "${local.images}/functions:${var.tag}"

      ports {
        container_port = 8080
      }
      resources {
        limits            = { cpu = "1", memory = "512Mi" }
        cpu_idle          = !local.always_on.functions
        startup_cpu_boost = true
      }
      startup_probe {
        http_get {
          path = "/ready"
        }
        period_seconds    = 3
        timeout_seconds   = 3
        failure_threshold = 20
      }
      liveness_probe {
        http_get {
          path = "/health"
        }
        period_seconds  = 30
        timeout_seconds = 5
      }

      dynamic "env" {
        for_each = local.functions_environment
        content {
          name  = env.key
          value = env.value
        }
      }
      dynamic "env" {
        for_each = { for name, secret in local.secrets : name => secret if contains(secret.accounts, "functions") }
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.secret[env.key].secret_id
              version = "latest"
            }
          }
        }
      }
    }
  }

  # A rollout also ends a traffic split that a rollback by gcloud left.
  traffic {
    type    = "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST"
    percent = 100
  }

  # A query without its index fails.
  depends_on = [
    google_firestore_index.index, google_firestore_field.field, google_project_iam_member.grant,
    google_secret_manager_secret_iam_member.secret, google_storage_bucket_iam_member.archives,
    google_storage_bucket_iam_member.uploads, google_storage_bucket_iam_member.media,
  ]
}

resource "google_cloud_run_v2_service" "api" {
  name                = "hibana-api"
  location            = var.region
  deletion_protection = var.protect
  ingress             = "INGRESS_TRAFFIC_ALL"

  # Everybody may call the API, which checks an ID token itself. A role for allUsers would have the same effect, but
  # organizations with domain restricted sharing refuse it.
  invoker_iam_disabled = true

  template {
    service_account = google_service_account.account["api"].email
    # Connections of MASTODON_STREAMING last for up to 55 minutes.
    timeout                          = lookup(var.settings, "MASTODON_STREAMING", "off") == "on" ? "3600s" : "60s"
    max_instance_request_concurrency = 80

    scaling {
      min_instance_count = var.api_instances.min
      max_instance_count = var.api_instances.max # each instance counts limits on its own
    }

    containers {
      name  = "api"
      image = "${local.images}/api:${var.tag}"

      ports {
        container_port = 8080
      }
      resources {
        limits            = { cpu = "1", memory = "512Mi" }
        cpu_idle          = !local.always_on.api
        startup_cpu_boost = true
      }
      startup_probe {
        http_get {
          path = "/ready"
        }
        period_seconds    = 3
        timeout_seconds   = 3
        failure_threshold = 20
      }
      liveness_probe {
        http_get {
          path = "/health"
        }
        period_seconds  = 30
        timeout_seconds = 5
      }

      dynamic "env" {
        for_each = local.api_environment
        content {
          name  = env.key
          value = env.value
        }
      }
      dynamic "env" {
        for_each = { for name, secret in local.secrets : name => secret if contains(secret.accounts, "api") }
        content {
          name = env.key
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.secret[env.key].secret_id
              version = "latest"
            }
          }
        }
      }
    }
  }

  # A rollout also ends a traffic split that a rollback by gcloud left.
  traffic {
    type    = "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST"
    percent = 100
  }

  # Functions first, then their triggers, then the API that relies on them.
  depends_on = [terraform_data.delivery, google_firebaserules_release.firestore, google_service_account_iam_member.sign]
}
