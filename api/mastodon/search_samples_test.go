package mastodon_test

func searchSamples() []sample {
	return []sample{}
}
