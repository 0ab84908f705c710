# Alerts. Each key is a section of docs/operate/runbook.md, which tests/deploy demands. Queries are
# PromQL over Cloud Monitoring: our own metrics, of internal/telemetry, begin with hibana_.

locals {
  # Latency in seconds that 95 of 100 requests of a class must meet.
  classes = {
    home   = { matcher = "method=\"GET\", route=\"/v1/timeline\"", p95 = 0.5 }
    reads  = { matcher = "method=\"GET\", route!=\"/v1/timeline\"", p95 = 0.5 }
    writes = { matcher = "method!=\"GET\"", p95 = 1 }
  }

  # docs/contribute/costs.md: the reads of a user's day, and after how many the nightly verification pauses. An alert
  # starts above twice as much.
  reads_of_user  = 456
  reads_of_night = var.users < 2 ? 5000 : max(200000, 70 * var.users)
  daily_reads    = coalesce(var.daily_reads, 2 * (var.users * local.reads_of_user + local.reads_of_night))

  alerts = merge(
    {
      # Throttling of every source.
      throttled = {
        title    = "Firestore turns calls away"
        severity = "CRITICAL"
        query    = "sum(increase(firestore_googleapis_com:api_request_count{monitored_resource=\"firestore.googleapis.com/Database\", response_code=\"RESOURCE_EXHAUSTED\"}[5m])) > 0"
        duration = "0s"
      }
      contention = {
        title    = "Transactions wait for each other"
        severity = "WARNING"
        # Transactions retry by design, so a few retries are normal.
        query    = "sum(rate(firestore_googleapis_com:api_request_count{monitored_resource=\"firestore.googleapis.com/Database\", response_code=\"ABORTED\"}[10m])) > 0.05 * sum(rate(firestore_googleapis_com:api_request_count{monitored_resource=\"firestore.googleapis.com/Database\"}[10m]))"
        duration = "600s"
      }
      system-errors = {
        # Without UNAVAILABLE: clients retry such a call, and a final failure is a 5xx.
        title    = "More than 10 errors of ours in a minute"
        severity = "CRITICAL"
        query    = "60 * (sum(rate(run_googleapis_com:request_count{service_name=\"hibana-api\", response_code_class=\"5xx\"}[5m])) or vector(0)) + 60 * (sum(rate(firestore_googleapis_com:api_request_count{monitored_resource=\"firestore.googleapis.com/Database\", response_code=~\"INTERNAL|DEADLINE_EXCEEDED\"}[5m])) or vector(0)) > 10"
        duration = "0s"
      }
      read-budget = {
        title    = "80 % of the day's budget of reads"
        severity = "WARNING"
        query    = "sum(increase(firestore_googleapis_com:document_read_count{monitored_resource=\"firestore_instance\"}[1d])) > 0.8 * ${local.daily_reads}"
        duration = "0s"
      }

      # The promises of Hibana.
      stale-timelines = {
        title    = "Tweets take longer than 3 s to home timelines"
        severity = "CRITICAL"
        query    = "histogram_quantile(0.95, sum by (le) (rate(hibana_fanout_freshness_seconds_bucket[10m]))) > 3"
        duration = "600s"
      }
      old-events = {
        title    = "An event waits for more than 5 minutes"
        severity = "CRITICAL"
        query    = "max by (subscription_id) (pubsub_googleapis_com:subscription_oldest_unacked_message_age{subscription_id=~\"eventarc-.*\"}) > 300"
        duration = "300s"
      }
      failing-events = {
        title    = "Functions fail with 1 of 20 events"
        severity = "WARNING"
        query    = "sum by (function) (rate(hibana_events_total{outcome=\"failed\"}[15m])) > 0.05 * sum by (function) (rate(hibana_events_total[15m]))"
        duration = "900s"
      }
      refused-events = {
        title    = "A trigger is wrong"
        severity = "CRITICAL"
        query    = "sum by (function) (increase(hibana_events_total{outcome=\"refused\"}[15m])) > 0"
        duration = "0s"
      }
      dead-letters = {
        title    = "An event was given up"
        severity = "CRITICAL"
        query    = "(sum(increase(hibana_deadletters_total[30m])) > 0) or (max(pubsub_googleapis_com:subscription_num_undelivered_messages{subscription_id=\"${google_pubsub_subscription.dead.name}\"}) > 0)"
        duration = "0s"
      }
      drift = {
        title    = "Projections differ from their sources"
        severity = "WARNING"
        query    = "sum(increase(logging_googleapis_com:user_${google_logging_metric.drift.name}{monitored_resource=\"cloud_run_job\"}[1h])) > 0"
        duration = "0s"
      }
      job-failed = {
        title    = "A job failed"
        severity = "WARNING"
        query    = "sum by (job_name) (increase(run_googleapis_com:job_completed_execution_count{job_name=~\"hibana-.*\", result=\"failed\"}[1h])) > 0"
        duration = "0s"
      }
      clock-stopped = {
        title    = "Nobody calls the clock of the functions"
        severity = "CRITICAL"
        # From the log of Cloud Run, which exists even if our own metrics fail.
        query    = "(sum(increase(logging_googleapis_com:user_${google_logging_metric.ticks.name}{monitored_resource=\"cloud_run_revision\"}[10m])) or vector(0)) < 1"
        duration = "600s"
      }
      roll-up-lag = {
        title    = "Counts are a minute late"
        severity = "WARNING"
        query    = "histogram_quantile(0.95, sum by (le) (rate(hibana_rollup_lag_seconds_bucket[15m]))) > 60"
        duration = "900s"
      }
      saturated = {
        title    = "Instances of the API are full"
        severity = "CRITICAL"
        query    = "sum(increase(hibana_saturated_total[5m])) > 0"
        duration = "300s"
      }
      limited = {
        title    = "1 of 20 requests is beyond a limit of callers"
        severity = "WARNING"
        query    = "sum(rate(hibana_limited_total[15m])) > 0.05 * sum(rate(hibana_http_duration_seconds_count[15m]))"
        duration = "900s"
      }
    },
    {
      for name, class in local.classes : "slow-${name}" => {
        title    = "95 of 100 ${name == "home" ? "home pages" : name} take longer than ${class.p95} s"
        severity = "WARNING"
        query    = "histogram_quantile(0.95, sum by (le) (rate(hibana_http_duration_seconds_bucket{${class.matcher}}[10m]))) > ${class.p95}"
        duration = "900s"
      }
    },
  )

  # How fast the 0.1 % of failures in 30 days is used up: 2 % of it in an hour, or 5 % in six. The short
  # window ends the alert soon after the failures.
  burns = {
    availability-fast = { title = "Requests fail: 2 % of the month's failures in an hour", severity = "CRITICAL", rate = 14.4, long = "3600s", short = "300s" }
    availability-slow = { title = "Requests fail: 5 % of the month's failures in six hours", severity = "WARNING", rate = 6, long = "21600s", short = "1800s" }
  }
}

resource "google_monitoring_notification_channel" "email" {
  for_each = toset(var.alert_emails)

  display_name = each.key
  type         = "email"
  labels       = { email_address = each.key }
  depends_on   = [google_project_service.api]
}

resource "google_monitoring_alert_policy" "alert" {
  # An alert on a missing event is created after the source of the event.
  depends_on = [google_cloud_scheduler_job.tick]

  # Without telemetry our own metrics do not exist. Alerts on other metrics stay. One person looks at the pages instead.
  for_each = { for name, alert in local.alerts : name => alert if var.users < 2 ? false : var.telemetry || !can(regex("\\bhibana_", alert.query)) || strcontains(alert.query, "pubsub_googleapis_com") }

  display_name          = each.value.title
  severity              = each.value.severity
  combiner              = "OR"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]

  conditions {
    display_name = each.value.title
    condition_prometheus_query_language {
      query               = each.value.query
      duration            = each.value.duration
      evaluation_interval = "60s"

      # Our own metrics exist after the first request.
      disable_metric_validation = true
    }
  }

  documentation {
    subject   = "Hibana: ${each.value.title}"
    mime_type = "text/markdown"
    content   = "What it means, where to look, what to do and how to see that it helped: ${var.runbook}#${each.key}"
    links {
      display_name = "Runbook"
      url          = "${var.runbook}#${each.key}"
    }
  }
}

# Service level objectives: 99.9 % of requests are answered without a failure of ours.

resource "google_monitoring_custom_service" "api" {
  service_id   = "hibana-api"
  display_name = "Hibana's API"
  depends_on   = [google_project_service.api]
}

resource "google_monitoring_slo" "availability" {
  service             = google_monitoring_custom_service.api.service_id
  slo_id              = "availability"
  display_name        = "99.9 % of requests without a failure of ours, in 30 days"
  goal                = 0.999
  rolling_period_days = 30

  request_based_sli {
    good_total_ratio {
      total_service_filter = join(" AND ", [
        "metric.type=\"run.googleapis.com/request_count\"", "resource.type=\"cloud_run_revision\"",
        "resource.labels.service_name=\"${google_cloud_run_v2_service.api.name}\"",
      ])
      bad_service_filter = join(" AND ", [
        "metric.type=\"run.googleapis.com/request_count\"", "resource.type=\"cloud_run_revision\"",
        "resource.labels.service_name=\"${google_cloud_run_v2_service.api.name}\"", "metric.labels.response_code_class=\"5xx\"",
      ])
    }
  }
}

# 95 % of requests within a second, slow and fast ones together; slow-home, slow-reads and
# slow-writes look at each class.
resource "google_monitoring_slo" "latency" {
  service             = google_monitoring_custom_service.api.service_id
  slo_id              = "latency"
  display_name        = "95 % of requests within a second, in 30 days"
  goal                = 0.95
  rolling_period_days = 30

  request_based_sli {
    distribution_cut {
      distribution_filter = join(" AND ", [
        "metric.type=\"run.googleapis.com/request_latencies\"", "resource.type=\"cloud_run_revision\"",
        "resource.labels.service_name=\"${google_cloud_run_v2_service.api.name}\"",
      ])
      range {
        min = 0
        max = 1000 # ms
      }
    }
  }
}

resource "google_monitoring_alert_policy" "burn" {
  for_each = { for name, burn in local.burns : name => burn if var.users >= 2 }

  display_name          = each.value.title
  severity              = each.value.severity
  combiner              = "AND"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]

  dynamic "conditions" {
    for_each = [each.value.long, each.value.short]
    content {
      display_name = "Within ${conditions.value}"
      condition_threshold {
        filter          = "select_slo_burn_rate(\"${google_monitoring_slo.availability.name}\", \"${conditions.value}\")"
        comparison      = "COMPARISON_GT"
        threshold_value = each.value.rate
        duration        = "0s"
      }
    }
  }

  documentation {
    subject   = "Hibana: ${each.value.title}"
    mime_type = "text/markdown"
    content   = "What it means, where to look, what to do and how to see that it helped: ${var.runbook}#${each.key}"
    links {
      display_name = "Runbook"
      url          = "${var.runbook}#${each.key}"
    }
  }
}
