package mastodon_test

func adminSamples() []sample {
	return []sample{}
}
