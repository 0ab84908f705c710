package mastodon_test

func trendSamples() []sample {
	return []sample{
		{of: "GET /api/v1/trends"},
		{of: "GET /api/v1/trends/tags"},
		{of: "GET /api/v1/trends/statuses"},
	}
}
