package mastodon_test

func suggestionSamples() []sample {
	return []sample{}
}
