package mastodon_test

func searchSamples() []sample {
	return []sample{
		{of: "GET /api/v2/search", path: "/api/v2/search?q=spark"},
		{of: "GET /api/v1/search", path: "/api/v1/search?q=spark"},
	}
}
