package mastodon

func searchMethods() []Method {
	return []Method{}
}
