package mastodon

func adminMethods() []Method {
	return []Method{}
}
