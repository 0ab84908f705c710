package deploy

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// logs: what Cloud Run writes of requests is stored only if a request failed, or if the metric hibana_ticks counts it.
// The API and the functions write lines of their own.
func logs(_ *testing.T, m *module) {
	if invoice.Terraform.DuplicateLines {
		m.add("logs: lab/cost/invoice prices lines that are not stored")
	}
	for service, also := range map[string]string{"api": "",
		"functions": `NOT httpRequest.requestUrl=~\"/` + functions.Tick + `$\"`} {
		filter := m.resource("google_logging_project_exclusion." + service).get("filter")
		for _, part := range []string{`log_id(\"run.googleapis.com/requests\")`,
			`resource.labels.service_name=\"${google_cloud_run_v2_service.` + service + `.name}\"`, "httpRequest.status<400",
			also} {
			if !strings.Contains(filter, part) {
				m.add("logs: the exclusion of the requests of %s has no %s", service, part)
			}
		}
		if strings.Contains(filter, " OR ") {
			m.add("logs: the exclusion of the requests of %s holds for more than them", service)
		}
	}
}
