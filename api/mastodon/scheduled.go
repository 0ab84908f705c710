package mastodon

func scheduledMethods() []Method {
	return []Method{}
}
