package mastodon_test

func tagSamples() []sample {
	return []sample{}
}
