# One page for everything: dashboards/hibana.json lists the charts, three in a row.

locals {
  charts = jsondecode(file("${path.module}/dashboards/hibana.json"))
}

resource "google_monitoring_dashboard" "hibana" {
  dashboard_json = jsonencode({
    displayName = "Hibana"
    mosaicLayout = {
      columns = 48
      tiles = [
        for i, chart in local.charts : {
          xPos   = 16 * (i % 3)
          yPos   = 16 * floor(i / 3)
          width  = 16
          height = 16
          widget = {
            title = chart.title
            xyChart = {
              yAxis = { label = chart.unit, scale = "LINEAR" }
              dataSets = [
                # A query by labels has a line for each, which has the labels as its name.
                for name, query in chart.queries : merge(
                  { plotType = "LINE", timeSeriesQuery = { prometheusQuery = query, unitOverride = chart.unit } },
                  startswith(name, "by ") ? {} : { legendTemplate = name },
                )
              ]
            }
          }
        }
      ]
    }
  })
  depends_on = [google_project_service.api]
}
