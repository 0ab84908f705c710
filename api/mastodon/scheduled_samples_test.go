package mastodon_test

import "time"

func scheduledSamples() []sample {
	at := func(in time.Duration) string { return time.Now().Add(in).UTC().Format(time.RFC3339) }
	const one = "/api/v1/scheduled_statuses/{scheduled}"
	return []sample{
		{of: "POST /api/v1/statuses", keep: "scheduled", body: map[string]any{"status": "later",
			"scheduled_at": at(time.Hour)}},
		{of: "GET /api/v1/scheduled_statuses"},
		{of: "GET /api/v1/scheduled_statuses/:id", path: one},
		{of: "PUT /api/v1/scheduled_statuses/:id", path: one, body: map[string]any{"scheduled_at": at(2 * time.Hour)}},
		{of: "DELETE /api/v1/scheduled_statuses/:id", path: one},
	}
}
