package mastodon

// ReadParams is for tests.
var ReadParams = readParams

// Whole is for tests.
var Whole = whole
