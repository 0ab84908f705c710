package mastodon_test

func statusSamples() []sample {
	const one, own = "/api/v1/statuses/{post}", "/api/v1/statuses/{own}"
	of := func(verb, what string) sample {
		return sample{of: verb + " /api/v1/statuses/:id/" + what, path: one + "/" + what}
	}
	ofOwn := func(verb, what string, body any) sample {
		return sample{of: verb + " /api/v1/statuses/:id/" + what, path: own + "/" + what, body: body}
	}
	return []sample{
		{of: "GET /api/v1/statuses/:id", path: one},
		of("POST", "favourite"), of("POST", "unfavourite"), of("POST", "bookmark"), of("POST", "unbookmark"),
		of("POST", "reblog"), of("GET", "reblogged_by"), of("POST", "unreblog"), of("POST", "mute"), of("POST", "unmute"),
		of("GET", "favourited_by"), of("GET", "source"), of("GET", "history"), of("GET", "context"), of("GET", "card"),
		{of: "POST /api/v1/statuses", body: map[string]any{"status": "my #own one"}, keep: "own"},
		{of: "GET /api/v1/statuses", path: "/api/v1/statuses?id[]={post}&id[]={own}"},
		{of: "GET /api/v1/statuses/:id", path: own},
		{of: "PUT /api/v1/statuses/:id", path: own, body: map[string]any{"status": "my other #own one"}},
		ofOwn("POST", "pin", nil), ofOwn("POST", "unpin", nil),
		ofOwn("PUT", "interaction_policy", map[string]any{"quote_approval_policy": "followers"}),
		ofOwn("PUT", "interaction_policy", map[string]any{"quote_approval_policy": "public"}),
		{of: "POST /api/v1/statuses", body: map[string]any{"status": "see", "quoted_status_id": "{own}"}, by: "bob",
			keep: "quote"},
		{of: "GET /api/v1/statuses/:id/quotes", path: own + "/quotes", idle: true},
		{of: "POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke", path: own + "/quotes/{quote}/revoke"},
		{of: "DELETE /api/v1/statuses/:id", path: own},
	}
}
