package mastodon_test

func statusSamples() []sample {
	return []sample{
		{of: "GET /api/v1/statuses/:id", path: "/api/v1/statuses/{post}"},
		{of: "POST /api/v1/statuses/:id/favourite", path: "/api/v1/statuses/{post}/favourite"},
		{of: "POST /api/v1/statuses/:id/unfavourite", path: "/api/v1/statuses/{post}/unfavourite"},
		{of: "POST /api/v1/statuses/:id/bookmark", path: "/api/v1/statuses/{post}/bookmark"},
		{of: "POST /api/v1/statuses/:id/unbookmark", path: "/api/v1/statuses/{post}/unbookmark"},
	}
}
