package main

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// TestJobWithoutCollector runs a job whose collector does not answer. The job was done all the
// same, and Cloud Run must not run it again.
func TestJobWithoutCollector(t *testing.T) {
	t.Parallel()
	p := hibana(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=127.0.0.1:1", "GOOGLE_CLOUD_PROJECT=" + testenv.Project(t)},
		"jobs", "run", "sweep", "--firestore="+testenv.FirestoreHost(t))
	p.ends(0)
	wantText(t, p.out.String(), `"job":"sweep"`, `"outcome":"done"`, `"message":"telemetry failed"`)
}
