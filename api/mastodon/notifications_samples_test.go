package mastodon_test

func notificationSamples() []sample {
	return []sample{}
}
