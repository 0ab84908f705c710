package mastodon

func announcementMethods() []Method {
	return []Method{}
}
