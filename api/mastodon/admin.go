package mastodon

import "slices"

// because is the reason in the audit log of what a client does without saying why.
const because = "by a client of the Mastodon API"

const (
	usualAdmin = 40
	maxAdmin   = 100
)

// adminMethods are those for moderators and administrators. The native operation decides what either may do.
func adminMethods() []Method {
	all := slices.Concat(adminAccountMethods(), adminReportMethods(), adminDomainMethods(), adminSignUpMethods(),
		adminTrendMethods(), adminNumberMethods())
	for i := range all {
		all[i] = all[i].staff()
	}
	return all
}

// adminNumberMethods are off.
func adminNumberMethods() []Method {
	const scope = "admin:read"
	none := func(*call) (any, error) { return []any{}, nil }
	const why = "the metrics of Hibana are those of Google Cloud, not of the database"
	return []Method{
		post("/api/v1/admin/measures", scope, none).off(why),
		post("/api/v1/admin/dimensions", scope, none).off(why),
		post("/api/v1/admin/retention", scope, none).off(why),
	}
}
