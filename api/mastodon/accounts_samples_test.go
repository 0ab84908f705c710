package mastodon_test

func accountSamples() []sample {
	return []sample{
		{of: "GET /api/v1/accounts/verify_credentials"},
		{of: "GET /api/v1/accounts/:id", path: "/api/v1/accounts/{bob}"},
		{of: "GET /api/v1/accounts/:id/statuses", path: "/api/v1/accounts/{bob}/statuses"},
	}
}
