package mastodon

func markerMethods() []Method {
	return []Method{}
}
