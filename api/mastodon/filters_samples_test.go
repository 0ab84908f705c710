package mastodon_test

func filterSamples() []sample {
	return []sample{}
}
