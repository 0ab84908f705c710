package mastodon_test

func pollSamples() []sample {
	return []sample{}
}
