package mastodon

func reportMethods() []Method {
	return []Method{}
}
