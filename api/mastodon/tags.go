package mastodon

func tagMethods() []Method {
	return []Method{}
}
