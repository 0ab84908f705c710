package mastodon

func listMethods() []Method {
	return []Method{}
}
