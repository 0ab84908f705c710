package mastodon_test

func accountSamples() []sample {
	profile := map[string]any{"note": "Likes sparks",
		"fields_attributes": []any{map[string]any{"name": "a", "value": "b"}}}
	return []sample{
		{of: "GET /api/v1/accounts/verify_credentials"},
		{of: "GET /api/v1/accounts", path: "/api/v1/accounts?id[]={bob}&id[]={cid}"},
		{of: "PATCH /api/v1/accounts/update_credentials", body: profile},
		{of: "GET /api/v1/profile"},
		{of: "PATCH /api/v1/profile", body: profile},
		{of: "PUT /api/v1/profile", body: profile},
		{of: "DELETE /api/v1/profile/avatar"},
		{of: "DELETE /api/v1/profile/header"},
		{of: "GET /api/v1/accounts/lookup", path: "/api/v1/accounts/lookup?acct=bob"},
		{of: "GET /api/v1/accounts/search", path: "/api/v1/accounts/search?q=bo&following=true"},
		{of: "GET /api/v1/accounts/familiar_followers", path: "/api/v1/accounts/familiar_followers?id[]={cid}"},
		{of: "GET /api/v1/accounts/:id", path: "/api/v1/accounts/{bob}"},
		{of: "GET /api/v1/accounts/:id/statuses", path: "/api/v1/accounts/{bob}/statuses"},
		{of: "GET /api/v1/accounts/:id/followers", path: "/api/v1/accounts/{bob}/followers"},
		{of: "GET /api/v1/accounts/:id/following", path: "/api/v1/accounts/{ann}/following"},
		{of: "GET /api/v1/accounts/:id/featured_tags", path: "/api/v1/accounts/{bob}/featured_tags"},
		{of: "GET /api/v1/accounts/:id/lists", path: "/api/v1/accounts/{bob}/lists"},
		{of: "GET /api/v1/preferences"},
	}
}
