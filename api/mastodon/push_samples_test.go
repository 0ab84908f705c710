package mastodon_test

func pushSamples() []sample {
	const path = "/api/v1/push/subscription"
	return []sample{
		{of: "POST " + path, body: map[string]any{"subscription": subscription(), "data": map[string]any{
			"alerts": map[string]bool{"mention": true}}}},
		{of: "GET " + path},
		{of: "PUT " + path, body: map[string]any{"data": map[string]any{"alerts": map[string]bool{"follow": true}}}},
		{of: "DELETE " + path},
	}
}
