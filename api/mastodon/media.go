package mastodon

func mediaMethods() []Method {
	return []Method{}
}
