package mastodon_test

func suggestionSamples() []sample {
	return []sample{
		{of: "GET /api/v2/suggestions"},
		{of: "GET /api/v1/suggestions"},
		{of: "DELETE /api/v1/suggestions/:id", path: "/api/v1/suggestions/{cid}"},
		{of: "GET /api/v1/directory", path: "/api/v1/directory?order=new&limit=10"},
	}
}
