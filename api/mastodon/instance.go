package mastodon

func instanceMethods() []Method {
	return []Method{}
}
