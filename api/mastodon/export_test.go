package mastodon

// ReadParams is for tests.
var ReadParams = readParams
