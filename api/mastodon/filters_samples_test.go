package mastodon_test

func filterSamples() []sample {
	keywords := []any{map[string]any{"keyword": "spoiler", "whole_word": true}, map[string]any{"keyword": "leak"}}
	return []sample{
		{of: "POST /api/v2/filters", body: map[string]any{"title": "Series", "context": []string{"home", "account"},
			"filter_action": "hide", "expires_in": 3600, "keywords_attributes": keywords}, keep: "filter"},
		{of: "GET /api/v2/filters"},
		{of: "GET /api/v2/filters/:id", path: "/api/v2/filters/{filter}"},
		{of: "PUT /api/v2/filters/:id", path: "/api/v2/filters/{filter}", body: map[string]any{"filter_action": "warn"}},
		{of: "POST /api/v2/filters/:id/keywords", path: "/api/v2/filters/{filter}/keywords",
			body: map[string]any{"keyword": "finale"}, keep: "keyword"},
		{of: "GET /api/v2/filters/:id/keywords", path: "/api/v2/filters/{filter}/keywords"},
		{of: "GET /api/v2/filters/keywords/:id", path: "/api/v2/filters/keywords/{keyword}"},
		{of: "PUT /api/v2/filters/keywords/:id", path: "/api/v2/filters/keywords/{keyword}",
			body: map[string]any{"keyword": "the finale"}, keep: "keyword"},
		{of: "DELETE /api/v2/filters/keywords/:id", path: "/api/v2/filters/keywords/{keyword}"},
		{of: "DELETE /api/v2/filters/:id", path: "/api/v2/filters/{filter}"},
		{of: "POST /api/v1/filters", body: map[string]any{"phrase": "goal", "context": []string{"home"}}, keep: "phrase"},
		{of: "GET /api/v1/filters"},
		{of: "GET /api/v1/filters/:id", path: "/api/v1/filters/{phrase}"},
		{of: "PUT /api/v1/filters/:id", path: "/api/v1/filters/{phrase}",
			body: map[string]any{"phrase": "goals", "context": []string{"home", "thread"}}}, // whose id stays
		{of: "DELETE /api/v1/filters/:id", path: "/api/v1/filters/{phrase}"},
	}
}
