package mastodon_test

func instanceSamples() []sample {
	return []sample{}
}
