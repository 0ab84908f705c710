package mastodon

func pollMethods() []Method {
	return []Method{}
}
