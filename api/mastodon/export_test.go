package mastodon

// ReadParams is for tests.
var ReadParams = readParams

// Whole is for tests.
var Whole = whole

// Boundary and FirstDay are for tests.
var (
	Boundary = boundary
	FirstDay = firstDay
)
