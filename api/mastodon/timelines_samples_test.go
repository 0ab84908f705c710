package mastodon_test

func timelineSamples() []sample {
	return []sample{
		{of: "GET /api/v1/timelines/home", idle: true},
		{of: "GET /api/v1/timelines/public", shard: 2},
		{of: "GET /api/v1/timelines/tag/:hashtag", path: "/api/v1/timelines/tag/spark"},
		{of: "GET /api/v1/timelines/list/:list_id", path: "/api/v1/timelines/list/{list}"},
	}
}
