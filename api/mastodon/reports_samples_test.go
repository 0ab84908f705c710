package mastodon_test

func reportSamples() []sample {
	return []sample{{of: "POST /api/v1/reports", body: map[string]any{"account_id": "{bob}", "status_ids": []string{"{post}"},
		"category": "spam", "comment": "too many sparks"}}}
}
