package mastodon_test

func conversationSamples() []sample {
	return []sample{
		{of: "POST /api/v1/statuses", by: "bob", keep: "direct", body: map[string]any{"status": "@ann psst",
			"visibility": "direct"}},
		{of: "GET /api/v1/conversations", idle: true},
		{of: "POST /api/v1/conversations/:id/read", path: "/api/v1/conversations/{direct}/read"},
		{of: "GET /api/v1/timelines/direct"},
	}
}
