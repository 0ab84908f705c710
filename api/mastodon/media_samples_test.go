package mastodon_test

func mediaSamples() []sample {
	return []sample{}
}
