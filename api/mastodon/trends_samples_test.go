package mastodon_test

func trendSamples() []sample {
	return []sample{}
}
