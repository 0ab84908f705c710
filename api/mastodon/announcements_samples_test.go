package mastodon_test

func announcementSamples() []sample {
	return []sample{}
}
