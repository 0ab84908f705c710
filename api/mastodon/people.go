package mastodon

func suggestionMethods() []Method {
	return []Method{}
}
