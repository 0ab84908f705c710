package mastodon_test

func pollSamples() []sample {
	return []sample{
		{of: "POST /api/v1/statuses", by: "bob", keep: "poll", body: map[string]any{"status": "Tea?",
			"poll": map[string]any{"options": []string{"yes", "no"}, "expires_in": 600}}},
		{of: "GET /api/v1/polls/:id", path: "/api/v1/polls/{poll}"},
		{of: "POST /api/v1/polls/:id/votes", path: "/api/v1/polls/{poll}/votes", body: map[string]any{"choices": []int{1}}},
	}
}
