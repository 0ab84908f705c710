locals {
  # docs/costs.md, "A month": dollars of a year-old project, what it costs without users and for each.
  monthly_budget = coalesce(var.monthly_budget, ceil((var.telemetry ? 320 : 40) + 0.06 * var.users))
}

# What the project may cost in a month. The billing account tells its administrators, and
# whoever hears of alerts, at each of the shares.
resource "google_billing_budget" "month" {
  count = var.billing_account == "" ? 0 : 1

  billing_account = var.billing_account
  display_name    = "Hibana, ${var.project}"

  budget_filter {
    projects = ["projects/${data.google_project.this.number}"]
  }
  amount {
    specified_amount {
      units = tostring(local.monthly_budget)
    }
  }
  dynamic "threshold_rules" {
    for_each = [0.5, 0.8, 1.0]
    content {
      threshold_percent = threshold_rules.value
    }
  }
  threshold_rules {
    threshold_percent = 1.0
    spend_basis       = "FORECASTED_SPEND"
  }
  all_updates_rule {
    monitoring_notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
  }
  depends_on = [google_project_service.api]
}
