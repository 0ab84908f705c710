package mastodon_test

func streamingSamples() []sample {
	return []sample{}
}
