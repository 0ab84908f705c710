package mastodon_test

func conversationSamples() []sample {
	return []sample{}
}
