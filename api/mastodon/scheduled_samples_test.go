package mastodon_test

func scheduledSamples() []sample {
	return []sample{}
}
