package main

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/httpserver"
)

// An event that arrived just before SIGTERM is answered before the process is killed, and
// before its subscription gives it up, whatever the deadline of the subscription.
func TestTimeoutsFit(t *testing.T) {
	t.Parallel()
	const killed = 10 * time.Second // after SIGTERM, by Cloud Run; and the shortest deadline of a subscription
	if functions.Timeout >= httpserver.Grace || httpserver.Grace >= killed {
		t.Errorf("an event may take %v and a process that stops waits %v, want the first below the second below %v",
			functions.Timeout, httpserver.Grace, killed)
	}
	const request = 60 * time.Second // of Cloud Run, see deploy/terraform/run.tf
	if most := functions.FileTimeout * 5 / 4; most >= request {
		t.Errorf("a file may wait and take %v, and Cloud Run ends its request after %v", most, request)
	}
}
