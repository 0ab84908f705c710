package deploy

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// logs: what Cloud Run writes of the functions' requests is stored only if a request failed, or if the metric
// hibana_ticks counts it. The functions write a line of their own for each event.
func logs(_ *testing.T, m *module) {
	if invoice.Terraform.DuplicateLines {
		m.add("logs: lab/cost/invoice prices lines that are not stored")
	}
	filter := m.resource("google_logging_project_exclusion.functions").get("filter")
	for _, part := range []string{`log_id(\"run.googleapis.com/requests\")`,
		`resource.labels.service_name=\"${google_cloud_run_v2_service.functions.name}\"`, "httpRequest.status<400",
		`NOT httpRequest.requestUrl=~\"/` + functions.Tick + `$\"`} {
		if !strings.Contains(filter, part) {
			m.add("logs: the exclusion of the functions' requests has no %s", part)
		}
	}
	if strings.Contains(filter, " OR ") {
		m.add("logs: the exclusion of the functions' requests holds for more than them")
	}
}
