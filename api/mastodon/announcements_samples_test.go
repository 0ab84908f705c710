package mastodon_test

func announcementSamples() []sample {
	return []sample{
		{of: "GET /api/v1/announcements", keep: "announcement"},
		{of: "POST /api/v1/announcements/:id/dismiss", path: "/api/v1/announcements/{announcement}/dismiss"},
	}
}
