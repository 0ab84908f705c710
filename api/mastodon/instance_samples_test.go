package mastodon_test

import "net/http"

func instanceSamples() []sample {
	return []sample{
		{of: "GET /api/v2/instance"},
		{of: "GET /api/v1/instance"},
		{of: "GET /api/v1/instance/rules"},
		{of: "GET /api/v1/instance/extended_description"},
		{of: "GET /api/v1/instance/terms_of_service", want: http.StatusNotFound},
		{of: "GET /api/v1/instance/terms_of_service/:date", path: "/api/v1/instance/terms_of_service/2026-11-20",
			want: http.StatusNotFound},
		{of: "GET /api/v1/instance/languages"},
	}
}
