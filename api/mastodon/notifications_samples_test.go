package mastodon_test

// cid and ann like a post of bob, who is told of it, and then filters both.
func notificationSamples() []sample {
	const like, unlike = "POST /api/v1/statuses/:id/favourite", "POST /api/v1/statuses/:id/unfavourite"
	const liked, unliked = "/api/v1/statuses/{post}/favourite", "/api/v1/statuses/{post}/unfavourite"
	both := map[string]any{"id": []string{"{ann}", "{cid}"}}
	return []sample{
		{of: like, path: liked, by: "cid"},
		{of: "GET /api/v1/notifications", by: "bob", keep: "notification", idle: true},
		{of: "GET /api/v1/notifications/:id", path: "/api/v1/notifications/{notification}", by: "bob"},
		{of: "GET /api/v1/notifications/unread_count", by: "bob"},
		{of: "GET /api/v2/notifications", by: "bob"},
		{of: "GET /api/v2/notifications/unread_count", by: "bob"},
		{of: "GET /api/v2/notifications/:group_key", path: "/api/v2/notifications/ungrouped-{notification}", by: "bob"},
		{of: "GET /api/v2/notifications/:group_key/accounts", by: "bob",
			path: "/api/v2/notifications/ungrouped-{notification}/accounts"},
		{of: "POST /api/v1/notifications/:id/dismiss", path: "/api/v1/notifications/{notification}/dismiss", by: "bob"},
		{of: "POST /api/v1/notifications/dismiss", body: map[string]any{"id": "{notification}"}, by: "bob"},
		{of: "POST /api/v2/notifications/:group_key/dismiss", by: "bob",
			path: "/api/v2/notifications/ungrouped-{notification}/dismiss"},
		{of: "POST /api/v1/notifications/clear", by: "bob"},
		{of: "PATCH /api/v2/notifications/policy", body: map[string]any{"for_not_following": "filter"}, by: "bob"},
		{of: "PATCH /api/v1/notifications/policy", body: map[string]any{"filter_not_following": true}, by: "bob"},
		{of: "PUT /api/v2/notifications/policy", body: map[string]any{"for_not_following": "filter"}, by: "bob"},
		{of: "PUT /api/v1/notifications/policy", body: map[string]any{"filter_not_following": true}, by: "bob"},
		{of: like, path: liked},
		{of: unlike, path: unliked, by: "cid"},
		{of: like, path: liked, by: "cid", idle: true},
		{of: "GET /api/v1/notifications/policy", by: "bob", idle: true},
		{of: "GET /api/v2/notifications/policy", by: "bob"},
		{of: "GET /api/v1/notifications/requests", by: "bob"},
		{of: "GET /api/v1/notifications/requests/:id", path: "/api/v1/notifications/requests/{cid}", by: "bob"},
		{of: "GET /api/v1/notifications/requests/merged", by: "bob"},
		{of: "POST /api/v1/notifications/requests/:id/dismiss", by: "bob",
			path: "/api/v1/notifications/requests/{cid}/dismiss"},
		{of: "POST /api/v1/notifications/requests/:id/accept", by: "bob",
			path: "/api/v1/notifications/requests/{ann}/accept"},
		{of: "POST /api/v1/notifications/requests/accept", body: both, by: "bob", idle: true},
		{of: "POST /api/v1/notifications/requests/dismiss", body: both, by: "bob"},
	}
}
