package mastodon

func streamingMethods() []Method {
	return []Method{}
}
