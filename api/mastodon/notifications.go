package mastodon

func notificationMethods() []Method {
	return []Method{}
}
