package mastodon

func filterMethods() []Method {
	return []Method{}
}
