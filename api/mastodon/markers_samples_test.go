package mastodon_test

func markerSamples() []sample {
	return []sample{}
}
