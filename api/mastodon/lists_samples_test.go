package mastodon_test

func listSamples() []sample {
	return []sample{}
}
