package mastodon_test

func tagSamples() []sample {
	to := func(what string) sample {
		return sample{of: "POST /api/v1/tags/:id/" + what, path: "/api/v1/tags/Spark/" + what}
	}
	return []sample{
		{of: "GET /api/v1/tags/:id", path: "/api/v1/tags/Spark"},
		to("follow"),
		{of: "GET /api/v1/followed_tags"},
		to("unfollow"),
		to("feature"),
		{of: "GET /api/v1/featured_tags"},
		{of: "GET /api/v1/featured_tags/suggestions"},
		to("unfeature"),
		{of: "POST /api/v1/featured_tags", body: map[string]any{"name": "Glow"}},
		{of: "DELETE /api/v1/featured_tags/:id", path: "/api/v1/featured_tags/glow"},
	}
}
