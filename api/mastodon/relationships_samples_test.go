package mastodon_test

func relationshipSamples() []sample {
	const cid = "/api/v1/accounts/{cid}/"
	to := func(what string, body any) sample {
		return sample{of: "POST /api/v1/accounts/:id/" + what, path: cid + what, body: body}
	}
	return []sample{
		{of: "GET /api/v1/accounts/relationships", path: "/api/v1/accounts/relationships?id[]={bob}&id[]={cid}"},
		to("follow", map[string]any{"reblogs": false, "notify": true}),
		to("note", map[string]any{"comment": "We met"}),
		to("unfollow", nil),
		to("mute", map[string]any{"duration": 3600}),
		{of: "GET /api/v1/mutes"},
		to("unmute", nil),
		to("block", nil),
		{of: "GET /api/v1/blocks"},
		to("unblock", nil),
		to("remove_from_followers", nil),
		{of: "PATCH /api/v1/accounts/update_credentials", body: map[string]any{"locked": true}},
		{of: "POST /api/v1/accounts/:id/follow", path: "/api/v1/accounts/{ann}/follow", by: "cid"},
		{of: "GET /api/v1/follow_requests"},
		{of: "POST /api/v1/follow_requests/:id/authorize", path: "/api/v1/follow_requests/{cid}/authorize"},
		{of: "POST /api/v1/follow_requests/:id/reject", path: "/api/v1/follow_requests/{cid}/reject"},
		{of: "PATCH /api/v1/accounts/update_credentials", body: map[string]any{"locked": false}},
	}
}
