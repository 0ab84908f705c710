package mastodon

func trendMethods() []Method {
	return []Method{}
}
