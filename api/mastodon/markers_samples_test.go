package mastodon_test

func markerSamples() []sample {
	return []sample{
		{of: "POST /api/v1/markers", body: map[string]any{"home": map[string]any{"last_read_id": "{post}"},
			"notifications": map[string]any{"last_read_id": "{notification}"}}, by: "bob"},
		{of: "GET /api/v1/markers", path: "/api/v1/markers?timeline[]=home&timeline[]=notifications", by: "bob"},
	}
}
