package mastodon_test

func oauthSamples() []sample {
	return []sample{}
}
