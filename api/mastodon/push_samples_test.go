package mastodon_test

func pushSamples() []sample {
	return []sample{}
}
