package mastodon_test

func relationshipSamples() []sample {
	return []sample{}
}
