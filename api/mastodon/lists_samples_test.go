package mastodon_test

func listSamples() []sample {
	const members = "/api/v1/lists/{list}/accounts"
	return []sample{
		{of: "GET /api/v1/lists"},
		{of: "GET /api/v1/lists/:id", path: "/api/v1/lists/{list}"},
		{of: "POST /api/v1/lists", body: map[string]any{"title": "news", "replies_policy": "none"}, keep: "news"},
		{of: "PUT /api/v1/lists/:id", path: "/api/v1/lists/{news}", body: map[string]any{"title": "n", "exclusive": true}},
		{of: "GET /api/v1/lists/:id/accounts", path: members},
		{of: "POST /api/v1/lists/:id/accounts", path: members, body: map[string]any{"account_ids": []string{"{cid}"}}},
		{of: "DELETE /api/v1/lists/:id/accounts", path: members + "?account_ids[]={cid}"},
		{of: "DELETE /api/v1/lists/:id", path: "/api/v1/lists/{news}"},
	}
}
