package mastodon_test

func streamingSamples() []sample {
	return []sample{
		{of: "GET /api/v1/bookmarks"}, {of: "GET /api/v1/favourites"},
		{of: "GET /api/v1/streaming/health", want: 404},
	}
}
