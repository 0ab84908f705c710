package mastodon

func pushMethods() []Method {
	return []Method{}
}
