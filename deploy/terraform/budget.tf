locals {
  # Dollars, a fifth to a half above the invoice of a year-old project in Tokyo (docs/contribute/costs.md, "A month").
  monthly_budget = coalesce(var.monthly_budget, var.users < 2 ? 1 : ceil(47 + 0.037 * var.users))

  # A budget notifies at most five channels.
  all_channels    = [for channel in google_monitoring_notification_channel.email : channel.id]
  budget_channels = slice(local.all_channels, 0, min(5, length(local.all_channels)))
}

# The monthly budget of the project. The billing account notifies its administrators and the alert channels at each of
# the shares.
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
    for_each = [1.0, 1.5]
    content {
      threshold_percent = threshold_rules.value
    }
  }
  threshold_rules {
    threshold_percent = 1.2
    spend_basis       = "FORECASTED_SPEND"
  }
  dynamic "all_updates_rule" {
    for_each = length(local.budget_channels) > 0 ? [local.budget_channels] : []
    content {
      monitoring_notification_channels = all_updates_rule.value
    }
  }
  depends_on = [google_project_service.api]
}
